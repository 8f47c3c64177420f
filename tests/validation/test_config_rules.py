"""Rules of a config alone: when they fire, when not, where, and what their fixes write."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.validation.case_checks import config_diagnostics, errors_in_config
from evaltui.validation.rule_types import Diagnostic, Rule
from evaltui.validation.rules.config_rules import check_config
from evaltui.validation.rules.rule_registry import RULES
from tests.agreement.mutator import Words, mutations
from tests.agreement.test_configs import SAMPLES
from tests.sampling import Extent

SLIPS = Words(
    ("treshold", "match_typ", "numSample", "rubric", "Criteria", "custom_metric", "hallucinations", "token_usage_v1"),
    (80, -1, "INORDER", "0.5", [], {}, {"threshold": 50}, {"treshold": 1}, {"num_sample": 3}, None),
)
"""What people mistype in configs."""
ABOUT_CONFIGS = [rule for rule in RULES.values() if rule.bad.kind == "config"]
JUDGED = "final_response_match_v2"
RUBRICS = "rubric_based_tool_use_quality_v1"


def findings(source: bytes) -> list[Diagnostic]:
    return [*errors_in_config(source), *check_config(json.loads(source))]


def errors_in(found: list[Diagnostic]) -> int:
    return sum(each.severity == "error" for each in found)


def said(value: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each.code, each.pointer) for each in findings(json.dumps(value).encode())]


def criterion(name: str, **members: Any) -> dict[str, Any]:
    return {"criteria": {name: {"threshold": 0.5, **members}}}


def rubric(identifier: str, **content: Any) -> dict[str, Any]:
    return {"rubric_id": identifier, "rubric_content": content or {"text_property": "It asks."}}


@pytest.mark.parametrize("rule", ABOUT_CONFIGS, ids=lambda rule: rule.code)
def test_the_bad_example_raises_just_that_rule_and_the_good_one_none(rule: Rule) -> None:
    assert [(each.code, each.severity) for each in findings(rule.bad.text.encode())] == [(rule.code, rule.severity)]
    assert not findings(rule.good.text.encode())


@pytest.mark.parametrize("rule", ABOUT_CONFIGS, ids=lambda rule: rule.code)
def test_a_fix_puts_its_finding_right_and_brings_no_other(rule: Rule) -> None:
    (found,) = findings(rule.bad.text.encode())
    assert bool(found.fix) == bool(rule.fix)
    if found.fix is not None:
        document = Document(rule.bad.text.encode())
        document.apply(found.fix.edits, found.fix.title)
        assert not findings(document.to_bytes())


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"criterias": {}}, [("misspelt-config-key", "/criterias")]),
        ({}, [("no-criteria", "/criteria")]),
        ({"criteria": {}}, [("no-criteria", "/criteria")]),
        ({"response_match_score": 0.8}, [("no-criteria", "/criteria")]),
        ({"criteria": {}, "safety_v1": "0.8"}, [("no-criteria", "/criteria")]),
        (
            {"criteria": {"safety_v1": 1}, "response_match_score": {"threshold": 1}, "criterias": {}},
            [("metric-beside-criteria", "/response_match_score")],
        ),
        (
            {"criteria": {"safety_v1": 1}, "safety_v9": 1, "runs": 2, "is_v1": True, "user_v1": {}},
            [
                ("metric-beside-criteria", "/safety_v9"),
            ],
        ),
        ({"criteria": {"safety": 1}}, [("unknown-metric", "/criteria/safety")]),
        ({"criteria": {"safety_v1": {"treshold": 1}}}, [("misspelt-key", "/criteria/safety_v1/treshold")]),
        ({"criteria": {"a/b": 1}}, [("unknown-metric", "/criteria/a~1b")]),
        ({"criteria": {"token_usage_v1": {"threshold": 1}}}, [("informational-threshold", "/criteria/token_usage_v1")]),
        (
            {"criteria": {"response_evaluation_score": 0.8}},
            [("threshold-out-of-range", "/criteria/response_evaluation_score")],
        ),
        (criterion("safety_v1", threshold=-1), [("threshold-out-of-range", "/criteria/safety_v1/threshold")]),
        (criterion("safety_v1", threshold="1.5"), [("threshold-out-of-range", "/criteria/safety_v1/threshold")]),
        (
            criterion("tool_trajectory_avg_score", matchType="x"),
            [("bad-match-type", "/criteria/tool_trajectory_avg_score/matchType")],
        ),
        (
            criterion("tool_trajectory_avg_score", ignore_arg=True),
            [("misspelt-criterion-key", "/criteria/tool_trajectory_avg_score/ignore_arg")],
        ),
        (criterion("safety_v1", rubrics=[]), [("unread-criterion-key", "/criteria/safety_v1/rubrics")]),
        (
            criterion(JUDGED, judge_model_options={"model": "x"}),
            [("bad-judge-option", f"/criteria/{JUDGED}/judge_model_options/model")],
        ),
        (
            criterion(JUDGED, judgeModelOptions={"numSamples": 0, "paralelismLimit": 2}),
            [
                ("misspelt-judge-option", f"/criteria/{JUDGED}/judgeModelOptions/paralelismLimit"),
                ("bad-judge-option", f"/criteria/{JUDGED}/judgeModelOptions/numSamples"),
            ],
        ),
        (
            criterion(JUDGED, judge_model_options={"judge_model_config": {"temprature": 0}}),
            [("criterion-refused", f"/criteria/{JUDGED}/judge_model_options/judge_model_config")],
        ),
        (criterion(RUBRICS, rubrics={}), [("criterion-refused", f"/criteria/{RUBRICS}/rubrics")]),
        (
            criterion(RUBRICS, rubrics=[rubric("a", text_property=" ")]),
            [
                (
                    "criterion-rubric-without-text",
                    f"/criteria/{RUBRICS}/rubrics/0/rubric_content/text_property",
                )
            ],
        ),
        (
            criterion(RUBRICS, rubrics=[rubric("a"), rubric("a"), rubric("a")]),
            [("repeated-criterion-rubric", f"/criteria/{RUBRICS}/rubrics/{number}/rubric_id") for number in (1, 2)],
        ),
        (
            {"criteria": {"m": 0.5}, "customMetrics": {"m": {"codeConfig": {"name": "f"}}}},
            [("bad-function-path", "/customMetrics/m/codeConfig/name")],
        ),
    ],
)
def test_a_rule_fires_at_its_place(value: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert said(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        {"criteria": {"safety_v1": 0}},
        {"criteria": {"safety_v1": "1"}},
        {"criteria": {"response_evaluation_score": 5}},
        criterion("tool_trajectory_avg_score", match_type="any order", ignoreArgs=True),
        criterion("tool_trajectory_avg_score", match_type=2),
        criterion("safety_v1", _comment="why", description="what"),
        criterion(JUDGED, judge_model_options={"num_samples": 1, "judgeModelConfig": {"temperature": 0}}),
        criterion(RUBRICS, rubrics=[rubric("a"), rubric("b")]),
        {"criteria": {"m": 50, "n": {"threshold": 7, "limit": 1}}, "custom_metrics": {
            "m": {"code_config": {"name": "p.f"}},
            "n": {"code_config": {"name": "p.f"}, "metric_info": {
                "metric_name": "n", "metric_value_info": {"interval": {"min_value": 0, "max_value": 10}}}},
        }},
        {"criteria": {"safety_v1": 1}, "evaluation_settings": {"max_turns": 10}},
    ],
)  # fmt: skip
def test_no_rule_fires_over_what_google_adk_reads(value: dict[str, Any]) -> None:
    assert said(value) == []


def test_a_metric_of_another_version_is_named_and_not_taken_for_a_slip() -> None:
    (found,) = check_config({"criteria": {"final_response_match_v1": 1}})
    assert (found.code, found.fix) == ("unknown-metric", None)


def test_a_custom_metric_is_held_to_its_own_interval() -> None:
    interval = {"min_value": 0, "max_value": 10}
    info = {"metric_name": "n", "metric_value_info": {"interval": interval}}
    custom = {"n": {"code_config": {"name": "p.f"}, "metric_info": info}}
    assert said({"criteria": {"n": 11}, "custom_metrics": custom}) == [("threshold-out-of-range", "/criteria/n")]


def test_new_keys_are_spelt_like_those_around_them() -> None:
    (found,) = check_config(criterion("tool_trajectory_avg_score", matchTyp="EXACT"))
    assert found.fix is not None
    document = Document(json.dumps(criterion("tool_trajectory_avg_score", matchTyp="EXACT")).encode())
    document.apply(found.fix.edits, found.fix.title)
    assert b'"matchType"' in document.to_bytes()


@pytest.mark.parametrize("data", [None, [], "x", {"criteria": []}, {"criteria": {"safety_v1": None}}, {"criteria": 1}])
def test_what_cannot_be_read_is_left_to_the_schema(data: Any) -> None:
    assert check_config(data) == []


def test_in_the_accepted_public_configs_nothing_is_found(shared_folder: Path) -> None:
    accepted = 0
    for path in sorted((shared_folder / "corpus").glob("*_eval_config__*.json")):
        if not errors_in_config(path.read_bytes()):
            accepted += 1
            assert check_config(json.loads(path.read_bytes())) == [], path.name
    assert accepted


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_fix_of_a_changed_config_takes_its_finding_away_and_brings_no_error(path: Path) -> None:
    fixed = 0
    for data in mutations(path.read_text(), random.Random(path.stem), 150 if Extent.is_thorough else 40, SLIPS):
        document = Document(data)
        found = list(config_diagnostics(document)) if document.root is not None else []
        for each in found:
            if each.fix is not None:
                fixed += 1
                document = Document(data)
                document.apply(each.fix.edits, each.fix.title)
                after = list(config_diagnostics(document))
                assert (each.code, each.pointer) not in [(other.code, other.pointer) for other in after]
                if each.code != "not-utf-8":  # the model reads nothing before this fix, and finds more after it
                    assert errors_in(after) <= errors_in(found), (data, each)
    assert fixed


@pytest.mark.parametrize(
    ("beside", "named"),
    [
        ({"safety_v1": 1}, "safety_v1"),
        ({"safety_v1": 1, "polite": {"threshold": 0.5}}, "safety_v1 and polite"),
        ({f"a_v{n}": 1 for n in range(1, 8)}, "a_v1, a_v2, a_v3, a_v4, a_v5 and 2 more"),
        (
            {"toolTrajectoryAvgScore": 1.0, "safetyV9": 1},
            "toolTrajectoryAvgScore (as tool_trajectory_avg_score) and safetyV9",
        ),
        ({"metrics": {"response_match_score": 0.8, "note": 1}}, "response_match_score"),
        ({"metrics": ["response_match_score", 1, None]}, "response_match_score"),
        ({"config": {"responseMatchScore": 0.8, "note": 1}}, "responseMatchScore (as response_match_score)"),
        ({"metrics": [{"name": "responseMatchScore"}, {"name": "safety_v1"}]}, "response_match_score and safety_v1"),
    ],
)
def test_metrics_beside_criteria_are_named(beside: dict[str, object], named: str) -> None:
    for config in (beside, {"criteria": {}, **beside}):
        (found,) = config_diagnostics(Document(json.dumps(config).encode()))
        assert found.message == f"the config has no metrics, so no case is evaluated; {named} must be under criteria"


def test_each_metric_outside_of_criteria_is_found_at_its_place() -> None:
    config = {"criteria": {"response_match_score": 0.8}, "safetyV1": 1, "metrics": {"toolTrajectoryAvgScore": 1}}
    found = config_diagnostics(Document(json.dumps(config).encode()))
    assert [(each.code, each.pointer, each.message.split(",")[0]) for each in found] == [
        ("metric-beside-criteria", "/safetyV1", "safetyV1 (as safety_v1) is beside criteria"),
        (
            "metric-beside-criteria",
            "/metrics/toolTrajectoryAvgScore",
            "toolTrajectoryAvgScore (as tool_trajectory_avg_score) is under metrics",
        ),
    ]
    listed = {"criteria": {"response_match_score": 0.8}, "metrics": ["safety_v1"]}
    (found,) = config_diagnostics(Document(json.dumps(listed).encode()))
    assert (found.pointer, found.at_key) == ("/metrics/0", False)
