"""What the model rejects: said once, at its place, and nothing where it accepts."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.validation.case_checks import check_document
from evaltui.validation.file_check import located
from evaltui.validation.rule_types import Diagnostic
from tests.agreement.mutator import mutations
from tests.agreement.test_agreement import PROBES, SAMPLES, bytes_of, objection
from tests.sampling import Extent

Said = tuple[str, str]
"""Code and pointer."""


def errors(document: Document) -> list[Diagnostic]:
    return [each for each in check_document(document) if each.severity == "error"]


def said(data: bytes) -> list[Said]:
    return [(each.code, each.pointer) for each in errors(Document(data))]


def case_with(**members: Any) -> dict[str, Any]:
    return {"eval_id": "one", "conversation": [{"user_content": {"parts": [{"text": "hi"}]}}], **members}


def turn_with(**members: Any) -> bytes:
    turn = {"user_content": {"parts": [{"text": "hi"}]}, **members}
    return json.dumps({"eval_set_id": "s", "eval_cases": [case_with(conversation=[turn])]}).encode()


TURN = "/eval_cases/0/conversation/0"


def test_there_is_an_error_exactly_where_google_adk_objects() -> None:
    documents = [(probe, Document(bytes_of(probe))) for probe in PROBES]
    accepted = [probe["name"] for probe, document in documents if document.root is not None and not errors(document)]
    assert accepted == [probe["name"] for probe in PROBES if probe["accepted"]]


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_of_changed_files_each_that_is_rejected_has_an_error(path: Path) -> None:
    rejected = 0
    for data in mutations(path.read_text(), random.Random(path.stem), 40 if Extent.is_thorough else 10):
        document = Document(data)
        if document.root is not None:
            found = errors(document)
            assert bool(found) == bool(objection(data)), data
            rejected += bool(found)
    assert rejected


def test_a_misspelt_key_that_is_required_is_one_error_at_that_key() -> None:
    data = json.dumps({"eval_set_id": "s", "eval_cases": [{"evalid": "a", "conversations": []}]}).encode()
    assert said(data) == [("misspelt-key", "/eval_cases/0/evalid")]
    (found,) = errors(Document(data))
    assert found.message == "evalid should be eval_id"
    assert found.at_key


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"user_contents": {}, "user_content": {}}, ("unknown-key", f"{TURN}/user_contents")),
        ({"final_respose": {}}, ("misspelt-key", f"{TURN}/final_respose")),
        ({"intermediate_data": {"tool_use": []}}, ("misspelt-key", f"{TURN}/intermediate_data/tool_use")),
        (
            {"intermediate_data": {"tool_uses": [{"name": "f", "arg": {}}]}},
            ("misspelt-key", f"{TURN}/intermediate_data/tool_uses/0/arg"),
        ),
        (
            {"intermediate_data": {"tool_uses": [{"name": "f", "args": []}]}},
            ("wrong-type", f"{TURN}/intermediate_data/tool_uses/0/args"),
        ),
        (
            {"intermediate_data": {"invocation_events": [{"content": None}]}},
            ("missing-field", f"{TURN}/intermediate_data/invocation_events/0/author"),
        ),
        (
            {"intermediate_data": {"invocation_events": [], "toolUses": []}},
            ("two-shapes", f"{TURN}/intermediate_data"),
        ),
        (
            {"user_content": {"parts": [{"inline_data": {"data": "!!!", "mime_type": "image/png"}}]}},
            ("bad-base64", f"{TURN}/user_content/parts/0/inline_data/data"),
        ),
    ],
)
def test_each_fault_is_said_once_for_what_was_meant(members: dict[str, Any], expected: Said) -> None:
    assert said(turn_with(**members)) == [expected]


def test_a_case_that_is_no_object_is_not_called_the_file() -> None:
    (found,) = errors(Document(b'{"eval_set_id": "s", "eval_cases": [1]}'))
    assert (found.pointer, found.message) == ("/eval_cases/0", "the value must be an object, not 1")


def test_what_is_missing_is_named_in_snake_case() -> None:
    data = json.dumps({"eval_set_id": "s", "eval_cases": [case_with(session_input={"app_name": "a"})]}).encode()
    (found,) = errors(Document(data))
    assert found.message == "user_id is required"
    assert found.pointer == "/eval_cases/0/session_input/user_id"


def test_what_lies_too_deep_for_google_adk_is_said_at_its_case() -> None:
    deep: Any = 1
    for _ in range(250):
        deep = [deep]
    (found,) = errors(Document(turn_with(intermediate_data={"tool_uses": [{"args": {"n": deep}}]})))
    assert found.code == "too-deep"
    assert found.pointer.startswith(f"{TURN}/intermediate_data/tool_uses/0/args/n/0")


def test_cases_under_a_key_in_camel_case_are_checked_where_they_stand() -> None:
    data = {"evalSetId": "s", "evalCases": [case_with(), {"evalId": "b", "conversation": [{"userContents": {}}]}]}
    assert said(json.dumps(data).encode()) == [
        ("misspelt-key", "/evalCases/1/conversation/0/userContents"),
        ("misspelt-key", "/evalSetId"),
        ("misspelt-key", "/evalCases"),
    ]


def test_a_key_in_both_spellings_is_not_taken_for_a_misspelt_one() -> None:
    content = {"parts": [{"text": "hi"}]}
    (found,) = check_document(Document(turn_with(finalResponse=content, final_response=content)))
    assert (found.code, found.pointer) == ("unknown-key", f"{TURN}/final_response")
    assert found.message.startswith("final_response also exists here in camelCase")


def test_problems_under_a_key_in_camel_case_have_their_case_and_turn() -> None:
    cases = [case_with(), {"evalId": "b", "conversation": [{}, {"userContents": {}}]}]
    document = Document(json.dumps({"evalSetId": "s", "evalCases": cases}).encode())
    problems = located(document, errors(document))
    assert [(problem.eval_id, problem.turn) for problem in problems if problem.turn] == [("b", 1), ("b", 2)]
