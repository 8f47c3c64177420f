"""Words and replaceable values of dataset cases."""

import json

import pytest

from evaltui.document.document import Document
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import DATASET
from evaltui.evalset.search.case_text import text_of_case
from evaltui.evalset.search.replaceable_values import KINDS, values_in
from evaltui.evalset.search.replacement import Replacement, hits_among, replacing
from tests.evalset.travel import CAMEL_TRAVEL, LUNCH, TRAVEL, dataset_of


def opened(source: str) -> tuple[Document, CaseFile]:
    document = Document(source.encode())
    assert document.root is not None
    return document, CaseFile(document.root, DATASET)


@pytest.mark.parametrize("source", [TRAVEL, CAMEL_TRAVEL], ids=["snake", "camel"])
def test_each_value_is_found_under_its_kind(source: str) -> None:
    _, dataset = opened(source)
    found: dict[str, list[str]] = {}
    for place in values_in(dataset, dataset.cases, frozenset(KINDS)):
        found.setdefault(place.kind, []).append(place.text)
    assert found == {
        "ids": ["book_flight", "turn_0", "c1", "turn_1", "museum_day", "refund", "lunch_1"],
        "messages": [
            *("A flight to Oslo", "Book it", "What can we see?", "Ask for museums.", "I want my money back", "Hello"),
            "Where is lunch?",
        ],
        "tool names": ["search_flights", "find_order"],
        "arguments": ["OSL"],
        "keys": ["to", "flight", "last_search", "id"],
        "tool responses": ["SK 12"],
        "state": ["OSL"],
        "responses": ["SK 12 leaves at nine.", "I refund it.", "No.", "In the hall."],
        "numbers, booleans": ["7"],
    }


def test_a_replaced_tool_name_is_that_of_the_response_too_and_repeated_ids_are_said() -> None:
    document, dataset = opened(dataset_of(LUNCH, LUNCH | {"eval_case_id": "lunch_2"}))
    wanted = Replacement("lunch_2", "lunch_1")
    places = values_in(dataset, dataset.cases, frozenset(["ids"]))
    hits = hits_among(places, wanted.matches([place.text for place in places], [False] * len(places)))
    revision = replacing(dataset, wanted, hits)
    assert revision.remark == "duplicate id: 2 cases are now called lunch_1"
    document.apply(revision.edits, revision.label)
    assert [case["eval_case_id"] for case in json.loads(document.to_bytes())["eval_cases"]] == ["lunch_1"] * 2


@pytest.mark.parametrize("source", [TRAVEL, CAMEL_TRAVEL], ids=["snake", "camel"])
def test_the_words_of_a_case_are_without_the_json_around_them(source: str) -> None:
    _, dataset = opened(source)
    booking, museums, refund, lunch = map(text_of_case, dataset.cases)
    assert booking.eval_id == "book_flight"
    assert booking.tools == "search_flights"
    assert {"to=osl", "last_search=osl", "flight=sk 12", "it is polite."} <= set(booking.texts.split("\n"))
    assert "turn_0" not in booking.texts
    assert museums.texts.split("\n") == ["what can we see?", "ask for museums."]
    assert {"i want my money back", "be kind.", "i refund it."} <= set(refund.texts.split("\n"))
    assert lunch.texts.split("\n") == ["where is lunch?", "in the hall."]
    assert "text" in text_of_case(opened(dataset_of({"eval_case_id": "a", "prompt": "Hm"}))[1].cases[0]).members
