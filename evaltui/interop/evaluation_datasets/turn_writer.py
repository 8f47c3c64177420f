"""Turns in EvaluationDatasets: as a prompt or as turns of agent_data, with their details in extra keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from evaltui.document.node import Node
from evaltui.interop.eval_sets.reader import CHANGES_OF_EVENTS, TIMES_OF_EVENTS
from evaltui.interop.eval_sets.writer import DEFAULT_AUTHOR, natural_shape, no_calls_tree
from evaltui.interop.evaluation_datasets.kept_details import (
    AUTHOR_OF_USERS,
    CHECK_KEYS,
    KEPT_FINAL,
    KEPT_GROUP,
    KEPT_NO_CALLS,
    KEPT_SHAPE,
    UNNAMED_AUTHORS,
    UNREAD_DETAIL,
)
from evaltui.interop.genai_contents import content_tree, model_tree, part_tree
from evaltui.interop.output_tree import Made, OwnKey, Rendering, Tree, Value, remade, text_in
from evaltui.interop.portable_set import (
    CallPart,
    Part,
    PortableContent,
    PortableEvent,
    PortableTurn,
    ResponsePart,
    Shape,
)

_NO_LISTS = "a dataset has only one list of events, so tool calls in intermediate responses become ordinary tool calls"
_BEGINS_A_TURN = 'agents-cli reads events by "user" as user messages, so evaltui writes the author "agent"'


def turn_tree(turn: PortableTurn, number: int, leading: list[Tree], *, is_last: bool) -> dict[str, Tree]:
    """One turn of agent_data. The last turn ends with the user message, for which agents-cli gets a response."""
    events = [*leading, _user_event(turn)]
    if not is_last:
        others, final = _finished(turn)
        events += [_event(each, is_in_turn=True) for each in others]
        events += [_event(final, is_in_turn=True)] if final is not None else []
    return given({"turn_index": number, "turn_id": turn.id, "events": events})


def state_event(state: Mapping[str, Tree]) -> Tree:
    """The event that gives a new session its state (agents-cli seeds it before the first message)."""
    return {"author": AUTHOR_OF_USERS, "state_delta": {OwnKey(name): each for name, each in state.items()}}


def intermediate_events(turn: PortableTurn) -> Tree:
    """Events of the last turn before its final response; an empty list for the expectation of no call.

    A turn of an eval set that has no calls expects none. Only a dataset or CX Agent Studio may leave that open.
    """
    if not turn.events:
        return no_calls_tree(turn) if turn.expects_no_calls or turn.shape is not None else None
    return [_event(each, is_in_turn=False) for each in turn.events]


def written_authors(turn: PortableTurn, *, is_last: bool) -> list[str]:
    """The authors in the events of a turn; for the last turn, the authors in its expected events."""
    if is_last:
        return [author for event in turn.events if (author := text_in(event.author))]
    events, final = _finished(turn)
    authors = [_author(event, is_in_turn=True) for event in (*events, *([final] if final is not None else []))]
    return [each if isinstance(each, str) else text_in(each) for each in authors]


def details_tree(turn: PortableTurn, group: str, *, is_last: bool, has_id: bool) -> dict[str, Tree]:
    """Details of a turn that agentplatform does not know. `has_id` says that the turn itself holds its id."""
    members: dict[str, Tree] = {
        "turn_id": None,
        "invocation_id": None if has_id else turn.id,
        "creation_timestamp": turn.time if _event_time(turn) is None else None,
        **turn.durations,
        KEPT_SHAPE: _kept_shape(turn) if is_last or turn.shape != "absent" else None,
        KEPT_NO_CALLS: _kept_no_calls(turn) if turn.events or not is_last else None,
        KEPT_FINAL: None if is_last or _is_final_plain(turn) else turn.final is not None,
        KEPT_GROUP: group or None,
    }
    own = {name: each for name, each in turn.others.items() if name not in (*members, *CHANGES_OF_EVENTS)}
    kept: dict[str, Tree] = {
        OwnKey(name): remade(each, each.value(), "changed", UNREAD_DETAIL, CHECK_KEYS) for name, each in own.items()
    }
    return given({**members, **kept})


def _kept_no_calls(turn: PortableTurn) -> Tree:
    """The expectation of no tool call, if no empty list of events expresses it."""
    if not turn.expects_no_calls:
        return None
    return remade(turn.no_calls, True) if turn.no_calls is not None else True


def _kept_shape(turn: PortableTurn) -> Shape | None:
    """The shape of a turn, unless it is read from here with this shape all the same."""
    if not turn.events:
        return turn.shape if not turn.expects_no_calls else None
    return turn.shape if turn.shape != _shape_to_read(turn) else None


def _shape_to_read(turn: PortableTurn) -> Shape:
    """The natural shape of a turn, without the event keys that have no place here."""
    kept = {"event_id", "id", *TIMES_OF_EVENTS, *CHANGES_OF_EVENTS}
    events = [
        replace(event, others={name: each for name, each in event.others.items() if name in kept})
        for event in turn.events
    ]
    return natural_shape(replace(turn, events=events))


def has_changes(turn: PortableTurn) -> bool:
    """Whether the user message has a state change or a time, which a prompt cannot have."""
    return any(name in turn.others for name in CHANGES_OF_EVENTS) or _event_time(turn) is not None


def _user_event(turn: PortableTurn) -> Tree:
    changes = {name: each for name, each in turn.others.items() if name in CHANGES_OF_EVENTS}
    members = {"author": AUTHOR_OF_USERS, "content": content_tree(turn.user, "user"), "event_time": _event_time(turn)}
    return given({**members, **changes})


def _event_time(turn: PortableTurn) -> Node | None:
    """The time of a turn if the source has it as a text; None for a number, which is more exact."""
    if isinstance(turn.time, Made) and turn.time.sources[0].kind == "string":
        return turn.time.sources[0]
    return None


def _finished(turn: PortableTurn) -> tuple[list[PortableEvent], PortableEvent | None]:
    """The events of a turn, and its final response as an event; None without one.

    google-adk keeps the author of a final response in an empty event at the end.
    """
    if turn.final is None:
        return turn.events, None
    last = turn.events[-1] if turn.events else None
    if last is not None and last.content is None and text_in(last.author) not in ("", *UNNAMED_AUTHORS):
        return turn.events[:-1], PortableEvent(turn.final, last.author, others=last.others)
    return turn.events, PortableEvent(turn.final)


def _is_final_plain(turn: PortableTurn) -> bool:
    """Whether the form of the last message shows a reader if it is the final response."""
    contents = [event.content for event in turn.events if event.content is not None]
    contents += [turn.final] if turn.final is not None else []
    return (bool(contents) and not _has_calls(contents[-1])) == (turn.final is not None)


def _has_calls(content: PortableContent) -> bool:
    return any(isinstance(part, CallPart | ResponsePart) for part in content.parts)


def _event(event: PortableEvent, *, is_in_turn: bool) -> Tree:
    """An event of agent_data (`AgentEvent`), or of intermediate_events (`Event`)."""
    time = next((event.others[name] for name in TIMES_OF_EVENTS if name in event.others), None)
    content = (
        content_tree(event.content, "user" if event.is_of_user else "model") if event.content is not None else None
    )
    if content is not None and event.keeps_calls and not _is_told_from_lists(event):
        content = {**content, "parts": [_moved(part) for part in event.content.parts]} if event.content else content
    members: dict[str, Tree] = {"author": _author(event, is_in_turn=is_in_turn), "content": content}
    if is_in_turn:
        members["event_time"] = time
        members |= {name: model_tree(each) for name, each in event.others.items() if name in CHANGES_OF_EVENTS}
    else:
        event_id = event.others.get("event_id", event.others.get("id"))
        members = {"event_id": event_id, **members, "creation_timestamp": time}
    return given(members)


def _is_told_from_lists(event: PortableEvent) -> bool:
    """Whether the calls of an intermediate response come with texts or an author, which listed calls lack."""
    parts = event.content.parts if event.content is not None else []
    has_words = not all(isinstance(part, CallPart | ResponsePart) for part in parts)
    return has_words or text_in(event.author) not in ("", DEFAULT_AUTHOR)


def _moved(part: Part) -> Tree:
    plain = Rendering().plain(part_tree(part))
    return remade(part.node, plain, "changed", _NO_LISTS) if isinstance(part, CallPart | ResponsePart) else plain


def _author(event: PortableEvent, *, is_in_turn: bool) -> Value | str:
    if event.author is None:
        return DEFAULT_AUTHOR
    is_user = text_in(event.author).lower() == AUTHOR_OF_USERS
    if is_in_turn and is_user and event.content is not None and not _has_calls(event.content):
        return remade(event.author, DEFAULT_AUTHOR, "changed", _BEGINS_A_TURN)
    return event.author


def given(members: Mapping[str, Tree]) -> dict[str, Tree]:
    """The members that there are."""
    return {name: value for name, value in members.items() if value is not None}
