"""What kind of file a JSON value is."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.evalset.case_file import case_file_of
from evaltui.evalset.file_formats import Format, format_of, format_of_document, is_eval_set
from evaltui.evalset.set_files import look_into

TURN = {"user_content": {"parts": [{"text": "Hi"}]}}
KINDS: dict[str, Format] = {
    "adk_evalset": "eval_set",
    "adk_evalset_empty": "eval_set",
    "adk_evalset_other": "eval_set",
    "eval_config": "eval_config",
    "legacy_v0_list": "legacy_turns",
    "legacy_v1_list": "legacy_cases",
    "platform_dataset": "evaluation_dataset",
}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"eval_set_id": "s", "eval_cases": []}, "eval_set"),
        ({"eval_set_id": "s"}, "eval_set"),
        ({"evalSetId": "s", "evalCases": []}, "eval_set"),
        ({"eval_cases": [{"eval_id": "a"}]}, "eval_set"),
        ({"eval_cases": [{"evalid": "a", "conversation": []}]}, "eval_set"),
        ({"eval_case": [{"evalId": "a"}]}, "eval_set"),
        ({"eval_cases": []}, "eval_set"),
        ([{"eval_id": "a", "conversation": [TURN]}], "eval_set"),
        ({"eval_set_id": "s", "criteria": {}}, "eval_set"),
        ({"criteria": {}}, "eval_config"),
        ({"userSimulatorConfig": {}}, "eval_config"),
        ([{"query": "Hi", "reference": "Hello"}], "legacy_turns"),
        ([{"name": "a", "data": [{"query": "Hi"}]}], "legacy_cases"),
        ({"eval_cases": [{"eval_case_id": "a", "prompt": {}}]}, "evaluation_dataset"),
        (
            {"eval_cases": [{"eval_case_id": "a", "agent_data": {}, "session_input": {"state": {}}}]},
            "evaluation_dataset",
        ),  # as conversions keep what google-adk reads
        ({"evalCases": [{"evalCaseId": "a"}]}, "evaluation_dataset"),
        ({"gcs_source": {"uris": []}}, "evaluation_dataset"),
        ({"displayName": "a", "golden": {"turns": []}}, "ces_evaluation"),
        ([{"name": "projects/p", "scenario": {"task": "Book it"}}], "ces_evaluation"),
        ({"eval_set_result_id": "r", "eval_set_id": "s", "eval_case_results": []}, "eval_set_result"),
        ({"evalCaseResults": [], "evalSetId": "s"}, "eval_set_result"),
        (json.dumps({"eval_set_result_id": "r", "eval_case_results": []}), "eval_set_result"),
        ({"openapi": "3.1.0"}, "json"),
        ({"eval_case_results": [{"eval_case_index": 0}]}, "json"),
        ([1, 2], "json"),
        ([], "json"),
        ({}, "json"),
        ("{ no json", "json"),
        (None, "json"),
    ],
)
def test_the_content_tells_the_format(value: Any, expected: Format) -> None:
    root = Document(json.dumps(value).encode()).root
    assert root is not None
    assert format_of(value) == expected
    assert format_of_document(root) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("trips.evalset.json", "eval_set"),
        ("test_config.json", "eval_config"),
        ("eval_config.json", "eval_config"),
        ("trips.json", "json"),
    ],
)
def test_the_name_tells_where_the_content_does_not(name: str, expected: Format) -> None:
    assert format_of({}, name) == expected
    assert format_of({"eval_set_id": "s"}, name) == "eval_set"


def test_each_public_file_is_what_its_collectors_found_it_to_be(shared_folder: Path) -> None:
    paths = sorted((shared_folder / "corpus").glob("[0-9]*.json"))
    found = {path.name: format_of_document(Document.open(path).root or Node(b"null")) for path in paths}
    assert found
    assert found == {path.name: KINDS[path.name.partition("_")[2].partition("__")[0]] for path in paths}


CASE = {"eval_id": "a", "conversation": [TURN]}
RESULT = {"eval_set_result_id": "r", "eval_set_id": "s", "eval_case_results": []}


@pytest.mark.parametrize(
    ("value", "name", "expected", "shows_cases"),
    [
        ({"eval_set_id": "s", "eval_cases": [CASE]}, "trips.json", "eval_set", True),
        ({"evalSetId": "s"}, "trips.evalset.json", "eval_set", True),
        ({"eval_cases": []}, "trips.json", "eval_set", True),
        (RESULT, "trips.json", "eval_set_result", False),
        ({"eval_cases": [{"eval_case_id": "a", "prompt": {}}]}, "trips.json", "evaluation_dataset", True),
        ({"eval_cases": [{"data": [{"query": "Hi"}]}]}, "trips.json", "eval_set", True),
        ([CASE], "trips.json", "eval_set", False),
        ({"eval_case": [CASE]}, "trips.json", "eval_set", False),
        ({}, "trips.evalset.json", "eval_set", False),
        ({"eval_set_id": "s", "eval_cases": [], "criteria": {}}, "test_config.json", "eval_set", True),
        ({"eval_cases": {"a": CASE}}, "trips.json", "json", False),
    ],
)
def test_validate_the_editor_and_the_list_of_sets_give_one_answer(
    value: Any, name: str, expected: Format, shows_cases: bool, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(value))
    root = Document.open(path).root
    assert root is not None
    assert format_of_document(root, name) == expected
    assert is_eval_set(root) is (shows_cases and expected == "eval_set")
    assert (case_file_of(root) is not None) is shows_cases
    listed = look_into(path)
    assert (listed is not None and listed.cases is not None) is shows_cases
