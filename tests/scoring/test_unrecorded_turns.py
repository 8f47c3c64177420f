"""Scores of turns that a recording does not hold whole: no score where anything could be right, else google-adk's."""

from dataclasses import replace

import pytest

from evaltui.evalset.turn import ALL_PARTS, Turn, TurnCall, TurnPart, UnrecordedArguments
from evaltui.scoring.case_scores import explain, score_case
from evaltui.scoring.metrics.tool_trajectory import MatchType
from evaltui.scoring.results import CaseResult, CaseRun
from evaltui.scoring.trial_scores import criteria_on_trial, score_on_trial
from tests.scoring.helpers import call, conversation, criteria, scored

CALLS, WORDS = "tool_trajectory_avg_score", "response_match_score"
NO_ARGS, IGNORING = "the arguments of a are not recorded", "the tool calls would pass if the config had ignore_args"


def named(name: str) -> TurnCall:
    return TurnCall(name, UnrecordedArguments())


def actual(*calls: TurnCall, response: str = "ok", without: tuple[TurnPart, ...] = ()) -> Turn:
    lost = {*without, *(["arguments"] if not all(each.has_args for each in calls) else [])}
    return Turn("", calls, response, unrecorded=frozenset(lost))


def of_calls(expected: list[TurnCall], recorded: list[TurnCall], kind: MatchType = "EXACT") -> tuple[str, float | None]:
    asked = criteria({CALLS: {"threshold": 1.0, "match_type": kind}})
    (metric, *_) = scored(Turn("", tuple(expected), "ok"), actual(*recorded), asked).metrics
    return metric.status, metric.score


UNKNOWN, FAILED, PASSED = ("not_evaluated", None), ("failed", 0.0), ("passed", 1.0)


def test_arguments_that_are_not_recorded_leave_the_score_open_where_they_decide() -> None:
    a, b, other = call("a", x=1), call("b"), call("a", x=2)
    assert of_calls([a], [named("a")]) == UNKNOWN
    assert of_calls([a], [named("b")]) == FAILED, "another tool"
    assert of_calls([a], [named("a"), named("a")]) == FAILED, "one call more"
    assert of_calls([a, b], [named("a"), call("b", y=1)]) == FAILED, "a recorded argument differs"
    assert of_calls([a], [b, named("a"), b], "IN_ORDER") == UNKNOWN
    assert of_calls([a, b], [b, named("a")], "IN_ORDER") == FAILED
    assert of_calls([a, b], [b, named("a")], "ANY_ORDER") == UNKNOWN
    assert of_calls([a, b], [b, a, named("a")], "ANY_ORDER") == PASSED, "the other call is not needed"
    assert of_calls([a, other], [a, named("a")], "ANY_ORDER") == UNKNOWN
    assert of_calls([a, other, other], [a, named("a")], "ANY_ORDER") == FAILED


def test_the_reasons_name_what_is_missing() -> None:
    metrics = scored(Turn("", (call("a", x=1),), "ok"), actual(named("a"), response="", without=("response",))).metrics
    found = {each.name: each.reason for each in metrics}
    assert (found[CALLS], found[WORDS]) == (f"{NO_ARGS}; {IGNORING}", "the response is not recorded")
    tools = [named(name) for name in "abcde"]
    long = scored(Turn("", tuple(call(name) for name in "abcde"), "ok"), actual(*tools)).metrics[0].reason
    assert long == f"the arguments of a, b, c and 2 more are not recorded; {IGNORING}"


def test_what_decides_without_the_missing_part_is_scored() -> None:
    nothing = actual(response="", without=("calls", "response"))
    assert of(scored(Turn("", (), "👍"), nothing)) == {CALLS: ("not_evaluated", None), WORDS: ("failed", 0.0)}
    stated = actual(without=("calls",))
    assert of(scored(Turn("", (), "ok"), stated)) == {CALLS: ("passed", 1.0), WORDS: ("passed", 1.0)}
    assert of(scored(Turn("", (call("a"),), "ok"), stated))[CALLS] == ("not_evaluated", None)
    ignoring = criteria({CALLS: {"threshold": 1.0, "ignore_args": True}})
    assert of(scored(Turn("", (call("a", x=1),), "ok"), actual(named("a")), ignoring)) == {CALLS: ("passed", 1.0)}


def test_a_recording_that_tells_nothing_has_no_score_and_no_explanation() -> None:
    asked = criteria()
    run = scored(Turn("", (), "ok"), Turn("", unrecorded=ALL_PARTS), asked)
    assert run.status == "not_evaluated"
    assert run.reason == f"{CALLS}: the tool calls are not recorded; {WORDS}: the response is not recorded"
    assert explain(run.turns[0], CALLS, asked) is None
    (count,) = (each for each in run.metrics if each.name == "tool_call_count_v1")
    assert (count.score, count.reason) == (None, "the recording has no tool calls")


def test_where_turns_are_missing_another_user_message_is_another_turn() -> None:
    first, second, third = (Turn(text, (), "yes") for text in ("Price?", "And the red one?", "And the blue one?"))
    for missing, status in ((True, "not_evaluated"), (False, "passed")):
        recorded = replace(conversation(first, third), lacks_turns=missing)
        run = score_case([first, second], recorded, "only_one", criteria())
        assert run.status == status
        same = score_case([first, third], recorded, "only_one", criteria())
        assert same.status == "passed"


def test_a_case_fails_only_if_no_missing_turn_could_save_it() -> None:
    expected = [Turn("", (), "yes"), Turn("", (), "yes")]
    lost = actual(response="", without=("response",))
    for threshold, status in ((0.8, "failed"), (0.5, "not_evaluated")):
        run = scored(expected, [actual(response="no"), lost], criteria({WORDS: threshold}))
        (metric, *_) = run.metrics
        assert (metric.status, metric.score) == (status, None)
        assert [each.metrics[0].status for each in run.turns] == ["failed", "not_evaluated"]
        said = "turn 2: the response is not recorded"
        assert metric.reason == (f"other turns fail; {said}" if status == "failed" else said)


def test_a_tried_threshold_does_not_score_what_is_not_recorded() -> None:
    before = criteria()
    after = criteria_on_trial(before, thresholds={WORDS: 0.0})
    run = scored(Turn("", (), "ok"), actual(response="", without=("response",)), before)
    result = CaseResult("a", 0, run.status, run.metrics, run)
    tried = score_on_trial(result, before, after)
    assert [each.status for each in tried.metrics if each.name == WORDS] == ["not_evaluated"]


@pytest.mark.parametrize(
    ("expected", "recorded", "score"),
    [
        (Turn("", (call("a"),), "ok"), actual(named("a")), None),
        (Turn("", (call("a"),), "ok"), actual(named("b")), 0.0),
        (Turn("", (call("a"),), "ok"), actual(without=("calls",)), None),
    ],
)
def test_adk_rs_leaves_calls_open_too(expected: Turn, recorded: Turn, score: float | None) -> None:
    assert of(scored(expected, recorded, criteria(profile="adk-rs")))[CALLS][1] == score


def test_adk_rs_leaves_a_response_open_if_words_are_expected() -> None:
    lost, asked = actual(response="", without=("response",)), criteria(profile="adk-rs")
    assert of(scored(Turn("", (), "ok"), lost, asked))["final_response_match_v1"] == ("not_evaluated", None)
    assert of(scored(Turn("", (), ""), lost, asked))["final_response_match_v1"] == ("passed", 1.0)


def of(run: CaseRun) -> dict[str, tuple[str, float | None]]:
    return {each.name: (each.status, each.score) for each in run.metrics if each.status != "informational"}
