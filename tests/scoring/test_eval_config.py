"""The config that goes with a set: google-adk's JSON, or agentevals' YAML."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from evaltui.evalset.case_data import as_number
from evaltui.scoring.criteria import criteria_of
from evaltui.scoring.eval_config import (
    UnreadableConfigError,
    config_of,
    find_config,
    load_config,
    rubric_ids_of,
    threshold_of,
)


def test_a_config_is_found_beside_its_set(tmp_path: Path) -> None:
    beside = tmp_path / "trips.evalset.json"
    assert find_config(beside) is None
    (tmp_path / "eval_config.json").write_text("{}")
    assert find_config(beside) is None
    (tmp_path / "test_config.json").write_text("{}")
    assert find_config(beside) == tmp_path / "test_config.json"
    assert find_config(tmp_path / "deeper" / "trips.evalset.json") is None


def test_a_folder_of_that_name_is_no_config(tmp_path: Path) -> None:
    (tmp_path / "test_config.json").mkdir()
    assert find_config(tmp_path / "trips.evalset.json") is None


def test_criteria_are_read_in_either_form(tmp_path: Path) -> None:
    path = tmp_path / "test_config.json"
    rubrics = [{"rubric_id": "a"}, {"rubricId": "b"}, {"rubric_id": 1}, "c"]
    path.write_text(
        json.dumps(
            {
                "criteria": {
                    "response_match_score": 0.8,
                    "tool_trajectory_avg_score": {"threshold": "1.0", "match_type": "IN_ORDER"},
                    "rubric_based_tool_use_quality_v1": {"threshold": 0.5, "rubrics": rubrics},
                    "politeness": {"threshold": None},
                    "safety_v1": 1,
                },
                "customMetrics": {"politeness": {}, "safety_v1": {}},
            }
        )
    )
    config = load_config(path)
    assert {name: threshold_of(raw) for name, raw in config.criteria.items()} == {
        "response_match_score": 0.8,
        "tool_trajectory_avg_score": 1.0,
        "rubric_based_tool_use_quality_v1": 0.5,
        "politeness": None,
        "safety_v1": 1.0,
    }
    assert rubric_ids_of(config.criteria["rubric_based_tool_use_quality_v1"]) == ("a", "b")
    assert config.custom_metrics == {"politeness", "safety_v1"}
    assert config.rubric_types == {"TOOL_USE_QUALITY"}
    assert [metric.name for metric in config.needing("final_response")] == ["response_match_score"]
    assert config.raw["criteria"]["response_match_score"] == 0.8


@pytest.mark.parametrize("criteria", [None, [], "x", {"a": None, "b": [], "c": {"rubrics": 3}}])
def test_what_is_wrong_in_a_config_is_passed_over(criteria: Any) -> None:
    config = config_of({"criteria": criteria, "custom_metrics": []}, Path("test_config.json"))
    assert [threshold_of(raw) for raw in config.criteria.values()] == [None] * len(config.criteria)
    assert not any(rubric_ids_of(raw) for raw in config.criteria.values())


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"{", "is not valid JSON"), (b"\xff", "is not valid JSON"), (b"[]", "is not a config"), (None, "cannot be read")],
)
def test_what_is_no_config_is_said_with_its_name(tmp_path: Path, data: bytes | None, said: str) -> None:
    path = tmp_path / "test_config.json"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(UnreadableConfigError, match=said) as raised:
        load_config(path)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1, 1.0), (" 0.5 ", 0.5), (True, 1.0), (10**400, float("inf")), ("x", None), (None, None), ([], None)],
)
def test_numbers_are_read_as_google_adk_reads_them(value: Any, expected: float | None) -> None:
    assert as_number(value) == expected


# --- agentevals ---

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
    found = criteria_of(load_config(path))
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
    assert [*load_config(path).criteria] == ["response_match_score"]


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
        load_config(path)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_config_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnreadableConfigError, match="there is no such file"):
        load_config(tmp_path / "no.yaml")


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
        load_config(path)


@pytest.mark.parametrize(
    "value", ["!!bool x", "!!int ''", "!!timestamp x", "1" * 5_000, "\x00", "? [a]\n: b", "2020-13-45"]
)
def test_what_the_parser_stumbles_over_is_said(tmp_path: Path, value: str) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(f"evaluators:\n- {value}\n")
    with pytest.raises(UnreadableConfigError, match=r"odd\.yaml"):
        load_config(path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    with pytest.raises(UnreadableConfigError, match="a device or pipe"):
        load_config(tmp_path / "pipe.yaml")
