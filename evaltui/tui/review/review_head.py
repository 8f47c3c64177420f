"""The head of the review: which turn of how many, its scores, what is decided, and the sources of both columns."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from evaltui.printable import one_line, printable
from evaltui.report.scores_text import MARKS, against_text, short_name
from evaltui.review.decisions import DecisionKind
from evaltui.review.review_item import ReviewItem
from evaltui.tui.session.review_queue import ReviewQueue

_COLOURS = {"passed": "$text-success", "failed": "$text-error"}


class ReviewHead(Widget):
    """Two lines above the rows."""

    def __init__(self, queue: ReviewQueue) -> None:
        super().__init__(id="review-head")
        self._queue = queue
        self.trial = ""
        """What is being tried instead of the config, in words."""

    def render(self) -> Content:
        """Position and name, then the scores of the turn."""
        queue, entry = self._queue, self._queue.entry
        counts = queue.counts()
        done = counts["accepted"] + counts["agent is wrong"]
        said = f"{done:,} done · {counts['skipped']:,} skipped · {counts[None]:,} left "
        if entry is None or queue.is_over:
            return _between(Content.styled(" Review", "bold"), Content.styled(said, "dim"), self.size.width)
        left = Content.assemble(
            (f" Review [{queue.at + 1:,}/{len(queue.entries):,}]  ", "bold"),
            (printable(queue.name(entry)), "bold $text-accent"),
        )
        first = _between(left, Content.styled(said, "dim"), self.size.width)
        item = queue.item(entry)
        return first + Content("\n") + self._scores(item, entry.decision)

    def _scores(self, item: ReviewItem | None, decision: DecisionKind | None) -> Content:
        queue = self._queue
        if item is None or queue.shown_criteria is None:
            return Content.styled(" the recording belongs to no case", "dim")
        parts = [Content(" ")]
        for metric in item.metrics:
            if metric.status == "informational":
                continue
            criterion = queue.shown_criteria.of(metric.name)
            options = criterion.options_text() if criterion is not None else ""
            mark = (f"{MARKS[metric.status]} ", _COLOURS.get(metric.status, "dim"))
            parts.append(Content.assemble(mark, f"{short_name(metric.name)} {against_text(metric)}{options}   "))
        right = [decision or "", self.trial, f"order: {queue.order}" if queue.order != "file" else ""]
        right.append(f"/ {one_line(queue.query, 20)}" if queue.query else "")
        aside = Content.styled("  ".join(filter(None, right)) + " ", "$text-warning" if self.trial else "dim")
        return _between(Content("").join(parts), aside, self.size.width)


def _between(left: Content, right: Content, width: int) -> Content:
    """Both at the ends of a line; the left one is cut where there is no room."""
    room = width - right.cell_length
    if left.cell_length > room - 2:
        left = left.truncate(max(8, room - 2), ellipsis=True)
    return left + Content(" " * max(0, room - left.cell_length)) + right
