"""Scores of one set case by case: recordings are matched once, and each case is scored when somebody asks."""

from __future__ import annotations

from typing import Literal

from evaltui.api.chosen_criteria import Criteria, criteria_in_force
from evaltui.api.errors import EvaltuiError
from evaltui.api.eval_sets import EvalSet, expected_set
from evaltui.api.paths import shown_value
from evaltui.api.recording_files import Recordings, for_recordings, joined_for
from evaltui.garbage import without_collecting
from evaltui.recordings.case_index import CaseIndex, match_facts
from evaltui.recordings.default_recordings import where_searched
from evaltui.recordings.matching import Matching, Unmatched, unmatched_of_set
from evaltui.report.run_json import reported_recording
from evaltui.report.why_text import why_lines
from evaltui.scoring import results
from evaltui.scoring.explained_case import ExplainedCase, explained_case
from evaltui.scoring.scored_set import ScoredSet, score_expected

Runs = Literal["latest", "all"]
"""Which recordings of a case count: the last one, or all."""


class CaseScorer:
    """Scores the cases of a set in any order."""

    def __init__(
        self,
        eval_set: EvalSet,
        recordings: Recordings,
        criteria: Criteria,
        runs: Runs,
        option_of_all: str = 'runs="all"',
    ) -> None:
        """`option_of_all` is the option that scores all recordings, as sentences name it."""
        if runs not in ("latest", "all"):
            raise EvaltuiError(f"runs {shown_value(runs)}: there is no such choice; use latest or all")
        self._option_of_all = option_of_all
        self._expected = for_recordings(expected_set(eval_set), recordings)
        self._criteria = criteria_in_force(criteria)
        self._all_runs = runs == "all"
        with without_collecting():
            loaded = joined_for(recordings, self._expected)
            facts = [match_facts(case) for case in self._expected.cases]
            self._matching = Matching(
                CaseIndex(facts), loaded, self._expected.eval_set_id, shared_folders=self._expected.shared_folders
            )
        self.recordings = tuple(map(reported_recording, loaded))
        self.unmatched = self._matching.unmatched
        self.warnings = self._matching.warnings
        self._found = tuple(loaded)

    @property
    def unmatched_of_set(self) -> tuple[Unmatched, ...]:
        """The conversations without a case, apart from those of other sets and apps."""
        return unmatched_of_set(self.unmatched, self._expected.eval_set_id)

    @property
    def where_searched(self) -> str:
        """The places that are searched for recordings that nobody names, as the end of a clause."""
        expected = self._expected
        return where_searched(expected.path, expected.eval_set_id, is_dataset=expected.is_dataset)

    def result(self, number: int) -> ExplainedCase:
        """The result of the case with this place in the set, from 0."""
        return self.shown(self.scored(number))

    def shown(self, case: results.CaseResult) -> ExplainedCase:
        """A scored case with its explanations."""
        return explained_case(case, self._criteria, why_lines(case, self._criteria, all_runs=self._option_of_all))

    def scored_set(self) -> ScoredSet:
        """The whole set with all its scores."""
        cases = tuple(map(self.scored, range(len(self._expected.cases))))
        return ScoredSet(self._expected, self._criteria, self._found, cases, self.unmatched, self.warnings)

    def scored(self, number: int) -> results.CaseResult:
        """The scores of the case with this place in the set, from 0."""
        matches, reason = self._matching.cases[number], self._matching.reasons[number]
        case = self._expected.cases[number]
        return score_expected(case, matches, self._criteria, reason, all_runs=self._all_runs)
