"""Edits that accept changes: they write the recorded values into the set, in the style of the set."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from evaltui.document.edits import Edit, Remove
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.evalset.content_parts import parts_of
from evaltui.evalset.editing.revision import add_item, put
from evaltui.evalset.editing.templates import new_turn
from evaltui.evalset.keys import filled
from evaltui.evalset.turn import Turn
from evaltui.printable import quoted
from evaltui.review.accepted_calls import ExpectedCalls, NewIds
from evaltui.review.response_edits import write_reference_text, write_response_text
from evaltui.review.review_changes import Action, ReviewChange, in_written_order
from evaltui.review.review_items import ReviewItem

OWN_PLACE: tuple[Action, ...] = ("argument", "arguments", "no_calls", "response")
"""Changes that always write to the same pointers, whatever other changes are accepted with them."""
_MOST_STEPS = 300_000
"""The most changes times tool calls, of which each change looks at all. A step takes 5 µs."""

Accepted = tuple[ReviewItem, Sequence[ReviewChange]]
"""An item and its accepted changes."""


def acceptance(case_file: CaseFile, accepted: Iterable[Accepted]) -> Iterator[Edit]:
    """Yield the edits that write the accepted changes. Apply each edit before the next is generated (`Document.apply`).

    Raises `EditError` if a case changed after it was scored, or if too much is accepted at once.
    """
    waiting = []
    # All cases first: a case with two items would count as changed after the edits of the first.
    for item, changes in accepted:
        _refuse_too_much(item, changes)
        waiting.append((_nodes_of(case_file, item), changes))
    for nodes, changes in waiting:
        yield from (edit for _, edit in nodes.edits(changes))


def edits_by_change(
    case_file: CaseFile, item: ReviewItem, changes: Sequence[ReviewChange]
) -> Iterator[tuple[ReviewChange, Edit]]:
    """The edits of `acceptance` for one item, each with the change that it belongs to. Raises `EditError`."""
    _refuse_too_much(item, changes)
    yield from _nodes_of(case_file, item).edits(changes)


def _refuse_too_much(item: ReviewItem, changes: Iterable[ReviewChange]) -> None:
    if is_too_much(item, [change for change in changes if change.place.action not in OWN_PLACE]):
        raise EditError("too many tool calls of one case are added, deleted or moved at once: accept fewer changes")


def is_too_much(item: ReviewItem, changes: Sequence[ReviewChange]) -> bool:
    """Whether changes would take many seconds: each looks at all tool calls of its turn."""
    return len(changes) * sum(len(turn.calls) for turn in item.case.turns) > _MOST_STEPS


def _nodes_of(case_file: CaseFile, item: ReviewItem) -> _ItemNodes | DatasetItem:
    cases = case_file.cases
    if item.case.number >= len(cases) or cases[item.case.number].source() != item.case.source:
        raise EditError(f"case {quoted(item.eval_id)} changed after it was scored: score the case again first")
    if case_file.is_dataset:
        return DatasetItem(case_file, item)
    assert not case_file.is_dataset
    return _ItemNodes(case_file, item)


class _ItemNodes:
    """An item and the nodes of its case."""

    def __init__(self, eval_set: CaseFile, item: ReviewItem) -> None:
        self._eval_set, self._item = eval_set, item
        self._case = eval_set.cases[item.case.number]
        # Nodes, not pointers: a node stays the same object when an edit moves it.
        self._turns = [turn for turn in turns_of(self._case) if turn.kind == "object"]
        self._in_place = {turn.actual_turn: self._turns[turn.turn] for turn in item.turns}

    def edits(self, changes: Iterable[ReviewChange]) -> Iterator[tuple[ReviewChange, Edit]]:
        """The edits of these changes: first within turns, turn by turn, then added and deleted turns."""
        chosen = {change.id for change in changes}
        in_order = in_written_order(change for change in self._item.changes if change.id in chosen)
        changes_by_turn: defaultdict[int | None, list[ReviewChange]] = defaultdict(list)
        for change in in_order:
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
        on_calls = [change for change in changes if change.place.action != "response"]
        if on_calls:  # only then: in a turn without such changes, ambiguous calls do no harm
            ids = self._new_ids(compared.actual_turn)
            calls = ExpectedCalls(self._eval_set, node, len(expected.calls), compared.rows, ids)
            for change in on_calls:
                yield from ((change, edit) for edit in calls.accept(change, actual.calls))
        for change in changes:
            if change.place.action == "response":
                edits = write_response_text(self._eval_set, node, actual.response)
                yield from ((change, edit) for edit in edits)

    def _added(self, place: int) -> Iterator[Edit]:
        """Add the recorded turn `place` before the turns that follow it in the recording."""
        following = min((position for position in self._in_place if position > place), default=None)
        turns = turns_of(self._case)
        index = self._in_place[following].index() if following is not None else len(turns)
        value = new_turn(self._case, turns[index - 1] if index else None, self._new_ids(place).seed)
        yield add_item(self._case, "conversation", value, index)
        node = turns_of(self._case)[index]
        self._in_place[place] = node
        yield from self._filled(node, self._item.run.conversation.turns[place], place)

    def _new_ids(self, actual_turn: int) -> NewIds:
        """Ids for the calls of a recorded turn that no earlier turn of another item uses."""
        item, recorded = self._item, self._item.run.conversation
        own = {*item.added, *(turn.actual_turn for turn in item.turns)}
        pairs = zip(item.case.turns, recorded.turns[:actual_turn], strict=False)
        reserved = sum(_extra_calls(*pair) for position, pair in enumerate(pairs) if position not in own)
        return NewIds(f"{item.eval_id}/{recorded.id}/{actual_turn}", reserved)

    def _filled(self, node: Node, turn: Turn, place: int) -> Iterator[Edit]:
        """Copy user message, response and calls of a recorded turn into a new turn."""
        part = parts_of(filled(node, "user_content"))[0]
        yield put(part.node, "text", turn.user_text)
        if turn.response:
            yield from write_response_text(self._eval_set, node, turn.response)
        calls = ExpectedCalls(self._eval_set, node, 0, (), self._new_ids(place))
        for number, call in enumerate(turn.calls):
            yield from calls.add(number, call)


def _extra_calls(expected: Turn, actual: Turn) -> int:
    """The number of calls that only the recorded turn has."""
    # Tool by tool, because calls of the same tool are always paired.
    names = (Counter(call.name for call in turn.calls) for turn in (actual, expected))
    return (next(names) - next(names)).total()


class DatasetItem:
    """An item about a case of a dataset, and the nodes of the case."""

    def __init__(self, dataset: CaseFile, item: ReviewItem) -> None:
        self._dataset, self._item = dataset, item
        self._case = dataset.cases[item.case.number]

    def edits(self, changes: Iterable[ReviewChange]) -> Iterator[tuple[ReviewChange, Edit]]:
        """The edits of these changes, each with the change that it belongs to."""
        compared = self._item.compared
        if compared is None:
            return
        chosen = {change.id for change in changes}
        in_order = in_written_order(change for change in self._item.changes if change.id in chosen)
        on_calls = [change for change in in_order if change.place.action not in ("no_calls", "response")]
        expected, actual = compared.scores.expected, compared.scores.actual
        if on_calls:
            ids = NewIds(f"{self._item.eval_id}/{self._item.run.conversation.id}")
            calls = ExpectedCalls(self._dataset, self._case, len(expected.calls), compared.rows, ids)
            for change in on_calls:
                yield from ((change, edit) for edit in calls.accept(change, actual.calls))
        for change in in_order:
            if change.place.action == "no_calls":
                yield change, put(self._case, "intermediate_events", [])
            elif change.place.action == "response":
                yield from ((change, edit) for edit in write_reference_text(self._case, actual.response))
