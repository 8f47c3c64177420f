"""Changes since a baseline as people read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from evaltui.printable import one_line, printable
from evaltui.report.run_change_text import FALLEN, RISEN
from evaltui.report.scores_text import score_text, short_name
from evaltui.scoring.results import CaseResult
from evaltui.scoring.score_change import ScoreChange

if TYPE_CHECKING:
    from evaltui.scoring.score_change import BaselineChanges

CHANGE_MARKS: Mapping[ScoreChange, str] = {
    "regressed": FALLEN,
    "not_evaluated": "–",
    "lower": FALLEN,
    "improved": RISEN,
    "higher": RISEN,
    "new": "+",
    "edited": "~",
    "same": "=",
}
"""Each change as a shape."""
_VAST = 1e9
"""Scores from this value on are shown with an exponent."""
_GONE = 8
"""The most ids of deleted cases that are named."""


def change_word(change: ScoreChange) -> str:
    """The change in words."""
    return change.replace("_", " ")


def change_text(case: CaseResult, changes: BaselineChanges | None) -> str:
    """`▼ regressed`; "" without a baseline, for an unchanged case, and for a case that was never evaluated."""
    if changes is None:
        return ""
    change, _, is_lost = changes.of(case)
    if change == "not_evaluated":
        return f"{CHANGE_MARKS[change]} no longer evaluated" if is_lost else ""
    return "" if change == "same" else f"{CHANGE_MARKS[change]} {change_word(change)}"


def counts_of_changes(counts: Mapping[ScoreChange, int]) -> str:
    """`1 regressed, 2 lower, 9 same`."""
    return ", ".join(f"{count} {change_word(change)}" for change, count in counts.items() if count)


def gone_text(gone: Sequence[str]) -> str:
    """`2 gone (refund, escalate)`; "" for none."""
    if not gone:
        return ""
    more = f" and {len(gone) - _GONE} more" if len(gone) > _GONE else ""
    return f"{len(gone)} gone ({', '.join(map(printable, gone[:_GONE]))}{more})"


def summary_of_changes(changes: BaselineChanges) -> str:
    """`1 regressed, 9 same, 1 gone (refund) since base.json`."""
    parts = ", ".join(filter(None, [counts_of_changes(changes.counts), gone_text(changes.gone)])) or "no cases"
    return f"{parts} since {one_line(changes.name)}"


def score_moves(case: CaseResult, changes: BaselineChanges | None) -> Iterator[str]:
    """`response_match 0.91 → 0.57` for each metric whose score differs from the baseline."""
    base = changes.of(case).baseline if changes is not None else None
    if base is None:
        return
    for metric in case.metrics:
        if metric.name in base.scores and base.scores[metric.name] != metric.score:
            yield f"{short_name(metric.name)} {move_text(base.scores[metric.name], metric.score)}"


def move_text(old: float | None, new: float | None) -> str:
    """`0.91 → 0.57`, with as many digits as the scores need to look different."""
    for digits in range(2, 17):
        texts = [_rounded(score, digits) for score in (old, new)]
        if texts[0] != texts[1]:
            return " → ".join(texts)
    return " → ".join(map(score_text, (old, new)))


def _rounded(score: float | None, digits: int) -> str:
    if score is None:
        return "–"
    return f"{score:.{digits}f}" if abs(score) < _VAST else f"{score:.{digits}e}"
