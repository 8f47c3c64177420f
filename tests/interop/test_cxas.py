"""Golden conversations and simulations of cxas, read and written."""

from __future__ import annotations

from typing import Any

import pytest

from evaltui.interop.ces.writer import CES
from evaltui.interop.cxas.writer import CXAS
from evaltui.interop.document_texts import read_yaml, yaml_text_of
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.fields import ConversionError, SetField
from tests.interop.adk_meaning import meaning_of, without
from tests.interop.completeness import assert_complete, converted
from tests.interop.rich_evaluations import RICH_CXAS
from tests.interop.rich_set import RICH_SET


def _case(document: Any) -> dict[str, Any]:
    case: dict[str, Any] = converted(document, CXAS, EVAL_SET).documents[0]["eval_cases"][0]
    return case


def _turn(turn: dict[str, Any]) -> dict[str, Any]:
    document = {"conversations": [{"conversation": "a", "turns": [turn]}]}
    conversion = converted(document, CXAS, EVAL_SET)
    assert_complete(document, conversion)
    found: dict[str, Any] = conversion.documents[0]["eval_cases"][0]["conversation"][0]
    return found


def _written(*cases: dict[str, Any]) -> Any:
    return converted({"eval_set_id": "trips", "eval_cases": list(cases)}, EVAL_SET, CXAS).documents[0]


def test_a_turn_has_texts_then_calls_and_the_last_text_is_final() -> None:
    calls = [{"action": "find", "args": {"a": 1}, "output": {"b": 2}}, {"action": "log", "output": "ok"}]
    turn = _turn({"user": "Hi", "agent": ["One moment", "Done"], "tool_calls": calls})
    assert turn["user_content"]["parts"] == [{"text": "Hi"}]
    assert turn["final_response"]["parts"] == [{"text": "Done"}]
    events = [each["content"]["parts"][0] for each in turn["intermediate_data"]["invocation_events"]]
    assert events == [
        {"text": "One moment"},
        {"function_call": {"name": "find", "args": {"a": 1}}},
        {"function_response": {"name": "find", "response": {"b": 2}}},
        {"function_call": {"name": "log", "args": {}}},
        {"function_response": {"name": "log", "response": {"output": "ok"}}},
    ]


@pytest.mark.parametrize(
    "call", [{"agent": "billing"}, {"args": {"agent": "billing"}}, {"args": {"agent_name": "billing"}}]
)
def test_a_transfer_names_its_agent_in_three_ways(call: dict[str, Any]) -> None:
    turn = _turn({"user": "Pay", "tool_calls": [{"action": "transfer_to_agent", **call}]})
    assert turn["intermediate_data"]["tool_uses"] == [
        {"name": "transfer_to_agent", "args": {"agent_name": "billing"}},
    ]


def test_a_turn_without_words_begins_with_the_event_welcome_which_is_reported() -> None:
    document = {"conversations": [{"conversation": "a", "turns": [{"user": None, "agent": "Hello"}]}]}
    conversion = converted(document, CXAS, EVAL_SET)
    turn = conversion.documents[0]["eval_cases"][0]["conversation"][0]
    assert turn["user_content"]["parts"] == [{"text": "<event>welcome</event>"}]
    assert ("/conversations/0/turns/0/user", "invented") in {(each.pointer, each.kind) for each in conversion.losses}


def test_session_parameters_of_a_conversation_override_the_common_ones() -> None:
    case = _case(RICH_CXAS)
    assert case["session_input"]["state"] == {"account": "0042", "tier": 2}


def test_expectations_are_rubrics_and_resource_names_criteria() -> None:
    conversion = converted(RICH_CXAS, CXAS, EVAL_SET)
    rubrics = [each["rubric_content"]["text_property"] for each in _case(RICH_CXAS)["rubrics"]]
    assert rubrics == ["The agent stays polite.", "The refund is refused."]
    assert SetField.CRITERIA in {loss.field for loss in conversion.losses}


def test_rules_of_arguments_leave_the_values_that_google_adk_can_compare() -> None:
    uses = [
        part["function_call"]
        for event in _case(RICH_CXAS)["conversation"][2]["intermediate_data"]["invocation_events"]
        for part in event["content"]["parts"]
        if "function_call" in part
    ]
    assert uses[0]["args"] == {"id": "7", "why": "money", "like": "a.*b"}
    lost = {loss.pointer: loss for loss in converted(RICH_CXAS, CXAS, EVAL_SET).losses}
    args = "/conversations/0/turns/2/tool_calls/0/args"
    assert lost[f"{args}/why/$matchType"].field is SetField.ARGUMENT_RULES
    assert lost[f"{args}/why/$matchType"].advice == "If arguments vary, set ignore_args in the config."
    assert f"{args}/day" in lost


def test_rules_of_arguments_arrive_in_ces() -> None:
    (golden, *_) = converted(RICH_CXAS, CXAS, CES).documents
    calls = [
        step["expectation"]["toolCall"]
        for step in golden["golden"]["turns"][2]["steps"]
        if "toolCall" in step.get("expectation", {})
    ]
    assert calls[0]["args"] == RICH_CXAS["conversations"][0]["turns"][2]["tool_calls"][0]["args"]


