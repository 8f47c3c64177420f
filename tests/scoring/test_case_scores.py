"""Cases scored against recordings."""

from dataclasses import replace

import pytest

from evaltui.recordings.conversation import StoredScore
from evaltui.scoring.case_scores import score_case, status_of_case
from evaltui.scoring.results import MetricScore
from tests.scoring.helpers import call, conversation, criteria, scored, turn

TRAJECTORY, RESPONSE = "tool_trajectory_avg_score", "response_match_score"


def statuses(metrics: tuple[MetricScore, ...]) -> dict[str, str]:
    return {metric.name: metric.status for metric in metrics if metric.status != "informational"}


def test_a_metric_is_the_mean_over_turns_and_passes_by_its_threshold() -> None:
    run = scored([turn(call("a")), turn()], [turn(), turn()], criteria({TRAJECTORY: 0.5, RESPONSE: 1}))
    assert [(metric.score, metric.status) for metric in run.metrics[:2]] == [(0.5, "passed"), (1.0, "passed")]
    assert [each.metrics[0].status for each in run.turns] == ["failed", "passed"]
    assert [each.number for each in run.turns] == [1, 2]
    assert (run.status, run.reason) == ("passed", None)


@pytest.mark.parametrize(
    ("found", "status"),
    [
        (["passed", "failed"], "failed"),
        (["not_evaluated", "passed"], "passed"),
        (["not_evaluated", "informational"], "not_evaluated"),
        (["not_evaluated", "failed"], "failed"),
        ([], "not_evaluated"),
    ],
)
def test_the_status_of_a_case(found: list[str], status: str) -> None:
    metrics = [MetricScore("m", each) for each in found]  # type: ignore[arg-type]
    assert status_of_case(metrics, criteria()) == status


def test_a_recording_without_turns_is_not_evaluated() -> None:
    run = scored([turn()], [], criteria({TRAJECTORY: 0.0, RESPONSE: 0.0}))
    assert (run.status, run.reason) == ("not_evaluated", "no turn is recorded")
    assert {each.status for each in run.metrics} == {"not_evaluated"}


@pytest.mark.parametrize("count", [1, 3])
def test_another_number_of_turns_fails_and_says_both(count: int) -> None:
    asked = criteria({TRAJECTORY: 0.0, RESPONSE: 0.0, "safety_v1": 0.5})
    run = scored([turn(), turn()], [turn()] * count, asked)
    assert run.status == "failed"
    assert statuses(run.metrics) == {TRAJECTORY: "failed", RESPONSE: "failed", "safety_v1": "not_evaluated"}
    assert run.metrics[0].score is None
    assert run.reason == run.metrics[0].reason
    assert run.reason == f"{count} turn{'' if count == 1 else 's'} recorded, 2 expected"


def test_a_conversation_that_failed_fails_the_case_without_metrics() -> None:
    failed = conversation(turn(), failure="the agent failed while it was run")
    run = score_case([turn()], failed, "eval_id", criteria())
    assert (run.status, run.metrics, run.reason) == ("failed", (), "the agent failed while it was run")


def test_a_conversation_that_is_not_read_as_a_whole_is_not_evaluated() -> None:
    partly = conversation(turn(), unread="turn 1: intermediate_data/tool_uses/1 is not an object")
    run = score_case([turn()], partly, "eval_id", criteria())
    assert (run.status, statuses(run.metrics)) == (
        "not_evaluated",
        {TRAJECTORY: "not_evaluated", RESPONSE: "not_evaluated"},
    )
    assert run.reason == (
        "part of the recording cannot be read: turn 1: intermediate_data/tool_uses/1 is not an object"
    )


def test_a_case_without_turns_is_not_evaluated() -> None:
    for case, why in ((None, "has no turns"), ({"conversationScenario": {}}, "is a scenario")):
        run = score_case([], conversation(), "eval_id", criteria(), case)
        assert (run.status, {*statuses(run.metrics).values()}) == ("not_evaluated", {"not_evaluated"})
        assert why in (run.reason or "")


