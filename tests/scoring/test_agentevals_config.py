"""agentevals' config in YAML."""

import os
from pathlib import Path

import pytest

from evaltui.scoring.agentevals_config import load_any_config
from evaltui.scoring.criteria import criteria_of
from evaltui.scoring.eval_config import UnreadableConfigError

CONFIG = """
evaluators:
  - {name: tool_trajectory_avg_score, type: builtin, trajectory_match_type: in_order}
  - {name: response_match_score, type: builtin, threshold: 0.75}
  - {name: final_response_match_v2, type: builtin, judgeModel: gemini-2.5-pro}
  - {name: mine, type: code, path: mine.py}
  - {name: theirs, type: remote, ref: evaluators/theirs.py}
output: json
"""


def test_evaluators_are_criteria(tmp_path: Path) -> None:
    path = tmp_path / "eval_config.yaml"
    path.write_text(CONFIG)
    found = criteria_of(load_any_config(path))
    assert found.path == path
    assert found.to_json() == {
        "tool_trajectory_avg_score": {"threshold": 0.5, "match_type": "IN_ORDER"},
        "response_match_score": {"threshold": 0.75},
        "final_response_match_v2": {"threshold": 0.5},
        "mine": {"threshold": 0.5},
        "theirs": {"threshold": 0.5},
    }
    refusals = [each.refusal for each in found.judged]
    assert refusals[:2] == [None, None]
    assert [*map(str, refusals[2:])] == [
        "it needs a judge model, which evaltui never calls",
        "it is a custom metric with code of its own, which evaltui never runs",
        "it is a remote evaluator, which evaltui never runs",
    ]


def test_a_json_file_is_read_as_google_adks(tmp_path: Path) -> None:
    path = tmp_path / "test_config.json"
    path.write_text('{"criteria": {"response_match_score": 0.5}}')
    assert [*load_any_config(path).criteria] == ["response_match_score"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a config in YAML has a list of evaluators"),
        ("- a", "a config in YAML has a list of evaluators"),
        ("evaluators: {", "is not valid YAML"),
        ("evaluators: " + "[" * 1000, "is not valid YAML"),
        ("metrics: [a]\nevaluators: []", "use evaluators instead"),
        ("evaluators: [a]", "evaluator 1 is not a mapping"),
        ("evaluators: [{type: builtin}]", "evaluator 1 has no name"),
        ("evaluators: [{name: a}]", "is not one of builtin, code, remote"),
        ("evaluators: [{name: a, type: builtin, threshold: 2}]", "not a number from 0 to 1"),
        ("evaluators: [{name: a, type: builtin, trajectory_match_type: SOME}]", "not one of EXACT"),
        ("evaluators: [!!python/object:os.system {}]", "is not valid YAML"),
        ("a: \xff", "a config in YAML"),
    ],
)
def test_what_agentevals_refuses_is_refused_with_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "eval_config.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableConfigError) as refused:
        load_any_config(path)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_config_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnreadableConfigError, match="there is no such file"):
        load_any_config(tmp_path / "no.yaml")


BOMBS = {
    "aliases": "a0: &a0 [x, x]\n"
    + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    + "evaluators: [{name: a, type: builtin, rubrics: *a11}]",
    "merges": "a0: &a0 {k: v}\n"
    + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 12))
    + "evaluators: []",
    "texts": f"a: &a {'x' * 100_000}\nevaluators: [{', '.join(['*a'] * 5_000)}]",
    "itself": "evaluators: [{name: a, type: builtin, rubrics: &r [*r]}]",
    "base 60": f"evaluators: [{{name: a, threshold: 9{':59' * 60_000}}}]",
}
_REASONS = {
    "texts": "the file has more than 10,000,000 characters, counting aliases",
    "itself": "line 1: an alias refers to the value that contains it",
    "base 60": "line 1: 9:59.* is a number to base 60 in YAML. Put it in quotes",
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_little_text_that_makes_much_is_refused(tmp_path: Path, bomb: str) -> None:
    path = tmp_path / "bomb.yaml"
    path.write_text(BOMBS[bomb])
    reason = _REASONS.get(bomb, "the file has more than 50,000 values, counting aliases")
    with pytest.raises(UnreadableConfigError, match=reason):
        load_any_config(path)


@pytest.mark.parametrize(
    "value", ["!!bool x", "!!int ''", "!!timestamp x", "1" * 5_000, "\x00", "? [a]\n: b", "2020-13-45"]
)
def test_what_the_parser_stumbles_over_is_said(tmp_path: Path, value: str) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(f"evaluators:\n- {value}\n")
    with pytest.raises(UnreadableConfigError, match=r"odd\.yaml"):
        load_any_config(path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    with pytest.raises(UnreadableConfigError, match="a device or pipe"):
        load_any_config(tmp_path / "pipe.yaml")
