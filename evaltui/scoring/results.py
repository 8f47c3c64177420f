"""The scores of a run: of metrics, turns and cases, their summaries, and the exit code.

A large set has hundreds of thousands of scores, so these are named tuples: they are created faster than dataclasses.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:  # the validator knows metrics, and needs no recordings
    from evaltui.evalset.turn import Turn
    from evaltui.recordings.conversation import Conversation, MatchedBy

Status = Literal["passed", "failed", "not_evaluated", "informational"]
STATUS_RANKS: dict[Status, int] = {"failed": 0, "not_evaluated": 1, "passed": 2, "informational": 3}
"""The order of reports: failed, not evaluated, passed."""


class MetricScore(NamedTuple):
    """The score of a turn in one metric, or of a case: the mean over its turns."""

    name: str
    status: Status
    score: float | None = None
    """An unrounded number; None if there is no score."""
    threshold: float | None = None
    """The lowest score that passes; None if unknown, and for informational metrics."""
    reason: str | None = None
    """A sentence, if the status does not follow from the score."""
    recorded_at: float | None = None
    """The time of a recorded score, in seconds since 1970; None for a computed score."""

    @property
    def is_grade(self) -> bool:
        """Whether a grader gave the score, and the recording holds it: without a verdict."""
        return self.status == "informational" and self.score is not None and self.reason is not None

    def as_dict(self) -> dict[str, Any]:
        """The score as JSON values, as `metrics` in the JSON of `evaltui run` has it."""
        values = {
            "name": self.name,
            "score": plain(self.score),
            "threshold": plain(self.threshold),
            "status": self.status,
            "reason": self.reason,
        }
        return values if self.recorded_at is None else {**values, "recorded_at": plain(self.recorded_at)}


class TurnScores(NamedTuple):
    """An expected and an actual turn with the score of each metric. `case_scores.explain` gives the reasons."""

    number: int
    """Counted from 1."""
    expected: Turn
    actual: Turn
    metrics: tuple[MetricScore, ...]


class CaseRun(NamedTuple):
    """A case scored against one conversation."""

    conversation: Conversation
    matched_by: MatchedBy
    status: Status
    metrics: tuple[MetricScore, ...]
    turns: tuple[TurnScores, ...]
    reason: str | None = None
    """A sentence, if the status does not follow from the scores."""


class CaseResult(NamedTuple):
    """The result of one case in a run."""

    eval_id: str
    number: int
    """Its place in the set, from 0."""
    status: Status
    metrics: tuple[MetricScore, ...]
    """The scores of the run that counts; with `--runs all`, the means of all runs."""
    run: CaseRun | None
    """The run that counts; None if the case was not scored."""
    reason: str | None = None
    runs: tuple[CaseRun, ...] | None = None
    """All runs of the case, with `--runs all`; else None."""
    recordings: int = 0
    """The number of recordings that belong to the case."""
    run_number: int = 0
    """The number of `run` among these recordings, from 1, the newest last; 0 if no recording was used."""
    seconds: float | None = None
    """The time that the agent took in the runs that were scored; None unless each of their turns has a duration."""
    source: bytes = b""
    """The JSON text of the case when it was scored; empty if the result is kept without turns."""

    @property
    def passed_runs(self) -> int:
        """The number of runs that passed."""
        return sum(run.status == "passed" for run in self.runs or ())

    @property
    def recorded_at(self) -> float | None:
        """The time of the latest run that was scored, in seconds since 1970; None if unknown."""
        runs = self.runs or ([self.run] if self.run is not None else [])
        return max((time for run in runs if (time := run.conversation.recorded_at) is not None), default=None)

    @property
    def is_open(self) -> bool:
        """Whether the case or a metric, in the result or in one of its runs, is not evaluated."""
        runs = [(self.status, self.metrics), *((run.status, run.metrics) for run in self.runs or ())]
        return any(
            status == "not_evaluated" or any(metric.status == "not_evaluated" for metric in metrics)
            for status, metrics in runs
        )

    @property
    def silent_metrics(self) -> list[tuple[str, str]]:
        """The metrics that are not evaluated although the case was scored, with their reasons."""
        if self.reason is not None:
            return []
        return [
            (metric.name, metric.reason or "no score") for metric in self.metrics if metric.status == "not_evaluated"
        ]

    def count_recordings(self, run_number: int, recordings: int) -> CaseResult:
        """The result with the number of the run that counts, from 1, and the number of recordings of the case."""
        run = self.runs[run_number - 1] if self.runs is not None else self.run
        return self._replace(run=run, recordings=recordings, run_number=run_number)


def judge_score(score: float, threshold: float | None) -> Status:
    """Whether a score reaches a threshold; NaN is never reached."""
    return "passed" if threshold is not None and score >= threshold else "failed"


MetricTotals = tuple["array[float]", Counter[Status]]
"""The scores of the cases that were evaluated in one metric, and the number of cases with each status."""


def mean_of(scores: array[float]) -> float | None:
    """The mean over the cases that were evaluated; None for none."""
    return math.fsum(scores) / len(scores) if scores else None


@dataclass(slots=True)
class ScoreTotals:
    """The counts and means of many cases."""

    counts: Counter[Status] = field(default_factory=Counter)
    """The number of cases with each status."""
    by_metric: dict[str, MetricTotals] = field(default_factory=dict)
    """By the name of the metric, in the order in which they first appear."""
    open_cases: Counter[Status] = field(default_factory=Counter)
    """The number of cases with each status that are not evaluated, or have a metric that is not."""
    other_messages: list[tuple[int, str, tuple[int, ...]]] = field(default_factory=list)
    """The first cases whose recording has other user messages: place in the set from 0, eval_id, turns from 1."""
    other_cases: int = 0
    """The number of all such cases."""
    milliseconds: int = 0
    """The recorded time of the agent in all cases. Whole numbers, so that their order does not change the sum."""
    recorded_at: float | None = None
    """The time of the latest recording that was scored, in seconds since 1970; None if unknown."""

    @property
    def cases(self) -> int:
        """The number of cases."""
        return self.counts.total()

    def add(self, case: CaseResult) -> None:
        """Count one more case."""
        self.counts[case.status] += 1
        self.open_cases[case.status] += case.is_open
        for metric in case.metrics:
            scores, counts = self._of_metric(metric.name)
            counts[metric.status] += 1
            if metric.score is not None and metric.status != "not_evaluated":
                scores.append(metric.score)
        self.milliseconds += round((case.seconds or 0) * 1000)
        turns = case.run.turns if case.run is not None else ()
        numbers = tuple(turn.number for turn in turns if has_other_message(turn.expected, turn.actual))
        self._join(case.recorded_at, [(case.number, case.eval_id, numbers)] if numbers else [])
        self.other_cases += bool(numbers)

    def add_totals(self, totals: ScoreTotals) -> None:
        """Count the cases of another run as well."""
        self.counts += totals.counts
        self.open_cases += totals.open_cases
        self.other_cases += totals.other_cases
        self.milliseconds += totals.milliseconds
        self._join(totals.recorded_at, totals.other_messages)
        for name, (added_scores, added_counts) in totals.by_metric.items():
            scores, counts = self._of_metric(name)
            scores.extend(added_scores)
            counts.update(added_counts)

    def _of_metric(self, name: str) -> MetricTotals:
        return self.by_metric.setdefault(name, (array("d"), Counter()))

    def _join(self, recorded_at: float | None, messages: list[tuple[int, str, tuple[int, ...]]]) -> None:
        self.recorded_at = max((time for time in (self.recorded_at, recorded_at) if time is not None), default=None)
        if messages:
            self.other_messages = sorted([*self.other_messages, *messages])[:5]


def has_other_message(expected: Turn, actual: Turn) -> bool:
    """Whether both turns have a text of the user, and the texts differ in more than case and blanks."""
    ours, theirs = expected.user_text, actual.user_text
    if ours == theirs or not (ours and theirs) or "user_text" in actual.unrecorded:
        return False
    return ours.casefold().split() != theirs.casefold().split()


def totals_of(cases: Iterable[CaseResult]) -> ScoreTotals:
    """The totals of cases."""
    totals = ScoreTotals()
    for case in cases:
        totals.add(case)
    return totals


def exit_code(totals: ScoreTotals, *, is_open: bool = False, allow_not_evaluated: bool = False) -> int:
    """The exit code of a run: 1, 3 or 0.

    1 if a case failed. Else 3 if a case or metric is not evaluated, or there are no cases. `is_open` means that a set
    was skipped, or that google-adk rejects it: also 3. With `allow_not_evaluated`, 0 replaces 3 if at least one case
    was evaluated.
    """
    if totals.counts["failed"]:
        return 1
    is_open = is_open or not totals.cases or bool(totals.open_cases.total())
    return 3 if is_open and not (allow_not_evaluated and totals.counts["passed"]) else 0


def plain(value: Any, depth: int = 0) -> Any:
    """`value` with strings for NaN and Infinity, as reports need, and … for values below 300 levels."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if not isinstance(value, dict | list | tuple):
        return value
    if depth == 300:  # google-adk reads no values deeper than about 200 levels
        return "…"
    if isinstance(value, dict):
        return {key: plain(member, depth + 1) for key, member in value.items()}
    return [plain(element, depth + 1) for element in value]
