"""Sets and configs that cannot be scored: `evaltui run` says what to do."""

from pathlib import Path

import pytest

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
