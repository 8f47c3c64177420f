"""Changes of tool calls and responses that stand in events (`invocation_events`)."""

import json
from typing import Any

import pytest

from evaltui.evalset.editing.call_edits import add_call, change_call_id, delete_call, rename_call
from tests.evalset.helpers import first_turn, layers, respond, revised, turn_with, use
from tests.evalset.sets import EVENTS

WAIT, MOVED, REFUND = (line for line in EVENTS.split("\r\n") if '"author"' in line)


def said(author: str, *parts: Any, role: str = "model") -> Any:
    return {"author": author, "content": {"parts": list(parts), "role": role}}


def call(name: str, **more: Any) -> Any:
    return {"function_call": {"name": name, **more}}


def answer(name: str, **more: Any) -> Any:
    return {"function_response": {"name": name, **more}}


def events(*items: Any) -> Any:
    return {"invocation_events": list(items)}


def test_renaming_a_call_renames_its_response() -> None:
    result = revised(EVENTS, lambda s: rename_call(s, use(s), "hand_over"))
    assert result.text == EVENTS.replace('"move"', '"hand_over"')
    assert result.revision.label == "rename tool call move in refund › turn 1"


def test_a_new_id_reaches_the_response_in_the_same_step() -> None:
    expected = EVENTS.replace('"move", "args": {}', '"move", "args": {}, "id": "x1"')
    assert revised(EVENTS, lambda s: change_call_id(s, use(s), "x1")).text == expected.replace(
        '"response": {}', '"response": {}, "id": "x1"'
    )


def test_deleting_a_call_takes_its_response_along_and_leaves_the_text_beside_it() -> None:
    result = revised(EVENTS, lambda s: delete_call(s, use(s)))
    left = WAIT.replace(', {"functionCall": {"name": "move", "args": {}}}', "")
    assert result.text == EVENTS.replace(WAIT, left).replace(f"{MOVED}\r\n", "")
    assert result.revision.label == "delete tool call move of refund › turn 1"
    assert result.revision.remark == "with its response"


def test_deleting_the_only_call_of_an_event_takes_the_event_along() -> None:
    result = revised(EVENTS, lambda s: delete_call(s, use(s, 1)))
    assert result.text == EVENTS.replace(f",\r\n{REFUND.rstrip(',')}", "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([said("a", call("f", id="1"), answer("f", id="1"))], []),
        ([said("a", call("f", id="1"), call("g")), said("a", answer("f", id="1"), answer("g"))],
         [said("a", call("g")), said("a", answer("g"))]),
        ([said("a", {"text": "Now", **call("f")}), said("a", answer("f"))], [said("a", {"text": "Now"})]),
        ([said("a", {"thought_signature": "QUJD", "text": None, **call("f")})], []),
        ([said("a", {**call("f", id="1"), **answer("f", id="1")})], []),
        ([said("a", {**call("f", id="1"), **answer("g", id="2")})], [said("a", answer("g", id="2"))]),
        ([said("a", answer("f")), said("b", call("f")), said("c", {"text": "x"})], [said("c", {"text": "x"})]),
    ],
    ids=["one event", "side by side", "text in the part", "signature", "one part", "two in a part", "answer first"],
)  # fmt: skip
def test_only_what_the_call_and_its_answer_leave_empty_goes(before: Any, after: Any) -> None:
    assert turn_with(events(*before), lambda s: delete_call(s, use(s))).turn["intermediate_data"] == events(*after)


NEW = '{"content": {"parts": [{"functionCall": {"name": "", "args": {}}}], "role": "model"}, "author": "billing"}'


@pytest.mark.parametrize(("after", "line"), [(None, REFUND), (1, REFUND), (0, MOVED)])
def test_a_new_call_goes_behind_the_answer_of_another_or_last_and_looks_like_it(after: int | None, line: str) -> None:
    result = revised(EVENTS, lambda s: add_call(s, first_turn(s), use(s, after) if after is not None else None))
    new = "\t" * 7 + NEW
    assert result.text == EVENTS.replace(line, f"{line.rstrip(',')},\r\n{new}{',' * line.endswith(',')}")
    assert result.revision.label == "add tool call to refund › turn 1"


@pytest.mark.parametrize(
    ("turns", "data"),
    [
        ([{"intermediateData": {"invocationEvents": []}}], {"invocationEvents": [said("agent", {"functionCall": {}})]}),
        ([{}, {"intermediate_data": events(said("bob", {"text": "x"}))}], events(said("bob", call("")))),
        ([{"intermediate_data": {}}, {"intermediate_data": events()}], events(said("agent", call("")))),
    ],
)
def test_the_first_call_goes_into_an_event_where_turns_nearby_have_events(turns: Any, data: Any) -> None:
    source = json.dumps({"eval_cases": [{"eval_id": "a", "conversation": turns}]})
    made = revised(source, lambda s: add_call(s, first_turn(s))).turn
    (payload,) = next(iter(data.values()))[0]["content"]["parts"][0].values()
    payload.update({"name": "", "args": {}, "id": "call_1"})
    assert layers(made.get("intermediate_data") or made["intermediateData"]) == layers(data)


def test_a_call_without_an_answer_gets_one_in_an_event_behind_it() -> None:
    result = revised(EVENTS, respond(b'{"ok": 1.0}', 1))
    new = (
        MOVED.replace("triage", "billing")
        .replace("move", "refund")
        .replace('"response": {}', '"response": {"ok": 1.0}')
    )
    assert result.text == EVENTS.replace(REFUND, f"{REFUND},\r\n{new.rstrip(',')}")
    assert result.revision.label == "edit response of refund in refund › turn 1"
    assert result.revision.remark == "a response was added"


def test_an_answer_is_written_like_other_answers_rather_than_like_calls() -> None:
    before = [{"content": {"parts": [answer("f")]}, "author": "a"}, said("a", call("f")), said("a", call("g"))]
    after = turn_with(events(*before), respond(b"{}", 1)).turn["intermediate_data"]["invocation_events"]
    assert layers(after[3]) == layers({"content": {"parts": [answer("g", response={})]}, "author": "a"})


def test_another_response_changes_only_that() -> None:
    assert revised(EVENTS, respond(b"{}")).text == EVENTS
    changed = EVENTS.replace('"response": {}', '"response": {"to": "billing"}')
    assert revised(EVENTS, respond(b'{"to":"billing"}')).text == changed


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_calls_side_by_side_have_their_answers_in_the_same_order(order: tuple[int, ...]) -> None:
    before = events(said("a", *(call("f", id=f"{n}") for n in range(3))), said("a", {"text": "Done"}))
    for number in order:
        source = f'{{"n": {number}}}'.encode()
        before = turn_with(before, respond(source, number)).turn["intermediate_data"]
    answers = [said("a", answer("f", id=f"{n}", response={"n": n}), role="user") for n in range(3)]
    assert before["invocation_events"][1:] == [*answers, said("a", {"text": "Done"})]


def test_answers_of_calls_without_ids_stay_with_their_calls() -> None:
    before = events(said("a", call("f"), call("f")), said("a", {"text": "Wait"}), said("a", answer("f"), role="user"))
    after = turn_with(before, respond(b"{}", 1)).turn["intermediate_data"]["invocation_events"]
    assert [event["content"]["parts"][0] for event in after[2:]] == [answer("f"), answer("f", response={})]
