"""The scores that google-adk 2.13.0 gave, and the stems of its ROUGE."""

import json
from typing import Any

import pytest

from evaltui.evalset.turn import turn_of
from evaltui.scoring.case_scores import score_case
from evaltui.scoring.metrics.response_match import response_match
from evaltui.scoring.words import compare_words, porter_stem, stem_word, words_of
from tests.scoring.helpers import DATA, VECTORS, conversation, criteria

STEMS: dict[str, str] = json.loads((DATA / "porter_vectors.json").read_bytes())["stems"]
DEFAULT = {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8}
OF_RESPONSES = [vector for vector in VECTORS if "precision" in vector]


def test_scores_and_statuses_are_those_of_google_adk() -> None:
    for vector in VECTORS:
        assert_as_recorded(vector)


def assert_as_recorded(vector: dict[str, Any]) -> None:
    asked: dict[str, Any] = {"threshold": vector.get("threshold", DEFAULT[vector["metric"]])}
    asked |= {key: vector[key] for key in ("match_type", "ignore_args") if key in vector}
    expected, actual = ([turn_of(each) for each in vector[side] or []] for side in ("expected", "actual"))
    run = score_case(expected, conversation(*actual), "only_one", criteria({vector["metric"]: asked}))
    metric, result, name = run.metrics[0], vector["result"], vector["id"]
    if "error" in result:  # google-adk raises; here it is told and never passes
        assert (metric.score, metric.status) == (None, "failed" if expected else "not_evaluated"), name
        assert metric.reason, name
        return
    assert metric.score == pytest.approx(result["score"], abs=1e-9), name
    assert metric.status.upper() == result["status"], name
    assert [turn.metrics[0].score for turn in run.turns] == pytest.approx(result["per_invocation"], abs=1e-9), name
    assert [turn.metrics[0].status.upper() for turn in run.turns] == result["per_invocation_status"], name


def test_words_precision_and_recall_are_those_of_google_adk() -> None:
    for vector in OF_RESPONSES:
        ours, theirs = (turn_of(vector[side][0]).response for side in ("expected", "actual"))
        assert [*map(stem_word, words_of(ours))] == vector["expected_tokens"], vector["id"]
        assert [*map(stem_word, words_of(theirs))] == vector["actual_tokens"], vector["id"]
        found = compare_words(ours, theirs)
        assert (found.precision, found.recall) == pytest.approx((vector["precision"], vector["recall"]), abs=1e-9)


def test_every_stem_is_that_of_nltk() -> None:
    assert len(STEMS) == 6074
    assert {word: porter_stem(word) for word in STEMS} == STEMS


@pytest.mark.parametrize("word", ["", "y", "yy", "s", "ing", "eed", "ied", "ies", "e", "a" * 100_000, "y" * 100_000])
def test_odd_words_have_a_stem(word: str) -> None:
    assert word.startswith(porter_stem(word)[:-1])


def test_long_texts_are_compared_in_one_pass() -> None:
    text = " ".join([*STEMS] * 20)
    assert len(text) > 900_000
    assert response_match(text, f"{text} größe") > 0.9999


def test_a_text_of_one_long_word_is_no_trouble() -> None:
    assert response_match("a" * 1_000_000, "é" * 1_000_000) == 0.0
