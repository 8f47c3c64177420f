"""Scores as adk-rs has them."""

import pytest

from evaltui.evalset.turn import TurnCall
from evaltui.scoring.case_scores import explain
from evaltui.scoring.criteria import criteria_of
from evaltui.scoring.metrics.adk_rs import AdkRsResponse, AdkRsTrajectory
from tests.scoring.helpers import call, scored, sentences, turn

ASKED = criteria_of(None, profile="adk-rs")


@pytest.mark.parametrize(
    ("expected", "actual", "score"),
    [
        ([call("a")], [call("a")], 1.0),
        ([call("a"), call("b")], [call("a"), call("c")], 0.5),
        ([call("a"), call("b")], [call("b"), call("a")], 0.0),
        ([call("a")], [call("a"), call("b")], 0.5),
        ([call("a"), call("b"), call("c")], [call("a")], 1 / 3),
        ([call("a", x=1)], [call("a", x=1.0)], 0.0),
        ([call("a", x=[{"b": 1}])], [call("a", x=[{"b": 1}])], 1.0),
        ([TurnCall("a")], [call("a")], 0.0),
        ([], [], 0.0),
    ],
)
def test_calls_are_compared_place_by_place(expected: list[TurnCall], actual: list[TurnCall], score: float) -> None:
    assert AdkRsTrajectory("trajectory", 1.0).score(turn(*expected), turn(*actual)) == score


@pytest.mark.parametrize(
    ("expected", "actual", "score"),
    [
        ("Hello world", "Why, hello there", 0.5),
        ("cat", "concatenate strings", 0.0),
        ("", "anything", 1.0),
        (" \n", "", 1.0),
        ("the the", "the", 1.0),
        ("Done.", "done", 0.0),
    ],
)
def test_a_response_is_the_share_of_its_expected_words(expected: str, actual: str, score: float) -> None:
    assert AdkRsResponse("response", 0.8).score(turn(response=expected), turn(response=actual)) == score


def test_every_turn_must_pass_and_every_metric() -> None:
    good, half = turn(call("a"), response="a b c d e"), turn(call("a"), response="a b c x y")
    run = scored([good, good, good], [good, good, half], ASKED)
    response = run.metrics[1]
    assert response.score == pytest.approx((1 + 1 + 0.6) / 3)
    assert response.score > 0.8
    assert (response.status, run.status) == ("failed", "failed")
    assert response.reason == "turn 3 fails, and adk-rs requires every turn to pass"
    assert [metric.name for metric in run.metrics] == ["tool_trajectory_avg_score", "final_response_match_v1"]
    assert sentences(run, ASKED).startswith("2 of 5 expected words are missing: d, e")


def test_a_billionth_below_the_threshold_passes() -> None:
    asked = criteria_of(None, profile="adk-rs")
    one = turn(call("a"), response="a b c d e")
    assert scored(one, turn(call("a"), response="a b c d"), asked).status == "passed"


def test_turns_without_calls_fail_and_say_so() -> None:
    run = scored(turn(), turn(), ASKED)
    assert run.status == "failed"
    assert sentences(run, ASKED) == "neither side has tool calls; adk-rs scores such a turn 0.0"


def test_what_only_adk_rs_tells_apart_is_said() -> None:
    run = scored(turn(call("a", x=1)), turn(call("a", x=1.0)), ASKED)
    assert "for adk-rs 1, 1.0 and true are different" in sentences(run, ASKED)
    explained = explain(run.turns[0], "final_response_match_v1", ASKED)
    assert explained is not None
    assert explained.to_json()["shared"] == ["ok"]
