"""Datasets of all forms become eval sets that google-adk accepts."""

from __future__ import annotations

from typing import Any

import pytest

from evaltui.interop.conversion import Conversion
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.fields import ConversionError, SetField
from tests.interop.completeness import converted
from tests.interop.evaluation_datasets.test_writing import CALL, CALL_EVENT, RESPONSE_EVENT, said


def conversion_of(case: dict[str, Any]) -> Conversion:
    return converted({"eval_cases": [{"eval_case_id": "paris", **case}]}, EVALUATION_DATASET, EVAL_SET)


def case_of(case: dict[str, Any]) -> dict[str, Any]:
    return dict(conversion_of(case).documents[0]["eval_cases"][0])


def texts(content: Any) -> str:
    return "".join(part.get("text", "") for part in content["parts"]) if content else ""


def exchanges(case: dict[str, Any]) -> list[tuple[str, str]]:
    """The words of the user and the final response of each turn."""
    return [(texts(turn["user_content"]), texts(turn.get("final_response"))) for turn in case_of(case)["conversation"]]


def user(text: str) -> dict[str, Any]:
    return {"author": "user", "content": said(text)}


def agent(text: str, author: str = "agent") -> dict[str, Any]:
    return {"author": author, "content": said(text, "model")}


def test_a_prompt_with_calls_and_a_reference_is_one_turn() -> None:
    events = [{**CALL_EVENT, "event_id": "e1"}, {**RESPONSE_EVENT, "author": "booker"}]
    (turn,) = case_of({"prompt": said("Book"), "intermediate_events": events, "reference": {"response": said("Done")}})[
        "conversation"
    ]
    assert (texts(turn["user_content"]), texts(turn["final_response"])) == ("Book", "Done")
    first, second = turn["intermediate_data"]["invocation_events"]
    assert first["content"]["parts"] == [{"function_call": CALL}]
    assert (first["event_id"], second["author"]) == ("e1", "booker")


@pytest.mark.parametrize(
    "case",
    [
        {
            "agent_data": {"turns": [{"events": [user("a"), agent("b"), user("c")]}]},
            "reference": {"response": said("d")},
        },
        {"agentData": {"turns": [{"events": [user("a"), agent("b")]}, {"events": [user("c"), agent("d")]}]}},
        {"prompt": "c", "conversation_history": [user("a"), agent("b")], "reference": "d"},
        {"prompt": "c", "conversation_history": [said("a"), said("b", "model")], "reference": {"response": "d"}},
        {
            "prompt": said("c"),
            "conversationHistory": [{"role": "user", "content": "a"}, {"role": "agent", "content": "b"}],
            "reference": said("d"),
        },
        {"prompt": said("a"), "agent_data": {"turns": [{"events": [agent("b"), user("c"), agent("d")]}]}},
        {"prompt": said("a"), "agent_data": {"turns": [{"events": [user("a"), agent("b"), user("c"), agent("d")]}]}},
    ],
)
def test_conversations_of_all_forms(case: dict[str, Any]) -> None:
    assert exchanges(case) == [("a", "b"), ("c", "d")]


def test_state_at_the_start_is_that_of_the_session_and_later_changes_are_reported() -> None:
    events = [{"author": "user", "state_delta": {"x": 1}}, {**user("a"), "state_delta": {"y": 2}}]
    found = conversion_of({"agent_data": {"turns": [{"events": [*events, {**agent("b"), "state_delta": {"z": 3}}]}]}})
    case = found.documents[0]["eval_cases"][0]
    assert case["session_input"] == {"state": {"x": 1, "y": 2}, "app_name": "", "user_id": ""}
    kinds = {loss.pointer.removeprefix("/eval_cases/0/agent_data/turns/0/events/"): loss.kind for loss in found.losses}
    assert kinds["2/state_delta"] == "no_place"
    assert {kind for pointer, kind in kinds.items() if pointer != "2/state_delta"} == {"invented"}


def test_an_answer_beside_a_reference_is_a_recording() -> None:
    turns = {"turns": [{"events": [user("a"), agent("what it said")]}]}
    found = conversion_of({"agent_data": turns, "reference": {"response": said("b")}})
    (turn,) = found.documents[0]["eval_cases"][0]["conversation"]
    assert texts(turn["final_response"]) == "b"
    (loss,) = [loss for loss in found.losses if loss.field is SetField.RECORDED]
    assert (loss.pointer, loss.kind) == ("/eval_cases/0/agent_data/turns/0/events/1", "no_place")
    assert "recording" in loss.advice


