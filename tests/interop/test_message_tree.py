"""All that is written for CX Agent Studio stands in the message tree of its API."""

from __future__ import annotations

from pathlib import Path

from evaltui.interop.ces.writer import CES
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.fields import ConversionError
from tests.interop.completeness import converted
from tests.interop.message_tree import faults
from tests.interop.rich_set import RICH_SET, varied_sets
from tests.sampling import Extent


def test_the_tree_refuses_what_it_does_not_have() -> None:
    evaluation = {
        "displayName": 1,
        "golden": {"turns": [{"steps": [{"userInput": {"text": "a", "dtmf": "1"}, "hint": "b"}]}]},
        "scenario": {"maxTurns": 2.5},
    }
    assert faults(evaluation) == [
        ": 2 of the oneof inputs",
        "/displayName: 1 is no string",
        "/golden/turns/0/steps/0/userInput: 2 of the oneof input_type",
        "/golden/turns/0/steps/0/hint: unknown",
        "/scenario/maxTurns: 2.5 is no integer",
    ]


def test_a_set_with_all_fields_becomes_evaluations_of_the_tree() -> None:
    documents = converted(RICH_SET, EVAL_SET, CES).documents
    assert [each["displayName"] for each in documents] == ["book", "greet", "wander"]
    assert [faults(each) for each in documents] == [[], [], []]


def test_sets_of_google_adk_in_the_corpus_become_evaluations_of_the_tree(shared_folder: Path) -> None:
    written = 0
    for path in sorted((shared_folder / "corpus").glob("*_adk_evalset__*.json")):
        try:
            documents = converted(path.read_bytes(), EVAL_SET, CES).documents
        except ConversionError:
            continue
        assert not [(path.name, fault) for each in documents for fault in faults(each)]
        written += len(documents)
    assert written > 300


def test_varied_sets_break_the_tree_nowhere() -> None:
    for document in varied_sets(150 if Extent.is_thorough else 30, seed=3):
        try:
            documents = converted(document, EVAL_SET, CES).documents
        except ConversionError:
            continue
        assert not [fault for each in documents for fault in faults(each)]
