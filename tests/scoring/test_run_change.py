"""The change of a case between two runs: which way its score went, by how much, and what else is different."""

import json

import pytest

from evaltui.evalset.turn import TurnCall
from evaltui.scoring.score_change import (
    RunChange,
    change_since,
    change_since_baseline,
    difference_of,
    is_alike,
    is_same_golden,
)
from tests.runs.results import scored


@pytest.mark.parametrize(
    ("before", "now", "change", "difference"),
    [
        (0.5, 0.9, "improved", 0.4),
        (0.9, 0.5, "regressed", -0.4),
        (0.5, 0.6, "higher", 0.1),
        (0.95, 0.9, "lower", -0.05),
        (0.5, 0.5, "same", None),
        (None, 0.5, "new", None),
        (0.5, None, "not_evaluated", None),
        (None, None, "same", None),
    ],
)
def test_the_verdict_and_the_difference(
    before: float | None, now: float | None, change: str, difference: float | None
) -> None:
    found = change_since(scored(before), scored(now))
    assert found.change == change
    assert found.difference == (pytest.approx(difference) if difference is not None else None)
    assert found.is_any == (change != "same")


def test_the_metric_that_moved_most_is_named_where_a_case_has_several() -> None:
    before = ("passed", {"a": 0.9, "b": 0.9})
    assert difference_of(before, ("failed", {"a": 0.8, "b": 0.5}), "regressed") == (pytest.approx(-0.4), "b")
    assert difference_of(before, ("passed", {"a": 0.9, "b": 1.0}), "higher") == (pytest.approx(0.1), "b")
    assert difference_of(before, ("passed", {"a": 0.9, "b": 0.9}), "same") == (None, "")
    one = ("passed", {"a": 0.9})
    assert difference_of(one, ("failed", {"a": 0.5}), "regressed") == (pytest.approx(-0.4), "")


def test_a_case_of_no_run_before_is_new() -> None:
    assert change_since(None, scored(0.5)).change == "new"
    assert change_since_baseline(None, scored(0.5)).change == "new"


def test_a_case_that_fails_as_a_whole_has_no_difference_and_is_the_largest_loss() -> None:
    found = change_since(scored(0.9), scored(None, reason="1 turn recorded"))
    assert (found.change, found.difference, found.loss) == ("regressed", None, -1.0)


def test_words_say_what_is_different_besides_the_score() -> None:
    before = scored(0.9, calls=(TurnCall("book", {"n": 1}),))
    for now, words in [
        (scored(0.9, response="Hello", calls=(TurnCall("book", {"n": 1}),)), ("text changed",)),
        (scored(0.9, calls=(TurnCall("book", {"n": 2}),)), ("args changed",)),
        (scored(0.9, calls=(TurnCall("search", {"n": 1}),)), ("tools changed",)),
        (scored(0.9, golden="Hello", calls=(TurnCall("book", {"n": 1}),)), ("case changed",)),
        (scored(0.9, golden="Hello", response="No"), ("case changed", "tools changed", "text changed")),
    ]:
        found = change_since(before, now)
        assert found[:3] == ("same", None, words)
        assert found.is_any


def test_nothing_is_claimed_of_a_golden_that_was_edited_since_the_baseline() -> None:
    assert change_since_baseline(scored(0.9), scored(0.1, golden="Hello")) == RunChange("edited")
    assert change_since_baseline(scored(0.9), scored(0.1)).change == "regressed"


def test_a_golden_is_its_value_without_its_name() -> None:
    one = {"eval_id": "a", "conversation": [{"x": 1, "y": "é"}]}
    other = {"conversation": [{"y": "é", "x": 1}], "eval_id": "b"}
    assert is_same_golden(json.dumps(one).encode(), json.dumps(other, indent=4, ensure_ascii=False).encode())
    assert not is_same_golden(json.dumps(one).encode(), json.dumps({**one, "conversation": []}).encode())
    assert is_same_golden(b'{"prompt": "Hi", "responses": [1]}', b'{"prompt": "Hi", "responses": [2]}')
    assert not is_same_golden(b'{"a": 1}', b'{"a": 1')
    assert not is_same_golden(b'{"a": 1}', b'{"a": true}')


def test_alike_are_results_with_one_outcome_for_one_text_and_one_recording() -> None:
    assert is_alike(scored(0.5), scored(0.5))
    assert is_alike(scored(None), scored(None))
    for other in (
        scored(0.6),
        scored(0.5, golden="Hello"),
        scored(0.5, response="Hello"),
        scored(None),
        scored(0.5, reason="x"),
    ):
        assert not is_alike(scored(0.5), other)
