"""Parts of a turn that a session does not record: the agent was interrupted, or nobody reads all that it wrote."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from evaltui.evalset.case_data import PlainTurn, as_bool, get, parts_of, text
from evaltui.evalset.keys import spelled
from evaltui.evalset.turn import Turn, TurnPart, turn_in, with_read_calls, with_read_text
from evaltui.evalset.unread_members import (
    has_read_part,
    is_read,
    is_read_whole,
    responses_without_calls,
    unread_beside_calls,
    unread_in,
    why_calls_are_missing,
)
from evaltui.printable import one_line
from evaltui.recordings.sessions.session_turns import Event, content_of, is_final, is_of_the_user, payloads

_INTERRUPTED = "it ends before a final response, so later calls may be missing"
_IN_PIECES = "was spoken in several pieces without a whole, so it is not recorded"
_INPUT, _OUTPUT = "input_transcription", "output_transcription"
_ROLES = {_INPUT: "user", _OUTPUT: "model"}
"""The keys of the text of what was spoken, in the order in which they count, with the role of who spoke."""
_ENDS = ("escalate", "end_of_agent")
"""Actions that end a loop or an agent. A `transfer_to_agent` is no end: the other agent goes on."""
_FINISH = "finish_task"
_FINISHED = ("Task completed.", "Task failed.")
"""The results with which this tool ends an agent (google.adk.agents.llm.task._finish_task_tool)."""
_NOTHING_SAID = "STOP"
"""The error code that google-adk once gave to a model that ended without a word, such as one that only calls tools."""


def stated_turn(
    invocation: dict[str, Any],
    error: str | None,
    events: Sequence[Event],
    read: Sequence[Event],
    known_calls: Container[str],
    *,
    knows_actions: bool,
) -> tuple[Turn, list[str]]:
    """The turn of an invocation made of these events, and a sentence for each thing that nobody reads.

    `read` are the same events without the requests to the user and the responses to them. `known_calls` are the ids
    of the calls of all turns: a person may confirm a call in a later turn. Without `knows_actions`, the events lack
    their actions.
    """
    data = PlainTurn(invocation)
    turn, sentences = with_read_calls(turn_in(data), data.calls)
    if not turn.inference_calls:  # its events name no model, so nobody knows the number of model calls
        turn = replace(turn, inference_calls=None)
    doubts = [[*_doubts(event, knows_actions=knows_actions)] for event in events]
    responses = [*payloads(read, "function_response")]
    missing = [*why_calls_are_missing(responses, payloads(read, "function_call"), known_calls)]
    sentences += dict.fromkeys([*chain.from_iterable(doubts), *missing])
    unrecorded: set[TurnPart] = {"calls"} if missing or any(doubts) else set()
    if not _has_end(events):
        sentences += [_INTERRUPTED] if any(map(is_of_the_user, events)) else []
        unrecorded |= {"calls", "response"}
    lost = lost_message(read)
    if _is_spoken_in_pieces([*filter(is_of_the_user, read)], _INPUT):
        sentences.append(f"its user message {_IN_PIECES}")
        turn = replace(turn, user_text="")
    elif lost:
        sentences.append(lost)
    # A user who only answered a tool call of an earlier turn wrote no message.
    is_answer = bool([*payloads(filter(is_of_the_user, events), "function_response")])
    if not turn.user_text and (lost or not is_answer):
        unrecorded.add("user_text")
    failed_calls = payloads(filter(error_in, read), "function_call")
    if any(responses_without_calls(failed_calls, responses)):  # the agent may never have made such a call
        unrecorded.add("calls")
    final = get(invocation, "final_response")
    places = (index for index in reversed(range(len(read))) if content_of(read[index]) is final)
    place, failure = next(places, -1) if final else -1, _index_of_failure(events)
    if error and (failure > place or not (turn.response or turn.other_parts)):
        unrecorded |= turn.unrecorded
        failed = replace(turn, response="", other_parts=(), failure=error, unrecorded=frozenset(unrecorded))
        return failed, sentences
    if failure >= 0 and failure == place:  # a response beside an error may be only its beginning
        sentences.append(f"its response is not recorded, because it ends with an error: {error}")
        unrecorded.add("response")
    if _is_spoken_in_pieces(read[: place + 1], _OUTPUT):
        sentences.append(f"its response {_IN_PIECES}")
        unrecorded.add("response")
    if not any(map(_tells_acts, read)):
        unrecorded.add("calls")
    later_doubts = doubts[place + 1 :] if turn.response else doubts
    if any(later_doubts) or not _has_whole_response(turn, final):
        unrecorded.add("response")
    return with_read_text(replace(turn, unrecorded=turn.unrecorded | unrecorded)), sentences


def lost_message(events: Sequence[Event]) -> str | None:
    """A sentence if google-adk's conversion drops a message of the user, because another one follows; else None."""
    contents = [content for event in events if is_of_the_user(event) and (content := content_of(event)) is not None]
    messages = (part for content in contents[:-1] for part in parts_of(content) if is_read(part))
    if all(get(part, "function_response") is not None for part in messages):
        return None
    return f"it has {len(contents)} user messages; google-adk keeps only the last"


