"""Edits and RFC 6902 patches that accept changes: they write the recorded values into the set, in the style of the set.

In a dataset, calls go to `intermediate_events` and the response to `reference`: agents-cli 1.11 keeps both when it
generates. Turns before the last message are input of the agent, so they never change.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from evaltui.document.document import Document
from evaltui.document.edits import Edit, Remove
from evaltui.document.errors import DocumentError, EditError
from evaltui.document.layout import model_of
from evaltui.document.node import Node
from evaltui.document.patch import operations_of
from evaltui.evalset.case_file import CaseFile, case_file_of, turns_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.content_parts import holds_text, part_kind, parts_of
from evaltui.evalset.editing.field_edits import write_first_text
from evaltui.evalset.editing.revision import add_item, like_sibling, put
from evaltui.evalset.editing.templates import content, in_order_near, new_turn
from evaltui.evalset.keys import filled, items_of, text_of
from evaltui.printable import quoted
from evaltui.review.accepted_calls import ExpectedCalls
from evaltui.review.review_changes import Action, ReviewChange
from evaltui.review.review_items import ReviewItem
from evaltui.scoring.results import plain

_OWN_PLACE: tuple[Action, ...] = ("argument", "arguments", "no_calls", "response")
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
Patch = list[dict[str, Any]]
"""The operations of a JSON Patch (RFC 6902)."""


def acceptance(case_file: CaseFile, accepted: Iterable[Accepted]) -> Iterator[Edit]:
    """Yield the edits that write the accepted changes. Apply each edit before the next is generated (`Document.apply`).

    Raises `EditError` if a case changed after it was scored, or if too much is accepted at once.
    """
    # All cases first: a case with two items would count as changed after the edits of the first.
    for item in [_AcceptedItem(case_file, item, changes) for item, changes in accepted]:
        yield from (edit for _, edit in item.edits())


def _is_too_much(item: ReviewItem, changes: Sequence[ReviewChange]) -> bool:
    """Whether changes would take many seconds: each looks at all tool calls of its turn."""
    return len(changes) * sum(len(turn.calls) for turn in item.case.turns) > _MOST_STEPS


class _AcceptedItem:
    """An item with its accepted changes and the nodes of its case."""

    def __init__(self, case_file: CaseFile, item: ReviewItem, changes: Sequence[ReviewChange]) -> None:
        """Raises `EditError` if the case changed after it was scored, or for too many changes."""
        if _is_too_much(item, [change for change in changes if change.place.action not in _OWN_PLACE]):
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


# --- patches --------------------------------------------------------------------------------------------------------


class SetPatches:
    """Makes the patches of one document. Each method restores the document before it returns."""

    def __init__(self, document: Document) -> None:
        assert document.root is not None
        self._document, self._cases = document, case_file_of(document.root) or CaseFile(document.root, EVAL_SET)

    def of_item(self, item: ReviewItem) -> tuple[Patch | None, dict[str, Patch | None]]:
        """The patch of all changes of an item together, and that of each alone by `ReviewChange.id`.

        None if JSON Patch cannot express a patch, such as for NaN.
        """
        try:
            together = list(self._edits(item, item.changes))
        except (DocumentError, RecursionError):
            # A single change may be at fault, so each is tried alone, unless that takes too long.
            is_tried = not _is_too_much(item, item.changes)
            return None, {change.id: self._alone(item, change) if is_tried else None for change in item.changes}
        edits_by_change: defaultdict[str, list[Edit]] = defaultdict(list)
        for change, edit in together:
            edits_by_change[change.id].append(edit)
        # Places and new ids of calls and turns depend on the changes before. All other changes write the same alone as
        # together, which saves a rehearsal for each.
        moving = {change.id for change in item.changes if change.place.action not in _OWN_PLACE}
        alone = {
            change.id: self._alone(item, change)
            # A call that moves out of an event is written again, with its arguments at that moment.
            if change.place.action == "move_call" or (len(moving) > 1 and change.id in moving)
            else _patch_of(edits_by_change[change.id])
            for change in item.changes
        }
        return _patch_of(edit for _, edit in together), alone

    def edits(self, accepted: Iterable[Accepted]) -> list[Edit]:
        """The edits that accept changes. The edits of each item are computed as if no other item were accepted.

        Items never write to the same place, so the order does not matter. Raises `DocumentError`.
        """
        return [edit for item, changes in accepted for _, edit in self._edits(item, changes)]

    def _alone(self, item: ReviewItem, change: ReviewChange) -> Patch | None:
        with suppress(DocumentError, RecursionError):
            return _patch_of(edit for _, edit in self._edits(item, [change]))
        return None

    def _edits(self, item: ReviewItem, changes: Sequence[ReviewChange]) -> list[tuple[ReviewChange, Edit]]:
        pairs: list[tuple[ReviewChange, Edit]] = []

        def noted() -> Iterator[Edit]:
            for change, edit in _AcceptedItem(self._cases, item, changes).edits():
                pairs.append((change, edit))
                yield edit

        self._document.rehearse(noted())
        return pairs


def _patch_of(edits: Iterable[Edit]) -> Patch | None:
    try:
        operations = operations_of(edits)
    except ValueError:  # a number is too long for Python, or a value is nested too deeply
        return None
    # Reports show NaN, Infinity and very deep values as something else.
    return operations if operations is not None and plain(operations) == operations else None
