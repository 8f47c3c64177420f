"""Eval sets become datasets that agents-cli generates from, with all that has a place there."""

from __future__ import annotations

from typing import Any

import pytest

from evaltui.interop.conversion import Conversion
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.fields import SetField
from tests.interop.completeness import converted


def said(text: str, role: str = "user") -> dict[str, Any]:
    return {"role": role, "parts": [{"text": text}]}


def turn(user: str, answer: str = "", **more: Any) -> dict[str, Any]:
    final = {"final_response": said(answer, "model")} if answer else {}
    return {"user_content": said(user), **final, **more}


def conversion_of(case: dict[str, Any], **members: Any) -> Conversion:
    document = {"eval_set_id": "trips", **members, "eval_cases": [{"eval_id": "paris", **case}]}
    return converted(document, EVAL_SET, EVALUATION_DATASET)


def case_of(case: dict[str, Any]) -> dict[str, Any]:
    (document,) = conversion_of(case).documents
    (found,) = document["eval_cases"]
    return dict(found)


CALL = {"name": "book", "args": {"to": "Paris"}, "id": "c1"}
RESPONSE = {"name": "book", "response": {"ok": True}, "id": "c1"}
CALLS = {"tool_uses": [CALL], "tool_responses": [RESPONSE]}
CALL_EVENT = {"author": "agent", "content": {"role": "model", "parts": [{"function_call": CALL}]}}
RESPONSE_EVENT = {"author": "agent", "content": {"role": "user", "parts": [{"function_response": RESPONSE}]}}


def test_one_turn_is_a_prompt_with_its_calls_and_its_reference() -> None:
    assert case_of({"conversation": [turn("Book it", "Done", intermediate_data=CALLS)]}) == {
        "eval_case_id": "paris",
        "prompt": said("Book it"),
        "intermediate_events": [CALL_EVENT, RESPONSE_EVENT],
        "reference": {"response": said("Done", "model")},
    }


def test_several_turns_are_agent_data_that_ends_with_the_user() -> None:
    first = turn("Paris", "When?", invocation_id="t1", intermediate_data=CALLS)
    last = turn("Monday", "Booked", invocation_id="t2", intermediate_data=CALLS)
    assert case_of({"conversation": [first, last]}) == {
        "eval_case_id": "paris",
        "agent_data": {
            "turns": [
                {
                    "turn_index": 0,
                    "turn_id": "t1",
                    "events": [
                        {"author": "user", "content": said("Paris")},
                        CALL_EVENT,
                        RESPONSE_EVENT,
                        {"author": "agent", "content": said("When?", "model")},
                    ],
                },
                {"turn_index": 1, "turn_id": "t2", "events": [{"author": "user", "content": said("Monday")}]},
            ]
        },
        "intermediate_events": [CALL_EVENT, RESPONSE_EVENT],
        "reference": {"response": said("Booked", "model")},
    }


def test_state_is_a_leading_event_also_before_a_single_turn() -> None:
    session = {"app_name": "trips", "user_id": "ada", "state": {"home": {"city": "Rome"}, "VIP": True}}
    found = case_of({"conversation": [turn("Paris")], "session_input": session})
    assert "prompt" not in found
    assert found["agent_data"]["turns"] == [
        {
            "turn_index": 0,
            "events": [
                {"author": "user", "state_delta": {"home": {"city": "Rome"}, "VIP": True}},
                {"author": "user", "content": said("Paris")},
            ],
        }
    ]
    assert found["session_input"] == {"app_name": "trips", "user_id": "ada"}


def test_authors_become_agents_of_several_turns_but_nothing_stands_beside_a_prompt() -> None:
    events = {"invocation_events": [{"author": "booker", "content": said("Looking", "model")}]}
    two = case_of({"conversation": [turn("Paris", "Where?", intermediate_data=events), turn("Here")]})
    assert two["agent_data"]["agents"] == {"booker": {"agent_id": "booker"}, "agent": {"agent_id": "agent"}}
    one = case_of({"conversation": [turn("Paris", intermediate_data=events)]})
    assert one["intermediate_events"][0]["author"] == "booker"
    assert "agent_data" not in one  # agentplatform takes agent_data without turns for a finished run


def test_agents_of_the_app_are_agents_of_the_case() -> None:
    tools = [{"function_declarations": [{"name": "book"}]}]
    details = {"name": "root", "instructions": "Help.", "tool_declarations": tools}
    app = {"agent_details": {"root": details}}
    config = {"agent_id": "root", "instruction": "Help.", "tools": tools}
    assert case_of({"conversation": [turn("Paris", app_details=app)]})["agent_info"] == {"agents": {"root": config}}
    two = case_of({"conversation": [turn("Paris", app_details=app), turn("Monday", app_details=app)]})
    assert two["agent_data"]["agents"] == {"root": config}


