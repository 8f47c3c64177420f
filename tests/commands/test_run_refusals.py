"""Sets and configs that cannot be scored: `evaltui run` says what to do."""

import json
from pathlib import Path

import pytest

from evaltui.api import EvaltuiError, criteria
from tests.answered_dataset import DATASET
from tests.commands.conftest import Evaltui
from tests.commands.runs import EXPECTED, GREETING, eval_set, write


@pytest.mark.parametrize(
    "value",
    [
        [{"query": "Hi", "reference": "Hello"}],
        [{"name": "a", "data": [{"query": "Hi"}]}],
        {"displayName": "a", "golden": {"turns": []}},
    ],
)
def test_a_format_that_cannot_be_scored_is_refused_with_the_command_that_converts_it(
    evaltui: Evaltui, tmp_path: Path, value: object
) -> None:
    write(tmp_path / "old set.json", value)
    for command in (("run",), ("review", "--format", "text"), ("accept", "--fills")):
        done = evaltui(command[0], "old set.json", "-r", "old set.json", *command[1:])
        assert (done.code, done.out) == (2, b"")
        assert done.err.endswith("; `evaltui convert 'old set.json' --to evalset` makes an eval set of it\n")


def test_standard_input_that_cannot_be_scored_is_refused_with_the_command(evaltui: Evaltui) -> None:
    done = evaltui("run", "-", stdin=b'[{"query": "Hi"}]')
    assert (done.code, "`evaltui convert - --to evalset`" in done.err) == (2, True)


def test_metrics_beside_the_criteria_are_named(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "set.json", eval_set(EXPECTED, GREETING))
    write(tmp_path / "test_config.json", {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8})
    done = evaltui("run", "set.json", "-r", "set.json")
    reason = (
        "there are no criteria; tool_trajectory_avg_score and response_match_score must be under criteria in the config"
    )
    assert (done.code, f"2 cases (book_flight, greeting) are not evaluated: {reason}" in done.err) == (3, True)


def test_a_metric_beside_a_filled_criteria_is_named(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "set.json", eval_set(EXPECTED, GREETING))
    config = {"response_match_score": 0.8, "criteria": {"tool_trajectory_avg_score": 1.0}}
    write(tmp_path / "test_config.json", config)
    write(tmp_path / "cfg.json", config)
    said = "response_match_score is beside criteria, so google-adk ignores it; move it under criteria"
    for name, more in (("test_config.json", ()), ("cfg.json", ("--config", "cfg.json"))):
        done = evaltui("run", "set.json", "-r", "set.json", *more)
        assert (done.code, f"{name}: {said}\n" in done.err) == (0, True)
    done = evaltui("validate", "set.json", "--config", "cfg.json")
    assert (done.code, done.err.splitlines()[0]) == (0, f"evaltui: cfg.json: {said}")


def test_criteria_one_level_too_deep_are_named(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "set.json", eval_set(EXPECTED))
    write(tmp_path / "cfg.json", {"config": {"criteria": {"tool_trajectory_avg_score": 1.0}}})
    advice = "tool_trajectory_avg_score must be under criteria at the top"
    done = evaltui("run", "set.json", "-r", "set.json", "--config", "cfg.json")
    assert (done.code, f"there are no criteria; {advice} in the config\n" in done.err) == (3, True)
    done = evaltui("validate", "set.json", "--config", "cfg.json")
    said = f"evaltui: cfg.json: the config has no metrics, so no case is evaluated; {advice}"
    assert (done.code, done.err.splitlines()[0]) == (0, said)


RESULT = {"eval_set_result_id": "r", "eval_set_id": "s", "eval_case_results": []}


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (eval_set(EXPECTED), "an eval set"),
        (json.loads(DATASET), "a dataset"),
        (RESULT, "a result of google-adk"),
        ({"eval_case_results": [], "summary_metrics": []}, "a result of agents-cli"),
        ({"version": 1, "set": {}, "cases": []}, "a result of evaltui run"),
        ([{"query": "Hi", "reference": "Hello"}], "a legacy list of turns"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_another_file_given_as_a_config_is_named(evaltui: Evaltui, tmp_path: Path, value: object, name: str) -> None:
    write(tmp_path / "set.json", eval_set(EXPECTED))
    write(tmp_path / "other.json", value)
    said = f"other.json: the file is {name}, not a config; a config is a JSON object with criteria"
    for command in (("run", "-r", "set.json"), ("validate",), ("review", "--format", "text")):
        done = evaltui(*command, "set.json", "--config", "other.json")
        assert (done.code, done.out, done.err) == (2, b"", f"evaltui: {said}\n")
    with pytest.raises(EvaltuiError) as error:
        criteria(tmp_path / "other.json")
    assert str(error.value) == f"{tmp_path}/{said}"


@pytest.mark.parametrize("more", [{}, {"eval_set_id": "s", "eval_cases": []}, {"owner": "desk"}])
def test_a_config_with_other_keys_is_a_config(evaltui: Evaltui, tmp_path: Path, more: dict[str, object]) -> None:
    write(tmp_path / "set.json", eval_set(EXPECTED))
    write(tmp_path / "cfg.json", {"criteria": {"tool_trajectory_avg_score": 1.0}, **more})
    assert evaltui("run", "set.json", "-r", "set.json", "--config", "cfg.json").code == 0


def test_a_threshold_that_no_score_can_reach_is_said_once(evaltui: Evaltui, tmp_path: Path) -> None:
    write(tmp_path / "set.json", eval_set(EXPECTED))
    write(tmp_path / "cfg.json", {"criteria": {"response_match_score": 80, "response_evaluation_score": 4}})
    said = "evaltui: response_match_score: no score can reach the threshold 80; the highest score is 1\n"
    for options in (("--config", "cfg.json"), ("--metric", "response_match_score=80")):
        done = evaltui("run", "set.json", "-r", "set.json", *options)
        assert (done.code, done.err.count("no score can reach"), said in done.err) == (1, 1, True)


SPAN = {"traceId": "1", "spanId": "2", "name": "chat"}
NO_SET = "the file is not an eval set: it has no eval_set_id and no eval_cases"
CONVERT = "`evaltui convert 'a b.json' --to evalset` makes"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"scenarios": [{"starting_prompt": "a", "conversation_plan": "b"}]}, f"{NO_SET}; {CONVERT} an eval set of it"),
        (
            {"conversations": [{"conversation": "a", "turns": [{"user": "x"}]}]},
            f"{NO_SET}; {CONVERT} an eval set of it",
        ),
        (
            {"evalSetId": "s", "evalCases": [{"evalId": "a", "conversation": [{"userContent": {"content": "x"}}]}]},
            f"the file is an eval set of trpc-agent-go; {CONVERT} one of google-adk",
        ),
        (
            {"eval_set_result_id": "r", "eval_set_id": "s", "eval_case_results": []},
            "the file is the result of a run, not an eval set; load it as a recording with -r",
        ),
        ({"resourceSpans": [{"scopeSpans": [{"spans": [SPAN]}]}]}, f"{NO_SET}; load it as a recording with -r"),
        ({"openapi": "3.1.0"}, NO_SET),
    ],
    ids=["scenarios", "cxas", "trpc", "result", "traces", "other"],
)
def test_a_file_that_is_no_set_is_named_with_the_way_on(
    evaltui: Evaltui, tmp_path: Path, value: object, said: str
) -> None:
    write(tmp_path / "a b.json", value)
    done = evaltui("run", "a b.json", "-r", "a b.json")
    assert (done.code, done.err) == (2, f"evaltui: a b.json: google-adk rejects this: {said}\n")
