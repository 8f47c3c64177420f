"""Recorded invocations written as cases and turns of a set."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.errors import EditError
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.editing.recorded_cases import (
    RecordedCase,
    add_recorded_cases,
    add_recorded_turns,
    new_recorded_set,
    replace_by_recorded_turn,
)
from evaltui.evalset.editing.recorded_turns import Shape, turn_in_shape
from evaltui.validation.model_errors import errors_in_case
from tests.evalset.helpers import difference, layers, revised

SAMPLES = Path(__file__).resolve().parents[3] / "sample_sets"


def said(text: str, role: str = "user") -> dict[str, Any]:
    return {"parts": [{"text": text}], "role": role}


CALL = {"id": "c1", "args": {"flight_id": 1, "hand_luggage": None}, "name": "book"}
RESPONSE = {"id": "c1", "name": "book", "response": {"booking_ref": "K7"}}
TEXT = {"text": "Let me see."}
OF_EVENTS: dict[str, Any] = {
    "invocation_id": "e-1",
    "user_content": said("Book flight 1"),
    "final_response": said("Booked.", "model"),
    "intermediate_data": {
        "invocation_events": [
            {
                "author": "trip",
                "content": {"parts": [{"text": "Let me see."}, {"function_call": CALL}], "role": "model"},
            },
            {"author": "trip", "content": {"parts": [{"function_response": RESPONSE}], "role": "user"}},
            {"author": "trip", "usage_metadata": {"total_token_count": 3}},
        ]
    },
    "creation_timestamp": 1_790_000_000.5,
}
LISTS: dict[str, Any] = {
    "tool_uses": [CALL],
    "tool_responses": [RESPONSE],
    "intermediate_responses": [["trip", [{"text": "Let me see."}]]],
}
RECORDED = RecordedCase([OF_EVENTS], "trips", "ann")


def add(eval_set: CaseFile) -> Any:
    return add_recorded_cases(eval_set, None, [RECORDED])


def cases_after(source: str, *cases: RecordedCase, shape: Shape | None = None) -> list[Any]:
    value = revised(source, lambda each: add_recorded_cases(each, None, cases or [RECORDED], shape)).value
    assert errors_in_case(json.dumps(value["eval_cases"][-1]).encode()) == []
    return list(value["eval_cases"])


# --- shapes --------------------------------------------------------------------------------------------------------


def test_events_become_lists() -> None:
    assert turn_in_shape(OF_EVENTS, "tool_uses") == {**OF_EVENTS, "intermediate_data": LISTS}


def test_events_stay_exactly_as_they_are() -> None:
    assert turn_in_shape(OF_EVENTS, "events") == OF_EVENTS


def test_lists_become_events_with_each_response_behind_its_call() -> None:
    other = {"id": "c2", "name": "mail", "args": {}}
    late, left = {"name": "mail", "id": "c2", "response": {}}, {"name": "odd", "response": {"x": 1}}
    data = {**LISTS, "tool_uses": [CALL, other], "tool_responses": [left, late, RESPONSE]}
    (*texts, one, two, three, four, last) = turn_in_shape({**OF_EVENTS, "intermediate_data": data}, "events")[
        "intermediate_data"
    ]["invocation_events"]
    assert texts == [{"author": "trip", "content": {"parts": [{"text": "Let me see."}], "role": "model"}}]
    assert [each["content"]["parts"][0] for each in (one, two, three, four, last)] == [
        {"function_call": CALL},
        {"function_response": RESPONSE},
        {"function_call": {"id": "c2", "args": {}, "name": "mail"}},
        {"function_response": {"id": "c2", "name": "mail", "response": {}}},
        {"function_response": left},
    ]
    assert {each["author"] for each in (one, two, three, four, last)} == {"trip"}


def test_the_text_of_a_final_response_with_calls_is_written_once() -> None:
    content = {"parts": [{"text": "Wait."}, {"function_call": CALL}], "role": "model"}
    events = [{"author": "trip", "content": content}]
    turn = {**OF_EVENTS, "final_response": content, "intermediate_data": {"invocation_events": events}}
    data = turn_in_shape(turn, "tool_uses")["intermediate_data"]
    assert data == {"tool_uses": [CALL], "tool_responses": [], "intermediate_responses": []}


def test_contents_keep_all_their_parts() -> None:
    image = {"inline_data": {"data": "iVBORw==", "mime_type": "image/png"}}
    answer = {
        "parts": [{"text": "Hm", "thought": True}, {"text": "A cat.", "thought_signature": "c2ln"}],
        "role": "model",
    }
    asked = {"parts": [image, {"text": "What is this?"}], "role": "user"}
    turn = turn_in_shape({**OF_EVENTS, "user_content": asked, "final_response": answer}, "tool_uses")
    assert (turn["user_content"], turn["final_response"]) == (asked, answer)


def test_camel_case_is_read_and_facts_of_one_run_are_left_out() -> None:
    camel = {
        "invocationId": "e-1",
        "userContent": said("Hi"),
        "intermediateData": {"toolUses": [{"name": "f", "args": {"some_key": 1, "someKey": 2}}]},
        "duration": 1.5,
        "appDetails": {"agentDetails": {}},
    }
    assert turn_in_shape(camel, "tool_uses") == {
        "invocation_id": "e-1",
        "user_content": said("Hi"),
        "intermediate_data": {
            "tool_uses": [{"name": "f", "args": {"some_key": 1, "someKey": 2}}],
            "tool_responses": [],
            "intermediate_responses": [],
        },
    }


def test_a_turn_that_google_adk_rejects_is_refused_with_the_place() -> None:
    with pytest.raises(EditError, match="/userContent"):
        turn_in_shape({"invocation_id": "x"}, "tool_uses")
    with pytest.raises(EditError, match="google-adk rejects it"):
        turn_in_shape({**OF_EVENTS, "strange": 1}, "events")


# --- cases ---------------------------------------------------------------------------------------------------------


def test_a_new_set_is_as_google_adk_writes_one() -> None:
    text = new_recorded_set("trips", [RECORDED, RECORDED]).decode()
    value = json.loads(text)
    assert text == json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    assert [each["eval_id"] for each in value["eval_cases"]] == ["book_flight_1", "book_flight_1_2"]
    assert value["eval_cases"][0] == {
        "eval_id": "book_flight_1",
        "conversation": [{**OF_EVENTS, "intermediate_data": LISTS}],
        "session_input": {"app_name": "trips", "user_id": "ann", "state": {}},
    }
    events = json.loads(new_recorded_set("trips", [RECORDED], "events"))
    assert events["eval_cases"][0]["conversation"] == [OF_EVENTS]


def test_a_turn_without_calls_says_so_in_a_new_set() -> None:
    plain = {"user_content": said("Hi"), "final_response": said("Hello", "model")}
    (case,) = json.loads(new_recorded_set("s", [RecordedCase([{**plain, "intermediate_data": {}}])]))["eval_cases"]
    assert case == {"eval_id": "hi", "conversation": [{**plain, "intermediate_data": {"tool_uses": []}}]}


def test_a_turn_whose_calls_are_not_recorded_expects_nothing_about_them() -> None:
    plain = {"user_content": said("Hi"), "final_response": said("Hello", "model")}
    for shape in ("tool_uses", "events"):
        (case,) = json.loads(new_recorded_set("s", [RecordedCase([plain])], shape))["eval_cases"]
        assert case == {"eval_id": "hi", "conversation": [plain]}


def test_a_camel_case_set_gets_camel_case_and_its_own_order_at_each_level() -> None:
    turn = {
        "invocationId": "a",
        "userContent": {"role": "user", "parts": [{"text": "x"}]},
        "intermediateData": {"toolUses": [{"name": "f", "args": {"a_b": 1}, "id": "1"}], "intermediateResponses": []},
        "finalResponse": {"role": "model", "parts": [{"text": "y"}]},
        "creationTimestamp": 5.0,
    }
    session = {"userId": "u", "appName": "x"}
    source = json.dumps(
        {"eval_set_id": "s", "eval_cases": [{"sessionInput": session, "evalId": "a", "conversation": [turn]}]}
    )
    _, made = cases_after(source)
    assert layers(made) == layers(
        {
            "sessionInput": {"userId": "ann", "appName": "trips"},
            "evalId": "book_flight_1",
            "conversation": [
                {
                    "invocationId": "e-1",
                    "userContent": {"role": "user", "parts": [{"text": "Book flight 1"}]},
                    "intermediateData": {
                        "toolUses": [
                            {"name": "book", "args": {"flight_id": 1, "hand_luggage": None}, "id": "c1"},
                        ],
                        "intermediateResponses": [["trip", [{"text": "Let me see."}]]],
                        "toolResponses": [{"id": "c1", "name": "book", "response": {"booking_ref": "K7"}}],
                    },
                    "finalResponse": {"role": "model", "parts": [{"text": "Booked."}]},
                    "creationTimestamp": 1_790_000_000.5,
                }
            ],
        }
    )


def test_times_are_written_only_where_turns_have_them_and_ids_always() -> None:
    turn = {"user_content": said("x"), "intermediate_data": {"tool_uses": [CALL]}}
    source = json.dumps({"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]})
    _, made = cases_after(source)
    assert "creation_timestamp" not in made["conversation"][0]
    assert made["conversation"][0]["invocation_id"] == "e-1"


def test_the_neighbour_decides_about_the_shape_and_then_the_whole_set() -> None:
    events = {"user_content": said("x"), "intermediate_data": {"invocation_events": []}}
    plain = {"user_content": said("x")}
    cases = [
        {"eval_id": "e", "conversation": [events]},
        *({"eval_id": f"p{n}", "conversation": [plain]} for n in range(30)),
    ]
    *_, made = cases_after(json.dumps({"eval_set_id": "s", "eval_cases": cases}))
    assert "invocation_events" in made["conversation"][0]["intermediate_data"]
    *_, made = cases_after(json.dumps({"eval_set_id": "s", "eval_cases": cases[1:]}))
    assert "tool_uses" in made["conversation"][0]["intermediate_data"]
    *_, made = cases_after(json.dumps({"eval_set_id": "s", "eval_cases": cases}), shape="tool_uses")
    assert "tool_uses" in made["conversation"][0]["intermediate_data"]


def test_cases_go_behind_another_as_one_step() -> None:
    source = (SAMPLES / "mixed_case.evalset.json").read_text("utf-8")
    two = [RECORDED, RECORDED._replace(eval_id="mine")]
    done = revised(source, lambda each: add_recorded_cases(each, each.cases[0], two))
    ids = [case.get("evalId") for case in done.value["eval_cases"]]
    assert ids[:4] == ["compare_two_months", "book_flight_1", "mine", "charge_the_car_at_night"]
    gone, come = difference(source, done.text)
    assert gone == ""
    assert "\n\t\t\t" in come
    assert '"toolUses"' in come
    assert '"flight_id"' in come
    assert done.revision.label == "add 2 recorded cases"


@pytest.mark.parametrize(
    "source",
    [
        '{"eval_set_id": "s", "eval_cases": []}',
        '{"eval_set_id":"s"}',
        '{"eval_set_id":"s","eval_cases":null}',
        '{\r\n\t"eval_set_id": "s",\r\n\t"eval_cases": []\r\n}\r\n',
        '{"eval_set_id":"s","eval_cases":[{"eval_id":"a","conversation_scenario":{"starting_prompt":"x","conversation_plan":"y"}}]}',
        '{"eval_set_id":"s","eval_cases":[{"eval_id":"a","conversation":[]}]}',
    ],
)
def test_sets_without_turns_get_cases(source: str) -> None:
    done = revised(source, add)
    made = done.value["eval_cases"][-1]
    assert made["conversation"][0]["intermediate_data"] == LISTS
    assert "conversation_scenario" not in made
    assert ("\r\n" in done.text) == ("\r\n" in source)
    assert "\n" not in done.text.replace("\r\n", "")


def test_sets_that_cannot_hold_cases_are_refused() -> None:
    for source, said_ in (("[]", "outermost"), ('{"eval_cases": {}}', "must be a list")):
        root = Document(source.encode()).root
        assert root is not None
        with pytest.raises(EditError, match=said_):
            add(CaseFile(root, EVAL_SET))
    with pytest.raises(EditError, match="needs at least one"):
        new_recorded_set("s", [RecordedCase([])])


def test_public_sets_get_cases_and_keep_every_other_byte(shared_folder: Path) -> None:
    tried = 0
    for path in sorted((shared_folder / "corpus").glob("*_adk_evalset*")):
        document = Document(path.read_bytes())
        if document.root is None or document.root.member("eval_cases") is None:
            continue
        before = document.to_bytes()
        view = CaseFile(document.root, EVAL_SET)
        count = len(view.cases)
        revision = add_recorded_cases(view, None, [RECORDED, RECORDED])
        document.apply(revision.edits, revision.label)
        gone, _ = difference(before.decode("latin-1"), document.to_bytes().decode("latin-1"))
        assert gone.strip() == "", path.name
        for case in CaseFile(document.root, EVAL_SET).cases[count:]:
            assert errors_in_case(case.source()) == [], path.name
        document.undo()
        assert document.to_bytes() == before
        tried += 1
    assert tried > 60


# --- turns ---------------------------------------------------------------------------------------------------------

CONVERSATION = json.dumps(
    {
        "eval_set_id": "s",
        "eval_cases": [
            {
                "eval_id": "a",
                "conversation": [
                    {
                        "invocation_id": "e-1",
                        "user_content": said("Hi"),
                        "rubrics": [],
                        "final_response": said("x", "model"),
                    },
                    {"user_content": said("Bye"), "intermediate_data": {"tool_uses": []}, "creation_timestamp": 3.0},
                ],
            }
        ],
    }
)


def test_turns_go_behind_another_with_ids_of_their_own() -> None:
    def make(eval_set: CaseFile) -> Any:
        case = eval_set.cases[0]
        return add_recorded_turns(eval_set, case, turns_of(case)[0], [OF_EVENTS, OF_EVENTS])

    done = revised(CONVERSATION, make)
    turns = done.value["eval_cases"][0]["conversation"]
    assert [each.get("invocation_id") for each in turns] == ["e-1", "e-2", "e-3", None]
    assert turns[1]["intermediate_data"] == LISTS
    assert done.revision.label == "add 2 recorded turns to a"


def test_a_case_of_a_scenario_takes_no_turns() -> None:
    scenario = {"starting_prompt": "x", "conversation_plan": "y"}
    root = Document(json.dumps({"eval_cases": [{"eval_id": "a", "conversation_scenario": scenario}]}).encode()).root
    assert root is not None
    view = CaseFile(root, EVAL_SET)
    with pytest.raises(EditError, match="scenario"):
        add_recorded_turns(view, view.cases[0], None, [OF_EVENTS])


def test_a_turn_is_replaced_and_keeps_what_no_recording_has() -> None:
    def make(eval_set: CaseFile) -> Any:
        return replace_by_recorded_turn(eval_set, turns_of(eval_set.cases[0])[0], OF_EVENTS)

    done = revised(CONVERSATION, make)
    first, second = done.value["eval_cases"][0]["conversation"]
    assert first == {**OF_EVENTS, "intermediate_data": LISTS, "rubrics": []}
    assert second == json.loads(CONVERSATION)["eval_cases"][0]["conversation"][1]


def test_what_a_recording_lacks_is_gone_from_the_turn_that_it_replaces() -> None:
    def make(eval_set: CaseFile) -> Any:
        turn = turns_of(eval_set.cases[0])[0]
        return replace_by_recorded_turn(eval_set, turn, {"user_content": said("Hi")})

    first = revised(CONVERSATION, make).value["eval_cases"][0]["conversation"][0]
    assert first == {
        "invocation_id": "e-1",
        "user_content": said("Hi"),
        "rubrics": [],
    }
