"""The scores that google-adk 2.13.0 gave, and the stems of its ROUGE."""

import json
from typing import Any

import pytest

from evaltui.evalset.turn import turn_of
from evaltui.scoring.case_scores import score_case
from evaltui.scoring.metrics.response_match import response_match
from evaltui.scoring.porter import stem
from evaltui.scoring.words import compared, words_of
from tests.scoring.helpers import DATA, VECTORS, conversation, criteria

STEMS: dict[str, str] = json.loads((DATA / "porter_vectors.json").read_bytes())["stems"]
DEFAULT = {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8}
OF_RESPONSES = [vector for vector in VECTORS if "precision" in vector]


def named(vectors: list[dict[str, Any]]) -> Any:
    return pytest.mark.parametrize("vector", vectors, ids=[vector["id"] for vector in vectors])


@named(VECTORS)
def test_scores_and_statuses_are_those_of_google_adk(vector: dict[str, Any]) -> None:
    asked: dict[str, Any] = {"threshold": vector.get("threshold", DEFAULT[vector["metric"]])}
    asked |= {key: vector[key] for key in ("match_type", "ignore_args") if key in vector}
    expected, actual = ([turn_of(each) for each in vector[side] or []] for side in ("expected", "actual"))
    run = score_case(expected, conversation(*actual), "only_one", criteria({vector["metric"]: asked}))
    metric, result = run.metrics[0], vector["result"]
    if "error" in result:  # google-adk raises; here it is told and never passes
        assert (metric.score, metric.status) == (None, "failed" if expected else "not_evaluated")
        assert metric.reason
        return
    assert metric.score == pytest.approx(result["score"], abs=1e-9)
    assert metric.status.upper() == result["status"]
    assert [turn.metrics[0].score for turn in run.turns] == pytest.approx(result["per_invocation"], abs=1e-9)
    assert [turn.metrics[0].status.upper() for turn in run.turns] == result["per_invocation_status"]


@named(OF_RESPONSES)
def test_words_precision_and_recall_are_those_of_google_adk(vector: dict[str, Any]) -> None:
    ours, theirs = (turn_of(vector[side][0]).response for side in ("expected", "actual"))
    assert [*map(compared, words_of(ours))] == vector["expected_tokens"]
    assert [*map(compared, words_of(theirs))] == vector["actual_tokens"]
    found = response_match(ours, theirs)
    assert (found.precision, found.recall) == pytest.approx((vector["precision"], vector["recall"]), abs=1e-9)


def test_every_stem_is_that_of_nltk() -> None:
    assert len(STEMS) == 6074
    assert {word: stem(word) for word in STEMS} == STEMS


@pytest.mark.parametrize("word", ["", "y", "yy", "s", "ing", "eed", "ied", "ies", "e", "a" * 100_000, "y" * 100_000])
def test_odd_words_have_a_stem(word: str) -> None:
    assert word.startswith(stem(word)[:-1])


def test_long_texts_are_compared_in_one_pass() -> None:
    text = " ".join([*STEMS] * 20)
    assert len(text) > 900_000
    assert response_match(text, f"{text} größe").recall == 1.0


def test_a_text_of_one_long_word_is_no_trouble() -> None:
    assert response_match("a" * 1_000_000, "é" * 1_000_000).f_measure == 0.0
