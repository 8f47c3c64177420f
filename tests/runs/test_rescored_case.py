"""Results under other criteria are those that a run by these criteria gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.recordings.matching import CaseMatch
from evaltui.runs.rescored_case import result_under
from evaltui.runs.run_options import RunOptions
from evaltui.scoring.criteria import Criteria, criteria_of
from evaltui.scoring.eval_config import config_in
from evaltui.scoring.scored_set import ScoredSet, score_expected
from tests.read_sets import run_set, score_set
from tests.runs.config_steps import try_steps
from tests.scored_sets import RECORDING, SET

PATH = Path("test_config.json")
BASE = b'{"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8, "safety_v1": 0.5}}'


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> ScoredSet:
    folder = tmp_path_factory.mktemp("set")
    (folder / "a.evalset.json").write_text(SET)
    (folder / "actual.json").write_text(RECORDING)
    options = RunOptions((str(folder / "actual.json"),))
    return run_set(folder / "a.evalset.json", options)


def some_criteria(random: Random) -> Criteria:
    document = Document(BASE, PATH)
    try_steps(document, random, random.randint(0, 8))
    return criteria_in(document.to_bytes())


def criteria_in(config: bytes) -> Criteria:
    return criteria_of(config_in(config, PATH))


@pytest.mark.parametrize("all_runs", [False, True])
@given(st.randoms(use_true_random=False))
def test_a_result_under_other_criteria_is_that_of_a_run_by_them(
    scored: ScoredSet, all_runs: bool, random: Random
) -> None:
    before, after = some_criteria(random), some_criteria(random)
    by_before = score_set(scored.subject, before, scored.recordings, all_runs=all_runs).cases
    by_after = score_set(scored.subject, after, scored.recordings, all_runs=all_runs).cases
    sources = [case.source for case in scored.subject.cases]
    made = [result_under(*each, before, after) for each in zip(sources, by_before, strict=True)]
    assert made == [*by_after]


@pytest.mark.parametrize(("all_runs", "counts"), [(True, 0), (False, 1)])
def test_under_other_criteria_the_run_that_counts_stays(scored: ScoredSet, all_runs: bool, counts: int) -> None:
    before, after = criteria_in(BASE), criteria_in(b'{"criteria": {"response_match_score": 0.8}}')
    case, counting = scored.subject.cases[0], scored.cases[0].run
    assert counting is not None
    latest = replace(counting.conversation, turns=())
    matches = [CaseMatch(conversation, counting.matched_by) for conversation in (counting.conversation, latest)]
    by_before, by_after = (
        score_expected(case, matches, criteria, None, all_runs=all_runs, counts=counts) for criteria in (before, after)
    )
    assert result_under(case.source, by_before, before, after) == by_after