def test_agents_of_some_turns_only_are_reported() -> None:
    app = {"agent_details": {"root": {"name": "root", "instructions": "Help."}}}
    losses = conversion_of({"conversation": [turn("Paris", app_details=app), turn("Monday")]}).losses
    place = "/eval_cases/0/conversation/0/app_details/agent_details/root/instructions"
    assert [(loss.kind, loss.field) for loss in losses if loss.pointer == place] == [("changed", SetField.AGENTS)]


def test_tools_that_agentplatform_rejects_are_left_out_and_reported() -> None:
    tools = [{"function_declarations": [{"name": "book"}]}, {"name": "of_mcp", "inputSchema": {"type": "object"}}]
    app = {"agent_details": {"root": {"name": "root", "tool_declarations": tools}}}
    found = conversion_of({"conversation": [turn("Paris", app_details=app)]})
    case = found.documents[0]["eval_cases"][0]
    assert case["agent_info"]["agents"]["root"]["tools"] == tools[:1]
    assert any(loss.pointer.endswith("/tool_declarations/1/name") for loss in found.losses)


def test_rubrics_are_groups_by_type_and_a_group_for_each_turn() -> None:
    tone = {"rubric_id": "r1", "rubric_content": {"text_property": "Polite?"}, "type": "TONE"}
    plain = {"rubric_id": "r2", "rubric_content": {"text_property": "Short?"}, "description": "No more than a line"}
    of_turn = {"rubric_id": "r3", "rubric_content": {"text_property": "Asks back?"}}
    found = conversion_of({"conversation": [turn("Hi", rubrics=[of_turn])], "rubrics": [tone, plain, tone]})
    case = found.documents[0]["eval_cases"][0]
    written = {"rubric_id": "r1", "content": {"property": {"description": "Polite?"}}, "type": "TONE"}
    assert case["rubric_groups"] == {
        "TONE": {"rubrics": [written, written]},
        "adk_rubrics": {"rubrics": [{"rubric_id": "r2", "content": {"property": {"description": "Short?"}}}]},
        "turn_1": {"rubrics": [{"rubric_id": "r3", "content": {"property": {"description": "Asks back?"}}}]},
    }
    assert case["rubric_descriptions"] == {"adk_rubrics": {"r2": "No more than a line"}}
    assert case["rubric_order"] == ["TONE", "adk_rubrics", "TONE"]
    assert [(loss.pointer, loss.kind) for loss in found.losses if loss.field is not SetField.SET_ID] == [
        ("/eval_cases/0/conversation/0/rubrics/0", "changed"),
        ("/eval_cases/0/rubrics/1/description", "changed"),
    ]


def test_a_scenario_is_a_user_scenario_that_agents_cli_does_not_play() -> None:
    scenario = {"starting_prompt": "Hi", "conversation_plan": "Book a trip", "user_persona": "NOVICE"}
    session = {"app_name": "a", "user_id": "u", "state": {"k": 1}}
    found = conversion_of({"conversation_scenario": scenario, "session_input": session})
    case = found.documents[0]["eval_cases"][0]
    assert case["user_scenario"] == {"starting_prompt": "Hi", "conversation_plan": "Book a trip"}
    assert case["session_input"] == session
    losses = {loss.pointer.removeprefix("/eval_cases/0/"): loss for loss in found.losses}
    assert losses["conversation_scenario/starting_prompt"].kind == "changed"
    assert "separate file" in losses["conversation_scenario/starting_prompt"].advice
    assert losses["conversation_scenario/user_persona"].kind == "no_place"
    assert losses["session_input/state/k"].kind == "changed"


def test_what_no_reader_looks_at_is_kept_in_the_case() -> None:
    more = {"creation_timestamp": 1700000000.25, "duration": 2.5, "invocation_id": "t1"}
    found = conversion_of(
        {
            "conversation": [turn("Hi", "Hello", **more)],
            "creation_timestamp": 1600000000.5,
            "final_session_state": {"done": True},
            "owner": {"team": "travel"},
        },
        name="Trips",
        description="All of them",
    )
    case = found.documents[0]["eval_cases"][0]
    assert case["invocation_details"] == [{**more, "shape": "absent"}]
    assert case["creation_timestamp"] == 1600000000.5
    assert (case["final_session_state"], case["owner"]) == ({"done": True}, {"team": "travel"})
    assert [(loss.pointer, loss.kind) for loss in found.losses] == [
        ("/eval_set_id", "no_place"),
        ("/name", "no_place"),
        ("/description", "no_place"),
        ("/eval_cases/0/final_session_state", "changed"),
    ]


def test_an_event_of_the_user_among_others_does_not_begin_a_turn() -> None:
    events = {"invocation_events": [{"author": "user", "content": said("a remark", "model")}]}
    found = conversion_of({"conversation": [turn("Hi", "Hello", intermediate_data=events), turn("Bye")]})
    events_of = found.documents[0]["eval_cases"][0]["agent_data"]["turns"][0]["events"]
    assert [event["author"] for event in events_of] == ["user", "agent", "agent"]
    assert [loss.kind for loss in found.losses if loss.field is SetField.AUTHOR] == ["changed"]


