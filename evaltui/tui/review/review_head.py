"""The head of the review: the position in the queue, the turn, its scores, and counts of decisions."""

from __future__ import annotations

from rich.cells import cell_len

from evaltui.printable import one_line, printable
from evaltui.report.reviewed_set import unscored_text
from evaltui.report.scores_text import MARKS, against_text, short_name
from evaltui.review.review_items import ReviewItem
from evaltui.scoring.criteria import Criteria
from evaltui.tui.lines import FILL, Line, cut_in_the_middle
from evaltui.tui.review.review_queue import ReviewQueue
from evaltui.tui.widgets.line_view import LineBar

_ROOMY, _NARROW = 66, 36
"""Least cells for all counts at the right, and for the number of open turns: the name of the turn comes first."""
_NAME_MIN = 12
_LOOKS = {"passed": "ok", "failed": "error"}


class ReviewHead(LineBar):
    """Two lines above the rows."""

    def __init__(self, queue: ReviewQueue) -> None:
        super().__init__(id="review-head")
        self._queue = queue

    def line(self, index: int) -> Line:
        """Position and name, then the scores of the turn."""
        return self._position() if index == 0 else self._scores()

    def _position(self) -> Line:
        queue, entry = self._queue, self._queue.entry
        left = self._counted()
        aside: Line = [("", FILL), (f"  {left}", "dim")] if self.size.width >= _NARROW else []
        if entry is None or queue.is_over:
            return [(" Review", "heading"), *aside]
        number, count = queue.position()
        what = "conversation " if entry.unmatched is not None else ""
        position = f" Review [{what}{number:,}/{count:,}]  "
        room = self.size.width - cell_len(position) - sum(cell_len(text) for text, _ in aside)
        # The number of the turn is at the end of the name, so a long name is cut in the middle.
        name = cut_in_the_middle(printable(queue.name(entry)), max(_NAME_MIN, room - 1))
        return [(position, "heading"), (name, "key"), *aside]

    def _counted(self) -> str:
        """The decisions about turns; in a queue without turns, those about recordings without a case."""
        queue = self._queue
        turns, others = queue.counts(), queue.counts(of_unmatched=True)
        is_unmatched = queue.entry is not None and queue.entry.unmatched is not None and not queue.is_over
        if turns and is_unmatched:  # the position counts conversations, so the other count names its unit
            count = turns[None] + turns["skipped"]
            return f"{count:,} turn{'s' * (count != 1)} left " if count else "all turns decided "
        counts = turns or others
        left = f"{counts[None]:,} left "
        if self.size.width < _ROOMY:
            return left
        done = counts["accepted"] + counts["agent is wrong"]
        skipped = f"{counts['skipped']:,} skipped · " if counts["skipped"] else ""
        return f"{done:,} done · {skipped}{left}"

    def _scores(self) -> Line:
        queue, entry = self._queue, self._queue.entry
        if entry is None or queue.is_over:
            return []
        item = queue.item(entry)
        criteria, trial = queue.items.scores.criteria, queue.items.scores.trial.criteria
        if item is None or criteria is None:
            said = (
                "recorded conversation without a case, not counted as a turn"
                if entry.unmatched is not None
                else "nothing to compare"
            )
            return [(f" {said}", "dim")]
        right = [
            entry.decision or "",
            "trial scores" if trial is not None else "",
            f"order: {queue.order}" if queue.order != "file" else "",
        ]
        right.append(f"/ {one_line(queue.query, 20)}" if queue.query else "")
        aside = "  ".join(["", *filter(None, right)]) + " " if self.size.width >= _NARROW else ""
        return [*_metrics(item, criteria), ("", FILL), (aside, "warning" if trial is not None else "dim")]


def _metrics(item: ReviewItem, criteria: Criteria) -> Line:
    if item.has_no_score:
        return [
            (f" {MARKS[item.result.status]} ", _LOOKS.get(item.result.status, "dim")),
            (unscored_text(item), "prose"),
        ]
    line: Line = [(" ", "")]
    for metric in item.metrics:
        if metric.status != "informational":
            criterion = criteria.of(metric.name)
            options = criterion.options_text() if criterion is not None else ""
            line.append((f"{MARKS[metric.status]} ", _LOOKS.get(metric.status, "dim")))
            line.append((f"{short_name(metric.name)} {against_text(metric)}{options}   ", "prose"))
    return line
