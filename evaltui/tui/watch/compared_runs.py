"""Runs of a watch, each compared with the one before or with the baseline of the command line.

Comparing 10,000 cases takes 70 ms, so the thread of the watch does it and sends the app a finished `ShownRun`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from evaltui.garbage_collection import without_collecting
from evaltui.runs.run_comparison import RunCase, RunComparison, RunTotals, count_cases
from evaltui.scoring.results import CaseResult
from evaltui.scoring.score_change import CaseChange, RunChange, ScoredCase, difference_of, standing_of
from evaltui.scoring.scored_set import ScoredSet
from evaltui.tui.open_file.run_facts import times_of
from evaltui.tui.watch.shown_run import CaseKey, ShownRun, ShownSet


class ComparedRuns:
    """The runs of one watch; used by one thread at a time."""

    def __init__(self, baseline: str) -> None:
        """`baseline` is the file that runs were already compared with; "" compares each run with the one before."""
        self._baseline = baseline
        self._comparison: RunComparison[CaseKey] = RunComparison()
        self._last: ShownRun | None = None

    def take(
        self, runs: Sequence[ScoredSet], seconds: float, exit_code: int, notes: Sequence[str], trigger: Sequence[str]
    ) -> ShownRun:
        """Compare a run with the one before, or with the baseline; it took `seconds`.

        A run without a trigger and without changes keeps the time and the trigger of the run before.
        """
        with without_collecting():
            return self._compared(runs, seconds, exit_code, notes, trigger)

    def _compared(
        self, runs: Sequence[ScoredSet], seconds: float, exit_code: int, notes: Sequence[str], trigger: Sequence[str]
    ) -> ShownRun:
        cases = [list(_cases_of(run)) for run in runs]
        for run, own in zip(runs, cases, strict=True):
            sources = {case.number: case.source for case in run.subject.cases}
            for key, result in own:
                self._comparison.note(key, ScoredCase(sources[result.number], result))
        is_other = self._comparison.finish_run()
        changes = dict(self._since_baseline(runs, cases) if self._baseline else self._comparison.changes())
        sets = tuple(_shown(run, own, changes) for run, own in zip(runs, cases, strict=True))
        totals = count_cases([case for each in sets for case in each.cases], changes)
        now = time.time()
        self._comparison.add_rate(totals.rate, is_other=is_other)
        shown = ShownRun(
            sets,
            changes,
            totals,
            tuple(self._comparison.rates),
            tuple(notes),
            tuple(trigger),
            self._baseline,
            times_of(recording for run in runs for recording in run.recordings),
            now,
            seconds,
            exit_code,
        )
        if (last := self._last) is not None and not trigger and not is_other:
            shown = shown._replace(trigger=last.trigger, at=last.at, seconds=last.seconds)
        self._last = shown
        return shown

    def _since_baseline(
        self, runs: Sequence[ScoredSet], cases: Sequence[Sequence[tuple[CaseKey, CaseResult]]]
    ) -> Iterator[tuple[CaseKey, RunChange]]:
        for run, own in zip(runs, cases, strict=True):
            if run.changes is None:
                continue
            for key, result in own:
                change = run_change_of(run.changes.of(result), result)
                if change.is_any:
                    yield key, change


def run_change_of(change: CaseChange, now: CaseResult) -> RunChange:
    """The change of a case since a baseline, which has scores but no texts. No verdict before and now: no change."""
    had_verdict = change.baseline is not None and change.baseline.status != "not_evaluated"
    if change.change == "not_evaluated" and not had_verdict:
        return RunChange("same")
    if change.baseline is None:
        return RunChange(change.change)
    difference, metric = difference_of(change.baseline, standing_of(now), change.change)
    return RunChange(change.change, difference, metric=metric)


def _cases_of(run: ScoredSet) -> Iterator[tuple[CaseKey, CaseResult]]:
    seen: Counter[str] = Counter()
    for result in run.cases:
        yield CaseKey(run.subject.name, result.eval_id, seen[result.eval_id]), result
        seen[result.eval_id] += 1


def _shown(
    run: ScoredSet, cases: Sequence[tuple[CaseKey, CaseResult]], changes: Mapping[CaseKey, RunChange]
) -> ShownSet:
    shown = tuple(RunCase(key, result) for key, result in cases)
    totals: RunTotals = count_cases(shown, changes)
    return ShownSet(run.subject.name, shown, totals, run.criteria, len(run.recordings))