def has_agent_event(events: Sequence[Event]) -> bool:
    """Whether an agent wrote one of the events, as far as they can be read."""
    of_agents = [event for event in events if not is_of_the_user(event)]
    return any(has_read_part(content_of(event)) or any(_unread_in_event(event)) for event in of_agents)


def _tells_acts(event: Event) -> bool:
    """Whether an event tells what an agent did. Without such an event, nothing tells the calls of a turn."""
    return not is_of_the_user(event) and (
        get(event, "grounding_metadata") is not None or has_read_part(content_of(event))
    )


# --- transcriptions of live sessions ---------------------------------------------------------------------------------


def with_transcription(event: Event) -> Event:
    """The event; if it has no content, with the text of what was spoken in a live session."""
    if get(event, "content") is not None or as_bool(get(event, "partial")):
        return event
    # As google-adk does it in its live evals (`EvaluationGenerator._normalize_live_transcriptions`).
    for name, role in _ROLES.items():
        if (spoken := text(get(event, name), "text")) is not None:
            return {**event, "content": {"role": role, "parts": [{"text": spoken}]}}
    return event


def _is_spoken_in_pieces(events: Sequence[Event], name: str) -> bool:
    """Whether the last text that was spoken, `_INPUT` or `_OUTPUT`, is only the last piece of several."""
    # google-adk 1.15 to 1.18 stores an event for each piece, and none for the whole. Later releases store the whole
    # text, which is `finished`.
    begun, is_piece = "", False
    for event in events:
        if _is_transcription(event, name):
            spoken, is_finished = get(event, name)["text"], as_bool(get(get(event, name), "finished"))
            is_piece = bool(begun) and not (is_finished and spoken.startswith(begun))
            begun = "" if is_finished else begun + spoken
        elif has_read_part(content_of(event)) and not any(_is_transcription(event, key) for key in _ROLES):
            begun, is_piece = "", False  # a call or another text ends the row of pieces
    return is_piece


def _is_transcription(event: Event, name: str) -> bool:
    spoken = text(get(event, name), "text")
    return spoken is not None and content_of(event) == {"role": _ROLES[name], "parts": [{"text": spoken}]}


# --- ends of turns: after the last event of a turn that was interrupted, the agent may have called more tools ---------


def error_in(event: Event) -> str:
    """The error in an event of an agent; "" for none."""
    texts = filter(None, (text(event, name) for name in ("error_code", "error_message")))
    return "" if is_of_the_user(event) else ": ".join(one_line(part, 300) for part in texts)


def _has_whole_response(turn: Turn, final: Any) -> bool:
    """Whether a content has the whole response of a turn, if only as an empty text."""
    has_text = any(isinstance(part.get("text"), str) for part in parts_of(final))
    return is_read_whole(final) and (bool(turn.response or turn.other_parts) or has_text)


def _has_end(events: Sequence[Event]) -> bool:
    """Whether the turn of these events ended, as far as they tell: with a response, an error, or a pause."""
    acting = [event for event in events if [*parts_of(content_of(event))] or _ends(event)]
    if all(map(is_of_the_user, acting)):  # no agent wrote anything that could have been interrupted
        return True
    if is_of_the_user(acting[-1]):
        return False
    if _ends(acting[-1]):
        return True
    # A call that a person answers later pauses the turn; its tool may give a first response.
    calls = [event for event in acting if not [*payloads([event], "function_response")]]
    return bool(calls) and bool(get(calls[-1], "long_running_tool_ids"))


def _index_of_failure(events: Sequence[Event]) -> int:
    """The index of the error with which a turn ended; -1 if an agent went on to a response after it, or for none."""
    for index in reversed(range(len(events))):
        if get(events[index], "error_code") != _NOTHING_SAID and error_in(events[index]):
            return index
        if _responds(events[index]):
            break
    return -1


