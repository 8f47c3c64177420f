"""Each field of an eval set stands where CX Agent Studio has it."""

from __future__ import annotations

from typing import Any

import pytest

from evaltui.interop.ces.writer import CES
from evaltui.interop.conversion import Conversion
from evaltui.interop.eval_sets.writer import EVAL_SET
from tests.interop.completeness import converted

APP = "projects/PROJECT/locations/LOCATION/apps/APP"


def _set(*cases: dict[str, Any], **members: Any) -> Conversion:
    return converted({"eval_set_id": "trips", **members, "eval_cases": list(cases)}, EVAL_SET, CES)


def _steps(turn: dict[str, Any], **case: Any) -> list[Any]:
    """The steps of the only turn of a case."""
    value = _set({"eval_id": "a", "conversation": [turn], **case}).documents[0]
    steps: list[Any] = value["golden"]["turns"][0]["steps"]
    return steps


def _turn(*parts: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"user_content": {"role": "user", "parts": list(parts) or [{"text": "Hi"}]}, **members}


def _losses(turn: dict[str, Any], **case: Any) -> dict[str, tuple[str, str]]:
    conversion = _set({"eval_id": "a", "conversation": [turn], **case})
    return {
        loss.pointer.removeprefix("/eval_cases/0").removeprefix("/conversation/0"): (loss.kind, loss.reason)
        for loss in conversion.losses
    }


def _said(*texts: str) -> dict[str, Any]:
    chunks = [{"text": text} for text in texts]
    return {"expectation": {"agentResponse": {"role": "agent", "chunks": chunks}}}


def test_a_case_is_an_evaluation_with_the_id_of_its_set_as_a_tag() -> None:
    conversion = _set({"eval_id": "a", "conversation": [_turn()]}, description="All trips.")
    (document,) = conversion.documents
    assert document == {
        "displayName": "a",
        "description": "All trips.",
        "tags": ["trips"],
        "golden": {"turns": [{"steps": [{"userInput": {"text": "Hi"}}]}]},
    }
    assert not conversion.losses


def test_description_tags_and_etag_of_a_case_are_those_of_the_evaluation() -> None:
    name = "projects/p/locations/l/apps/a/evaluations/e"
    extras = {"description": "Mine", "tags": ["p0"], "etag": "x1", "name": name}
    value = _set({"eval_id": "a", "conversation": [], **extras}).documents[0]
    assert value == {
        "name": name,
        "displayName": "a",
        "description": "Mine",
        "tags": ["trips", "p0"],
        "golden": {"turns": []},
        "etag": "x1",
    }


def test_ids_that_stand_twice_or_nowhere_become_display_names() -> None:
    conversion = _set(*[{"eval_id": "a", "conversation": []}] * 2, {"conversation": []})
    assert [each["displayName"] for each in conversion.documents] == ["a", "a_2", "case_3"]
    assert [(loss.pointer, loss.kind) for loss in conversion.losses] == [
        ("/eval_cases/1/eval_id", "changed"),
        ("/eval_cases/2/eval_id", "invented"),
    ]


def test_the_state_comes_before_the_words_of_the_user() -> None:
    steps = _steps(_turn(), session_input={"app_name": "x", "user_id": "y", "state": {"snake_key": 1}})
    assert steps == [{"userInput": {"variables": {"snake_key": 1}}}, {"userInput": {"text": "Hi"}}]


def test_the_state_at_the_end_is_expected_after_the_last_turn() -> None:
    assert _steps(_turn(), final_session_state={"k": [1]})[-1] == {"expectation": {"updatedVariables": {"k": [1]}}}
    assert _losses(_turn(), final_session_state={"k": [1]})["/final_session_state"][0] == "changed"


