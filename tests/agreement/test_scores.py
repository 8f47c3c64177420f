"""Scores, statuses and means are those of google-adk, on random turns of both shapes and all scripts."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from evaltui.evalset.turn import turn_of
from evaltui.recordings.conversation import Conversation
from evaltui.recordings.recording_file import open_recording
from evaltui.scoring.case_scores import result_of_runs, score_case
from evaltui.scoring.criteria import Criteria, criteria_of
from evaltui.scoring.eval_config import config_of
from evaltui.scoring.results import CaseRun, MetricScore
from tests.agreement.conversations import changed, invocation
from tests.agreement.score_oracle import CASES, EVALUATORS, RESULT_FILES, answers
from tests.agreement.test_agreement import EACH, SEED

MANY = 30 * EACH

Invocations = list[dict[str, Any]]


def dice_for(name: str) -> random.Random:
    return random.Random(name + SEED)


def pair(dice: random.Random) -> tuple[Invocations, Invocations]:
    expected = [invocation(dice) for _ in range(dice.choice([1, 1, 2, 3]))]
    return expected, [changed(dice, each) for each in expected]


def run_of(expected: Invocations, actual: Invocations, asked: Criteria) -> CaseRun:
    told = Conversation(Path("trace.json"), "id", tuple(turn_of(each) for each in actual))
    return score_case([turn_of(each) for each in expected], told, "eval_id", asked)


def criteria(config: dict[str, Any]) -> Criteria:
    return criteria_of(config_of(config, Path("test_config.json")))


def shown(metric: MetricScore) -> list[Any]:
    return [metric.score, metric.status.upper()]


def near(expected: Any) -> Any:
    return pytest.approx(expected, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", ["tool_trajectory_avg_score", "response_match_score"])
def test_scores_are_those_of_the_evaluators(name: str, adk_python: str) -> None:
    dice = dice_for(name)
    questions = []
    for _ in range(4 * MANY):
        criterion: dict[str, Any] = {"threshold": dice.choice([0, 0.5, 0.8, 1.0])}
        if name == "tool_trajectory_avg_score":
            criterion |= {"match_type": dice.choice(["EXACT", "in order", 2]), "ignoreArgs": dice.random() < 0.2}
        questions.append([name, criterion, *pair(dice)])
    said = answers(adk_python, EVALUATORS, questions)
    statuses = set()
    for (_, criterion, expected, actual), answer in zip(questions, said, strict=True):
        run = run_of(expected, actual, criteria({"criteria": {name: criterion}}))
        assert shown(run.metrics[0]) == [near(answer["score"]), answer["status"]], (criterion, expected, actual)
        assert [shown(turn.metrics[0]) for turn in run.turns] == [
            [near(score), status] for score, status in answer["turns"]
        ], (criterion, expected, actual)
        statuses.add(answer["status"])
    assert statuses == {"PASSED", "FAILED"}


@pytest.mark.parametrize(
    "name", ["tool_call_count_v1", "inference_call_count_v1", "token_usage_v1", "invocation_duration_v1"]
)
def test_what_informs_is_what_the_evaluators_report(name: str, adk_python: str) -> None:
    dice = dice_for(name)
    questions = [[name, None, *pair(dice)] for _ in range(MANY)]
    for (_, _, expected, actual), answer in zip(questions, answers(adk_python, EVALUATORS, questions), strict=True):
        run = run_of(expected, actual, criteria({"criteria": {}}))
        metric = next(metric for metric in run.metrics if metric.name == name)
        assert shown(metric) == [near(answer["score"]), "INFORMATIONAL"], actual
        values = [metric.score for turn in run.turns for metric in turn.metrics if metric.name == name]
        assert values == [near(score) for score, _ in answer["turns"]], actual


CONFIGS: list[dict[str, Any]] = [
    {"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8}},
    {"criteria": {"tool_trajectory_avg_score": {"threshold": 0.5, "matchType": "ANY_ORDER"}}},
    {"criteria": {"tool_trajectory_avg_score": {"threshold": 0.5, "match_type": "SOME"}, "response_match_score": 0.3}},
    {"criteria": {"response_match_score": "0.25", "no_such_metric": 1}},
    {"criteria": {"response_match_score": 0.4, "token_usage_v1": 5}},
    {"criteria": {"tool_trajectory_avg_score": {"threshold": 1, "ignore_args": "maybe"}}},
    {"criteria": {}},
]


def test_cases_and_the_means_of_their_runs_are_those_of_google_adk(adk_python: str) -> None:
    dice = dice_for("cases")
    questions = []
    for number in range(MANY):
        expected, actual = pair(dice)
        runs = [actual, *([changed(dice, each) for each in expected] for _ in range(dice.randrange(3)))]
        config = CONFIGS[number % len(CONFIGS)]
        questions.append([{"eval_id": "case", "conversation": expected}, config, runs])
    for (case, config, runs), answer in zip(questions, answers(adk_python, CASES, questions), strict=True):
        asked = criteria(config)
        ours = [run_of(case["conversation"], actual, asked) for actual in runs]
        for run, theirs in zip(ours, answer["runs"], strict=True):
            assert run.status.upper() == theirs["status"], (config, case, runs)
            metrics = {metric.name: shown(metric) for metric in run.metrics}
            assert metrics == {name: [near(score), status] for name, (score, status) in theirs["metrics"].items()}
        means = {metric.name: shown(metric) for metric in result_of_runs("case", 0, ours, asked).metrics}
        assert means == {name: [near(score), status] for name, (score, status) in answer["means"].items()}, config


def test_a_score_in_a_file_of_google_adk_is_taken_over_until_its_case_is_changed(
    adk_python: str, tmp_path: Path
) -> None:
    dice = dice_for("recorded")
    rubrics = [{"rubricId": name, "rubric_content": {"textProperty": "Is it?"}, "type": "X"} for name in "ab"]
    criterion = {"threshold": 0.5, "judgeModelOptions": {"numSamples": 3}, "own": {"key": None}}
    config = {"criteria": {"mine": criterion}, "custom_metrics": {"mine": {"codeConfig": {"name": "mine.score"}}}}
    questions = []
    for _ in range(MANY // 3):
        expected, actual = json.loads(json.dumps(pair(dice)).replace("NaN", "7").replace("Infinity", "8"))
        expected[0]["rubrics"] = rubrics[:1]
        questions.append([{"eval_id": "case", "conversation": expected, "rubrics": rubrics[1:]}, config, actual])
    asked = criteria(config)
    for (case, _, _), file in zip(questions, answers(adk_python, RESULT_FILES, questions), strict=True):
        path = tmp_path / "a.evalset_result.json"
        path.write_text(file)
        (told,) = open_recording(path).conversations

        def metric(case: dict[str, Any], asked: Criteria = asked, told: Conversation = told) -> MetricScore:
            turns = [turn_of(each) for each in case["conversation"]]
            return score_case(turns, told, "eval_id", asked, case).metrics[0]

        found = metric(case)
        assert (found.score, found.status, found.recorded_at) == (0.25, "failed", 1.5), (case, found.reason)
        first, *others = case["conversation"]
        for member in ({"final_response": {"parts": [{"text": "now another"}]}}, {"rubrics": None}):
            assert metric({**case, "conversation": [{**first, **member}, *others]}).status == "not_evaluated"
        assert metric({**case, "rubrics": []}).status == "not_evaluated"
        assert metric(case, criteria({**config, "criteria": {"mine": 0.5}})).status == "not_evaluated"


def test_a_result_file_scored_again_gives_the_scores_in_it(shared_folder: Path) -> None:
    files = sorted((shared_folder / "recordings").glob("*.evalset_result.json"))
    results = [
        result
        for path in files
        for data in [json.loads(path.read_bytes())]
        for result in (json.loads(data) if isinstance(data, str) else data)["eval_case_results"]
        if result["eval_metric_result_per_invocation"]
    ]
    assert len(results) > 3
    for result in results:
        stored = result["overall_eval_metric_results"]
        turns = result["eval_metric_result_per_invocation"]
        asked = criteria({"criteria": {each["metric_name"]: each["criterion"] for each in stored if each["criterion"]}})
        run = run_of(*([each[f"{side}_invocation"] for each in turns] for side in ("expected", "actual")), asked)
        numbers = {"passed": 1, "failed": 2, "not_evaluated": 3, "informational": 4}
        assert [(metric.name, metric.score, numbers[metric.status]) for metric in run.metrics][: len(stored)] == [
            (each["metric_name"], near(each["score"]), each["eval_status"]) for each in stored
        ]
        for ours, theirs in zip(run.turns, turns, strict=True):
            assert [metric.score for metric in ours.metrics][: len(stored)] == [
                near(each["score"]) for each in theirs["eval_metric_results"]
            ]
        assert numbers[run.status] == result["final_eval_status"]
