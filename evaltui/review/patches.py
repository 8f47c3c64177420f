"""Changes of a review as edits of the current document, and as RFC 6902 patches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from evaltui.document.document import Document
from evaltui.document.edits import Edit
from evaltui.document.errors import DocumentError
from evaltui.document.patch import operations_of
from evaltui.evalset.case_file import CaseFile, case_file_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.review.acceptance import OWN_PLACE, Accepted, edits_by_change, is_too_much
from evaltui.review.review_changes import ReviewChange
from evaltui.review.review_items import ReviewItem
from evaltui.scoring.results import plain

Patch = list[dict[str, Any]]


class ItemPatches(NamedTuple):
    """The patches of an item; None if JSON Patch cannot express one, such as for NaN."""

    together: Patch | None
    """All changes of the item."""
    alone: dict[str, Patch | None]
    """The patch of each change alone, by `ReviewChange.id`."""


class SetPatches:
    """Makes the patches of one document. Each method restores the document before it returns."""

    def __init__(self, document: Document) -> None:
        assert document.root is not None
        self._document, self._cases = document, case_file_of(document.root) or CaseFile(document.root, EVAL_SET)

    def of_item(self, item: ReviewItem) -> ItemPatches:
        """The patches of all changes of an item, together and each alone."""
        try:
            together = list(self._edits(item, item.changes))
        except (DocumentError, RecursionError):
            # A single change may be at fault, so each is tried alone, unless that takes too long.
            if is_too_much(item, item.changes):
                return ItemPatches(None, dict.fromkeys(change.id for change in item.changes))
            return ItemPatches(None, {change.id: self._alone(item, change) for change in item.changes})
        of_change: defaultdict[str, list[Edit]] = defaultdict(list)
        for change, edit in together:
            of_change[change.id].append(edit)
        # All other changes write the same alone as together, which saves a rehearsal for each.
        dependent = _dependent(item.changes)
        alone = {
            change.id: self._alone(item, change) if change.id in dependent else _patch_of(of_change[change.id])
            for change in item.changes
        }
        return ItemPatches(_patch_of(edit for _, edit in together), alone)

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
            for change, edit in edits_by_change(self._cases, item, changes):
                pairs.append((change, edit))
                yield edit

        self._document.rehearse(noted())
        return pairs


def _dependent(changes: Sequence[ReviewChange]) -> set[str]:
    """The ids of changes whose edits depend on other changes: additions, deletions and moves of calls or turns.

    Places and new ids depend on the changes before. A call that moves out of an event is written again, with its
    arguments at that moment.
    """
    moving = {change.id: change for change in changes if change.place.action not in OWN_PLACE}
    is_alone = len(moving) < 2
    return {name for name, change in moving.items() if not is_alone or change.place.action == "move_call"}


def _patch_of(edits: Iterable[Edit]) -> Patch | None:
    try:
        operations = operations_of(edits)
    except ValueError:  # a number is too long for Python, or a value is nested too deeply
        return None
    # Reports show NaN, Infinity and very deep values as something else.
    return operations if operations is not None and plain(operations) == operations else None