def test_parts_of_the_users_message_are_inputs_that_continue() -> None:
    parts = [
        {"text": "See"},
        {"inline_data": {"mime_type": "image/jpeg", "data": "aGk="}},
        {"inline_data": {"mime_type": "audio/ogg", "data": "aGk="}},
        {"inline_data": {"mime_type": "text/csv", "data": "aGk="}},
        {"function_response": {"name": "ask", "id": "q", "response": {"a": 1}}},
    ]
    assert _steps(_turn(*parts)) == [
        {"userInput": {"text": "See", "willContinue": True}},
        {"userInput": {"image": {"mimeType": "image/jpeg", "data": "aGk="}, "willContinue": True}},
        {"userInput": {"audio": "aGk=", "willContinue": True}},
        {"userInput": {"blob": {"mimeType": "text/csv", "data": "aGk="}, "willContinue": True}},
        {
            "userInput": {
                "toolResponses": {
                    "toolResponses": [{"tool": f"{APP}/tools/ask", "id": "q", "response": {"a": 1}}],
                }
            }
        },
    ]
    lost = _losses(_turn(*parts))
    assert lost["/user_content/parts/2/inline_data/mime_type"][0] == "no_place"


def test_a_file_by_its_address_has_no_place() -> None:
    turn = _turn({"text": "See"}, {"file_data": {"file_uri": "gs://b/o", "mime_type": "image/png"}})
    assert _steps(turn) == [{"userInput": {"text": "See"}}]
    assert _losses(turn)["/user_content/parts/1/file_data"][0] == "no_place"


def test_calls_are_expected_and_their_responses_mocked() -> None:
    data = {
        "tool_uses": [{"id": "c", "name": "find", "args": {"a": 1}}],
        "tool_responses": [{"id": "c", "name": "find", "response": {"b": 2}}],
    }
    turn = _turn(intermediate_data=data, final_response={"parts": [{"text": "Done"}]})
    assert _steps(turn)[1:] == [
        {"expectation": {"toolCall": {"tool": f"{APP}/tools/find", "id": "c", "args": {"a": 1}}}},
        {"expectation": {"mockToolResponse": {"tool": f"{APP}/tools/find", "id": "c", "response": {"b": 2}}}},
        _said("Done"),
    ]
    kind, reason = _losses(turn)["/intermediate_data/tool_responses/0/response"]
    assert kind == "changed"
    assert "mockToolResponse" in reason


def test_integers_that_no_double_holds_are_reported() -> None:
    args = {"exact": 9007199254740992, "long": [9007199254740993]}
    turn = _turn(intermediate_data={"tool_uses": [{"name": "f", "args": args}, {"name": "g", "args": {"exact": 1}}]})
    assert _steps(turn)[1]["expectation"]["toolCall"]["args"] == args
    lost = _losses(turn, session_input={"app_name": "", "user_id": "", "state": {"big": 10**400, "small": 1}})
    assert lost["/intermediate_data/tool_uses/0/args"][0] == "changed"
    assert "/intermediate_data/tool_uses/1/args" not in lost
    assert lost["/session_input/state/big"][0] == "changed"
    assert "/session_input/state/small" not in lost


def test_the_transfer_to_an_agent_is_a_transfer() -> None:
    call = {"id": "t", "name": "transfer_to_agent", "args": {"agent_name": "billing"}}
    answer = {"id": "t", "name": "transfer_to_agent", "response": {"result": None}}
    turn = _turn(intermediate_data={"tool_uses": [call], "tool_responses": [answer]})
    assert _steps(turn)[1:] == [{"expectation": {"agentTransfer": {"targetAgent": f"{APP}/agents/billing"}}}]
    lost = _losses(turn)
    assert lost["/intermediate_data/tool_uses/0"][0] == "changed"
    assert lost["/intermediate_data/tool_responses/0"][0] == "no_place"


@pytest.mark.parametrize("args", [{}, {"agent": "billing"}, {"agent_name": 3}, None])
def test_a_transfer_without_an_agent_stays_a_call(args: Any) -> None:
    turn = _turn(intermediate_data={"tool_uses": [{"name": "transfer_to_agent", "args": args}]})
    assert _steps(turn)[1]["expectation"]["toolCall"]["tool"] == f"{APP}/tools/transfer_to_agent"


def test_events_keep_their_order() -> None:
    parts = [{"text": "One"}, {"function_call": {"name": "f"}}, {"text": "Two"}, {"function_call": {"name": "g"}}]
    data = {"invocation_events": [{"author": "x", "content": {"parts": parts}}]}
    steps = _steps(_turn(intermediate_data=data, final_response={"parts": [{"text": "End"}]}))[1:]
    kinds = [next(iter(step["expectation"])) for step in steps]
    assert kinds == ["agentResponse", "toolCall", "agentResponse", "toolCall", "agentResponse"]


