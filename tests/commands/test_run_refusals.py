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