def test_metrics_that_are_not_computed_are_not_evaluated_and_do_not_decide() -> None:
    asked = criteria({"final_response_match_v2": 0.5, "mine": 0.5, RESPONSE: 0.5})
    run = scored(turn(), turn(), asked)
    assert [metric.status for metric in run.metrics[:3]] == ["not_evaluated", "not_evaluated", "passed"]
    assert run.status == "passed"
    assert all(metric.reason for metric in run.metrics[:2])
    assert [metric.reason for metric in run.turns[0].metrics[:2]] == [metric.reason for metric in run.metrics[:2]]


def test_a_case_that_no_metric_decides_says_so() -> None:
    assert scored(turn(), turn(), criteria({})).reason == "there are no criteria"
    judged = scored(turn(), turn(), criteria({"safety_v1": 0.5, "mine": 1}))
    assert judged.reason == (
        "safety_v1: it needs Vertex AI, which evaltui never calls; mine: google-adk has no metric with this name"
    )


def test_a_bad_match_type_does_not_stop_the_case() -> None:
    asked = criteria({TRAJECTORY: {"threshold": 1, "match_type": "SOME"}, RESPONSE: 1})
    assert scored(turn(), turn(), asked).status == "passed"


@pytest.mark.parametrize("threshold", [float("nan"), float("inf"), 1.5])
def test_thresholds_that_nothing_reaches(threshold: float) -> None:
    assert scored(turn(), turn(), criteria({RESPONSE: threshold})).status == "failed"


def test_what_informs_is_in_every_run_as_means_a_turn() -> None:
    one, other = turn(call("a"), call("b")), turn(call("a"))
    measured = replace(one, inference_calls=2, tokens=10, seconds=1.0006)
    told = conversation(measured, other)
    run = score_case([one, other], told, "only_one", criteria({}))
    assert {metric.name: metric.score for metric in run.metrics} == {
        "tool_call_count_v1": 1.5,
        "inference_call_count_v1": 2.0,
        "token_usage_v1": 5.0,  # over all turns: a model leaves out what it did not spend
        "invocation_duration_v1": 1.001,
    }
    assert [metric.score for metric in run.turns[1].metrics] == [1.0, None, None, None]
    assert run.status == "not_evaluated"


def test_what_nobody_counted_says_so() -> None:
    run = scored(turn(), turn(), criteria({}))
    assert [metric.score for metric in run.metrics] == [0.0, None, None, None]
    assert run.metrics[2].reason == "the recording has no token counts"


def test_scores_of_graders_in_the_recording_come_last_and_decide_nothing() -> None:
    grades = (
        StoredScore("politeness", 0.2, 4),
        StoredScore("safety_v1", 0.9, 4),  # the config asks for it, so the recorded one says nothing
        StoredScore("tool_call_count_v1", 7.0, 4),  # evaltui counts it
        StoredScore("broken", None, 4, error="no judge"),
        StoredScore("empty", None, 4),
    )
    asked = criteria({"response_match_score": 0.5, "safety_v1": 0.5})
    graded = conversation(turn(), grades=grades, recorded_at=5.0)
    run = score_case([turn()], graded, "eval_id", asked)
    plain = score_case([turn()], conversation(turn()), "eval_id", asked)
    assert (run.status, run.metrics[: len(plain.metrics)], run.turns) == (plain.status, plain.metrics, plain.turns)
    assert [(each.name, each.status, each.score, each.reason) for each in run.metrics[len(plain.metrics) :]] == [
        ("politeness", "informational", 0.2, "this score is from the recording; evaltui did not compute it"),
        ("broken", "informational", None, "the grader failed: no judge"),
        ("empty", "informational", None, "the recording has no score"),
    ]
    assert [each.name for each in run.metrics if each.is_grade] == ["politeness"]
    assert run.metrics[-1].recorded_at == 5.0
    assert score_case([], graded, "eval_id", asked, {}).metrics[-3].score == 0.2