def test_responses_are_reported_unless_the_conversation_ends_with_the_same() -> None:
    case = {"agent_data": {"turns": [{"events": [user("a"), agent("b")]}]}}
    responses = [{"response": said("b", "model")}, {"response": said("other", "model")}]
    losses = conversion_of({**case, "responses": responses}).losses
    assert [loss.pointer for loss in losses if loss.field is SetField.RECORDED] == ["/eval_cases/0/responses/1"]


def test_a_prompt_that_says_more_than_agent_data_is_no_repetition() -> None:
    file = {"inline_data": {"mime_type": "text/plain", "data": "aGVsbG8="}}
    prompt = {"role": "user", "parts": [{"text": "a"}, file]}
    case = case_of({"prompt": prompt, "agent_data": {"turns": [{"events": [user("a"), agent("b")]}]}})
    assert case["conversation"][-1]["user_content"]["parts"] == prompt["parts"]
    answer = {"response": {"parts": [{"text": "b"}, file]}}
    losses = conversion_of(
        {"agent_data": {"turns": [{"events": [user("a"), agent("b")]}]}, "responses": [answer]}
    ).losses
    assert any(loss.pointer == "/eval_cases/0/responses/0" for loss in losses)


def test_agents_are_those_of_each_turn() -> None:
    tools = [{"function_declarations": [{"name": "book"}]}]
    config = {"agent_id": "root", "instruction": "Help.", "tools": tools, "description": "Helps", "sub_agents": ["sub"]}
    agents = {"root": config, "sub": {"agent_id": "sub"}}
    found = conversion_of({"agent_data": {"agents": agents, "turns": [{"events": [user("a"), agent("b", "sub")]}]}})
    (turn,) = found.documents[0]["eval_cases"][0]["conversation"]
    details = {"name": "root", "instructions": "Help.", "tool_declarations": tools}
    assert turn["app_details"] == {"agent_details": {"root": details}}
    assert turn["intermediate_data"] == {"invocation_events": [{"author": "sub"}]}  # the author of the final response
    place = "/eval_cases/0/agent_data/agents/root"
    assert [loss.pointer for loss in found.losses if loss.field is SetField.AGENT_DETAILS] == [
        f"{place}/description",
        f"{place}/sub_agents",
    ]


def test_rubrics_of_groups_and_of_the_list_of_agents_cli() -> None:
    text = {"content": {"property": {"description": "Polite?"}}}
    groups = {"tone": {"group_id": "g", "rubrics": [{"rubric_id": "r1", **text, "type": "TONE", "importance": "HIGH"}]}}
    listed = ["Short?", {"rubric_id": "r2", "description": "Kind?"}]
    found = conversion_of({"prompt": said("a"), "rubric_groups": groups, "rubrics": listed})
    rubrics = found.documents[0]["eval_cases"][0]["rubrics"]
    assert [(each["rubric_content"]["text_property"], each.get("type")) for each in rubrics] == [
        ("Short?", None),
        ("Kind?", None),
        ("Polite?", "TONE"),
    ]
    assert [loss.pointer for loss in found.losses if loss.field is SetField.RUBRIC_DETAILS] == [
        "/eval_cases/0/rubric_groups/tone",
        "/eval_cases/0/rubric_groups/tone/group_id",
        "/eval_cases/0/rubric_groups/tone/rubrics/0/importance",
    ]


def test_a_scenario_alone_is_one_of_google_adk_and_beside_a_conversation_it_is_kept() -> None:
    scenario = {"starting_prompt": "Hi", "conversation_plan": "Book", "test_case_title": "T"}
    alone = conversion_of({"user_scenario": scenario})
    case = alone.documents[0]["eval_cases"][0]
    assert case["conversation_scenario"] == {"starting_prompt": "Hi", "conversation_plan": "Book"}
    assert "conversation" not in case
    assert [loss.pointer.rsplit("/", 1)[-1] for loss in alone.losses] == ["eval_set_id", "test_case_title"]
    both = conversion_of({"user_scenario": scenario, "prompt": said("Hi")}).documents[0]["eval_cases"][0]
    assert both["user_scenario"] == {"starting_prompt": "Hi", "conversation_plan": "Book"}
    assert "conversation_scenario" not in both


def test_members_under_names_of_google_adk_are_read_as_its_own() -> None:
    case = {"eval_id": "old", "conversation": [{"user_content": said("a"), "invocation_id": "t"}], "note": "n"}
    found = converted({"eval_cases": [case]}, EVALUATION_DATASET, EVAL_SET).documents[0]["eval_cases"][0]
    assert found == {**case}
    inputs = {"app_name": "app", "user_id": "u", "state": {"k": "v"}}
    assert case_of({"prompt": "a", "session_inputs": inputs})["session_input"] == inputs


