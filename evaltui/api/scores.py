"""Scores and reviews of one set: recordings are matched once, and each case is scored when somebody asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from evaltui.api.chosen_criteria import Criteria, criteria, criteria_in_force
from evaltui.api.eval_sets import EvalSet, config_of, document_of, eval_set_of, expected_set
from evaltui.api.inputs import AnyPath, EvaltuiError, check_flag, refusals, shown_value
from evaltui.api.recording_files import Recordings, fit_to_each_other, recordings_of
from evaltui.garbage_collection import without_collecting
from evaltui.recordings.matching import Matching
from evaltui.recordings.user_messages import match_facts
from evaltui.report.run_json import reported_conversation, reported_recording
from evaltui.report.why_text import why_lines
from evaltui.review.decisions import Sidecar
from evaltui.review.set_review import ExplainedItem, SetReview, explained_items
from evaltui.scoring import results
from evaltui.scoring.case_scores import score_expected
from evaltui.scoring.explained_case import ExplainedCase, explained_case
from evaltui.scoring.scored_set import ScoredSet

Runs = Literal["latest", "all"]
"""Which recordings of a case count: the last one, or all."""


class Scores(Iterator[ExplainedCase]):
    """The results of a set, in the order of its cases. Each case is scored when it is reached."""

    def __init__(self, eval_set: EvalSet, recordings: Recordings, criteria: Criteria, scorer: CaseScorer) -> None:
        self.eval_set = eval_set
        self.criteria = criteria
        """The criteria in force."""
        self.recordings = scorer.recordings
        """The files of recordings."""
        self.unmatched_recordings = tuple(map(reported_conversation, scorer.unmatched))
        """The conversations that belong to no case."""
        self.warnings = (*recordings.warnings, *scorer.warnings)
        """Sentences about skipped files and doubtful matches."""
        # One case at a time, so that a caller can stop at the first failing one.
        self._results = map(scorer.shown, map(scorer.scored, range(len(eval_set.cases))))

    def __next__(self) -> ExplainedCase:
        return next(self._results)


def score(
    eval_set: EvalSet | AnyPath,
    recordings: Recordings | AnyPath | Iterable[AnyPath] | None = None,
    criteria: Criteria | None = None,
    *,
    runs: Runs = "latest",
) -> Scores:
    """Score the cases of a set against recordings, as `evaltui run` does.

    Without recordings, the recordings of the project settings or of google-adk's history are used. Without criteria,
    the config beside the set is used, else the defaults of google-adk. With `runs="all"`, all recordings of a case
    count, not only the last one. Raises `EvaltuiError`, before the first result.
    """
    subject = eval_set_of(eval_set)
    chosen = criteria_for(subject, criteria)
    loaded = recordings_of(recordings, expected_set(subject))
    return Scores(subject, loaded, chosen, CaseScorer(subject, loaded, chosen, runs))


def review(
    eval_set: EvalSet | AnyPath,
    recordings: Recordings | AnyPath | Iterable[AnyPath] | None = None,
    criteria: Criteria | None = None,
    *,
    passing: bool = False,
) -> list[ExplainedItem]:
    """List the turns to review, as `evaltui review` does.

    With `passing`, passing turns that differ are listed, too. For recordings and criteria, see `score`. Raises
    `EvaltuiError`.
    """
    check_flag("passing", passing)
    subject = eval_set_of(eval_set)
    chosen = criteria_for(subject, criteria)
    expected = expected_set(subject)
    loaded = recordings_of(recordings, expected)
    with refusals(), without_collecting():
        run = CaseScorer(subject, loaded, chosen, "latest").scored_set()
        decisions = Sidecar(expected.path or Path(subject.path)).read()
        return explained_items(SetReview(run, decisions, passing=passing), document_of(subject))


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
        self._criteria = criteria_in_force(criteria)
        self._all_runs = runs == "all"
        with without_collecting():  # a large set has millions of objects that stay
            self.expected, loaded = fit_to_each_other(expected_set(eval_set), recordings)
            facts = [match_facts(case) for case in self.expected.cases]
            set_id, shared = self.expected.eval_set_id, self.expected.shared_folders
            self._matching = Matching(facts, loaded, set_id, shared_folders=shared)
        self.recordings = tuple(map(reported_recording, loaded))
        self.unmatched = self._matching.unmatched
        self.warnings = self._matching.warnings
        self._recordings = tuple(loaded)

    def shown(self, case: results.CaseResult) -> ExplainedCase:
        """A scored case with its explanations."""
        return explained_case(case, self._criteria, why_lines(case, self._criteria, all_runs=self._option_of_all))

    def scored_set(self) -> ScoredSet:
        """The whole set with all its scores."""
        cases = tuple(map(self.scored, range(len(self.expected.cases))))
        return ScoredSet(self.expected, self._criteria, self._recordings, cases, self.unmatched, self.warnings)

    def scored(self, number: int) -> results.CaseResult:
        """The scores of the case with this place in the set, from 0."""
        matches, reason = self._matching.cases[number], self._matching.reasons[number]
        case = self.expected.cases[number]
        return score_expected(case, matches, self._criteria, reason, all_runs=self._all_runs)


def criteria_for(eval_set: EvalSet, chosen: Criteria | None) -> Criteria:
    """The chosen criteria, else those of the config beside the set. Raises `EvaltuiError`."""
    return chosen if chosen is not None else criteria(config_of(eval_set))
