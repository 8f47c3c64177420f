"""Evaluations of CX Agent Studio become cases, and what no other format has is named in the report."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaltui.document.node import read_document
from evaltui.interop.ces.writer import CES
from evaltui.interop.conversion import Conversion, convert
from evaltui.interop.cxas.writer import CXAS
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.fields import ConversionError, SetField
from evaltui.interop.resource_mapping import read_mapping
from tests.interop.completeness import assert_complete, converted
from tests.interop.rich_evaluations import RICH_EVALUATIONS

APP = "projects/p/locations/us/apps/a"


def _said(text: str) -> dict[str, Any]:
    return {"expectation": {"agentResponse": {"role": "agent", "chunks": [{"text": text}]}}}


def _evaluation(*turns: list[Any], **members: Any) -> dict[str, Any]:
    return {"displayName": "a", **members, "golden": {"turns": [{"steps": steps} for steps in turns]}}


def _converted(evaluation: Any) -> Conversion:
    conversion = converted(evaluation, CES, EVAL_SET)
    assert_complete(evaluation, conversion)
    return conversion


def _case(evaluation: Any) -> dict[str, Any]:
    case: dict[str, Any] = _converted(evaluation).documents[0]["eval_cases"][0]
    return case


def _lost(evaluation: Any) -> dict[str, tuple[str, SetField | None]]:
    return {loss.pointer: (loss.kind, loss.field) for loss in _converted(evaluation).losses}


def test_one_evaluation_a_list_and_a_page_are_read() -> None:
    one = _evaluation([{"userInput": {"text": "Hi"}}])
    for document in (one, [one], {"evaluations": [one]}):
        assert _case(document)["eval_id"] == "a"
    assert len(_converted([one, one]).documents[0]["eval_cases"]) == 2


@pytest.mark.parametrize("document", [{}, [], {"displayName": "a"}, {"evaluations": []}, [1], "x"])
def test_what_has_no_evaluation_is_refused(document: Any) -> None:
    with pytest.raises(ConversionError, match="not an evaluation of CX Agent Studio"):
        converted(document, CES, EVAL_SET)


def test_steps_become_a_turn() -> None:
    call = {"tool": f"{APP}/tools/find", "id": "c", "args": {"a_key": 1}}
    steps = [
        {"userInput": {"variables": {"v": 1}}},
        {"userInput": {"text": "Hi", "willContinue": True}},
        {"userInput": {"image": {"mimeType": "image/png", "data": "aGk="}}},
        _said("One moment"),
        {"expectation": {"toolCall": call}},
        {"expectation": {"mockToolResponse": {"tool": f"{APP}/tools/find", "id": "c", "response": {"b": 2}}}},
        _said("Done"),
        {"expectation": {"updatedVariables": {"v": 2}}},
    ]
    case = _case(_evaluation(steps))
    assert case["session_input"]["state"] == {"v": 1}
    assert case["final_session_state"] == {"v": 2}
    (turn,) = case["conversation"]
    assert turn["user_content"]["parts"] == [
        {"text": "Hi"},
        {"inline_data": {"mime_type": "image/png", "data": "aGk="}},
    ]
    events = [each["content"]["parts"][0] for each in turn["intermediate_data"]["invocation_events"]]
    assert events == [
        {"text": "One moment"},
        {"function_call": {"id": "c", "name": "find", "args": {"a_key": 1}}},
        {"function_response": {"id": "c", "name": "find", "response": {"b": 2}}},
    ]
    assert turn["final_response"]["parts"] == [{"text": "Done"}]


def test_a_users_words_after_an_expectation_begin_a_turn() -> None:
    steps = [{"userInput": {"text": "One"}}, _said("1"), {"userInput": {"text": "Two"}}, _said("2")]
    turns = _case(_evaluation(steps))["conversation"]
    assert [turn["final_response"]["parts"][0]["text"] for turn in turns] == ["1", "2"]


@pytest.mark.parametrize("place", ["step", "expectation"])
def test_transfers_are_calls_of_transfer_to_agent(place: str) -> None:
    transfer = {"agentTransfer": {"targetAgent": f"{APP}/agents/billing"}}
    step = transfer if place == "step" else {"expectation": transfer}
    turn = _case(_evaluation([{"userInput": {"text": "Pay"}}, step]))["conversation"][0]
    assert turn["intermediate_data"]["tool_uses"] == [
        {"name": "transfer_to_agent", "args": {"agent_name": "billing"}},
    ]


def test_names_come_from_the_mapping_then_the_display_name_then_the_resource() -> None:
    calls = [
        {"tool": f"{APP}/tools/1", "displayName": "Shown"},
        {"tool": f"{APP}/tools/2", "displayName": "shown"},
        {"tool": f"{APP}/tools/3"},
        {"toolsetTool": {"toolset": f"{APP}/toolsets/w", "toolId": "search"}},
    ]
    evaluation = _evaluation([{"expectation": {"toolCall": each}} for each in calls])
    names = read_mapping(read_document(json.dumps({"app": APP, "tools": {"mapped": "1"}}).encode()))
    conversion = convert(read_document(json.dumps(evaluation).encode()), CES, EVAL_SET, "x", names)
    assert_complete(evaluation, conversion)
    (turn,) = conversion.documents[0]["eval_cases"][0]["conversation"]
    assert [each["name"] for each in turn["intermediate_data"]["tool_uses"]] == ["mapped", "shown", "3", "search"]


def test_events_and_keys_are_told_as_texts_and_reported() -> None:
    evaluation = _evaluation([{"userInput": {"event": {"event": "welcome"}}}, {"userInput": {"dtmf": "12#"}}])
    parts = _case(evaluation)["conversation"][0]["user_content"]["parts"]
    assert parts == [{"text": "<event>welcome</event>"}, {"text": "12#"}]
    lost = _lost(evaluation)
    assert lost["/golden/turns/0/steps/0/userInput/event/event"][0] == "changed"
    assert lost["/golden/turns/0/steps/1/userInput/dtmf"][0] == "changed"


def test_what_only_ces_has_is_named_in_the_report() -> None:
    step = {
        "expectation": {
            "agentResponse": {"chunks": [{"text": "Hi"}], "eventTime": "2026-01-01T00:00:00Z"},
            "note": "Says hi",
            "skipEvaluation": True,
            "comparisonType": "CONTAINS",
        }
    }
    evaluation = _evaluation(
        [{"userInput": {"text": "Hi"}}, step, {"userInput": {"variables": {"late": 1}}}],
        evaluationMetricsThresholdOverride={"scenarioHallucinationMetricBehavior": "ENABLED"},
        lastCompletedResult={"name": "r"},
    )
    evaluation["golden"]["turns"][0]["rootSpan"] = {"name": "span"}
    evaluation["golden"]["turns"][0]["hallucinationMetricBehaviorOverride"] = "DISABLED"
    evaluation["golden"]["evaluationExpectations"] = [f"{APP}/evaluationExpectations/e"]
    at = "/golden/turns/0"
    assert (
        _lost(evaluation).items()
        >= {
            f"{at}/steps/1/expectation/note": ("no_place", SetField.EXPECTATION_OPTIONS),
            f"{at}/steps/1/expectation/skipEvaluation": ("no_place", SetField.EXPECTATION_OPTIONS),
            f"{at}/steps/1/expectation/comparisonType": ("no_place", SetField.EXPECTATION_OPTIONS),
            f"{at}/steps/1/expectation/agentResponse/eventTime": ("no_place", SetField.EVENT_OTHER),
            f"{at}/steps/2/userInput/variables": ("no_place", SetField.TURN_OTHER),
            f"{at}/rootSpan": ("no_place", SetField.TURN_OTHER),
            f"{at}/hallucinationMetricBehaviorOverride": ("no_place", SetField.EXPECTATION_OPTIONS),
            "/golden/evaluationExpectations/0": ("no_place", SetField.CRITERIA),
            "/evaluationMetricsThresholdOverride": ("no_place", SetField.EXPECTATION_OPTIONS),
            "/lastCompletedResult": ("no_place", SetField.RECORDED),
        }.items()
    )


def test_what_google_adk_ignores_stays_in_the_case_under_its_own_name() -> None:
    members = {"name": f"{APP}/evaluations/e", "etag": "x", "description": "D", "tags": ["p0"]}
    case = _case(_evaluation([{"userInput": {"text": "Hi"}}], **members))
    assert {name: case[name] for name in members} == members


@pytest.mark.parametrize("key", ["createTime", "create_time"])
def test_the_time_of_an_evaluation_is_that_of_its_case(key: str) -> None:
    evaluation = _evaluation([{"userInput": {"text": "Hi"}}], **{key: "2026-01-01T00:00:00.250Z"})
    conversion = converted(evaluation, CES, EVAL_SET)
    assert conversion.documents[0]["eval_cases"][0]["creation_timestamp"] == 1767225600.25
    assert f"/{key}" not in {loss.pointer for loss in conversion.losses}
    odd = _lost({**evaluation, key: "yesterday"})
    assert odd[f"/{key}"] == ("no_place", SetField.CASE_TIME)


def test_texts_of_criteria_in_exports_of_cxas_are_rubrics() -> None:
    evaluation = _evaluation([{"userInput": {"text": "Hi"}}])
    evaluation["golden"]["evaluationExpectations"] = [{"displayName": "polite", "llmCriteria": {"prompt": "Polite?"}}]
    assert _case(evaluation)["rubrics"] == [{"rubric_id": "polite", "rubric_content": {"text_property": "Polite?"}}]


def test_a_scenario_has_its_task_as_plan_and_its_rubrics() -> None:
    evaluation = {
        "displayName": "a",
        "scenario": {
            "task": "Buy shoes.",
            "rubrics": ["Polite?", "Short?"],
            "userFacts": [{"name": "size", "value": "42"}],
            "maxTurns": 9,
            "variableOverrides": {"shop": "s"},
        },
    }
    case = _case(evaluation)
    assert case["conversation_scenario"] == {"starting_prompt": "", "conversation_plan": "Buy shoes."}
    assert [each["rubric_id"] for each in case["rubrics"]] == ["rubric_1", "rubric_2"]
    assert case["session_input"]["state"] == {"shop": "s"}
    assert _lost(evaluation)["/scenario/userFacts"] == ("no_place", SetField.SCENARIO_OTHER)


def test_members_of_scenarios_come_back_to_ces() -> None:
    scenario = RICH_EVALUATIONS[1]
    conversion = converted(scenario, CES, CES)
    assert conversion.documents[0] == scenario
    assert not conversion.losses


def test_members_of_scenarios_of_other_types_stay_out_of_ces() -> None:
    odd = {"task": "Buy.", "rubrics": ["Fits?"], "maxTurns": 500, "userFacts": [{"name": 1}], "userGoalBehavior": "X"}
    conversion = converted({"displayName": "a", "scenario": odd}, CES, CES)
    assert set(conversion.documents[0]["scenario"]) == {"task", "rubrics", "scenarioExpectations"}
    lost = {loss.pointer for loss in conversion.losses if loss.kind == "no_place"}
    assert lost == {"/scenario/maxTurns", "/scenario/userFacts", "/scenario/userGoalBehavior"}


def test_rules_of_arguments_go_to_cxas_and_are_reported_for_google_adk() -> None:
    args = {"city": "Lisbon", "why": {"$matchType": "semantic", "$matchValue": "sun", "$originalValue": ""}}
    call = {"tool": f"{APP}/tools/find", "args": args}
    evaluation = _evaluation([{"userInput": {"text": "Go"}}, {"expectation": {"toolCall": call}}])
    uses = _case(evaluation)["conversation"][0]["intermediate_data"]["tool_uses"]
    assert uses[0]["args"] == {"city": "Lisbon", "why": "sun"}
    pointer = "/golden/turns/0/steps/1/expectation/toolCall/args/why/$matchType"
    assert _lost(evaluation)[pointer] == ("no_place", SetField.ARGUMENT_RULES)
    to_cxas = converted(evaluation, CES, CXAS)
    assert to_cxas.documents[0]["conversations"][0]["turns"][0]["tool_calls"][0]["args"] == args
    assert SetField.ARGUMENT_RULES not in {loss.field for loss in to_cxas.losses}


def test_keys_in_snake_case_are_read() -> None:
    evaluation = {
        "display_name": "a",
        "golden": {
            "turns": [
                {
                    "steps": [
                        {"user_input": {"text": "Hi"}},
                        {"expectation": {"tool_call": {"tool": "find", "args": {"camelKey": 1}}}},
                        {"expectation": {"agent_response": {"chunks": [{"text": "Yes"}]}}},
                    ]
                }
            ]
        },
    }
    (turn,) = _case(evaluation)["conversation"]
    assert turn["intermediate_data"]["tool_uses"] == [{"name": "find", "args": {"camelKey": 1}}]
    assert turn["final_response"]["parts"] == [{"text": "Yes"}]


@pytest.mark.parametrize("odd", [None, 3, "x", [], {}, [[]], {"a": 1}])
def test_odd_values_anywhere_cause_no_crash(odd: Any) -> None:
    turn = {"steps": [{"userInput": odd}, {"expectation": odd}, {"agentTransfer": odd}, odd]}
    steps = [{"expectation": {name: odd}} for name in ("toolCall", "agentResponse", "updatedVariables", "noToolCalls")]
    inputs = [{"userInput": {name: odd}} for name in ("text", "image", "toolResponses", "event", "variables", "dtmf")]
    evaluation = {"displayName": odd, "tags": odd, "golden": {"turns": [turn, odd, {"steps": [*steps, *inputs]}]}}
    converted([evaluation, {"scenario": odd}, {"golden": odd}], CES, EVAL_SET)
    converted([evaluation, {"scenario": odd}, {"golden": odd}], CES, CXAS)
    converted([evaluation, {"scenario": odd}, {"golden": odd}], CES, CES)