def test_thoughts_are_not_expected() -> None:
    parts = [{"text": "Hm", "thought": True}, {"text": "Well"}]
    turn = _turn(final_response={"parts": parts})
    assert _steps(turn)[1:] == [_said("Well")]
    assert _losses(turn)["/final_response/parts/0/text"] == (
        "no_place",
        "CX Agent Studio compares what the agent says, not its thoughts",
    )


def test_without_a_final_response_the_last_text_counts_as_it_which_is_reported() -> None:
    data = {"intermediate_responses": [["x", [{"text": "One"}]], ["x", [{"text": "Two"}]]]}
    turn = _turn(intermediate_data=data)
    assert _steps(turn)[1:] == [_said("One"), _said("Two")]
    lost = _losses(turn)
    assert "/intermediate_data/intermediate_responses/0/1/0/text" not in lost
    assert lost["/intermediate_data/intermediate_responses/1/1/0/text"][0] == "changed"


def test_the_explicit_expectation_of_no_call_is_told_from_none() -> None:
    assert {"expectation": {"noToolCalls": True}} in _steps(_turn(intermediate_data={"tool_uses": []}))
    assert _steps(_turn(intermediate_data={})) == [{"userInput": {"text": "Hi"}}]


def test_turns_beyond_a_hundred_are_left_out_one_by_one() -> None:
    conversion = _set({"eval_id": "a", "conversation": [_turn()] * 102, "final_session_state": {"k": 1}})
    turns = conversion.documents[0]["golden"]["turns"]
    assert len(turns) == 100
    assert all("expectation" not in step for turn in turns for step in turn["steps"])
    assert [(loss.pointer, loss.kind) for loss in conversion.losses] == [
        ("/eval_cases/0/conversation/100", "no_place"),
        ("/eval_cases/0/conversation/101", "no_place"),
        ("/eval_cases/0/final_session_state", "no_place"),
    ]


def test_a_plan_alone_is_the_task() -> None:
    scenario = {"starting_prompt": "", "conversation_plan": "Buy shoes."}
    rubrics = [{"rubric_id": "r", "rubric_content": {"text_property": "Polite?"}}]
    conversion = _set({"eval_id": "a", "conversation_scenario": scenario, "rubrics": rubrics})
    assert conversion.documents[0]["scenario"] == {
        "task": "Buy shoes.",
        "rubrics": ["Polite?"],
        "scenarioExpectations": [],
    }
    assert [(loss.pointer, loss.kind) for loss in conversion.losses] == [
        ("/eval_cases/0/conversation_scenario/scenario_expectations", "invented"),
        ("/eval_cases/0/rubrics/0/rubric_id", "no_place"),
    ]


def test_a_scenario_gets_the_required_members_that_it_lacks() -> None:
    conversion = _set({"eval_id": "a", "conversation_scenario": {"user_persona": "EXPERT"}})
    scenario = conversion.documents[0]["scenario"]
    assert scenario["task"]
    assert scenario["rubrics"] == ["The agent does what the user asks for."]
    assert scenario["userFacts"] == [{"name": "persona", "value": "EXPERT"}]
    invented = {loss.pointer for loss in conversion.losses if loss.kind == "invented"}
    assert invented == {
        "/eval_cases/0/rubrics",
        "/eval_cases/0/conversation_scenario/conversation_plan",
        "/eval_cases/0/conversation_scenario/scenario_expectations",
    }


@pytest.mark.parametrize("author", ["user", "User", "", None])
def test_words_of_the_user_among_events_are_inputs_and_reported(author: str | None) -> None:
    event = {"author": author, "content": {"role": "user", "parts": [{"text": "Wait"}]}}
    turn = _turn(intermediate_data={"invocation_events": [event]})
    assert _steps(turn) == [{"userInput": {"text": "Hi"}}, {"userInput": {"text": "Wait"}}]
    kind, reason = _losses(turn)["/intermediate_data/invocation_events/0/content/parts/0/text"]
    assert (kind, reason.endswith("becomes a user input")) == ("changed", True)
