"""The criteria in force: of the config, of google-adk, of options."""

from pathlib import Path
from typing import Any

import pytest

from evaltui.scoring.criteria import CriteriaError, criteria_of
from evaltui.scoring.eval_config import config_of
from tests.scoring.helpers import criteria

TRAJECTORY, RESPONSE = "tool_trajectory_avg_score", "response_match_score"


def test_without_config_they_are_those_of_google_adk_and_it_is_said() -> None:
    found = criteria()
    assert found.is_default
    assert found.path is None
    assert found.to_json() == {
        TRAJECTORY: {"threshold": 1.0, "match_type": "EXACT"},
        RESPONSE: {"threshold": 0.8},
    }


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (0.5, {"threshold": 0.5, "match_type": "EXACT"}),
        (1, {"threshold": 1.0, "match_type": "EXACT"}),
        ("0.5", {"threshold": 0.5, "match_type": "EXACT"}),
        (True, {"threshold": 1.0, "match_type": "EXACT"}),
        ({"threshold": "0.5", "match_type": " in-order "}, {"threshold": 0.5, "match_type": "IN_ORDER"}),
        ({"threshold": 5, "matchType": 2, "match_type": "EXACT"}, {"threshold": 5.0, "match_type": "ANY_ORDER"}),
        ({"threshold": 1, "ignoreArgs": "Yes"}, {"threshold": 1.0, "match_type": "EXACT", "ignore_args": True}),
        ({"threshold": 1, "ignore_args": 0}, {"threshold": 1.0, "match_type": "EXACT"}),
        ({"threshold": float("inf")}, {"threshold": "Infinity", "match_type": "EXACT"}),
    ],
)
def test_a_criterion_is_read_in_every_form(given: Any, shown: dict[str, Any]) -> None:
    found = criteria({TRAJECTORY: given})
    assert found.to_json() == {TRAJECTORY: shown}
    assert found.judged[0].refusal is None
    assert not found.is_default


def test_a_config_without_criteria_asks_for_nothing() -> None:
    found = criteria({})
    assert (found.judged, found.is_default) == ((), False)


@pytest.mark.parametrize(
    ("name", "given", "reason"),
    [
        (TRAJECTORY, {"threshold": 1, "match_type": "SOME"}, 'its match_type "SOME" is not one of EXACT'),
        (TRAJECTORY, {"threshold": 1, "match_type": None}, "its match_type null is not one of"),
        (TRAJECTORY, {"threshold": 1, "ignore_args": "perhaps"}, "its ignore_args must be true or false, not"),
        (TRAJECTORY, {"threshold": 1, "ignore_args": None}, "its ignore_args must be true or false, not null"),
        ("response_match", 0.8, "did you mean response_match_score?"),
        ("safety_v1", 0.8, "Vertex AI"),
        ("final_response_match_v2", 0.8, "a judge model"),
        ("token_usage_v1", 0.8, "this metric is informational"),
    ],
)
def test_what_is_not_evaluated_says_why(name: str, given: Any, reason: str) -> None:
    (criterion,) = criteria({name: given}).judged
    assert reason in (criterion.refusal or "")


def test_a_custom_metric_is_not_evaluated_even_under_a_name_of_google_adk() -> None:
    value = {"criteria": {RESPONSE: 0.5}, "custom_metrics": {RESPONSE: {"code_config": {"name": "my.module.score"}}}}
    (criterion,) = criteria_of(config_of(value, Path("test_config.json"))).judged
    assert criterion.refusal == "it is a custom metric with code of its own, which evaltui never runs"
    assert criterion.may_be_recorded


def test_an_informational_metric_with_a_threshold_is_not_reported_twice() -> None:
    found = criteria({"token_usage_v1": 100})
    assert found.informational == ("tool_call_count_v1", "inference_call_count_v1", "invocation_duration_v1")


