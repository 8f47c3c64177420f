"""The language of the filter, and what it finds."""

from __future__ import annotations

from typing import Any

import pytest

from evaltui.evalset.case_file import turns_of
from evaltui.evalset.keys import text_of
from evaltui.evalset.search.case_filter import MARKS, Search, Term, parse
from evaltui.evalset.search.case_text import CaseTexts, text_of_case
from tests.evalset.helpers import set_of


def turn(user: str, *calls: dict[str, Any], response: str = "") -> dict[str, Any]:
    made: dict[str, Any] = {"invocation_id": "inv", "user_content": {"role": "user", "parts": [{"text": user}]}}
    if calls:
        made["intermediate_data"] = {"tool_uses": list(calls)}
    if response:
        made["final_response"] = {"role": "model", "parts": [{"text": response}]}
    return made


CASES: list[dict[str, Any]] = [
    {"eval_id": "book_oslo", "conversation": [turn("Fly me to OSLO", {"name": "book_flight", "args": {"to": "OSL"}})]},
    {"eval_id": "late", "conversation": [turn("Hi"), turn("Straße nach Lima", response="Über Madrid")]},
    {"eval_id": "price", "conversation": [turn("How much?", {"name": "last_price", "args": {"max": 600}})]},
    {"evalId": "played", "conversationScenario": {"startingPrompt": "Go", "conversationPlan": "to Bergen"}},
    {"eval_id": "blank", "conversation": [turn("")], "rubrics": [{"rubric_id": "r1", "rubric_content": {}}]},
]


def found(query: str, **marks: Any) -> list[str]:
    cases = set_of(*CASES).cases
    search = Search(query, cases, CaseTexts(), {**MARKS, **marks})
    assert search.advance(60)
    return [text_of(node, "eval_id") for node in search.hits]


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("oslo", ["book_oslo"]),
        ("OSLO fly", ["book_oslo"]),
        ("oslo lima", []),
        ("STRASSE", ["late"]),
        ('"to oslo"', ["book_oslo"]),
        ('"oslo to"', []),
        ('text:"nach li', ["late"]),
        ("to=osl", ["book_oslo"]),
        ("max=600", ["price"]),
        ("late", ["late"]),  # and not last_price, whose letters hold it too: the id holds it literally
        ("lstprc", ["price"]),
        ("bkfl", ["book_oslo"]),
        ("tool:book", ["book_oslo"]),
        ("tool:oslo", []),
        ("id:oslo", ["book_oslo"]),
        ("id:fly", []),
        ("text:book_flight", []),
        ("-oslo -lima -has:scenario -is:empty", ["price"]),
        ("has:scenario", ["played"]),
        ("has:rubric", ["blank"]),
        ("has:call", ["book_oslo", "price"]),
        ("has:response", ["late"]),
        ("is:empty", ["blank"]),
        ("bergen", ["played"]),
        ("user", []),
        ("parts", []),
        ("-", ["book_oslo", "late", "price", "played", "blank"]),
        ("", ["book_oslo", "late", "price", "played", "blank"]),
        ("zzz", []),
        ("((", []),
    ],
)
def test_a_query_finds(query: str, ids: list[str]) -> None:
    assert found(query) == ids


def test_an_unknown_mark_is_said_and_left_out() -> None:
    assert parse("is:wrong oslo") == ([Term("", "oslo")], "is:wrong? Options: empty", "")
    assert parse("has:")[1].startswith("has:? Options: rubric, scenario")


def test_a_prefix_that_is_none_is_part_of_the_word() -> None:
    assert parse("http://x.y")[0] == [Term("", "http://x.y")]


def test_more_marks_can_be_handed_in() -> None:
    assert found("is:failing", **{"is:failing": lambda node, _: node.index() == 1}) == ["late"]


def test_a_search_goes_on_where_its_time_was_over() -> None:
    cases = set_of(*CASES * 20).cases
    search = Search("oslo", cases, CaseTexts())
    slices = 1
    while not search.advance(-1):
        slices += 1
    assert slices > 5
    assert len(search.hits) == 20


def test_the_turns_that_a_hit_owes_itself_to() -> None:
    eval_set = set_of(*CASES)
    turns = turns_of(eval_set.cases[1])
    assert Search("lima", eval_set.cases, CaseTexts()).places(turns) == turns[1:]
    assert Search("hi madrid lima", eval_set.cases, CaseTexts()).places(turns) == turns[1:]
    assert Search("has:response", eval_set.cases, CaseTexts()).places(turns) == []
    assert Search("late", eval_set.cases, CaseTexts()).places(turns) == []


def test_a_changed_case_is_read_anew() -> None:
    eval_set, texts = set_of(*CASES), CaseTexts()
    case = eval_set.cases[0]
    before = texts.of(case)
    assert texts.of(case) is before
    texts.forget([turns_of(case)[0]])
    assert texts.of(case) is not before


def test_data_are_no_words_and_deep_values_are_read() -> None:
    case = set_of({"eval_id": "a", "conversation": [turn("x" * 500), turn("hay " * 200)]}).cases[0]
    assert "xxx" not in text_of_case(case).texts
    assert "hay hay" in text_of_case(case).texts
    deep: Any = "needle"
    for _ in range(500):
        deep = [deep]
    assert "needle" in text_of_case(set_of({"eval_id": "a", "state": deep}).cases[0]).texts


def test_the_same_in_camel_case_events() -> None:
    call = {"functionCall": {"id": "c1", "name": "book_flight", "args": {"toCity": "Oslo", "n": [1, 2.50]}}}
    events = {"invocationEvents": [{"author": "agent", "content": {"role": "model", "parts": [call]}}]}
    case = set_of({"evalId": "A", "conversation": [{"userContent": {"parts": []}, "intermediateData": events}]}).cases[
        0
    ]
    text = text_of_case(case)
    assert (text.eval_id, text.tools) == ("a", "book_flight")
    assert text.texts == "tocity=oslo\nn=1\nn=2.5"
    assert text.calls == (("book_flight", (("toCity", "string"), ("n", "array"))),)