def test_members_with_names_of_a_dataset_are_not_mistaken_for_them() -> None:
    last = turn("Hi", intermediate_data=CALLS)
    found = conversion_of({"conversation": [last], "responses": "none", "agentData": 7})
    case = found.documents[0]["eval_cases"][0]
    assert case == {
        "eval_case_id": "paris",
        "prompt": said("Hi"),
        "intermediate_events": [CALL_EVENT, RESPONSE_EVENT],
    }
    assert [loss.pointer for loss in found.losses][1:] == ["/eval_cases/0/responses", "/eval_cases/0/agentData"]


@pytest.mark.parametrize("data", [None, {}, {"tool_uses": []}, {"invocation_events": []}])
@pytest.mark.parametrize("count", [1, 2])
def test_no_expected_call_is_an_empty_list(data: Any, count: int) -> None:
    last = turn("Hi", "Hello") if data is None else turn("Hi", "Hello", intermediate_data=data)
    case = case_of({"conversation": [turn("Hi", "Hello")] * (count - 1) + [last]})
    assert case["intermediate_events"] == []
    back = converted({"eval_cases": [case]}, EVALUATION_DATASET, EVAL_SET).documents[0]["eval_cases"][0]
    assert back["conversation"][-1] == last


def test_a_message_under_a_misspelt_key_is_kept_and_reported() -> None:
    conversion = conversion_of(
        {"conversation": [{"user_contents": said("Hi"), "final_response": said("Hello", "model")}]}
    )
    case = conversion.documents[0]["eval_cases"][0]
    assert case["invocation_details"] == [{"shape": "absent", "user_contents": said("Hi")}]
    (loss,) = [each for each in conversion.losses if each.field is SetField.TURN_OTHER]
    assert (loss.kind, loss.pointer) == ("changed", "/eval_cases/0/conversation/0/user_contents")
    assert "which agents-cli and agentplatform ignore" in loss.reason
    assert "evaltui validate" in loss.advice


@pytest.mark.parametrize("content", [5, ["Hi"], {"parts": "Hi"}, {"parts": {"text": "Hi"}}])
def test_a_message_of_another_type_is_reported(content: Any) -> None:
    conversion = conversion_of({"conversation": [{"user_content": content, "final_response": said("Hello", "model")}]})
    (loss,) = [each for each in conversion.losses if each.field is None]
    assert loss.pointer.startswith("/eval_cases/0/conversation/0/user_content")
    assert loss.kind == "no_place"
    assert "its value has the wrong type" in loss.reason


def reasons_of(case: dict[str, Any]) -> dict[str, tuple[str, str]]:
    below = "/eval_cases/0"
    found = {each.pointer: (each.kind, each.reason) for each in conversion_of(case).losses}
    return {pointer.removeprefix(below): each for pointer, each in found.items() if pointer.startswith(below)}


def test_extras_with_the_names_of_members_of_a_dataset_are_left_out_for_that_reason() -> None:
    case = {"conversation": [turn("Hi")], "prompt": "mine", "invocation_details": ["d"], "own": 1}
    reason = "a field with this name has another meaning in a dataset, so evaltui leaves it out"
    assert reasons_of(case) == {"/prompt": ("no_place", reason), "/invocation_details": ("no_place", reason)}
    assert case_of(case)["own"] == 1


def test_the_second_description_of_an_id_is_lost_because_there_is_one_for_an_id() -> None:
    rubrics = [
        {"rubric_id": "r", "rubric_content": {"text_property": text}, "description": text.upper()} for text in "ab"
    ]
    case = {"conversation": [turn("Hi")], "rubrics": rubrics}
    assert case_of(case)["rubric_descriptions"] == {"adk_rubrics": {"r": "A"}}
    kind, reason = reasons_of(case)["/rubrics/1/description"]
    assert (kind, reason) == (
        "no_place",
        "another rubric has the same rubric_id, and only one description is kept for an id",
    )


def test_a_description_of_a_rubric_without_an_id_is_kept_under_the_invented_one() -> None:
    case = {"conversation": [turn("Hi")], "rubrics": [{"rubric_content": {"text_property": "a"}, "description": "b"}]}
    assert case_of(case)["rubric_descriptions"] == {"adk_rubrics": {"rubric_1": "b"}}
    assert reasons_of(case)["/rubrics/0/description"][0] == "changed"


def test_a_case_that_says_nothing_is_reported_since_agents_cli_refuses_it() -> None:
    kind, reason = reasons_of({"conversation": []})["/conversation"]
    assert (kind, reason.split()[:4]) == ("changed", ["`agents-cli", "eval", "generate`", "rejects"])
