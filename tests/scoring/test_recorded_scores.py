"""Scores that a recording came with."""

from typing import Any

import pytest

from evaltui.evalset.turn import turn_of
from evaltui.recordings.conversation import StoredScore
from evaltui.scoring.case_scores import score_case
from evaltui.scoring.results import CaseRun
from tests.scoring.helpers import conversation, criteria

JUDGED = "final_response_match_v2"
OF_RUBRICS = "rubric_based_final_response_quality_v1"
RUBRIC = {"rubric_id": "short", "rubric_content": {"text_property": "Is it short?"}, "type": "FINAL_RESPONSE_QUALITY"}
AS_GOOGLE_ADK_WRITES = {
    "invocation_id": "e1",
    "user_content": {"parts": [{"text": "Hi", "thought": None, "inline_data": None}], "role": "user"},
    "final_response": {"parts": [{"text": "Hello"}, {"inline_data": {"data": "_-8=", "mime_type": "a/b"}}]},
    "intermediate_data": {
        "tool_uses": [{"id": None, "name": "a", "args": {"myKey": [1], "": None}}],
        "tool_responses": [],
        "intermediate_responses": [],
    },
    "creation_timestamp": 0.0,
    "rubrics": None,
    "app_details": None,
}
IN_THE_SET = {
    "userContent": {"role": "user", "parts": [{"text": "Hi"}]},
    "final_response": {"parts": [{"text": "Hello"}, {"inlineData": {"data": "/+8", "mimeType": "a/b"}}]},
    "intermediateData": {"toolUses": [{"args": {"": None, "myKey": [1.0]}, "name": "a"}]},
    "creationTimestamp": 7,
}


def run(
    case: dict[str, Any],
    criterion: Any,
    stored: Any,
    name: str = JUDGED,
    status: int = 1,
    expected: Any = (AS_GOOGLE_ADK_WRITES,),
    rubrics: Any = None,
) -> CaseRun:
    threshold = stored.get("threshold") if isinstance(stored, dict) else stored
    score = StoredScore(name, 0.6, status, stored, threshold)
    stored_turns = tuple((invocation, rubrics, (score,)) for invocation in expected)
    turns = [turn_of(each) for each in case["conversation"]]
    told = conversation(*turns, stored=((score,), stored_turns), recorded_at=1_700_000_000.0)
    return score_case(turns, told, "eval_id", criteria({name: criterion}), case)


def case(**changes: Any) -> dict[str, Any]:
    return {"eval_id": "a", "conversation": [{**IN_THE_SET, **changes}]}


def test_a_score_of_just_this_is_taken_over_and_says_so() -> None:
    found = run(case(), 0.5, {"threshold": 0.5, "include_intermediate_responses_in_final": False})
    metric = found.metrics[0]
    assert (metric.score, metric.status, metric.recorded_at) == (0.6, "passed", 1_700_000_000.0)
    assert metric.reason == "this score is from the recording; evaltui did not compute it"
    assert found.turns[0].metrics[0].score == 0.6
    assert found.status == "passed"


def test_a_recorded_failure_fails() -> None:
    assert run(case(), 0.8, 0.8, status=2).status == "failed"


@pytest.mark.parametrize(
    "changes",
    [
        {"final_response": {"parts": [{"text": "Hello!"}]}},
        {"userContent": {"role": "user", "parts": [{"text": "Hey"}]}},
        {"intermediateData": {"toolUses": [{"args": {"my_key": [1], "": None}, "name": "a"}]}},
        {"intermediateData": {"toolUses": [{"name": "a"}]}},
        {"intermediateData": None},
        {"app_details": {"agent_details": {"a": {"name": "a"}}}},
    ],
)
def test_a_score_for_another_expectation_is_not(changes: dict[str, Any]) -> None:
    metric = run(case(**changes), 0.5, 0.5).metrics[0]
    assert (metric.status, metric.score) == ("not_evaluated", None)
    assert metric.reason is not None
    assert metric.reason.endswith("; the expected turns changed since this score was recorded")


@pytest.mark.parametrize("changes", [{"invocation_id": "other"}, {"duration": 3.0}, {"finalResponse": None}][:2])
def test_what_no_judge_reads_may_change(changes: dict[str, Any]) -> None:
    assert run(case(**changes), 0.5, 0.5).metrics[0].status == "passed"


@pytest.mark.parametrize(
    ("criterion", "stored", "is_same"),
    [
        (0.5, 0.5, True),
        (0.5, 0.6, False),
        ("0.5", {"threshold": 0.5}, True),
        ({"threshold": 0.5, "judgeModelOptions": {"judgeModel": "x"}}, {"threshold": 0.5}, False),
        (
            {"threshold": 0.5, "judgeModelOptions": {"judgeModel": "gemini-2.5-flash", "parallelismLimit": 9}},
            {"threshold": 0.5, "judge_model_options": {"num_samples": 5, "judge_model_config": None}},
            True,
        ),
        ({"threshold": 0.5, "judge_model_options": {"num_samples": 1}}, {"threshold": 0.5}, False),
    ],
)
def test_a_score_for_another_criterion_is_not(criterion: Any, stored: Any, is_same: bool) -> None:
    metric = run(case(), criterion, stored).metrics[0]
    assert metric.status == ("passed" if is_same else "not_evaluated")
    assert ("criterion options changed" in (metric.reason or "")) is not is_same


def test_rubrics_are_those_of_the_case_and_of_the_turn() -> None:
    other = {**RUBRIC, "rubric_id": "kind"}
    camel = {"rubricId": "kind", "rubricContent": {"textProperty": "Is it short?"}, "type": other["type"]}
    set_case = {**case(rubrics=[camel]), "rubrics": [RUBRIC]}
    stored = [{**RUBRIC, "description": None}, other]
    assert run(set_case, 0.5, 0.5, OF_RUBRICS, rubrics=stored).metrics[0].status == "passed"
    for rubrics in ([RUBRIC], [other, RUBRIC], None):
        metric = run(set_case, 0.5, 0.5, OF_RUBRICS, rubrics=rubrics).metrics[0]
        assert metric.reason is not None
        assert metric.reason.endswith("the rubrics changed since this score was recorded")


def test_other_metrics_do_not_care_for_rubrics() -> None:
    assert run({**case(), "rubrics": [RUBRIC]}, 0.5, 0.5).metrics[0].status == "passed"


@pytest.mark.parametrize("expected", [(), (None,), (AS_GOOGLE_ADK_WRITES,) * 2])
def test_a_recording_without_the_expectation_vouches_for_nothing(expected: Any) -> None:
    assert run(case(), 0.5, 0.5, expected=expected).metrics[0].status == "not_evaluated"


def test_what_was_not_evaluated_then_is_not_now() -> None:
    metric = run(case(), 0.5, 0.5, status=3).metrics[0]
    assert metric.reason == "it needs a judge model, which evaltui never calls"


def test_without_the_case_nothing_is_taken_over() -> None:
    score = StoredScore(JUDGED, 1.0, 1, 0.5, 0.5)
    told = conversation(turn_of(IN_THE_SET), stored=((score,), ((AS_GOOGLE_ADK_WRITES, None, (score,)),)))
    assert score_case(told.turns, told, "eval_id", criteria({JUDGED: 0.5})).status == "not_evaluated"


def test_what_is_computed_here_is_never_taken_over() -> None:
    metric = run(case(), 0.5, 0.5, "response_match_score", status=2).metrics[0]
    assert (metric.score, metric.status) == (1.0, "passed")
