"""Parts of a turn that its events state: none if the agent was interrupted, or if nobody reads all that it wrote."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from evaltui.evalset.case_data import InvocationData, get, parts_of
from evaltui.evalset.turn import Turn, TurnPart, turn_in, with_read_calls, with_read_text
from evaltui.evalset.unread_members import (
    has_read_part,
    is_read,
    responses_without_calls,
    unread_beside_calls,
    why_calls_are_missing,
)
from evaltui.recordings.sessions.session_turns import Event, content_of, is_of_the_user, payloads
from evaltui.recordings.sessions.transcriptions import INPUT, OUTPUT, is_spoken_in_pieces
from evaltui.recordings.sessions.turn_ends import error_in, has_end, place_of_failure
from evaltui.recordings.sessions.unread_events import lacks_content, unread_in_event

_INTERRUPTED = "it ends before a final response, so later calls may be missing"
_IN_PIECES = "was spoken in several pieces without a whole, so it is not recorded"


class EventsOfTurn(NamedTuple):
    """The events of an invocation."""

    recorded: Sequence[Event]
    """As they are in the session."""
    read: Sequence[Event]
    """Without the requests to the user, and the responses to them; as many events."""
    knows_actions: bool
    """Whether their actions are known."""


def stated_turn(
    invocation: Any, events: EventsOfTurn, known_calls: Container[str], error: str | None = None
) -> tuple[Turn, list[str]]:
    """The turn of an invocation made of these events, and a sentence for each thing that nobody reads.

    Without a readable event of the agent, nothing tells its calls. Without an event that ends the turn, the response
    is not recorded, and later calls may be missing: the agent was interrupted. With an `error` and no response after
    it, the agent failed. A response beside an error may be only its beginning.
    `known_calls` are the ids of the calls of all turns: a person may confirm a call in a later turn.
    """
    data = InvocationData(invocation)
    turn, said = with_read_calls(turn_in(data), data.calls)
    if not turn.inference_calls:  # its events name no model, so nobody knows the number of model calls
        turn = replace(turn, inference_calls=None)
    doubts = [[*_doubts(event, knows_actions=events.knows_actions)] for event in events.recorded]
    responses = [*payloads(events.read, "function_response")]
    missing = [*why_calls_are_missing(responses, calls_in(events.read), known_calls)]
    said += dict.fromkeys([*(sentence for each in doubts for sentence in each), *missing])
    unrecorded: set[TurnPart] = {"calls"} if missing or any(doubts) else set()
    if not has_end(events.recorded):
        said += [_INTERRUPTED] if any(map(is_of_the_user, events.recorded)) else []
        unrecorded |= {"calls", "response"}
    lost = lost_message(events.read)
    if is_spoken_in_pieces([*filter(is_of_the_user, events.read)], INPUT):
        said.append(f"its user message {_IN_PIECES}")
        turn = replace(turn, user_text="")
    elif lost:
        said.append(lost)
    if not turn.user_text and (lost or not is_resumed(events.recorded)):
        unrecorded.add("user_text")
    failed = [event for event in events.read if error_in(event)]
    if any(responses_without_calls(calls_in(failed), responses)):  # the agent may never have made this call
        unrecorded.add("calls")
    final = get(invocation, "final_response")
    place, failure = _place(final, events.read), place_of_failure(events.recorded)
    if error and (failure > place or not (turn.response or turn.other_parts)):
        unrecorded |= turn.unrecorded
        return replace(turn, response="", other_parts=(), failure=error, unrecorded=frozenset(unrecorded)), said
    if failure >= 0 and failure == place:
        said.append(f"its response is not recorded, because it ends with an error: {error}")
        unrecorded.add("response")
    if is_spoken_in_pieces(events.read[: place + 1], OUTPUT):
        said.append(f"its response {_IN_PIECES}")
        unrecorded.add("response")
    if not any(map(_is_of_the_agent, events.read)):
        unrecorded.add("calls")
    after = doubts[place + 1 :] if turn.response else doubts
    if any(after) or not _tells_response(turn, final):
        unrecorded.add("response")
    return with_read_text(replace(turn, unrecorded=turn.unrecorded | unrecorded)), said


def _tells_response(turn: Turn, final: Any) -> bool:
    """Whether a content has the whole response of a turn, if only as an empty text."""
    parts = [*parts_of(final)]
    if any(not is_read(part) and any(unread_beside_calls({"parts": [part]})) for part in parts):
        return False
    return bool(turn.response or turn.other_parts) or any(isinstance(part.get("text"), str) for part in parts)


def without_doubtful(turn: Turn) -> Turn:
    """The turn of a session in which other events may belong to it, too: its calls are not recorded."""
    parts: set[TurnPart] = {"calls"} if turn.response or turn.failure else {"calls", "response"}
    return replace(turn, unrecorded=turn.unrecorded | parts)


def without_end(turn: Turn) -> Turn:
    """The turn of an invocation that another one continues: its calls and its response are not recorded."""
    return replace(turn, failure="", unrecorded=turn.unrecorded | {"calls", "response"})


def calls_in(events: Iterable[Event]) -> Iterator[Any]:
    """The tool calls of some events."""
    return payloads(events, "function_call")


def lost_message(events: Sequence[Event]) -> str | None:
    """A sentence if google-adk's conversion drops a message of the user, because another one follows; else None."""
    contents = [content for event in events if is_of_the_user(event) and (content := content_of(event)) is not None]
    if not any(is_read(part) and not _is_response(part) for content in contents[:-1] for part in parts_of(content)):
        return None
    return f"it has {len(contents)} user messages; google-adk keeps only the last"


def is_resumed(events: Sequence[Event]) -> bool:
    """Whether the user only answered a tool call of an earlier turn, so that there is no message."""
    contents = [content_of(event) for event in events if is_of_the_user(event)]
    return any(_is_response(part) for content in contents for part in parts_of(content))


def _is_response(part: Any) -> bool:
    return get(part, "function_response") is not None


def is_told_by_an_agent(events: Sequence[Event]) -> bool:
    """Whether an agent wrote one of the events, as far as they can be read."""
    return any(
        not is_of_the_user(event) and (has_read_part(content_of(event)) or any(unread_in_event(event)))
        for event in events
    )


def _doubts(event: Event, *, knows_actions: bool) -> Iterator[str]:
    """A sentence for each thing in an event that may be a call or a text that nobody reads."""
    if unread := ", ".join(unread_in_event(event)):
        yield f"{unread} is not read: google-adk has texts and tool calls in content.parts"
    elif not is_of_the_user(event) and lacks_content(event, knows_actions=knows_actions):
        yield "an event of the agent has no content"


def _place(final: Any, events: Sequence[Event]) -> int:
    """The index of the event with the final response; -1 for none."""
    return next((at for at in reversed(range(len(events))) if content_of(events[at]) is final), -1) if final else -1


def _is_of_the_agent(event: Event) -> bool:
    """Whether an event tells what an agent did."""
    return not is_of_the_user(event) and (
        get(event, "grounding_metadata") is not None or has_read_part(content_of(event))
    )
