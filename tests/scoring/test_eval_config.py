"""The config that goes with a set."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.evalset.case_data import as_number
from evaltui.scoring.eval_config import UnreadableConfigError, config_of, find_config, load_config
from evaltui.scoring.metrics.registry import METRICS


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
    assert {name: each.threshold for name, each in config.criteria.items()} == {
        "response_match_score": 0.8,
        "tool_trajectory_avg_score": 1.0,
        "rubric_based_tool_use_quality_v1": 0.5,
        "politeness": None,
        "safety_v1": 1.0,
    }
    assert config.criteria["rubric_based_tool_use_quality_v1"].rubric_ids == ("a", "b")
    assert config.criteria["response_match_score"].metric is METRICS["response_match_score"]
    assert config.criteria["safety_v1"].metric is None
    assert config.custom_metrics == {"politeness", "safety_v1"}
    assert config.rubric_types == {"TOOL_USE_QUALITY"}
    assert [metric.name for metric in config.needing("final_response")] == ["response_match_score"]
    assert config.raw["criteria"]["response_match_score"] == 0.8


@pytest.mark.parametrize("criteria", [None, [], "x", {"a": None, "b": [], "c": {"rubrics": 3}}])
def test_what_is_wrong_in_a_config_is_passed_over(criteria: Any) -> None:
    config = config_of({"criteria": criteria, "custom_metrics": []}, Path("test_config.json"))
    assert [each.threshold for each in config.criteria.values()] == [None] * len(config.criteria)
    assert not any(each.rubric_ids for each in config.criteria.values())


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
