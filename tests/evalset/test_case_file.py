"""What a node of an eval set is by its place, the views of cases and turns, and the ids of cases."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.edits import Insert, Remove, Set, json_text
from evaltui.document.node import Node
from evaltui.evalset.call_views import expected_uses
from evaltui.evalset.case_file import CaseFile, CaseIds, has_events, turns_of, user_text_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.file_formats import is_eval_set
from evaltui.evalset.keys import filled, items_of, text_of
from tests.evalset.helpers import everything, first_turn, node_of, set_of, turn_of

CALL = {"name": "f", "args": {"tool_uses": [{"name": "no call"}], "function_call": {"name": "no call either"}}}
PLACES = {
    "eval_set_id": "s",
    "tool_uses": [{"name": "outside of any turn"}],
    "eval_cases": [
        {
            "eval_id": "a",
            "session_input": {"state": {"conversation": [{"user_content": "no turn"}]}},
            "conversation": [
                {
                    "user_content": {"parts": [{"function_call": {"name": "said by the user"}}]},
                    "intermediate_data": {"tool_uses": [CALL, "no object"], "tool_responses": [{"name": "f"}]},
                },
                {
                    "intermediateData": {
                        "invocationEvents": [
                            {"content": {"parts": [{"functionCall": CALL}, {"functionResponse": {"name": "f"}}]}}
                        ]
                    },
                    "finalResponse": {"parts": [{"functionCall": {"name": "in an answer"}}]},
                },
            ],
        },
        {"evalId": "b", "conversation": None},
    ],
}
IN_EVENTS = "/eval_cases/0/conversation/1/intermediateData/invocationEvents/0/content/parts/0/functionCall"
KINDS = {
    "": "set",
    "/eval_cases/0": "case",
    "/eval_cases/1": "case",
    "/eval_cases/0/conversation/0": "turn",
    "/eval_cases/0/conversation/1": "turn",
    "/eval_cases/0/conversation/0/intermediate_data/tool_uses/0": "call",
    IN_EVENTS: "call",
}


def test_sets_cases_turns_and_calls_are_told_by_their_places_and_all_else_is_a_value() -> None:
    eval_set = CaseFile(node_of(PLACES), EVAL_SET)
    found = {node.pointer(): eval_set.kind(node) for node in everything(eval_set)}
    assert {pointer: kind for pointer, kind in found.items() if kind != "value"} == KINDS


@pytest.mark.parametrize(
    ("kind", "pointer"),
    [("call", IN_EVENTS), ("turn", "/eval_cases/0/conversation/1"), ("case", "/eval_cases/0")],
)
def test_the_enclosing_ones_of_an_argument_are_found(kind: str, pointer: str) -> None:
    eval_set = CaseFile(node_of(PLACES), EVAL_SET)
    found = eval_set.enclosing(eval_set.root.at(f"{IN_EVENTS}/args/tool_uses"), kind)
    assert found is eval_set.root.at(pointer)
    assert eval_set.enclosing(found, kind) is found


def test_what_is_in_no_turn_has_none_around_it() -> None:
    eval_set = CaseFile(node_of(PLACES), EVAL_SET)
    assert eval_set.enclosing(eval_set.root.at("/eval_cases/0/session_input"), "turn") is None


def test_a_node_of_another_document_is_only_a_value() -> None:
    assert CaseFile(node_of(PLACES), EVAL_SET).kind(node_of({})) == "value"


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ({"eval_set_id": "s", "eval_cases": []}, True),
        ({"evalSetId": "s", "evalCases": []}, True),
        ({"eval_cases": [{}]}, True),
        ({"eval_set_id": "s"}, True),
        ({"eval_set_id": None, "eval_cases": {}}, True),
        ({"eval_cases": {}}, False),
        ({"criteria": {"response_match_score": 0.8}}, False),
        ({}, False),
        ([{"eval_set_id": "s"}], False),
        ("eval_set_id", False),
        (None, False),
    ],
)
def test_an_eval_set_is_told_by_its_content(value: Any, is_one: bool) -> None:
    assert is_eval_set(node_of(value)) is is_one
    assert is_eval_set(None) is False


@pytest.mark.parametrize("cases", [None, {}, "x", 1])
def test_a_set_without_a_list_of_cases_has_none(cases: Any) -> None:
    assert CaseFile(node_of({"eval_set_id": "s", "eval_cases": cases}), EVAL_SET).cases == []


def test_of_two_lists_of_cases_the_one_that_google_adk_reads_is_shown() -> None:
    both = node_of({"eval_set_id": "s", "evalCases": [{"eval_id": "lost"}], "eval_cases": [{"eval_id": "read"}]})
    assert CaseFile(both, EVAL_SET).cases == items_of(both, "eval_cases")
    assert b"read" in CaseFile(both, EVAL_SET).cases[0].source()


def test_a_case_shows_its_id_its_turns_and_its_scenario() -> None:
    eval_set = set_of({"evalId": "a", "conversation": [{}, {}]}, {"conversation_scenario": {"starting_prompt": "x"}}, 5)
    talk, simulated, broken = eval_set.cases
    assert [eval_set.case_id(case) for case in eval_set.cases] == ["a", "", ""]
    assert (len(turns_of(talk)), filled(talk, "conversation_scenario")) == (2, None)
    assert (turns_of(simulated), filled(simulated, "conversation_scenario") is not None) == ([], True)
    assert (turns_of(broken), filled(broken, "conversation_scenario")) == ([], None)


def test_a_turn_shows_what_is_said_and_called() -> None:
    turn = first_turn(CaseFile(node_of(PLACES), EVAL_SET))
    assert (user_text_of(turn), has_events(turn)) == ("", False)
    assert [use.name for use in expected_uses(turn)] == ["f"]
    assert user_text_of(turn_of({"userContent": {"parts": [{"text": "a"}, {"text": "b"}]}})) == "a\nb"


@pytest.mark.parametrize(
    ("data", "has"), [({"invocationEvents": []}, True), ({"tool_uses": []}, False), ({}, False), (None, False)]
)
def test_a_turn_has_events_or_not(data: Any, has: bool) -> None:
    assert has_events(turn_of({"intermediate_data": data})) is has


TEXTS = st.text(st.sampled_from('ab1é/"\\ '), max_size=3)
CASES = st.builds(lambda key, text, first: {**({} if first else {"n": {"eval_id": "x"}}), key: text},
                  st.sampled_from(["eval_id", "evalId"]), TEXTS, st.booleans())  # fmt: skip
STEPS = st.lists(st.tuples(st.sampled_from(["insert", "remove", "set", "undo"]), st.integers(0, 9), CASES), max_size=8)


def ids_of(cases: list[Node]) -> set[str]:
    return {text_of(case, "eval_id") for case in cases}


@given(before=st.lists(CASES, max_size=5), steps=STEPS)
def test_the_ids_are_those_of_the_cases_whatever_is_done_to_them(before: list[object], steps: list[tuple]) -> None:
    document = Document(json.dumps({"eval_cases": before}, ensure_ascii=False).encode())
    assert document.root is not None
    eval_set = CaseFile(document.root, EVAL_SET)
    for what, number, case in [("", 0, {}), *steps]:
        cases, there = eval_set.cases, f"/eval_cases/{number % max(1, len(eval_set.cases))}"
        if what == "insert":
            document.apply([Insert(there if cases else "/eval_cases/-", json_text(case))], "")
        elif what == "undo":
            document.undo()
        elif what and cases:
            document.apply([Remove(there) if what == "remove" else Set(there, json_text(case))], "")
        assert eval_set.ids.of(eval_set.cases) == CaseIds().of(eval_set.cases)
        assert eval_set.ids.of(eval_set.cases) >= ids_of(eval_set.cases)


@pytest.mark.parametrize("text", ["a", "é", 'say "1"', "\udc80 1", "a/1", "", "a\n"])
def test_no_case_is_unfolded_for_its_id(text: str) -> None:
    eval_set = set_of({"eval_id": text, "conversation": []}, {"conversation": [], "evalId": text})
    assert eval_set.ids.of(eval_set.cases) == {text}
    assert not any(case.is_unfolded for case in eval_set.cases)
