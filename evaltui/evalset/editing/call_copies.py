"""Copies of calls with their responses, put into a turn in the shape of its intermediate data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evaltui.document.edits import Edit, Insert, Set, json_text
from evaltui.document.node import Node, parse_value
from evaltui.evalset.call_views import ToolUse
from evaltui.evalset.editing.call_edits import author_nearby, uses_events
from evaltui.evalset.editing.intermediate_data import event_of, last_event_of, new_event
from evaltui.evalset.editing.revision import put
from evaltui.evalset.keys import filled, key_for, member
from evaltui.evalset.set_views import EvalSetView, InvocationView


class Copy(NamedTuple):
    """A copied case, turn, or call with its response, before it is put into a set."""

    kind: str
    source: bytes
    indent: bytes | None = None
    """The blanks that begin the line it was copied from; None where its layout is not worth keeping."""
    response: bytes | None = None
    """The response of a call."""
    author: str = ""
    """The author of a call that stands in an event."""


def insert_calls(
    eval_set: EvalSetView, turn: Node, copies: Sequence[Copy], beside: ToolUse | None, before: bool
) -> list[Edit]:
    """The edits that put calls behind (or before) the call `beside`, or at the end of the turn's calls."""
    if uses_events(eval_set, turn):
        return _as_events(eval_set, turn, copies, beside, before)
    edits: list[Edit] = []
    data = filled(turn, "intermediate_data")
    key = member(turn, "intermediate_data")
    pointer = f"{turn.pointer()}/{key.name if key is not None else key_for(turn, 'intermediate_data')}"
    if data is None or data.kind != "object":
        edits.append(put(turn, "intermediate_data", {}))
        data = None
    place = (beside.node.index() + (not before)) if beside is not None and beside.node.key == b"" else None
    for number, copy in enumerate(copies):
        at = "-" if place is None else str(place + number)
        edits += _listed(turn, data, pointer, "tool_uses", at, copy.source, copy.indent, first=number == 0)
    answers = [copy for copy in copies if copy.response is not None]
    for number, copy in enumerate(answers):
        assert copy.response is not None
        edits += _listed(turn, data, pointer, "tool_responses", "-", copy.response, copy.indent, first=number == 0)
    return edits


def _listed(
    turn: Node, data: Node | None, pointer: str, name: str, at: str, source: bytes, indent: bytes | None, *, first: bool
) -> list[Edit]:
    """An item of a list of the intermediate data at `pointer`, which is made first where it is missing."""
    items = filled(data, name)
    existing = member(data, name)
    key = existing.name if existing is not None else key_for(turn, name)
    insert = Insert(f"{pointer}/{key}/{at}", source, origin_indent=indent)
    if not first or (items is not None and items.kind == "array"):
        return [insert]
    empty = Set(f"{pointer}/{key}", b"[]") if existing is not None else Insert(f"{pointer}/{key}", b"[]")
    return [empty, insert]


def _as_events(
    eval_set: EvalSetView, turn: Node, copies: Sequence[Copy], beside: ToolUse | None, before: bool
) -> list[Edit]:
    """Each call and each response as an event of its own."""
    edits: list[Edit] = []
    data = filled(turn, "intermediate_data")
    events = filled(data, "invocation_events")
    key = member(turn, "intermediate_data")
    holder = f"{turn.pointer()}/{key.name if key is not None else key_for(turn, 'intermediate_data')}"
    pointer = f"{holder}/{events.name if events is not None else key_for(turn, 'invocation_events')}"
    if data is None or data.kind != "object":
        edits.append(put(turn, "intermediate_data", {key_for(turn, "invocation_events"): []}))
    elif events is None or events.kind != "array":
        edits.append(put(data, "invocation_events", []))
    near = beside or next(iter(InvocationView(turn).tool_uses.calls[-1:]), None)
    event = (event_of(beside.node) if before else last_event_of(beside)) if beside is not None else None
    count = len(events.items) if events is not None and events.kind == "array" else 0
    place = event.index() + (not before) if event is not None else count
    for copy in copies:
        author = copy.author or (near.author if near is not None else "") or author_nearby(eval_set, turn)
        for name, source in (("function_call", copy.source), ("function_response", copy.response)):
            if source is None:
                continue
            value = new_event(turn, near.node if near is not None else None, author, name, {})
            (part,) = value["content"]["parts"][0]
            edits.append(Insert(f"{pointer}/{place}", json_text(value)))
            edits.append(Set(f"{pointer}/{place}/content/parts/0/{part}", parse_value(source).source()))
            place += 1
    return edits
