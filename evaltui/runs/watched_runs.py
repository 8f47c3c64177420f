"""Runs of a watch, each compared with the one before or with the baseline of the command line."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from evaltui.garbage_collection import without_collecting
from evaltui.recordings.conversation import file_times
from evaltui.runs.run_comparison import RunComparison
from evaltui.scoring.results import CaseResult, Status
from evaltui.scoring.score_change import RunChange, ScoreChange
from evaltui.scoring.scored_set import ScoredSet

CaseKey = tuple[str, str, int]
"""The identity of a case from run to run.

The file of its set, as it was given; its eval_id; and the number of cases before it in the set with the same eval_id.
"""


class ComparedRun(NamedTuple):
    """A run with its changes."""

    sets: Sequence[ScoredSet]
    cases: Mapping[str, Mapping[CaseKey, CaseResult]]
    """The cases of each set, by its name, in the order of the set."""
    changes: Mapping[CaseKey, RunChange]
    """The cases that differ from the run before or from the baseline; cases that are gone may be among them."""
    counts: Counter[Status]
    """The number of cases with each status."""
    changed: Counter[ScoreChange]
    """The number of cases with each change."""
    rates: tuple[float, ...]
    """The share of cases that passed in each of the last runs, the last at the end."""
    notes: tuple[str, ...]
    """Sentences about the run: recordings that were not used, metrics that were not evaluated."""
    trigger: tuple[str, ...]
    """The sources whose change started the run; empty for the first run."""
    baseline: str
    """The file that the changes are relative to; "" for the run before."""
    written: Mapping[Path, float]
    """When recordings without a time of their own were written, in seconds since 1970."""
    ended_at: float
    """In seconds since 1970."""
    seconds: float
    """How long reading and scoring took."""
    exit_code: int
    """The exit code of `evaltui run` for it."""


class ComparedRuns:
    """The runs of one watch; used by one thread at a time."""

    def __init__(self, baseline: str) -> None:
        """`baseline` is the file that runs were already compared with; "" compares each run with the one before."""
        self._baseline = baseline
        self._comparison: RunComparison[CaseKey] = RunComparison()
        self._last: ComparedRun | None = None

    # Comparing 10,000 cases takes 70 ms, so the thread of the watch does it and gives the app a finished run.
    @without_collecting()
    def compare(
        self, runs: Sequence[ScoredSet], seconds: float, exit_code: int, notes: Sequence[str], trigger: Sequence[str]
    ) -> ComparedRun:
        """Compare a run with the one before, or with the baseline; it took `seconds`.

        A run without a trigger and without changes keeps the time and the trigger of the run before.
        """
        cases = {run.subject.name: dict(_cases_of(run)) for run in runs}
        for run in runs:
            for key, result in cases[run.subject.name].items():
                self._comparison.note(key, result)
        is_other = self._comparison.finish_run()
        changes = dict(_changes_since_baseline(runs, cases) if self._baseline else self._comparison.changes())
        counts = Counter(result.status for run in runs for result in run.cases)
        self._comparison.add_rate(counts["passed"], counts.total(), is_other=is_other)
        compared = ComparedRun(
            runs,
            cases,
            changes,
            counts,
            Counter(changes[key].change for run_cases in cases.values() for key in run_cases if key in changes),
            tuple(self._comparison.rates),
            tuple(notes),
            tuple(trigger),
            self._baseline,
            file_times(recording for run in runs for recording in run.recordings),
            time.time(),
            seconds,
            exit_code,
        )
        if (last := self._last) is not None and not trigger and not is_other:
            compared = compared._replace(trigger=last.trigger, ended_at=last.ended_at, seconds=last.seconds)
        self._last = compared
        return compared


def _changes_since_baseline(
    runs: Sequence[ScoredSet], cases: Mapping[str, Mapping[CaseKey, CaseResult]]
) -> Iterator[tuple[CaseKey, RunChange]]:
    for run in runs:
        if run.changes is None:
            continue
        for key, result in cases[run.subject.name].items():
            change = run.changes.of(result)
            # No verdict in the baseline and in the run: no change.
            if change.is_any and (change.change != "not_evaluated" or change.is_lost):
                yield key, change


def _cases_of(run: ScoredSet) -> Iterator[tuple[CaseKey, CaseResult]]:
    # Cases with one eval_id are told apart by their order, else their changes would mix.
    repeats: Counter[str] = Counter()
    for result in run.cases:
        yield (run.subject.name, result.eval_id, repeats[result.eval_id]), result
        repeats[result.eval_id] += 1
