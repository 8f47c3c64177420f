"""What the nodes of a dataset are, and which documents are datasets."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, case_file_of, dataset_turns_of, is_of_user, user_text_of_events
from evaltui.evalset.case_format import DATASET
from evaltui.evalset.content_parts import part_payloads, parts_of, words_of
from evaltui.evalset.editing.call_edits import partner_of
from evaltui.evalset.editing.templates import new_dataset
from evaltui.evalset.file_formats import format_of, format_of_document, is_dataset, is_eval_set
from evaltui.evalset.keys import filled, items_of
from evaltui.evalset.schema.genai_models import EvaluationDataset
from evaltui.evalset.titles import field_title, place_title, row_name, title
from tests.evalset.helpers import node_of
from tests.evalset.travel import CAMEL_TRAVEL, LUNCH, TRAVEL, dataset_of, in_camel_case

BOTH = pytest.mark.parametrize("source", [TRAVEL, CAMEL_TRAVEL], ids=["snake", "camel"])


def dataset_in(source: str) -> CaseFile:
    root = Document(source.encode()).root
    assert root is not None
    return CaseFile(root, DATASET)


def kinds_below(dataset: CaseFile, node: Node) -> set[str]:
    return {dataset.kind(node)}.union(*(kinds_below(dataset, item) for item in node.items))


@BOTH
def test_rows_are_told_by_their_place(source: str) -> None:
    dataset = dataset_in(source)
    case = dataset.cases[0]
    turns = dataset_turns_of(case)
    event = items_of(turns[0], "events")[1]
    assert [dataset.kind(node) for node in (dataset.root, case, turns[1], event)] == ["set", "case", "turn", "event"]
    assert kinds_below(dataset, case) == {"case", "turn", "event", "value"}
    assert dataset.enclosing(event.items[1], "turn") is turns[0]
    assert kinds_below(dataset, dataset.cases[2]) == {"case", "value"}


@BOTH
def test_values_have_a_kind_by_their_place(source: str) -> None:
    dataset = dataset_in(source)
    booking, museums, refund, lunch = dataset.cases
    places = {node.pointer(): dataset.place(node) for case in dataset.cases for node in _below(case)}
    found = {place for place in places.values() if place}
    assert found == {
        *("content", "parts", "part", "reference", "responses", "response", "messages", "message", "events", "event"),
        *("rubric_groups", "rubric_group", "rubrics", "rubric", "user_scenario", "agents", "agent"),
    }
    assert dataset.place(refund.items[1]) == "content"
    assert dataset.place(booking) == "" == dataset.place(dataset.root)
    assert [dataset.place(item) for item in (*museums.items, *lunch.items)] == [
        "",
        "user_scenario",
        "",
        "content",
        "reference",
    ]


def _below(node: Node) -> list[Node]:
    return [node, *(each for item in node.items for each in _below(item))]


@BOTH
def test_words_and_answers_are_read(source: str) -> None:
    dataset = dataset_in(source)
    booking, _, refund, lunch = dataset.cases
    assert [user_text_of_events(turn) for turn in dataset.turns(booking)] == ["A flight to Oslo", "Book it"]
    assert [words_of(filled(case, "prompt")) for case in (booking, refund, lunch)] == [
        "",
        "I want my money back",
        "Where is lunch?",
    ]
    assert len(items_of(refund, "responses")) == 2
    events = items_of(dataset.turns(booking)[0], "events")
    assert [is_of_user(event) for event in events] == [True, False, False, False]


@BOTH
def test_titles_name_cases_by_their_id(source: str) -> None:
    dataset = dataset_in(source)
    events = items_of(dataset_turns_of(dataset.cases[0])[0], "events")
    assert title(dataset, events[2]) == "book_flight › turn 1 › event 3"
    assert title(dataset, dataset.root) == "the dataset"
    prompt = filled(dataset.cases[3], "prompt")
    assert prompt is not None
    assert field_title(dataset, prompt.items[1].items[0].items[0]) == "lunch_1 › prompt"
    assert place_title(events[1].items[0]) == "book_flight › turn 1 › event 2 › author"
    assert [row_name(node) for node in (dataset.cases[1], events[0])] == ["museum_day", "event 1"]


def payload_of(event: Node) -> Node:
    (part,) = parts_of(filled(event, "content"))
    return part_payloads(part)[0]


def test_a_call_and_its_response_are_partners_by_a_single_id() -> None:
    dataset = dataset_in(TRAVEL)
    events = items_of(dataset_turns_of(dataset.cases[0])[0], "events")
    call, response = (payload_of(event) for event in events[1:3])
    assert partner_of(events[1], call) is response
    assert partner_of(events[2], response) is call
    twice = dataset_in(TRAVEL.replace('"id": "c1"', '"id": ""'))
    events = items_of(dataset_turns_of(twice.cases[0])[0], "events")
    assert partner_of(events[1], payload_of(events[1])) is None


OTHERS: dict[str, Any] = {
    "an eval set": {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": []}]},
    "an eval set with keys of datasets": {"eval_set_id": "s", "eval_cases": [LUNCH]},
    "a bare list": [LUNCH],
    "misspelt": {"EvalCases": [LUNCH]},
    "cases an object": {"eval_cases": LUNCH},
    "no cases that tell": {"eval_cases": [{}]},
    "any JSON": {"name": "x"},
    "a text": "x",
}
DATASETS: dict[str, Any] = {
    "plain": {"eval_cases": [LUNCH]},
    "camelCase": {"evalCases": [in_camel_case(LUNCH)]},
    "with more": {"eval_cases": [{"x": 1}, LUNCH], "note": "mine"},
    "elsewhere": {"bigquery_source": {"input_uri": "bq://a.b.c"}},
    "no cases": {"eval_cases": None, "candidate_name": "x"},
}


@pytest.mark.parametrize("value", DATASETS.values(), ids=list(DATASETS))
def test_datasets_are_recognised(value: Any) -> None:
    root = node_of(value)
    assert is_dataset(root)
    assert not is_eval_set(root)
    assert isinstance(case_file_of(root), CaseFile)


@pytest.mark.parametrize("value", OTHERS.values(), ids=list(OTHERS))
def test_other_documents_are_no_datasets(value: Any) -> None:
    assert not is_dataset(node_of(value))


def test_the_first_case_tells_what_all_of_the_content_tells(shared_folder: Path) -> None:
    for path in sorted((shared_folder / "corpus").glob("*.json")):
        data = path.read_bytes()
        root = Document(data).root
        if root is not None:
            assert format_of_document(root) == format_of(json.loads(data)), path.name


def test_deep_and_wrong_values_are_read_as_nothing() -> None:
    dataset = dataset_in(
        dataset_of(1, None, {"agent_data": 3, "prompt": 4, "responses": "x"}, {"prompt": {"parts": 1}})
    )
    for case in dataset.cases:
        assert (dataset.turns(case), items_of(case, "responses"), words_of(filled(case, "prompt"))) == ([], [], "")


@pytest.mark.parametrize("first", ["text", 1, None, [], [{"eval_case_id": "a"}]])
def test_a_first_case_that_is_no_object_does_not_tell_the_format(first: object) -> None:
    case = {"eval_case_id": "a", "prompt": {"parts": [{"text": "Hi"}]}}
    root = Document(json.dumps({"eval_cases": [first, case]}).encode()).root
    assert is_dataset(root)


def test_a_new_dataset_is_accepted_by_its_own_model() -> None:
    source = new_dataset()
    assert EvaluationDataset.model_validate_json(source).eval_cases
    assert is_dataset(Document(source).root)