def test_ids_and_names() -> None:
    document = converted({"eval_cases": [{"id": "one", "prompt": "a"}, {"prompt": "b"}]}, EVALUATION_DATASET, EVAL_SET)
    value = document.documents[0]
    assert (value["eval_set_id"], [case["eval_id"] for case in value["eval_cases"]]) == ("the_set", ["one", "case_2"])
    assert [loss.pointer for loss in document.losses] == ["/eval_set_id", "/eval_cases/1/eval_id"]


@pytest.mark.parametrize("document", [{"eval_cases": {}}, {"gcs_source": {"uris": []}}, {}])
def test_a_dataset_without_cases_is_refused(document: Any) -> None:
    with pytest.raises(ConversionError, match="no list eval_cases"):
        converted(document, EVALUATION_DATASET, EVAL_SET)


@pytest.mark.parametrize("description", [5, [], {"text": "Kind?"}, ""])
def test_a_description_of_a_rubric_that_is_no_text_is_not_the_text_of_the_rubric(description: Any) -> None:
    case = case_of({"prompt": said("a"), "rubrics": [{"rubric_id": "r", "description": description}]})
    assert [rubric.get("rubric_content") for rubric in case["rubrics"]] == [{}]


@pytest.mark.parametrize("first", ["t1", None])
def test_messages_of_a_turn_share_its_id_and_another_id_is_reported(first: str | None) -> None:
    user = {"author": "user", "content": said("a"), **({"turn_id": first} if first else {})}
    answers = [{"author": "agent", "content": said(each, "model"), "turn_id": each} for each in ("t1", "t2")]
    found = conversion_of({"conversation_history": [user, *answers], "prompt": said("b")})
    turns = found.documents[0]["eval_cases"][0]["conversation"]
    assert [turn.get("invocation_id") for turn in turns] == ["t1", None]
    (loss,) = [each for each in found.losses if each.field is SetField.TURN_ID]
    assert (loss.pointer, loss.value) == ("/eval_cases/0/conversation_history/2/turn_id", "t2")
    assert loss.reason == "a message of the same turn has another turn_id, which evaltui uses"


def test_ids_of_messages_that_are_no_text_are_reported() -> None:
    messages = [{"author": "user", "content": said("a")}, {"author": "agent", "content": said("b", "model")}]
    for number, message in enumerate(messages):
        message["turn_id"] = [f"t{number}"]
    found = conversion_of({"conversation_history": messages, "prompt": said("c")})
    assert [loss.value for loss in found.losses if loss.field is SetField.TURN_ID] == [["t0"], ["t1"]]


@pytest.mark.parametrize(("index", "is_lost"), [(1, False), (0.5, True), (True, True), ("1", True)])
def test_a_number_of_a_turn_that_is_no_number_is_reported(index: Any, is_lost: bool) -> None:
    turn = {"turn_index": index, "events": [{"author": "user", "content": said("a")}]}
    found = conversion_of({"agent_data": {"turns": [turn]}})
    assert any(loss.pointer == "/eval_cases/0/agent_data/turns/0/turn_index" for loss in found.losses) == is_lost


@pytest.mark.parametrize(
    "message",
    [
        {"author": "system", "content": said("You are a shop.", "system")},
        {"author": "System", "content": {"parts": [{"text": "You are a shop."}]}},
        {"role": "system", "parts": [{"text": "You are a shop."}]},
        {"role": "system", "content": "You are a shop."},
    ],
)
def test_a_system_message_is_no_answer_and_is_reported(message: dict[str, Any]) -> None:
    for place, case in (
        ("conversation_history/0", {"conversation_history": [message, user("a"), agent("b")]}),
        ("conversation_history/2", {"conversation_history": [user("a"), agent("b"), message]}),
        ("agent_data/turns/0/events/0", {"agent_data": {"turns": [{"events": [message, user("a"), agent("b")]}]}}),
    ):
        assert exchanges(case) == [("a", "b")]
        lost = [each.pointer for each in conversion_of(case).losses if each.kind == "no_place"]
        assert lost
        assert all(each.startswith(f"/eval_cases/0/{place}") for each in lost)


def test_an_agent_may_be_called_system() -> None:
    assert exchanges({"conversation_history": [user("a"), agent("b", "system")]}) == [("a", "b")]


@pytest.mark.parametrize(("expected", "lost"), [("judge", 1), ("critic", 0)])
def test_the_role_of_a_response_is_not_lost_unreported(expected: str, lost: int) -> None:
    responses = [{"response": said("b", "critic")}]
    case = {"prompt": said("a"), "responses": responses, "reference": {"response": said("b", expected)}}
    losses = [each.pointer for each in conversion_of(case).losses if each.kind != "invented"]
    assert losses == ["/eval_cases/0/responses/0"] * lost
