"""Scores, verdicts, counts and changes as text for people. Text of files is made printable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from evaltui.printable import one_line, printable
from evaltui.scoring.results import STATUS_RANKS

if TYPE_CHECKING:
    from evaltui.scoring.baseline_changes import BaselineChanges
    from evaltui.scoring.results import CaseResult, MetricScore, ScoreTotals, Status
    from evaltui.scoring.score_change import RunChange, ScoreChange

MARKS: dict[Status, str] = {"passed": "✓", "failed": "✗", "not_evaluated": "–", "informational": "·"}
"""Each status as a shape."""
_Judged = TypeVar("_Judged", "CaseResult", "MetricScore")
_ENDINGS = ("_avg_score", "_score", "_v1", "_v2")


def failing_first(judged: Sequence[_Judged]) -> list[_Judged]:
    """Cases or scores in reading order: failed, not evaluated, passed; each group in its own order."""
    return sorted(judged, key=lambda item: STATUS_RANKS[item.status])


def counts_text(totals: ScoreTotals) -> str:
    """`12 cases: 9 passed, 2 failed, 1 not evaluated`."""
    counts = totals.counts
    words: dict[Status, str] = {"passed": "passed", "failed": "failed", "not_evaluated": "not evaluated"}
    parts = ", ".join(f"{counts[status]} {word}" for status, word in words.items() if counts[status])
    number = f"{totals.cases} case{'s' * (totals.cases != 1)}"
    return f"{number}: {parts}" if parts else number


def score_text(score: float | None, threshold: float | None = None) -> str:
    """A score with at least two digits, and as many as show on which side of its threshold it is; – for no score."""
    if score is None:
        return "–"
    if threshold is None:
        return f"{score:.2f}" if abs(score) < 1000 else f"{score:,.0f}"
    # Rounded to 0.80, a failing 0.798 would seem to reach its threshold. 16 digits tell all floats apart.
    for digits in range(2, 17):
        text = f"{score:.{digits}f}"
        if (float(text) >= threshold) == (score >= threshold):
            return text
    return repr(score)


def against_text(metric: MetricScore) -> str:
    """`0.57 < 0.80`, `1.00 ≥ 1.00`, or the status in words if there is no score."""
    if metric.score is None:
        return metric.status.replace("_", " ")
    if metric.threshold is None:
        return score_text(metric.score)
    sign = "≥" if metric.score >= metric.threshold else "<"
    return f"{score_text(metric.score, metric.threshold)} {sign} {score_text(metric.threshold)}"


def mean_text(judged: MetricScore | None) -> str:
    """` (the mean of the case passes: 0.83 ≥ 0.80)` behind the failing score of a turn; "" unless the case passes."""
    if judged is None or judged.status != "passed" or judged.score is None:
        return ""
    return f" (the mean of the case passes: {against_text(judged)})"


def short_name(metric: str) -> str:
    """The name of a metric without common endings such as `_score`."""
    for ending in _ENDINGS:
        if metric.endswith(ending) and len(metric) > len(ending):
            return printable(metric.removesuffix(ending))
    return printable(metric)


def case_name(case: CaseResult) -> str:
    """The whole id of a case; its place in the set if it has no id."""
    return printable(case.eval_id) if case.eval_id else f"case {case.number + 1}"


def passed_of(case: CaseResult) -> str:
    """`passed 2 of 3` runs; "" without `--runs all`."""
    return f"passed {case.passed_runs} of {len(case.runs)}" if case.runs is not None else ""


def date_text(seconds: float) -> str:
    """A time as `2026-02-23 14:05 UTC`."""
    time = utc_time(seconds)
    return f"{time[:16].replace('T', ' ')} UTC" if time is not None else f"{seconds:g} s after 1970"


def utc_time(seconds: float | None) -> str | None:
    """A time in ISO 8601; None for an unknown or impossible time, which a recording may have."""
    try:
        time = datetime.fromtimestamp(seconds, UTC) if seconds is not None else None
    except (ValueError, OverflowError, OSError):
        return None
    return time.isoformat(timespec="seconds").replace("+00:00", "Z") if time is not None else None


# --- changes since a run, and the pass rates of the last runs as a bar ------------------------------------------------

RISEN, FALLEN = "▲", "▼"
_VERDICTS: dict[ScoreChange, str] = {
    "improved": "passes now",
    "regressed": "fails now",
    "not_evaluated": "not evaluated now",
}
_BLOCKS, _PLAIN = "▁▂▃▄▅▆▇█", ".:-=+*#@"
"""Characters for pass rates from 0 to 1; the second row is for terminals without block characters."""
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


def change_texts(change: RunChange) -> list[str]:
    """A change of a case in words, the longest text first: `▼ -0.50 fails now, args changed (tool_trajectory)`.

    The next ones lack the metric, then more and more words, and the last has only the sign.
    """
    otherwise = "changed"  # no score changed; the words about the other changes replace it
    signs: dict[ScoreChange, str] = {"new": "new", "edited": "edited", "same": otherwise}
    sign = signs.get(change.change, CHANGE_MARKS[change.change])
    if change.difference is not None:
        sign = f"{sign} {difference_text(change.difference)}"
    verdict = _VERDICTS.get(change.change)
    words, texts = (verdict, *change.words) if verdict else change.words, list[str]()
    for count in range(len(words), -1, -1):
        first = ", ".join(words[:count]) + (" …" if 0 < count < len(words) else "")
        texts.append(first if sign == otherwise and first else f"{sign} {first}".rstrip())
    return [f"{texts[0]} ({printable(short_name(change.metric))})" if change.metric else texts[0], *texts]


def difference_text(difference: float) -> str:
    """`+0.43`; a difference below 0.005 has one significant digit."""
    return f"{difference:+.2f}" if abs(difference) >= 0.005 else f"{difference:+.1g}"


def rate_text(passed: int, cases: int) -> str:
    """`9 of 12 pass (75 %)`; 100 % only if all pass, 0 % only if none passes."""
    rate = round(100 * passed / cases) if cases else 0
    return f"{passed:,} of {cases:,} pass ({min(max(rate, passed > 0), 100 - (passed < cases))} %)"


def rate_bar(rates: Sequence[float], *, is_plain: bool = False) -> str:
    """A character for each rate from 0.0 to 1.0. A rate of 1.0 is the full block, and only this rate."""
    heights = _PLAIN if is_plain else _BLOCKS
    top = len(heights) - 1
    return "".join(heights[int(rate * top)] for rate in rates)


def age_text(seconds: float | None) -> str:
    """The age of a recording: `now`, `3 min`, `5 h`, `2 d`, `4 y`; – if unknown."""
    if seconds is None:
        return "–"
    for unit, length in (("y", 365 * 86400), ("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{int(seconds // length)} {unit}"
    return "now"


# --- since a baseline ----------------------------------------------------------------------------------------------


def change_word(change: ScoreChange) -> str:
    """The change in words."""
    return change.replace("_", " ")


def baseline_change_text(case: CaseResult, changes: BaselineChanges | None) -> str:
    """`▼ regressed`; "" without a baseline, for an unchanged case, and for a case that was never evaluated."""
    if changes is None:
        return ""
    change = changes.of(case)
    if change.change == "not_evaluated":
        return f"{CHANGE_MARKS[change.change]} no longer evaluated" if change.is_lost else ""
    return "" if change.change == "same" else f"{CHANGE_MARKS[change.change]} {change_word(change.change)}"


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
    baseline = changes.of(case).baseline if changes is not None else None
    _, scores = baseline or ("", {})
    for metric in case.metrics:
        if metric.name in scores and scores[metric.name] != metric.score:
            yield f"{short_name(metric.name)} {move_text(scores[metric.name], metric.score)}"


def move_text(old: float | None, new: float | None) -> str:
    """`0.91 → 0.57`, with as many digits as the scores need to look different."""
    # A small change must not look like none. 16 digits tell all floats apart.
    for digits in range(2, 17):
        texts = [_rounded(score, digits) for score in (old, new)]
        if texts[0] != texts[1]:
            return " → ".join(texts)
    return " → ".join(map(score_text, (old, new)))


def _rounded(score: float | None, digits: int) -> str:
    if score is None:
        return "–"
    return f"{score:.{digits}f}" if abs(score) < _VAST else f"{score:.{digits}e}"
