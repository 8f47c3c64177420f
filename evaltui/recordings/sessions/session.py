"""A session of google-adk made a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evaltui.evalset.case_data import as_bool, as_number, get, objects_in
from evaltui.evalset.turn import Turn, without_blanks
from evaltui.evalset.unread_members import ids_of_calls
from evaltui.recordings.agent_names import AgentNames
from evaltui.recordings.conversation import Conversation, ConversationDetails, RecordedTurn
from evaltui.recordings.json_members import moment
from evaltui.recordings.sessions.continued_turns import continued_turns
from evaltui.recordings.sessions.event_checks import fault_in_events
from evaltui.recordings.sessions.rewinds import is_only_rewind, live_events
from evaltui.recordings.sessions.session_turns import Event, grouped, invocation_of, is_of_the_user
from evaltui.recordings.sessions.stated_events import (
    EventsOfTurn,
    calls_in,
    is_told_by_an_agent,
    lost_message,
    stated_turn,
    without_doubtful,
    without_end,
)
from evaltui.recordings.sessions.tool_requests import ids_of_requests, without_requests
from evaltui.recordings.sessions.transcriptions import with_transcription
from evaltui.recordings.sessions.turn_ends import error_in

_WITHOUT_END = "so its calls and its response are not recorded"
_NO_INVOCATIONS = "the events have no invocation_id, so nobody knows where a turn begins"


class StoredSession(NamedTuple):
    """A session as it is stored (`google.adk.sessions.Session`)."""

    id: str
    app_name: str | None
    user_id: str | None
    events: Sequence[Any]
    """Unchecked events, in the order in which google-adk reads them."""
    created: float | None = None
    """In seconds since 1970, like `updated`; None if nobody knows."""
    updated: float | None = None
    unread: str | None = None
    """A sentence about the part that could not be read."""
    left_out: tuple[str, ...] = ()
    """A sentence for each thing that its events leave out."""
    knows_actions: bool = True
    """Whether its events have their actions."""


def conversation_of_session(
    session: StoredSession, path: Path, warnings: list[str], *, with_details: bool = False
) -> Conversation:
    """The conversation of a session: its turns with a user message, without turns that a rewind removed.

    `warnings` gets a sentence for each thing that may be a part of a turn, but that nobody reads.
    """
    events = [
        with_transcription(event) for event in objects_in(list(session.events)) if not as_bool(get(event, "partial"))
    ]
    read = _SessionTurns(session, events)
    warnings += read.warnings
    every_turn = tuple(turn for turn, _ in read.every)
    details = None
    if with_details:
        details = ConversationDetails(
            tuple(recorded for _, recorded in read.every),
            session.app_name,
            session.user_id,
            session.created if session.created is not None else _first_time(events),
            (*session.left_out, *_partial(len(session.events) - len(events), session.events)),
        ).of_turns(every_turn)
    return Conversation(
        path=path,
        id=session.id,
        turns=without_blanks(read.counting),
        recorded_at=session.updated if session.updated is not None else _last_time(events),
        unread=session.unread or fault_in_events(session.events) or read.unread,
        every_turn=every_turn,
        lacks_turns=read.lacks_turns,
        agent_names=AgentNames(session.app_name),
        details=details,
    )


class _SessionTurns:
    """The turns of a session."""

    def __init__(self, session: StoredSession, events: Sequence[Event]) -> None:
        self.every: list[tuple[Turn, RecordedTurn]] = []
        self.counting: list[Turn] = []
        """The turns that no rewind removed: with a user message, or with one that cannot be read."""
        self.lacks_turns = False
        """Whether an invocation has events of an agent and none of a user, or messages of a user that are not kept."""
        self.unread: str | None = None
        """The reason why nobody knows the turns; None if they are known."""
        self.warnings: list[str] = []
        live, requests = {id(event) for event in live_events(events)}, ids_of_requests(events)
        groups = grouped(event for event in events if not is_only_rewind(event))
        if list(groups) == [""] and lost_message(groups[""]):
            self.unread = _NO_INVOCATIONS
        strays = groups.get("", []) if len(groups) > 1 else []
        has_strays = is_told_by_an_agent(strays)
        if has_strays:
            self.warnings.append(f"{session.id}: events of the agent have no invocation_id; they belong to no turn")
        known = ids_of_calls(calls_in(event for group in groups.values() if group is not strays for event in group))
        numbers = {identifier: number for number, identifier in enumerate(groups, 1)}
        continued = continued_turns(
            {
                identifier: group
                for identifier, group in groups.items()
                if group is not strays and any(id(event) in live for event in group)
            }
        )
        for identifier, group in groups.items():
            left, left_out = without_requests(group, requests)
            is_rewound = not any(id(event) in live for event in group)
            recorded = RecordedTurn(invocation_of(identifier, left), is_rewound, _error(group), left_out)
            of_turn = EventsOfTurn(group, left, session.knows_actions)
            turn, said = stated_turn(recorded.invocation, of_turn, known, recorded.error)
            if identifier in continued:
                turn = without_end(turn)
                said.append(f"it goes on in turn {numbers[continued[identifier]]}, {_WITHOUT_END}")
            self.warnings += [f"{session.id}, turn {numbers[identifier]}: {sentence}" for sentence in said]
            turn = without_doubtful(turn) if has_strays else turn
            self.every.append((turn, recorded))
            if not is_rewound:
                self._count(turn, group)
                self.lacks_turns |= bool(turn.user_text and lost_message(left))

    def _count(self, turn: Turn, events: Sequence[Event]) -> None:
        if turn.user_text:
            self.counting.append(turn)
        elif "user_text" in turn.unrecorded and is_told_by_an_agent(events):
            if any(map(is_of_the_user, events)):
                self.counting.append(turn)
            else:
                self.lacks_turns = True


def _partial(missing: int, events: Sequence[Any]) -> list[str]:
    count = missing - sum(not isinstance(event, dict) for event in events)
    return [f"{count} partial event{'s' * (count != 1)} skipped; the complete events contain them"] if count else []


def _error(events: Sequence[Event]) -> str | None:
    """The last failure among the events of a turn."""
    return next(filter(None, map(error_in, reversed(events))), None)


def _first_time(events: Sequence[Event]) -> float | None:
    return moment(as_number(get(events[0], "timestamp"))) if events else None


def _last_time(events: Sequence[Event]) -> float | None:
    return moment(as_number(get(events[-1], "timestamp"))) if events else None
