"""The expectation of no tool call (`noToolCalls` of CX Agent Studio) is an empty list of calls, or it is reported."""

from __future__ import annotations

from typing import Any

import pytest

from evaltui.interop.adk_rs_set import ADK_RS
from evaltui.interop.ces.writer import CES
from evaltui.interop.conversion import Conversion
from evaltui.interop.cxas.writer import CXAS
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.legacy_lists import LEGACY_CASES
from evaltui.interop.portable_set import FormatType
from tests.interop.completeness import converted

SAID = [{"expectation": {"agentResponse": {"role": "agent", "chunks": [{"text": text}]}}} for text in ("one", "two")]
CALL = {"expectation": {"toolCall": {"tool": "find", "args": {}}}}
CALLS_BESIDE = "the turn also has tool calls or tool responses"


def made_of(target: FormatType, *steps: Any, given: Any = True) -> Conversion:
    told = [{"userInput": {"text": "hi"}}, {"expectation": {"noToolCalls": given}}, *steps]
    return converted([{"displayName": "a", "golden": {"turns": [{"steps": told}]}}], CES, target)


def reasons(conversion: Conversion) -> list[str]:
    return [item.reason for item in conversion.losses if item.pointer.endswith("/noToolCalls")]


def turn_of(conversion: Conversion) -> Any:
    value = conversion.documents[0]
    return value[0]["data"][0] if isinstance(value, list) else value["eval_cases"][0]["conversation"][0]


@pytest.mark.parametrize("steps", [(), SAID[:1], SAID], ids=len)
def test_a_turn_with_texts_has_an_empty_list_of_calls(steps: Any) -> None:
    for target in (EVAL_SET, ADK_RS):
        conversion = made_of(target, *steps)
        assert turn_of(conversion)["intermediate_data"]["tool_uses"] == []
        assert reasons(conversion) == []
    assert turn_of(made_of(LEGACY_CASES, *steps))["expected_tool_use"] == []
    assert reasons(made_of(LEGACY_CASES, *steps)) == []
    assert reasons(made_of(CES, *steps)) == reasons(made_of(EVALUATION_DATASET, *steps)) == []


def test_texts_before_the_response_stay_beside_the_empty_list() -> None:
    data = turn_of(made_of(EVAL_SET, *SAID))["intermediate_data"]
    assert data == {"tool_uses": [], "intermediate_responses": [["agent", [{"text": "one"}]]]}


@pytest.mark.parametrize("steps", [(CALL,), (*SAID, CALL), (CALL, *SAID)], ids=len)
@pytest.mark.parametrize("target", [EVAL_SET, LEGACY_CASES, ADK_RS], ids=lambda item: item.option)
def test_beside_calls_it_is_lost_with_the_reason(target: FormatType, steps: Any) -> None:
    assert reasons(made_of(target, *steps)) == [CALLS_BESIDE]


@pytest.mark.parametrize("target", [EVAL_SET, EVALUATION_DATASET, CES], ids=lambda item: item.option)
def test_values_of_other_kinds_are_reported_and_false_says_nothing(target: FormatType) -> None:
    assert reasons(made_of(target, given="yes")) == [
        f"the value does not have the type or form that {target.title} requires"
    ]
    assert reasons(made_of(target, given=False)) == []


def test_cxas_has_no_place_for_it() -> None:
    assert reasons(made_of(CXAS, *SAID)) == ["cxas cannot express that no tool is called"]
