"""The expected calls of a turn while changes are accepted: calls are added, deleted and moved, in lists or in events.

Edits are generated one by one, each after the edits before it are applied (see `Document.apply`). So each pointer is
current, and any changes can be combined in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from evaltui.document.edits import Edit, Insert, Move, Remove, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.document.pointer import escape, parent_and_last
from evaltui.document.scanner import read_json
from evaltui.evalset.call_views import ToolUse, expected_uses
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.content_parts import PartView
from evaltui.evalset.editing.call_edits import (
    event_of,
    holder_of,
    insert_calls,
    last_event_of,
    part_around,
    recorded_call,
    removals,
    response_edits,
)
from evaltui.evalset.editing.revision import Copy, put
from evaltui.evalset.keys import filled, key_for, member
from evaltui.evalset.turn import TurnCall
from evaltui.review.review_changes import ReviewChange, value_at
from evaltui.scoring.call_alignment import Row
from evaltui.scoring.call_equality import ABSENT


class _Slot(NamedTuple):
    """A place for a call: before an item in a list of calls, of events, or of parts of an event."""

    next_node: Node | None
    """None for the end of the turn."""
    is_in_event: bool = False
    """Whether `next_node` is a part of an event with calls in earlier parts."""


class NewIds(NamedTuple):
    """The source of ids for added calls. A call gets the same id, whatever other changes are accepted with it."""

    seed: str
    """The seed of the random part of ids."""
    reserved: int = 0
    """The number of ids that calls of other items in the case may use."""


class ExpectedCalls:
    """The calls of one turn of the set, and which of them are already in the place of the recording."""

    def __init__(self, case_file: CaseFile, owner: Node, count: int, rows: Sequence[Row], ids: NewIds) -> None:
        """The owner of the calls is a turn, or a case of a dataset; `count` is the number of aligned calls.

        Raises `EditError` if the owner now has another number of calls.
        """
        self._case_file, self._owner, self._ids = case_file, owner, ids
        uses = self._uses()
        # Rows name calls by their index: with another number of calls they would name the wrong ones.
        if len(uses) != count:
            raise EditError("the tool calls of this turn are ambiguous: fix the problems of the set first")
        self._nodes = [use.node for use in uses]
        self._in_place = {
            row.actual: self._nodes[row.expected]
            for row in rows
            if row.state in ("matched", "arguments_differ") and row.expected is not None and row.actual is not None
        }

    def accept(self, change: ReviewChange, actual: Sequence[TurnCall]) -> Iterator[Edit]:
        """Write a change of the calls; `actual` are the recorded calls."""
        place = change.place
        recorded = actual[place.actual_call] if place.actual_call is not None else None
        match place.action, place.call, place.actual_call, recorded:
            case "argument", int(call), int(), TurnCall(args=dict(args)):
                yield from self.write_argument(call, place.pointer, value_at(args, place.pointer))
            case "arguments", int(call), int(), TurnCall(args=args):
                yield from self.write_arguments(call, args)
            case "delete_call", int(call), _, _:
                yield from self.delete(call)
            case "move_call", int(call), int(at), _:
                yield from self.move(call, at)
            case "add_call", _, int(at), TurnCall():
                yield from self.add(at, recorded)

    def write_arguments(self, call: int, args: dict[str, Any] | None) -> Iterator[Edit]:
        """Replace all arguments of a call; None deletes them."""
        node = self._nodes[call]
        if args is not None:
            yield put(node, "args", args)
        elif (existing := member(node, "args")) is not None:
            yield Remove(existing.pointer())

    def write_argument(self, call: int, pointer: str, value: Any) -> Iterator[Edit]:
        """Replace one value in the arguments of a call; `ABSENT` deletes it."""
        args = member(self._nodes[call], "args")
        if args is None:
            raise EditError("the tool call no longer has arguments")
        around, last = parent_and_last(pointer)
        container = args.at(around)
        place = f"{container.pointer()}/{escape(last)}"
        if value is ABSENT:
            yield Remove(place)
        elif container.kind == "object" and container.member(last) is None:
            yield Insert(place, json_text(value))
        else:
            yield Set(place, json_text(value))

    def delete(self, call: int) -> Iterator[Edit]:
        """Delete a call with its response."""
        use = self._use_of(self._nodes[call])
        yield from removals([node for node in (use.node, use.response) if node is not None])

    def add(self, place: int, call: TurnCall) -> Iterator[Edit]:
        """Add the recorded call `place` before the calls that follow it in the recording."""
        seed, reserved = f"{self._ids.seed}/{place}", self._ids.reserved
        source, near, has_responses = recorded_call(self._case_file, self._owner, call, seed, reserved)
        yield from self._inserted(self._slot(place), source, near, call.author)
        node = self._new_node()
        self._in_place[place] = node
        if has_responses and isinstance(call.response, dict):
            yield from self._response(node, json_text(call.response))

    def move(self, call: int, place: int) -> Iterator[Edit]:
        """Move a call to its recorded place, together with the event of its response."""
        node, slot = self._nodes[call], self._slot(place)
        holder = holder_of(node) or node
        target = self._target(slot)
        if slot.is_in_event == (holder is part_around(node)) and (target is None or holder.parent is target.parent):
            yield from _moved_before(holder, target, last_event_of(self._last_use(besides=node)))
        else:  # a call that leaves its event, or enters one
            response = self._use_of(node).response
            source = node.source()
            answer = response.member("response") if response is not None else None
            answered = answer.source() if answer is not None else None
            author = self._use_of(node).author
            yield from removals([removed for removed in (node, response) if removed is not None])
            yield from self._inserted(slot, source, None, author)
            node = self._nodes[call] = self._new_node()
            if answered is not None:
                yield from self._response(node, answered)
        self._in_place[place] = node
        yield from self._answer_behind(node)

    # --- places ------------------------------------------------------------------------------------------------

    def _slot(self, place: int) -> _Slot:
        following = min((position for position in self._in_place if position > place), default=None)
        if following is None:
            return _Slot(None)
        node = self._in_place[following]
        part = part_around(node)
        siblings = part.parent.items if part is not None and part.parent is not None else []
        earlier = siblings[: part.index()] if part is not None else []
        is_in_event = any(filled(part_before, "function_call") is not None for part_before in earlier)
        return _Slot(node, is_in_event)

    def _target(self, slot: _Slot) -> Node | None:
        """The item of a list before which a call goes."""
        if slot.next_node is None or slot.is_in_event:
            return part_around(slot.next_node)
        return event_of(slot.next_node) or slot.next_node

    def _inserted(self, slot: _Slot, call: bytes, near: Node | None, author: str) -> Iterator[Edit]:
        if slot.is_in_event:
            target = self._target(slot)
            assert target is not None
            yield Insert(target.pointer(), json_text({key_for(target, "function_call"): read_json(call)}))
            return
        last = self._last_use()
        copy = Copy("call", call, author=author or (last.author if last is not None else ""))
        following = self._use_of(slot.next_node) if slot.next_node is not None else None
        is_before = following is not None
        yield from insert_calls(self._case_file, self._owner, [copy], following or last, near, is_before=is_before)

    def _response(self, node: Node, source: bytes) -> Iterator[Edit]:
        yield from response_edits(self._case_file, self._owner, self._use_of(node), source)

    def _uses(self) -> list[ToolUse]:
        return expected_uses(self._owner).calls

    def _last_use(self, besides: Node | None = None) -> ToolUse | None:
        return next((use for use in reversed(self._uses()) if use.node is not besides), None)

    def _use_of(self, node: Node) -> ToolUse:
        return next(use for use in self._uses() if use.node is node)

    def _new_node(self) -> Node:
        # An edit returns no node, so the added call is the one that is not known yet.
        known_nodes = [*self._nodes, *self._in_place.values()]
        return next(use.node for use in self._uses() if not any(use.node is node for node in known_nodes))

    def _answer_behind(self, node: Node) -> Iterator[Edit]:
        """Move the event with the response of a call after the event of the call, if it is before it."""
        use = self._use_of(node)
        event, answer = event_of(node), event_of(use.response)
        if event is None or answer is None or answer.parent is not event.parent or answer.index() > event.index():
            return
        part = part_around(use.response)
        if part is None or part.parent is None or len(part.parent.items) > 1 or len(PartView(part).payloads) > 1:
            return  # an event that answers several calls stays
        assert event.parent is not None
        yield Move(answer.pointer(), f"{event.parent.pointer()}/{event.index()}")


def _moved_before(holder: Node, target: Node | None, last: Node | None) -> Iterator[Edit]:
    """Move an item before `target` in its list; without a target, after the item `last`."""
    container = holder.parent
    assert container is not None
    position = holder.index()
    if target is not None:
        goal = target.index()
    else:
        goal = last.index() + 1 if last is not None and last.parent is container else len(container.items)
    goal -= position < goal  # RFC 6902: a move removes the item first, then counts
    if goal != position:
        yield Move(holder.pointer(), f"{container.pointer()}/{goal}")
