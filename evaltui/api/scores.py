"""Scores of an eval set, one case after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evaltui.api.case_scorer import CaseScorer, Runs
from evaltui.api.chosen_criteria import Criteria, criteria
from evaltui.api.eval_sets import EvalSet, config_of, eval_set_of, expected_set
from evaltui.api.paths import AnyPath
from evaltui.api.recording_files import Recordings, recordings_of
from evaltui.report.run_json import reported_conversation
from evaltui.scoring.explained_case import ExplainedCase


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
        self._results = map(scorer.result, range(len(eval_set.cases)))

    def __iter__(self) -> Scores:
        return self

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


def criteria_for(eval_set: EvalSet, chosen: Criteria | None) -> Criteria:
    """The chosen criteria, else those of the config beside the set. Raises `EvaltuiError`."""
    return chosen if chosen is not None else criteria(config_of(eval_set))
