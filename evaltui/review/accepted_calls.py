"""The expected calls of a turn while changes are accepted: calls are added, deleted and moved, in lists or in events.

Edits are generated one by one, each after the edits before it are applied (see `Document.apply`). So each pointer is
current, and any changes can be combined in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from evaltui.document.edits import Edit, Insert, Move, Remove, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.document.pointer import escape, parent_and_last
from evaltui.document.scanner import read_json
from evaltui.evalset.call_views import ToolUse, expected_uses
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.content_parts import part_payloads
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


class ExpectedCalls:
    """The calls of one turn of the set, and which of them are already in the place of the recording."""

    def __init__(
        self, case_file: CaseFile, owner: Node, count: int, rows: Sequence[Row], seed: str, reserved: int
    ) -> None:
        """The owner of the calls is a turn, or a case of a dataset; `count` is the number of aligned calls.

        Ids of added calls come from `seed`; calls of other items in the case may use `reserved` ids. So a call gets the
        same id, whatever other changes are accepted with it. Raises `EditError` if the owner now has another number of
        calls.
        """
        self._case_file, self._owner, self._seed, self._reserved = case_file, owner, seed, reserved
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
                yield _argument_edit(self._nodes[call], place.pointer, value_at(args, place.pointer))
            case "arguments", int(call), int(), TurnCall(args=args):
                if args is not None:
                    yield put(self._nodes[call], "args", args)
                elif (existing := member(self._nodes[call], "args")) is not None:
                    yield Remove(existing.pointer())
            case "delete_call", int(call), _, _:
                use = self._use_of(self._nodes[call])
                yield from removals([node for node in (use.node, use.response) if node is not None])
            case "move_call", int(call), int(position), _:
                yield from self._move(call, position)
            case "add_call", _, int(position), TurnCall():
                yield from self.add(position, recorded)

    def add(self, place: int, call: TurnCall) -> Iterator[Edit]:
        """Add the recorded call `place` before the calls that follow it in the recording."""
        seed = f"{self._seed}/{place}"
        source, near, has_responses = recorded_call(self._case_file, self._owner, call, seed, self._reserved)
        yield from self._inserted(*self._slot(place), source, near, call.author)
        node = self._new_node()
        self._in_place[place] = node
        if has_responses and isinstance(call.response, dict):
            yield from self._response(node, json_text(call.response))

    def _move(self, call: int, place: int) -> Iterator[Edit]:
        """Move a call to its recorded place, together with the event of its response."""
        node = self._nodes[call]
        next_node, is_in_event = self._slot(place)
        holder = holder_of(node) or node
        target = part_around(next_node) if is_in_event else event_of(next_node) or next_node
        if is_in_event == (holder is part_around(node)) and (target is None or holder.parent is target.parent):
            last_use = next((use for use in reversed(self._uses()) if use.node is not node), None)
            yield from _moved_before(holder, target, last_event_of(last_use))
        else:  # a call that leaves its event, or enters one
            use, source = self._use_of(node), node.source()
            answer = use.response.member("response") if use.response is not None else None
            answered = answer.source() if answer is not None else None
            yield from removals([removed for removed in (node, use.response) if removed is not None])
            yield from self._inserted(next_node, is_in_event, source, None, use.author)
            node = self._nodes[call] = self._new_node()
            if answered is not None:
                yield from self._response(node, answered)
        self._in_place[place] = node
        yield from self._answer_behind(node)

    def _slot(self, place: int) -> tuple[Node | None, bool]:
        """The call that will follow, None at the end; and whether it is in an event with calls in earlier parts."""
        following = min((position for position in self._in_place if position > place), default=None)
        if following is None:
            return None, False
        node = self._in_place[following]
        part = part_around(node)
        earlier = part.parent.items[: part.index()] if part is not None and part.parent is not None else []
        return node, any(filled(part_before, "function_call") is not None for part_before in earlier)

    def _inserted(
        self, next_node: Node | None, is_in_event: bool, call: bytes, near: Node | None, author: str
    ) -> Iterator[Edit]:
        if is_in_event and (target := part_around(next_node)) is not None:
            yield Insert(target.pointer(), json_text({key_for(target, "function_call"): read_json(call)}))
            return
        last = next(reversed(self._uses()), None)
        copy = Copy("call", call, author=author or (last.author if last is not None else ""))
        following = self._use_of(next_node) if next_node is not None else None
        is_before = following is not None
        yield from insert_calls(self._case_file, self._owner, [copy], following or last, near, is_before=is_before)

    def _response(self, node: Node, source: bytes) -> Iterator[Edit]:
        yield from response_edits(self._case_file, self._owner, self._use_of(node), source)

    def _uses(self) -> list[ToolUse]:
        return expected_uses(self._owner)

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
        if part is None or part.parent is None or len(part.parent.items) > 1 or len(part_payloads(part)) > 1:
            return  # an event that answers several calls stays
        assert event.parent is not None
        yield Move(answer.pointer(), f"{event.parent.pointer()}/{event.index()}")


def _argument_edit(call: Node, pointer: str, value: Any) -> Edit:
    """Replace one value in the arguments of a call; `ABSENT` deletes it."""
    args = member(call, "args")
    if args is None:
        raise EditError("the tool call no longer has arguments")
    around, last = parent_and_last(pointer)
    container = args.at(around)
    place = f"{container.pointer()}/{escape(last)}"
    if value is ABSENT:
        return Remove(place)
    is_new = container.kind == "object" and container.member(last) is None
    return (Insert if is_new else Set)(place, json_text(value))


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
