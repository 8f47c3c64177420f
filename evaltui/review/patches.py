"""Changes of a review as edits of the current document, and as RFC 6902 patches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from evaltui.document.document import Document
from evaltui.document.edits import Edit
from evaltui.document.errors import DocumentError
from evaltui.document.patch import operations_of
from evaltui.evalset.case_file import CaseFile, case_file_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.review.acceptance import OWN_PLACE, Accepted, AcceptedItem, is_too_much
from evaltui.review.review_changes import ReviewChange
from evaltui.review.review_items import ReviewItem
from evaltui.scoring.results import plain

Patch = list[dict[str, Any]]


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
            is_tried = not is_too_much(item, item.changes)
            return None, {change.id: self._alone(item, change) if is_tried else None for change in item.changes}
        edits_by_change: defaultdict[str, list[Edit]] = defaultdict(list)
        for change, edit in together:
            edits_by_change[change.id].append(edit)
        # Places and new ids of calls and turns depend on the changes before. All other changes write the same alone as
        # together, which saves a rehearsal for each.
        moving = {change.id for change in item.changes if change.place.action not in OWN_PLACE}
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
            for change, edit in AcceptedItem(self._cases, item, changes).edits():
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