def test_mocks_of_exports_are_the_responses_of_their_calls() -> None:
    turn = {"user": "Hi", "tool_calls": [{"action": "find"}, {"action": "find"}]}
    mocks = [{"tool": "find", "response": {"n": 1}}, {"tool": "find", "response": {"n": 2}}]
    document = {"conversations": [{"conversation": "a", "turns": [turn], "mocks": mocks}]}
    conversion = converted(document, CXAS, EVAL_SET)
    assert_complete(document, conversion)
    data = conversion.documents[0]["eval_cases"][0]["conversation"][0]["intermediate_data"]
    assert [each["response"] for each in data["tool_responses"]] == [{"n": 1}, {"n": 2}]


def test_a_simulation_is_a_scenario() -> None:
    cases = converted(RICH_CXAS, CXAS, EVAL_SET).documents[0]["eval_cases"]
    assert cases[1]["conversation_scenario"] == {
        "starting_prompt": "Shoes?",
        "conversation_plan": "Ask for shoes\nYou are in a hurry.\nBuy them",
    }
    assert cases[1]["session_input"]["state"] == {"account": "0042", "tier": 1, "shop": "north", "size": 41}
    assert cases[2]["conversation_scenario"]["conversation_plan"] == "Buy a hat."


def test_a_bare_list_is_one_of_simulations() -> None:
    assert _case([{"name": "a", "steps": [{"goal": "Buy"}]}])["conversation_scenario"]["conversation_plan"] == "Buy"


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({"tests": []}, "the file has only tests of single tools"),
        ({"test_cases": []}, "the file has only tests of single tools"),
        ({"displayName": "x"}, "not a file of cxas"),
        ("text", "not a file of cxas"),
    ],
)
def test_other_files_are_refused(document: Any, sentence: str) -> None:
    with pytest.raises(ConversionError, match=sentence):
        converted(document, CXAS, EVAL_SET)


def test_a_case_is_written_as_a_conversation() -> None:
    data = {
        "tool_uses": [
            {"id": "1", "name": "find", "args": {"a": 1}},
            {"name": "transfer_to_agent", "args": {"agent_name": "billing"}},
        ],
        "tool_responses": [{"id": "1", "name": "find", "response": {"b": 2}}],
        "intermediate_responses": [["x", [{"text": "One moment"}]]],
    }
    turn = {
        "user_content": {"parts": [{"text": "Hi"}, {"text": "there"}]},
        "intermediate_data": data,
        "final_response": {"parts": [{"text": "Done"}]},
    }
    assert _written({"eval_id": "a", "conversation": [turn]}) == {
        "conversations": [
            {
                "conversation": "a",
                "tags": ["trips"],
                "turns": [
                    {
                        "user": "Hi\nthere",
                        "agent": ["One moment", "Done"],
                        "tool_calls": [
                            {"action": "find", "args": {"a": 1}, "output": {"b": 2}},
                            {"action": "transfer_to_agent", "agent": "billing"},
                        ],
                    }
                ],
            }
        ]
    }


def test_a_turn_without_a_response_has_the_key_agent_all_the_same() -> None:
    (turn,) = _written({"eval_id": "a", "conversation": [{"user_content": {"parts": [{"text": "Hi"}]}}]})[
        "conversations"
    ][0]["turns"]
    assert turn == {"user": "Hi", "agent": None}


def test_a_scenario_is_written_as_a_simulation() -> None:
    scenario = {"starting_prompt": "Hi", "conversation_plan": "Buy.", "user_persona": "NOVICE"}
    assert _written({"eval_id": "a", "conversation_scenario": scenario}) == {
        "evals": [
            {
                "name": "a",
                "tags": ["trips"],
                "steps": [{"static_utterance": "Hi", "goal": "Buy.", "response_guide": "persona: NOVICE"}],
            }
        ]
    }


def test_a_set_with_all_fields_comes_back_by_way_of_yaml() -> None:
    there = converted(RICH_SET, EVAL_SET, CXAS)
    text = yaml_text_of(there.documents[0])
    back = converted(read_yaml(text.encode()).source(), CXAS, EVAL_SET)
    expected, found = meaning_of(without(RICH_SET, there.losses)), meaning_of(back.documents[0])
    assert found[2]["scenario"].startswith(expected[2]["scenario"])
    expected[2]["scenario"] = found[2]["scenario"]  # with the guide that stands for the persona, as is reported
    assert _joined(found) == _joined(expected)


def _joined(cases: list[Any]) -> list[Any]:
    """Messages as one text, calls without ids: both are among the losses."""
    for case in cases:
        for turn in case["turns"]:
            for name in ("user", "final"):
                turn[name] = "\n".join(part["text"] for part in turn[name] if "text" in part)
            turn["no_calls"] = None
            turn["calls"] = [each[:2] for each in turn["calls"]]
            turn["responses"] = [each[:2] for each in turn["responses"] if each[0] and each[1]]
    return cases


def test_words_of_the_user_among_events_stand_among_those_of_the_agent_and_are_reported() -> None:
    events = [{"author": "user", "content": {"role": "user", "parts": [{"text": "Wait"}]}}]
    user, final = ({"role": role, "parts": [{"text": role}]} for role in ("user", "model"))
    turn = {"user_content": user, "final_response": final, "intermediate_data": {"invocation_events": events}}
    value = {"eval_set_id": "trips", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}
    made = converted(value, EVAL_SET, CXAS)
    assert made.documents[0]["conversations"][0]["turns"] == [{"user": "user", "agent": ["Wait", "model"]}]
    below = "/eval_cases/0/conversation/0/intermediate_data/invocation_events/0"
    assert [each.kind for each in made.losses if each.pointer == f"{below}/content/parts/0/text"] == ["changed"]