def _responds(event: Event) -> bool:
    parts = [*parts_of(content_of(event))]
    responds = get(event, "output") is not None or bool(parts and is_final(event, parts))
    return responds and not is_of_the_user(event)


def _ends(event: Event) -> bool:
    if is_of_the_user(event):
        return False
    if _responds(event) or error_in(event) or any(as_bool(get(_actions(event), name)) for name in _ENDS):
        return True
    results = (get(act, "response") for act in payloads([event], "function_response") if get(act, "name") == _FINISH)
    return any(get(result, "result") in _FINISHED for result in results)


# --- members of events that nobody reads, as in `Event` and `EventActions` (google.adk.events), adk-java and adk-go ---

_OF_AN_EVENT = spelled(
    *("model_version", "content", "grounding_metadata", "partial", "turn_complete", "turn_complete_reason"),
    *("interaction_status", "finish_reason", "error_code", "error_message", "interrupted", "custom_metadata"),
    *("usage_metadata", "live_session_resumption_update", "live_session_id", "go_away", "voice_activity"),
    *("input_transcription", "output_transcription", "avg_logprobs", "logprobs_result", "cache_metadata"),
    *("citation_metadata", "interaction_id", "environment_id", "invocation_id", "author", "actions", "output"),
    *("node_info", "long_running_tool_ids", "branch", "isolation_scope", "id", "timestamp"),
    *("app_name", "user_id", "session_id"),  # columns of a database
)
_OF_ACTIONS = spelled(
    *("skip_summarization", "state_delta", "artifact_delta", "transfer_to_agent", "transfer_reason", "escalate"),
    *("requested_auth_configs", "requested_tool_confirmations", "compaction", "end_of_agent", "agent_state"),
    *("rewind_before_invocation_id", "route", "render_ui_widgets", "set_model_response"),
    *("deleted_artifact_ids", "end_invocation"),
)
_OF_A_MODEL = ("model_version", "finish_reason", "usage_metadata")
"""The members of the event of a model call, which has a content."""
_WITHOUT_CONTENT = (
    *("error_code", "error_message", "interrupted", "turn_complete", "turn_complete_reason", "interaction_status"),
    *("live_session_resumption_update", "live_session_id", "go_away", "voice_activity"),
    *("input_transcription", "output_transcription", "grounding_metadata", "output"),
)
"""The members of events to which google-adk gives no content: of errors, of live sessions, of nodes of workflows."""


def _doubts(event: Event, *, knows_actions: bool) -> Iterator[str]:
    if unread := ", ".join(_unread_in_event(event)):
        yield f"{unread} is not read: google-adk has texts and tool calls in content.parts"
    elif not is_of_the_user(event) and _lacks_content(event, knows_actions=knows_actions):
        yield "an event of the agent has no content"


def _unread_in_event(event: Event) -> Iterator[str]:
    yield from unread_in(event, _OF_AN_EVENT)
    for key, value in _actions(event).items():
        name = f"{key[:1].lower()}{key[1:]}"  # adk-go writes `StateDelta`
        yield from (f"actions.{key}" for _ in unread_in({name: value}, _OF_ACTIONS))
    yield from (f"content.{key}" for key in unread_beside_calls(content_of(event)))


def _lacks_content(event: Event, *, knows_actions: bool) -> bool:
    """Whether an event of an agent should have a content, but no part of it can be read."""
    content = content_of(event)
    if has_read_part(content) or any(_is_set(get(event, name)) for name in _WITHOUT_CONTENT):
        return False
    of_a_model = [name for name in _OF_A_MODEL if _is_set(get(event, name))]
    if content is not None and "finish_reason" in of_a_model:  # the model said nothing
        return False
    if content is None and of_a_model == ["usage_metadata"]:  # google-adk 1 reports it so in live sessions
        return False
    if of_a_model or get(event, "long_running_tool_ids"):
        return True
    # Actions, or a node of a workflow, are why an event has no content. Unknown actions may be.
    actions = _actions(event)
    is_empty = not any(actions.values()) and get(actions, "agent_state") is None
    return knows_actions and is_empty and not get(event, "node_info")


def _actions(event: Event) -> dict[str, Any]:
    actions = get(event, "actions")
    return actions if isinstance(actions, dict) else {}


def _is_set(value: Any) -> bool:
    return value is not None and value is not False and value != ""
