"""Content of cases under keys that the format does not read: reported, and never an empty conversation in silence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaltui.document.node import read_document
from evaltui.interop.conversion import Conversion
from evaltui.interop.conversion_formats import FORMATS, format_of_source
from evaltui.interop.portable_set import FormatType
from tests.interop.completeness import converted

TARGETS = pytest.mark.parametrize(
    "target", [item for item in FORMATS if item.write is not None], ids=lambda item: item.option
)
ASKED = {"role": "user", "parts": [{"text": "Price?"}]}
SPOKEN = {"turns": [{"steps": [{"userInput": {"text": "Price?"}}]}]}
FOREIGN: list[tuple[str, Any]] = [
    ("turns", [{"user": "Price?", "agent": "500"}]),
    ("data", [{"query": "Price?"}]),
    ("golden", SPOKEN),
    ("scenario", {"task": "buy"}),
    ("steps", [{"goal": "buy"}]),
    ("messages", [{"role": "user", "content": "Price?"}]),
    ("dialogue", ["Price?"]),
]


def found(value: Any, target: FormatType) -> Conversion:
    source = format_of_source(read_document(json.dumps(value).encode()))
    assert source is not None
    return converted(value, source, target)


def reported(conversion: Conversion) -> dict[str, str]:
    return {item.pointer: item.kind for item in conversion.losses if item.field is None and item.kind != "invented"}


def set_of(*cases: Any) -> dict[str, Any]:
    return {"eval_set_id": "s", "eval_cases": list(cases)}


@TARGETS
@pytest.mark.parametrize(
    "empty", [{}, {"conversation": []}, {"conversation": [{}]}, {"conversation_scenario": {}}], ids=str
)
@pytest.mark.parametrize(("key", "value"), FOREIGN, ids=lambda item: item if isinstance(item, str) else "")
def test_a_case_whose_content_has_foreign_keys_is_lost(
    key: str, value: Any, empty: dict[str, Any], target: FormatType
) -> None:
    made = found(set_of({"eval_id": "a", **empty, key: value}), target)
    (loss,) = [item for item in made.losses if item.kind != "invented" and item.pointer.startswith("/eval_cases")]
    assert (loss.pointer, loss.kind) == ("/eval_cases/0", "no_place")
    assert loss.reason.endswith("under the keys of google-adk's EvalSet, so evaltui finds no turns in it")


@TARGETS
@pytest.mark.parametrize(("key", "value"), FOREIGN[:-1], ids=lambda item: item if isinstance(item, str) else "")
def test_foreign_content_beside_a_conversation_is_reported(key: str, value: Any, target: FormatType) -> None:
    made = found(set_of({"eval_id": "a", "conversation": [{"user_content": ASKED}], key: value}), target)
    (loss,) = [item for item in made.losses if item.pointer.startswith(f"/eval_cases/0/{key}")]
    assert loss.kind == ("changed" if target.option in ("evalset", "evaluation-dataset") else "no_place")
    is_of_target = (target.option, key) in {
        *(("legacy-cases", name) for name in ("data", "query")),
        *(("ces", name) for name in ("golden", "scenario")),
        *(("cxas-yaml", name) for name in ("turns", "steps")),
    }
    assert loss.reason.startswith("evaltui reads a field with this name only in") == is_of_target


RECORDED = {"turns": [{"events": [{"author": "user", "content": ASKED}]}]}
CALLED = [{"author": "shop", "content": {"parts": [{"function_call": {"name": "f", "args": {}}}]}}]


@pytest.mark.parametrize("option", ["evalset", "evaluation-dataset"])
@pytest.mark.parametrize(
    ("key", "value"),
    [
        *[(key, {"response": ASKED}) for key in ("expected_reference", "reference_response", "payload", "ticket")],
        ("history", [{"content": ASKED}]),
        ("raw_intermediate_events", CALLED),
        ("actual_agent_data", RECORDED),
        ("PROMPT", ASKED),
        ("expected", "500"),
    ],
)
def test_any_field_of_a_case_that_may_hold_content_is_reported(key: str, value: Any, option: str) -> None:
    (target,) = [item for item in FORMATS if item.option == option]
    made = found({"eval_cases": [{"eval_case_id": "a", "prompt": ASKED, key: value}]}, target)
    (loss,) = [item for item in made.losses if item.kind != "invented"]
    assert (loss.pointer, loss.kind) == (f"/eval_cases/0/{key}", "changed")
    assert loss.reason.startswith("kept as an extra field of the case, which ")


@pytest.mark.parametrize("option", ["evalset", "evaluation-dataset"])
def test_facts_about_a_case_are_not_reported(option: str) -> None:
    (target,) = [item for item in FORMATS if item.option == option]
    facts = {"metadata": {"team": "a"}, "labels": ["b"], "priority": "high", "notes": "c", "weight": 2, "is_slow": True}
    made = found({"eval_cases": [{"eval_case_id": "a", "prompt": ASKED, **facts}]}, target)
    assert not [item for item in made.losses if item.kind != "invented"]


@TARGETS
@pytest.mark.parametrize("key", ["eval_id", "eval_case_id"])
def test_a_query_beside_a_reference_is_no_dataset(key: str, target: FormatType) -> None:
    made = found({"eval_cases": [{key: "a", "query": "Price?", "reference": "500"}]}, target)
    assert [item.kind for item in made.losses if item.pointer == "/eval_cases/0"] == ["no_place"]


@TARGETS
def test_evaluations_with_ids_of_datasets_are_read_as_evaluations(target: FormatType) -> None:
    value = [{"displayName": "a", "eval_case_id": "a1", "golden": SPOKEN}, {"displayName": "b", "golden": SPOKEN}]
    made = found(value, target)
    assert made.source.source_word == "ces_evaluation"
    assert json.dumps(list(made.documents)).count("Price?") == 2


@TARGETS
@pytest.mark.parametrize(
    "more", [{"prompt": "hi"}, {"conversation_history": [{"content": ASKED}]}], ids=["prompt", "history"]
)
def test_evaluations_among_the_cases_of_a_dataset_are_reported(more: dict[str, Any], target: FormatType) -> None:
    made = found([{"displayName": "a", "golden": SPOKEN, **more}, {"displayName": "b", "golden": SPOKEN}], target)
    lost = [item.pointer for item in made.losses if item.kind != "invented"]
    assert {"/0/golden", "/1"} <= set(lost)


@pytest.mark.parametrize("value", [[{"displayName": "a", "golden": {}}], [{"name": "a", "data": []}]])
def test_a_conversation_without_turns_is_reported_as_added(value: Any) -> None:
    for target in FORMATS:
        if target.option in ("evalset", "adk-rs", "ces", "cxas-yaml"):
            added = [item.reason for item in found(value, target).losses if item.pointer == "/0/conversation"]
            assert [item.split(", ")[1] for item in added] == ["but evaltui finds no turns in the source"]
        elif target.option:
            assert [item.pointer for item in found(value, target).losses if item.kind != "invented"]


@pytest.mark.parametrize("option", ["evalset", "evaluation-dataset", "adk-rs"])
def test_an_empty_user_message_is_reported_as_added(option: str) -> None:
    (target,) = [item for item in FORMATS if item.option == option]
    made = found({"eval_cases": [{"eval_case_id": "a", "reference": "500"}]}, target)
    assert [item.pointer for item in made.losses if item.kind == "invented" and "user" in item.pointer] == [
        "/eval_cases/0/user_content"
    ]


def test_a_second_list_of_cases_is_reported() -> None:
    value = {**set_of({"eval_id": "a", "conversation": [{"user_content": ASKED}]}), "scenarios": [{"title": "b"}]}
    for target in FORMATS:
        if target.write is not None:
            assert "/scenarios" in {item.pointer for item in found(value, target).losses}, target.option
