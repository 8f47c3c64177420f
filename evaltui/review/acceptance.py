"""Edits that accept changes: they write the recorded values into the set, in the style of the set.

In a dataset, calls go to `intermediate_events` and the response to `reference`: agents-cli 1.11 keeps both when it
generates. Turns before the last message are input of the agent, so they never change.

Edits are generated one by one, each after the edits before it are applied (see `Document.apply`). So each pointer is
current, and any changes can be combined in any order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from evaltui.document.edits import Edit, Insert, Move, Remove, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.layout import model_of
from evaltui.document.node import Node
from evaltui.document.pointer import escape, parent_and_last
from evaltui.document.scanner import read_json
from evaltui.evalset.call_views import ToolUse, expected_uses
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.evalset.content_parts import holds_text, part_kind, part_payloads, parts_of
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
from evaltui.evalset.editing.field_edits import write_first_text
from evaltui.evalset.editing.revision import Copy, add_item, like_sibling, put
from evaltui.evalset.editing.templates import content, in_order_near, new_turn
from evaltui.evalset.keys import filled, items_of, key_for, member, text_of
from evaltui.evalset.turn import TurnCall
from evaltui.printable import quoted
from evaltui.review.review_changes import Action, ReviewChange, value_at
from evaltui.review.review_items import ReviewItem
from evaltui.scoring.call_alignment import Row
from evaltui.scoring.call_equality import ABSENT

OWN_PLACE: tuple[Action, ...] = ("argument", "arguments", "no_calls", "response")
"""Changes that always write to the same pointers, whatever other changes are accepted with them."""
_WRITTEN_ORDER: tuple[Action, ...] = (
    *("argument", "arguments", "delete_call", "move_call", "add_call", "no_calls", "response"),
    *("delete_turn", "add_turn"),
)
"""The order in which changes are written. Any other order gives the same result."""
_MOST_STEPS = 300_000
"""The most changes times tool calls, of which each change looks at all. A step takes 5 µs."""

Accepted = tuple[ReviewItem, Sequence[ReviewChange]]
"""An item and its accepted changes."""


def acceptance(case_file: CaseFile, accepted: Iterable[Accepted]) -> Iterator[Edit]:
    """Yield the edits that write the accepted changes. Apply each edit before the next is generated (`Document.apply`).

    Raises `EditError` if a case changed after it was scored, or if too much is accepted at once.
    """
    # All cases first: a case with two items would count as changed after the edits of the first.
    for item in [AcceptedItem(case_file, item, changes) for item, changes in accepted]:
        yield from (edit for _, edit in item.edits())


def is_too_much(item: ReviewItem, changes: Sequence[ReviewChange]) -> bool:
    """Whether changes would take many seconds: each looks at all tool calls of its turn."""
    return len(changes) * sum(len(turn.calls) for turn in item.case.turns) > _MOST_STEPS


class AcceptedItem:
    """An item with its accepted changes and the nodes of its case."""

    def __init__(self, case_file: CaseFile, item: ReviewItem, changes: Sequence[ReviewChange]) -> None:
        """Raises `EditError` if the case changed after it was scored, or for too many changes."""
        if is_too_much(item, [change for change in changes if change.place.action not in OWN_PLACE]):
            raise EditError("too many tool calls of one case are added, deleted or moved at once: accept fewer changes")
        cases = case_file.cases
        if item.case.number >= len(cases) or cases[item.case.number].source() != item.case.source:
            raise EditError(f"case {quoted(item.eval_id)} changed after it was scored: score the case again first")
        self._case_file, self._item, self._case = case_file, item, cases[item.case.number]
        chosen = {change.id for change in changes}
        accepted = (change for change in item.changes if change.id in chosen)
        self._changes = sorted(accepted, key=lambda change: _WRITTEN_ORDER.index(change.place.action))
        # Nodes, not pointers: a node stays the same object when an edit moves it. A dataset's case is its only turn.
        turns = [turn for turn in turns_of(self._case) if turn.kind == "object"]
        self._turns = [self._case] if case_file.is_dataset else turns
        self._in_place = {turn.actual_turn: self._turns[turn.turn] for turn in item.turns}

    def edits(self) -> Iterator[tuple[ReviewChange, Edit]]:
        """The edits, each with its change: first within turns, turn by turn, then added and deleted turns."""
        changes_by_turn: defaultdict[int | None, list[ReviewChange]] = defaultdict(list)
        for change in self._changes:
            is_within_turn = change.place.action not in ("add_turn", "delete_turn")
            changes_by_turn[change.place.turn if is_within_turn else None].append(change)
        whole_turns = changes_by_turn.pop(None, [])
        for turn, changes_of_turn in changes_by_turn.items():
            assert turn is not None
            yield from self._turn_edits(turn, changes_of_turn)
        for change in whole_turns:
            if change.place.turn is not None:
                yield change, Remove(self._turns[change.place.turn].pointer())
            elif change.place.actual_turn is not None:
                yield from ((change, edit) for edit in self._added(change.place.actual_turn))

    def _turn_edits(self, turn: int, changes: Sequence[ReviewChange]) -> Iterator[tuple[ReviewChange, Edit]]:
        compared = next(compared for compared in self._item.turns if compared.turn == turn)
        node = self._turns[turn]
        expected, actual = compared.scores.expected, compared.scores.actual
        on_calls = [change for change in changes if change.place.action not in ("no_calls", "response")]
        if on_calls:  # only then: in a turn without such changes, ambiguous calls do no harm
            seed, reserved = self._ids(compared.actual_turn)
            calls = ExpectedCalls(self._case_file, node, len(expected.calls), compared.rows, seed, reserved)
            for change in on_calls:
                yield from ((change, edit) for edit in calls.accept(change, actual.calls))
        for change in changes:
            if change.place.action == "no_calls":
                yield change, put(node, "intermediate_events", [])
            elif change.place.action == "response" and self._case_file.is_dataset:
                yield from ((change, edit) for edit in write_reference_text(node, actual.response))
            elif change.place.action == "response":
                edits = write_response_text(self._case_file, node, actual.response)
                yield from ((change, edit) for edit in edits)

    def _added(self, place: int) -> Iterator[Edit]:
        """Add the recorded turn `place` before the turns that follow it in the recording."""
        following = min((position for position in self._in_place if position > place), default=None)
        turns = turns_of(self._case)
        index = self._in_place[following].index() if following is not None else len(turns)
        seed, reserved = self._ids(place)
        yield add_item(
            self._case, "conversation", new_turn(self._case, turns[index - 1] if index else None, seed), index
        )
        node = self._in_place[place] = turns_of(self._case)[index]
        recorded = self._item.run.conversation.turns[place]
        yield put(parts_of(filled(node, "user_content"))[0], "text", recorded.user_text)
        if recorded.response:
            yield from write_response_text(self._case_file, node, recorded.response)
        calls = ExpectedCalls(self._case_file, node, 0, (), seed, reserved)
        for number, call in enumerate(recorded.calls):
            yield from calls.add(number, call)

    def _ids(self, actual_turn: int) -> tuple[str, int]:
        """The seed of ids for calls of a recorded turn, and the number of ids that earlier turns of other items use."""
        item, recorded = self._item, self._item.run.conversation
        if self._case_file.is_dataset:
            return f"{item.eval_id}/{recorded.id}", 0
        own = {*item.added, *(turn.actual_turn for turn in item.turns)}
        reserved = 0
        for position, turns in enumerate(zip(item.case.turns, recorded.turns[:actual_turn], strict=False)):
            if position not in own:
                # Tool by tool, because calls of the same tool are always paired.
                expected, actual = (Counter(call.name for call in turn.calls) for turn in turns)
                reserved += (actual - expected).total()
        return f"{item.eval_id}/{recorded.id}/{actual_turn}", reserved


# --- tool calls -------------------------------------------------------------------------------------------------------


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
        uses = expected_uses(owner)
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
            last_use = next((use for use in reversed(expected_uses(self._owner)) if use.node is not node), None)
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
        last = next(reversed(expected_uses(self._owner)), None)
        copy = Copy("call", call, author=author or (last.author if last is not None else ""))
        following = self._use_of(next_node) if next_node is not None else None
        is_before = following is not None
        yield from insert_calls(self._case_file, self._owner, [copy], following or last, near, is_before=is_before)

    def _response(self, node: Node, source: bytes) -> Iterator[Edit]:
        yield from response_edits(self._case_file, self._owner, self._use_of(node), source)

    def _use_of(self, node: Node) -> ToolUse:
        return next(use for use in expected_uses(self._owner) if use.node is node)

    def _new_node(self) -> Node:
        # An edit returns no node, so the added call is the one that is not known yet.
        known_nodes = [*self._nodes, *self._in_place.values()]
        return next(use.node for use in expected_uses(self._owner) if not any(use.node is node for node in known_nodes))

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


# --- responses -----------------------------------------------------------------------------------------------------


def write_response_text(eval_set: CaseFile, turn: Node, text: str) -> Iterator[Edit]:
    """Make `text` the text of the final response of a turn, as google-adk joins its parts (`get_text_from_content`).

    Text parts that already match the beginning or end of `text` stay. One part between them gets the rest.
    """
    parts = _texts_in(filled(turn, "final_response"))
    if not parts:
        yield from write_first_text(eval_set, turn, "final_response", text, "response").edits
        return
    yield from _rewritten(parts, text)


def write_reference_text(case: Node, text: str) -> Iterator[Edit]:
    """Write `text` into the `reference` of a dataset case. If missing, it is created in the style of neighbours."""
    reference = filled(case, "reference")
    response = filled(reference, "response")
    near = filled(model_of(case), "reference")
    if reference is None:
        yield put(case, "reference", like_sibling(near, case, {"response": _answer(case, near, text)}))
    elif response is None:
        yield put(reference, "response", _answer(case, near, text))
    elif response.kind == "string":
        yield put(reference, "response", text)
    elif parts := _texts_in(response):
        yield from _rewritten(parts, text)
    else:
        yield add_item(response, "parts", {"text": text})


def _answer(case: Node, near: Node | None, text: str) -> dict[str, Any]:
    """A response in the layout of the neighbour's `reference`, else of the prompt or a response of the case."""
    neighbour = filled(near, "response")
    own = (filled(case, "prompt"), *(filled(response, "response") for response in items_of(case, "responses")))
    model = next(
        (candidate for candidate in (neighbour, *own) if candidate is not None and candidate.kind == "object"), None
    )
    return in_order_near(
        model, case, content(model, text_of(neighbour, "role") or "model", {"text": text}), role_first=True
    )


def _texts_in(content: Node | None) -> list[Node]:
    return [part for part in parts_of(content) if holds_text(part)]


def _rewritten(parts: list[Node], text: str) -> Iterator[Edit]:
    """Make `text` the text of parts together. Parts that match its beginning or its end stay."""
    between = list(parts)
    # google-adk joins the texts of parts with a line break.
    while len(between) > 1 and (first := text_of(between[0], "text")) and text.startswith(f"{first}\n"):
        text = text[len(first) + 1 :]
        del between[0]
    while len(between) > 1 and (last := text_of(between[-1], "text")) and text.endswith(f"\n{last}"):
        text = text[: -len(last) - 1]
        del between[-1]
    target = next((part for part in between if part_kind(part) == "text"), between[0])
    yield put(target, "text", text)
    for part in reversed(between):  # from the end, because a removal moves the parts after it
        if part is not target and text_of(part, "text"):
            yield Remove(part.pointer())
