"""Sets that tests read and score in one call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evaltui.document.disk.file_content import read_file
from evaltui.document.node import root_of_file
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.recordings.conversation import Recording
from evaltui.recordings.matching import Matching
from evaltui.recordings.user_messages import match_facts
from evaltui.runs.run_options import RunOptions
from evaltui.runs.score_sets import score_sets
from evaltui.runs.set_reader import set_of
from evaltui.scoring.case_scores import score_expected
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.scored_set import ScoredSet


def read_set(path: str) -> ExpectedSet:
    """The set in a file."""
    data = read_file(Path(path))
    return set_of(root_of_file(data), data, Path(path), path)


def run_set(path: Path | str, options: RunOptions) -> ScoredSet:
    """The scores of the set in a file."""
    (scored,) = score_sets([(str(path), ())], options).runs
    return scored


def score_set(
    eval_set: ExpectedSet, criteria: Criteria, recordings: Sequence[Recording], *, all_runs: bool = False
) -> ScoredSet:
    """The scores of a set that is in memory."""
    facts = [match_facts(case) for case in eval_set.cases]
    matching = Matching(facts, recordings, eval_set.eval_set_id, shared_folders=eval_set.shared_folders)
    cases = zip(eval_set.cases, matching.cases, matching.reasons, strict=True)
    results = [score_expected(case, matches, criteria, reason, all_runs=all_runs) for case, matches, reason in cases]
    return ScoredSet(eval_set, criteria, recordings, results, matching.unmatched, matching.warnings)
