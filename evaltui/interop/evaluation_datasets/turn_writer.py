"""Turns in EvaluationDatasets: as a prompt or as turns of agent_data, with their details in extra keys."""

from __future__ import annotations

from dataclasses import replace

from evaltui.document.node import Node
from evaltui.interop.eval_sets.reader import CHANGES_OF_EVENTS, TIMES_OF_EVENTS
from evaltui.interop.eval_sets.writer import DEFAULT_AUTHOR, author_of, natural_shape, no_calls_tree
from evaltui.interop.evaluation_datasets.kept_details import (
    AUTHOR_OF_USERS,
    KEPT_FINAL,
    KEPT_GROUP,
    KEPT_NO_CALLS,
    KEPT_SHAPE,
    UNNAMED_AUTHORS,
    UNREAD_DETAIL,
)
from evaltui.interop.fields import changed
from evaltui.interop.genai_contents import content_tree, model_tree, part_tree
from evaltui.interop.output_tree import (
    Made,
    Tree,
    Value,
    plain_value,
    present,
    remade,
    text_in,
    with_own_keys,
    with_reason,
)
from evaltui.interop.portable_set import PortableEvent, PortableTurn

_NO_LISTS = changed(
    "a dataset has only one list of events, so tool calls in intermediate responses become ordinary tool calls"
)
_BEGINS_A_TURN = changed('agents-cli reads events by "user" as user messages, so evaltui writes the author "agent"')


def turn_tree(turn: PortableTurn, number: int, leading: list[Tree], *, is_last: bool) -> dict[str, Tree]:
    """One turn of agent_data. The last turn ends with the user message, for which agents-cli gets a response."""
    changes = {name: value for name, value in turn.extras.items() if name in CHANGES_OF_EVENTS}
    content = content_tree(turn.user, "user")
    user = present({"author": AUTHOR_OF_USERS, "content": content, "event_time": _event_time(turn), **changes})
    events = [] if is_last else [_event(event, is_in_turn=True) for event in _all_events(turn)]
    return present({"turn_index": number, "turn_id": turn.id, "events": [*leading, user, *events]})


def intermediate_events(turn: PortableTurn) -> Tree:
    """Events of the last turn before its final response; an empty list for the expectation of no call."""
    if turn.events:
        return [_event(event, is_in_turn=False) for event in turn.events]
    # A turn of an eval set that has no calls expects none. Only a dataset or CX Agent Studio may leave that open.
    return no_calls_tree(turn) if turn.expects_no_calls or turn.shape is not None else None


def written_authors(turn: PortableTurn, *, is_last: bool) -> list[str]:
    """The authors in the events of a turn; for the last turn, the authors in its expected events."""
    if is_last:
        return [author for event in turn.events if (author := text_in(event.author))]
    authors = [_author(event, is_in_turn=True) for event in _all_events(turn)]
    return [author if isinstance(author, str) else text_in(author) for author in authors]


def details_tree(turn: PortableTurn, group: str, *, is_last: bool, has_id: bool) -> dict[str, Tree]:
    """Details of a turn that agentplatform does not know. `has_id` says that the turn itself holds its id."""
    no_calls: Tree = None
    if turn.expects_no_calls and (turn.events or not is_last):  # else an empty list of events expresses it
        no_calls = remade(turn.no_calls, True) if turn.no_calls is not None else True
    contents = [event.content for event in turn.events if event.content is not None]
    contents += [turn.final] if turn.final is not None else []
    # Whether the form of the last message shows a reader if it is the final response.
    is_plain = (bool(contents) and not contents[-1].tool_parts) == (turn.final is not None)
    shape = turn.shape if is_last or turn.shape != "absent" else None
    # Without a note, the turn is read from here with this shape all the same.
    if not turn.events and turn.expects_no_calls:
        shape = None
    elif turn.events:
        # A reader sees the events without the keys that have no place here.
        keys = {"event_id", "id", *TIMES_OF_EVENTS, *CHANGES_OF_EVENTS}
        events = [
            replace(event, extras={name: value for name, value in event.extras.items() if name in keys})
            for event in turn.events
        ]
        shape = shape if shape != natural_shape(events) else None
    members: dict[str, Tree] = {
        "turn_id": None,
        "invocation_id": None if has_id else turn.id,
        "creation_timestamp": turn.time if _event_time(turn) is None else None,
        **turn.durations,
        KEPT_SHAPE: shape,
        KEPT_NO_CALLS: no_calls,
        KEPT_FINAL: None if is_last or is_plain else turn.final is not None,
        KEPT_GROUP: group or None,
    }
    own = {name: value for name, value in turn.extras.items() if name not in (*members, *CHANGES_OF_EVENTS)}
    own_trees = with_own_keys({name: with_reason(value, UNREAD_DETAIL) for name, value in own.items()})
    return present({**members, **own_trees})


def has_changes(turn: PortableTurn) -> bool:
    """Whether the user message has a state change or a time, which a prompt cannot have."""
    return any(name in turn.extras for name in CHANGES_OF_EVENTS) or _event_time(turn) is not None


def _event_time(turn: PortableTurn) -> Node | None:
    """The time of a turn if the source has it as a text; None for a number, which is more exact."""
    if isinstance(turn.time, Made) and turn.time.sources[0].kind == "string":
        return turn.time.sources[0]
    return None


def _all_events(turn: PortableTurn) -> list[PortableEvent]:
    """The events of a turn, the last of them the final response if there is one."""
    if turn.final is None:
        return turn.events
    last = turn.events[-1] if turn.events else None
    # google-adk keeps the author of a final response in an empty event at the end.
    if last is not None and last.content is None and text_in(last.author) not in ("", *UNNAMED_AUTHORS):
        return [*turn.events[:-1], PortableEvent(turn.final, last.author, extras=last.extras)]
    return [*turn.events, PortableEvent(turn.final)]


def _event(event: PortableEvent, *, is_in_turn: bool) -> Tree:
    """An event of agent_data (`AgentEvent`), or of intermediate_events (`Event`)."""
    time = next((event.extras[name] for name in TIMES_OF_EVENTS if name in event.extras), None)
    content: Tree = None
    if event.content is not None:
        tree = content_tree(event.content, "user" if event.is_of_user else "model")
        # Beside words or a name, calls of an intermediate response show that they come from no list of calls.
        has_words = len(event.content.tool_parts) < len(event.parts)
        if event.keeps_calls and not has_words and text_in(event.author) in ("", DEFAULT_AUTHOR):
            tree["parts"] = [
                remade(part.node, plain_value(part_tree(part)), _NO_LISTS) for part in event.content.tool_parts
            ]
        content = tree
    members: dict[str, Tree] = {"author": _author(event, is_in_turn=is_in_turn), "content": content}
    if is_in_turn:
        changes = {name: model_tree(value) for name, value in event.extras.items() if name in CHANGES_OF_EVENTS}
        return present({**members, "event_time": time, **changes})
    event_id = event.extras.get("event_id", event.extras.get("id"))
    return present({"event_id": event_id, **members, "creation_timestamp": time})


def _author(event: PortableEvent, *, is_in_turn: bool) -> Value | str:
    is_message = is_in_turn and event.content is not None and not event.content.tool_parts
    if event.author is not None and is_message and text_in(event.author).lower() == AUTHOR_OF_USERS:
        return remade(event.author, DEFAULT_AUTHOR, _BEGINS_A_TURN)
    return author_of(event)
