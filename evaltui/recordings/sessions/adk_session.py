"""Sessions of google-adk as conversations: sessions of a database, or JSON of `adk run --save_session` and adk web."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from evaltui.evalset.case_data import as_bool, as_number, get, moment, objects_in, text
from evaltui.evalset.turn import Turn, TurnPart, UnreadError, check_content, without_blanks
from evaltui.evalset.unread_members import ids_of_calls
from evaltui.printable import one_line
from evaltui.recordings.agent_names import AgentNames
from evaltui.recordings.conversation import Conversation, ConversationsRead, RecordedTurn, recorded_invocation
from evaltui.recordings.sessions.session_turns import (
    Event,
    continued_turns,
    group_events,
    ids_of_requests,
    invocation_of,
    is_of_the_user,
    live_events,
    payloads,
    without_requests,
)
from evaltui.recordings.sessions.unrecorded_parts import (
    error_in,
    has_agent_event,
    lost_message,
    stated_turn,
    with_transcription,
)

_WITHOUT_END = "so its calls and its response are not recorded"
_NO_INVOCATIONS = "the events have no invocation_id, so nobody knows where a turn begins"


def conversations_of_sessions(value: Any, path: Path, *, for_cases: bool = False) -> ConversationsRead:
    """A conversation for the session, or for each of a list of them."""
    values = value if isinstance(value, list) else [value]
    sessions = list(objects_in(values))
    warnings: list[str] = []
    conversations = []
    for number, session in enumerate(sessions, 1):
        events = get(session, "events")
        head = Conversation(
            path,
            text(session, "id") or f"session {number}",
            (),
            recorded_at=moment(as_number(get(session, "last_update_time"))),
            unread=None if isinstance(events, list | None) else "events is not a list",
            agent_names=AgentNames(text(session, "app_name")),
            user_id=text(session, "user_id"),
        )
        timed = [*map(_with_timestamp, events)] if isinstance(events, list) else []
        conversations.append(with_events(head, timed, warnings, for_cases=for_cases))
    if strange := len(values) - len(sessions):
        warnings.append(f"{strange} item{'s' * (strange != 1)} skipped: not a session")
    return conversations, warnings


def _with_timestamp(event: Any) -> Any:
    """The event; adk-go up to 0.4 has the seconds in `time` (`server/restapi/models/event.go`)."""
    if not isinstance(event, dict) or "timestamp" in event or type(event.get("time")) is not int:
        return event
    return {"timestamp" if key == "time" else key: value for key, value in event.items()}


def with_events(
    session: Conversation,
    stored: list[Any],
    warnings: list[str],
    *,
    knows_actions: bool = True,
    for_cases: bool = False,
) -> Conversation:
    """A session (`google.adk.sessions.Session`) with the turns of its unchecked events, in google-adk's order.

    `warnings` gets sentences about possible parts of turns that nobody reads. Without `knows_actions`, the events lack
    their actions.
    """
    objects = [*objects_in(stored)]
    events = [with_transcription(event) for event in objects if not as_bool(get(event, "partial"))]
    recorded, counting, lacks_turns, why_unknown = _read_turns(session.id, events, warnings, knows_actions, for_cases)
    times = [moment(as_number(get(event, "timestamp"))) for event in (*events[:1], *events[-1:])] or [None]
    partial = len(objects) - len(events)
    left_out = f"{partial} partial event{'s' * (partial != 1)} skipped; the complete events contain them"
    return replace(
        session,
        turns=without_blanks(counting),
        recorded_at=times[-1] if session.recorded_at is None else session.recorded_at,
        unread=session.unread or fault_in_events(stored) or why_unknown,
        recorded_turns=tuple(recorded),
        lacks_turns=lacks_turns,
        started=times[0] if session.started is None else session.started,
        left_out=(left_out,) if partial else (),
    )


def _read_turns(
    session_id: str, events: Sequence[Event], warnings: list[str], knows_actions: bool, for_cases: bool
) -> tuple[list[RecordedTurn], list[Turn], bool, str | None]:
    """All turns, those that count, whether turns are lacking, and the reason why nobody knows the turns.

    Turns count that no rewind removed, with a user message, or with one that cannot be read. Turns are lacking if
    an invocation has events of an agent and none of a user, or messages of a user that are not kept.
    """
    recorded: list[RecordedTurn] = []
    counting: list[Turn] = []
    lacks_turns = False
    groups = group_events(events)
    why_unknown = _NO_INVOCATIONS if list(groups) == [""] and lost_message(groups[""]) else None
    # Events without an invocation, beside others with one, may belong to any turn.
    strays = groups.get("", []) if len(groups) > 1 else []
    if has_strays := has_agent_event(strays):
        warnings.append(f"{session_id}: events of the agent have no invocation_id; they belong to no turn")
    live, requests = set(map(id, live_events(events))), ids_of_requests(events)
    rewound = {identifier for identifier, group in groups.items() if live.isdisjoint(map(id, group))}
    in_turns = {identifier: group for identifier, group in groups.items() if group is not strays}
    calls = ids_of_calls(payloads(chain.from_iterable(in_turns.values()), "function_call"))
    continued = continued_turns({name: group for name, group in in_turns.items() if name not in rewound})
    numbers = {identifier: number for number, identifier in enumerate(groups, 1)}
    for identifier, group in groups.items():
        read, left_out = without_requests(group, requests)
        error = next(filter(None, map(error_in, reversed(group))), None)
        invocation = invocation_of(identifier, read)
        turn, sentences = stated_turn(invocation, error, group, read, calls, knows_actions=knows_actions)
        if identifier in continued:
            sentences.append(f"it goes on in turn {numbers[continued[identifier]]}, {_WITHOUT_END}")
            turn = replace(turn, failure="", unrecorded=turn.unrecorded | {"calls", "response"})
        warnings += [f"{session_id}, turn {numbers[identifier]}: {sentence}" for sentence in sentences]
        if has_strays:
            doubtful: set[TurnPart] = {"calls"} if turn.response or turn.failure else {"calls", "response"}
            turn = replace(turn, unrecorded=turn.unrecorded | doubtful)
        known_invocation = recorded_invocation(turn, invocation) if for_cases else {}
        recorded.append(RecordedTurn(turn, known_invocation, identifier in rewound, error, left_out))
        if identifier in rewound:
            continue
        if turn.user_text:
            lacks_turns |= lost_message(read) is not None
        elif "user_text" not in turn.unrecorded or not has_agent_event(group):
            continue
        elif not any(map(is_of_the_user, group)):  # nobody asked, so that it may belong to the turn before
            lacks_turns = True
            continue
        counting.append(turn)
    return recorded, counting, lacks_turns, why_unknown


# --- faults: values that evaltui cannot read, most of which google-adk rejects ---------------------------------------

_TYPES: dict[str, tuple[Any, str]] = {
    "author": (str, "a string"),
    "invocation_id": (str, "a string"),
    "error_code": (str | None, "a string"),
    "error_message": (str | None, "a string"),
    "model_version": (str | None, "a string"),
    "grounding_metadata": (dict | None, "an object"),
    "usage_metadata": (dict | None, "an object"),
}
"""The types of members of an event, which may all be absent, and the words for them."""


def fault_in_events(events: Iterable[Any]) -> str | None:
    """The first thing in events that cannot be read, with the event; None for none."""
    for number, event in enumerate(events, 1):
        try:
            _check_event(event)
        except UnreadError as error:
            identifier = text(event, "id")
            return f"event {number}{f' ({one_line(identifier, 60)})' if identifier else ''}: {error}"
    return None


def _check_event(event: Any) -> None:
    if not isinstance(event, dict):
        raise UnreadError("not an object")
    for name, (types, words) in _TYPES.items():
        value = get(event, name)
        if not isinstance(value, types) and (name in event or value is not None):
            raise UnreadError(f"{name} is not {words}")
    if "timestamp" in event and as_number(event["timestamp"]) is None:
        raise UnreadError("timestamp is not a number")
    if (partial := get(event, "partial")) is not None and as_bool(partial) is None:
        raise UnreadError("partial is neither true nor false")
    if not isinstance(get(event, "long_running_tool_ids"), list | None):
        raise UnreadError("long_running_tool_ids is not a list")
    actions = get(event, "actions")
    if "actions" in event and not isinstance(actions, dict):
        raise UnreadError("actions is not an object")
    if (skips := get(actions, "skip_summarization")) is not None and as_bool(skips) is None:
        raise UnreadError("actions/skip_summarization is neither true nor false")
    if not isinstance(get(actions, "rewind_before_invocation_id"), str | None):
        raise UnreadError("actions/rewind_before_invocation_id is not a string")
    check_content(get(event, "content"), "content")