def test_metrics_of_options_replace_those_of_the_config() -> None:
    config = {TRAJECTORY: {"threshold": 0.7, "match_type": "IN_ORDER"}, "safety_v1": 0.9}
    found = criteria(config, metrics=[RESPONSE, TRAJECTORY])
    assert found.to_json() == {
        RESPONSE: {"threshold": 0.8},
        TRAJECTORY: {"threshold": 0.7, "match_type": "IN_ORDER"},
    }
    assert criteria(config, metrics=[f"{TRAJECTORY}=0.25"]).to_json() == {
        TRAJECTORY: {"threshold": 0.25, "match_type": "IN_ORDER"}
    }
    assert not criteria(None, metrics=[RESPONSE]).is_default


def test_the_last_of_several_options_counts() -> None:
    assert criteria(None, metrics=[f"{RESPONSE}=0.1", f"{RESPONSE}=0.2"]).to_json() == {RESPONSE: {"threshold": 0.2}}


def test_an_unknown_metric_of_the_config_may_be_asked_for() -> None:
    (criterion,) = criteria({"mine": 0.5}, metrics=["mine"]).judged
    assert criterion.refusal


def test_how_calls_are_compared_is_overridden() -> None:
    given = {TRAJECTORY: {"threshold": 0.5, "matchType": "SOME", "ignoreArgs": "perhaps"}}
    found = criteria(given, match_type="any order", ignore_args=True)
    assert found.to_json() == {TRAJECTORY: {"threshold": 0.5, "match_type": "ANY_ORDER", "ignore_args": True}}
    assert criteria(None, match_type="IN_ORDER").is_default


def test_an_informational_metric_may_be_named_and_stays_as_it_is() -> None:
    found = criteria(None, metrics=["token_usage_v1", RESPONSE])
    assert [*found.to_json()] == [RESPONSE]
    assert "token_usage_v1" in found.informational


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"metrics": ["rouge"]}, "there is no such metric; use one of tool_trajectory_avg_score, "),
        ({"metrics": [""]}, "there is no such metric"),
        ({"metrics": [f"{RESPONSE}="]}, "is not a number"),
        ({"metrics": [f"{RESPONSE}=nan"]}, "is not a number"),
        ({"metrics": [f"{RESPONSE}=\x1b[1m"]}, "=␛[1m"),
        ({"metrics": ["token_usage_v1=1"]}, "takes no threshold"),
        ({"match_type": "SOME"}, "use EXACT, IN_ORDER, ANY_ORDER"),
        ({"match_type": "SOME", "metrics": [RESPONSE]}, "use EXACT, IN_ORDER, ANY_ORDER"),
    ],
)
def test_options_that_cannot_be_followed_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(CriteriaError) as refused:
        criteria(None, **options)
    assert said in str(refused.value)


def test_adk_rs_has_its_two_metrics() -> None:
    found = criteria_of(None, profile="adk-rs")
    assert found.to_json() == {
        TRAJECTORY: {"threshold": 1.0},
        "final_response_match_v1": {"threshold": 0.8},
    }
    assert (found.informational, found.is_default) == ((), True)


def test_adk_rs_takes_thresholds_of_options_and_of_its_names_in_a_config() -> None:
    config = config_of({"criteria": {TRAJECTORY: 0.5, RESPONSE: 0.1}}, Path("test_config.json"))
    assert [each.threshold for each in criteria_of(config, profile="adk-rs").judged] == [0.5, 0.8]
    chosen = criteria_of(config, "adk-rs", metrics=["final_response_match_v1=0.25"])
    assert [(each.name, each.threshold) for each in chosen.judged] == [("final_response_match_v1", 0.25)]


@pytest.mark.parametrize("overrides", [{"match_type": "EXACT"}, {"ignore_args": True}, {"metrics": [RESPONSE]}])
def test_adk_rs_refuses_what_it_has_not(overrides: dict[str, Any]) -> None:
    with pytest.raises(CriteriaError):
        criteria_of(None, "adk-rs", **overrides)
