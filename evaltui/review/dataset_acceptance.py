"""Edits that accept changes of a dataset case: calls go to `intermediate_events`, the response to `reference`.

agents-cli 1.11 keeps both when it generates. Turns before the last message are input of the agent, so they never
change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evaltui.document.edits import Edit
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.revision import put
from evaltui.review.accepted_calls import ExpectedCalls, NewIds
from evaltui.review.response_edits import write_reference_text
from evaltui.review.review_change import ReviewChange, in_written_order
from evaltui.review.review_item import ReviewItem


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
