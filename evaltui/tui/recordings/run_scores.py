"""The scores of all runs of a case: from the last scoring of the set, else computed in a thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.tui.base_app import BaseApp
from evaltui.tui.open_file.set_scores import Scores
from evaltui.tui.recordings.case_runs import runs_of, scores_of_runs
from evaltui.tui.recordings.run_lines import RunEntry

if TYPE_CHECKING:
    from evaltui.scoring.results import CaseRun


class RunScores:
    """Makes the entries of the list of runs. Missing scores are filled in later."""

    def __init__(self, scores: Scores, app: BaseApp, show: Callable[[], object]) -> None:
        """`show` is called when missing scores are computed."""
        self._scores, self._app, self._show = scores, app, show
        self._known: tuple[object, Sequence[CaseRun]] = None, ()
        """The scores of one case, and the key of their sources."""
        self._wanted: object = None
        """The key of the sources that a thread scores now."""

    def entries(self, case: Node) -> list[RunEntry]:
        """The runs of a case, the newest last."""
        scored, matches = self._scores.of(case), runs_of(self._scores, case)
        if scored is None:
            return []
        result = scored.result
        entries = [
            RunEntry(at, len(matches), match, counts=at == result.run_number) for at, match in enumerate(matches, 1)
        ]
        for entry, run in zip(entries, self._scored(case, len(matches)), strict=False):
            entry.scored = run
        return entries

    def _scored(self, case: Node, count: int) -> Sequence[CaseRun]:
        """The scores of the runs; empty while they are computed."""
        scored, criteria = self._scores.of(case), self._scores.criteria
        if scored is None or criteria is None:
            return ()
        if scored.result.runs is not None and len(scored.result.runs) == count:
            return scored.result.runs
        made_from = case, self._scores.runs, scored.source, id(criteria)  # criteria are replaced, never changed
        if self._known[0] != made_from and self._wanted != made_from:
            self._wanted = made_from
            source, number, matches = scored.source, scored.result.number, runs_of(self._scores, case)

            def done(runs: Sequence[CaseRun]) -> None:
                self._known = made_from, runs
                self._show()

            self._app.start_thread(
                "runs",
                lambda: scores_of_runs(source, number, matches, criteria),
                done,
                self._app.note_fault,
            )
        return self._known[1] if self._known[0] == made_from else ()
