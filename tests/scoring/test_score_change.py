"""Changes between two runs: the words of baselines, and what the agent did otherwise."""

import math
from pathlib import Path

import pytest

from evaltui.evalset.turn import Turn, TurnCall
from evaltui.recordings.conversation import Conversation
from evaltui.scoring.results import CaseResult, CaseRun, MetricScore
from evaltui.scoring.score_change import actual_changes, change_of, standing_of


@pytest.mark.parametrize(
    ("before", "now", "word"),
    [
        (("passed", 1.0), ("failed", 0.2), "regressed"),
        (("failed", 0.2), ("passed", 1.0), "improved"),
        (("passed", 0.9), ("passed", 0.85), "lower"),
        (("failed", 0.2), ("failed", 0.3), "higher"),
        (("passed", 1.0), ("passed", 1.0), "same"),
        (("passed", 1.0), ("not_evaluated", None), "not_evaluated"),
        (("not_evaluated", None), ("not_evaluated", None), "not_evaluated"),
        (("not_evaluated", None), ("failed", 0.0), "new"),
        (("failed", None), ("failed", 0.5), "higher"),
        (("failed", 0.5), ("failed", None), "lower"),
        (("failed", None), ("failed", None), "same"),
        (("passed", None), ("passed", 0.9), "same"),
    ],
)
def test_each_word(before, now, word):
    assert change_of(_standing(*before), _standing(*now)) == word


def _standing(status, score):
    return (status, {"response_match_score": score})


def test_without_a_standing_before_a_case_is_new():
    assert change_of(None, ("failed", {"m": 0.0})) == "new"


def test_one_metric_that_fell_makes_the_case_lower_whatever_rose():
    assert change_of(("failed", {"a": 0.5, "b": 0.5}), ("failed", {"a": 0.9, "b": 0.4})) == "lower"


def test_a_metric_that_only_one_side_has_claims_nothing():
    assert change_of(("failed", {"a": 0.5, "b": 0.9}), ("failed", {"a": 0.5, "c": 0.1})) == "same"


def test_metrics_that_only_inform_are_no_part_of_a_standing():
    metrics = (
        MetricScore("response_match_score", "passed", 0.9, 0.8),
        MetricScore("total_tokens", "informational", 12.0),
    )
    result = CaseResult("a", 0, "passed", metrics, None)
    assert standing_of(result) == ("passed", {"response_match_score": 0.9})


def test_metrics_that_are_not_evaluated_are_no_part_of_a_standing_and_nan_is_no_score():
    metrics = (MetricScore("safety_v1", "not_evaluated", None, 0.8), MetricScore("mine", "failed", math.nan, 0.5))
    assert standing_of(CaseResult("a", 0, "failed", metrics, None)) == ("failed", {"mine": None})


def _result(*turns):
    conversation = Conversation(Path("run.json"), "c", turns)
    return CaseResult("a", 0, "passed", (), CaseRun(conversation, "eval_id", "passed", (), ()))


_ASKED = Turn("hi", (TurnCall("find", {"to": "NYC"}),), "Here.")


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ((_ASKED,), ()),
        ((Turn("hi", (TurnCall("find", {"to": "NYC"}),), "There."),), ("text changed",)),
        ((Turn("hi", (TurnCall("find", {"to": "LA"}),), "Here."),), ("args changed",)),
        ((Turn("hi", (TurnCall("seek", {"to": "NYC"}),), "Nothing."),), ("tools changed", "text changed")),
        ((_ASKED, Turn("and?", (), "That is all.")), ("text changed",)),
        ((_ASKED, Turn("and?", (TurnCall("find"),), "That is all.")), ("tools changed", "text changed")),
    ],
)
def test_what_the_agent_did_otherwise(now, words):
    assert actual_changes(_result(_ASKED), _result(*now)) == words


def test_without_a_recording_on_both_sides_nothing_is_said():
    assert actual_changes(CaseResult("a", 0, "not_evaluated", (), None), _result(_ASKED)) == ()
