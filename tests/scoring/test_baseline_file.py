"""Baselines: what is written is read again, whatever the names hold; and what is no baseline is refused."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.evalset.expected_set import ExpectedCase, ExpectedSet
from evaltui.scoring.baseline_changes import BaselineChanges, regression_exit_code, with_changes
from evaltui.scoring.baseline_file import Baseline, BaselineError, baseline_of, baseline_text, read_baseline
from evaltui.scoring.criteria import Criteria, criteria_of
from evaltui.scoring.results import CaseResult, MetricScore
from evaltui.scoring.scored_set import ScoredSet

NAMES = st.text(st.characters(), max_size=6)
SCORES = st.none() | st.floats(allow_nan=False, allow_infinity=False)
STANDINGS = st.tuples(
    st.sampled_from(["passed", "failed", "not_evaluated"]),
    st.dictionaries(NAMES, SCORES, max_size=3),
)
CASES = st.dictionaries(NAMES, st.tuples(STANDINGS, NAMES), max_size=4)


@given(st.builds(Baseline, st.none() | NAMES, st.just({"m": {"threshold": 0.5}}), CASES))
def test_what_is_written_is_read_again(baseline: Baseline) -> None:
    text = baseline_text(baseline)
    assert read_baseline(text.encode()) == baseline
    assert len(text.splitlines()) >= 5 + len(baseline.cases)


@pytest.mark.parametrize("eval_id", ["version", "set", "criteria", "cases"])
def test_a_case_can_be_called_as_a_member_of_the_file(eval_id: str) -> None:
    baseline = Baseline("s", {}, {eval_id: (("passed", {}), "")})
    assert read_baseline(baseline_text(baseline).encode()) == baseline


@given(st.recursive(st.none() | st.integers() | st.text(max_size=3), st.lists, max_leaves=4))
def test_other_values_in_place_of_members_are_refused(junk: object) -> None:
    good = {"version": 1, "set": "s", "criteria": {}, "cases": {}}
    for name, value in good.items():
        text = json.dumps({**good, name: junk})
        if junk == value or (name == "set" and isinstance(junk, str | None)):
            continue
        with pytest.raises(BaselineError):
            read_baseline(text.encode())
    with pytest.raises(BaselineError):
        read_baseline(json.dumps({**good, "cases": {"a": junk}}).encode())


@given(st.binary(max_size=40))
def test_any_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(BaselineError):
        read_baseline(data)


def _run(
    *results: tuple[str, str, float | None],
    criteria: Criteria | None = None,
    source: bytes = b"{}",
    is_dataset: bool = False,
) -> ScoredSet:
    cases = tuple(ExpectedCase(eval_id, number, (), source) for number, (eval_id, _, _) in enumerate(results))
    scored = tuple(
        CaseResult(eval_id, number, status, (MetricScore("m", status, score),), None)
        for number, (eval_id, status, score) in enumerate(results)
    )
    subject = ExpectedSet("s.json", Path("s.json"), "s", cases, is_dataset=is_dataset)
    return ScoredSet(subject, criteria or criteria_of(None), (), scored, ())


def _changes(baseline: Baseline, run: ScoredSet) -> BaselineChanges:
    changes = with_changes(run, baseline, "base.json").changes
    assert changes is not None
    return changes


def test_nan_and_infinity_are_no_scores_in_a_baseline() -> None:
    baseline = baseline_of(_run(("a", "failed", math.nan), ("b", "passed", math.inf)))
    assert [scores for (_, scores), _ in baseline.cases.values()] == [{"m": None}, {"m": None}]
    assert "NaN" not in baseline_text(baseline)
    text = baseline_text(baseline).replace("null}}", "NaN}}")
    assert read_baseline(text.encode()).cases == baseline.cases


def test_a_run_compared_with_its_own_baseline_is_the_same() -> None:
    run = _run(("a", "failed", math.nan), ("b", "passed", 0.9), ("c", "failed", None))
    changes = _changes(read_baseline(baseline_text(baseline_of(run)).encode()), run)
    assert changes.counts["same"] == 3
    assert (changes.gone, changes.other_criteria) == ((), ())
    assert regression_exit_code(run.totals, changes, is_open=False, allow_not_evaluated=False) == 0


def test_another_case_is_edited_whatever_its_scores() -> None:
    run = _run(("a", "failed", 0.1), source=b'{"x": 1}')
    changes = _changes(baseline_of(_run(("a", "passed", 0.9), source=b'{"x": 2}')), run)
    assert [each.change for each in changes.cases.values()] == ["edited"]


@pytest.mark.parametrize(("is_dataset", "change"), [(True, "regressed"), (False, "edited")])
def test_a_dataset_case_is_not_edited_by_the_responses_of_its_agent(is_dataset: bool, change: str) -> None:
    good, bad = b'{"prompt": "Hi", "responses": [1]}', b'{"prompt": "Hi", "responses": [2]}'
    before = baseline_of(_run(("a", "passed", 0.9), source=good, is_dataset=is_dataset))
    changes = _changes(before, _run(("a", "failed", 0.1), source=bad, is_dataset=is_dataset))
    assert [each.change for each in changes.cases.values()] == [change]


def test_criteria_of_another_profile_are_other_criteria() -> None:
    before = baseline_of(_run(("a", "passed", 1.0)))
    changes = _changes(before, _run(("a", "passed", 1.0), criteria=criteria_of(None, "adk-rs")))
    assert len(changes.other_criteria) == 3
