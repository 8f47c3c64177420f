"""A mapping names the resources of CX Agent Studio, and says what is wrong with it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaltui.document.errors import ReadError
from evaltui.document.node import read_document
from evaltui.interop.ces.writer import CES
from evaltui.interop.conversion import Conversion, convert
from evaltui.interop.document_texts import read_json_or_yaml
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.fields import ConversionError, SetField
from evaltui.interop.resource_mapping import read_mapping
from tests.interop.rich_set import RICH_SET

APP = "projects/p/locations/us/apps/a"


def _with(mapping: Any) -> Conversion:
    names = read_mapping(read_json_or_yaml(json.dumps(mapping).encode()))
    return convert(read_document(json.dumps(RICH_SET).encode()), EVAL_SET, CES, "trips", names)


def _steps(conversion: Conversion, kind: str) -> list[Any]:
    turns = [turn for each in conversion.documents for turn in each.get("golden", {}).get("turns", [])]
    expectations = [step.get("expectation", {}) for turn in turns for step in turn["steps"]]
    return [each[kind] for each in expectations if kind in each]


def test_full_names_ids_and_toolsets() -> None:
    mapping = {
        "app": APP,
        "tools": {"a": f"{APP}/tools/1", "b": "2", "c": "tools/3", "d": {"toolset": "web", "toolId": "find"}},
        "agents": {"billing": "81"},
        "expectations": {"polite": "2b"},
    }
    names = read_mapping(read_json_or_yaml(json.dumps(mapping).encode()))
    assert [names.resource("tools", each)[0] for each in "abc"] == [f"{APP}/tools/{number}" for number in (1, 2, 3)]
    assert names.resource("tools", "d")[0] == (f"{APP}/toolsets/web", "find")
    assert names.resource("agents", "billing") == (f"{APP}/agents/81", False)
    assert names.expectations == {"polite": f"{APP}/evaluationExpectations/2b"}
    assert names.resource("tools", "unheard of") == (f"{APP}/tools/unheard_of", False)


def test_a_mapping_may_be_yaml_or_have_short_names_beside_the_app() -> None:
    text = f"book: {APP}/tools/1\nbilling: {APP}/agents/2\npolite: {APP}/evaluationExpectations/3"
    names = read_mapping(read_json_or_yaml(text.encode()))
    assert (names.resource("tools", "book")[0], names.resource("agents", "billing")[0]) == (
        f"{APP}/tools/1",
        f"{APP}/agents/2",
    )
    assert names.expectations == {"polite": f"{APP}/evaluationExpectations/3"}
    assert names.resource("tools", "other")[1]


def test_json_with_tabs_is_a_mapping() -> None:
    assert read_mapping(read_json_or_yaml(f'{{\n\t"app": "{APP}"\n}}'.encode())).app == APP


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[]", "a mapping must be an object such as"),
        ("{", "line 1, column 2: invalid JSON: the text ends"),
        ("a: [", "invalid YAML: line 1"),
        ("app: my-app", '"app" in the mapping must be a name such as'),
        ("tools: {a: 7f}", 'the mapping has only an id for "a". Add "app" to the mapping'),
        ("tools: {a: 7}", 'the mapping has no resource name for "a"'),
        ("tools: [1, 2]", '"tools" in the mapping must be an object with a resource name for each short name'),
        ("a: projects/p", 'the resource name of "a" in the mapping must contain'),
        ("tool: {a: 7f}", 'a mapping has no key "tool"; write "tools"'),
        ("what: {a: 7f}", 'a mapping has no key "what"; use "app", "tools", "agents" or "expectations"'),
        ('"\\u001b[31m": projects/p', 'the resource name of "␛[31m" in the mapping must contain'),
    ],
)
def test_a_wrong_mapping_is_refused(text: str, sentence: str) -> None:
    with pytest.raises((ConversionError, ReadError)) as caught:
        read_mapping(read_json_or_yaml(text.encode()))
    assert str(caught.value).startswith(sentence)


def test_names_derived_from_the_app_need_no_report() -> None:
    conversion = _with({"app": APP})
    assert {each["tool"] for each in _steps(conversion, "toolCall")} == {
        f"{APP}/tools/find_flights",
        f"{APP}/tools/check_visa",
    }
    assert [each["targetAgent"] for each in _steps(conversion, "agentTransfer")] == [f"{APP}/agents/billing"]
    assert not [loss for loss in conversion.losses if loss.field is SetField.CALL_NAME and "placeholder" in loss.reason]


def test_a_short_name_that_the_resource_does_not_tell_is_the_display_name() -> None:
    conversion = _with({"app": APP, "tools": {"find_flights": "6f1c", "check_visa": {"toolset": "t", "toolId": "v"}}})
    first, second, _ = _steps(conversion, "toolCall")
    assert (first["tool"], first["displayName"]) == (f"{APP}/tools/6f1c", "find_flights")
    assert second["toolsetTool"] == {"toolset": f"{APP}/toolsets/t", "toolId": "v"}
    assert second["displayName"] == "check_visa"


def test_without_a_mapping_placeholders_are_reported_with_advice() -> None:
    losses = [loss for loss in _with({}).losses if "placeholder" in loss.reason]
    assert {loss.kind for loss in losses} == {"changed"}
    assert {loss.advice for loss in losses} == {"Give the resource names with --mapping FILE."}
    assert "/eval_cases/0/conversation/0/intermediate_data/tool_uses/0/name" in {loss.pointer for loss in losses}


def test_rubrics_that_the_mapping_names_are_expectations() -> None:
    conversion = _with({"app": APP, "expectations": {"polite": "2b"}})
    golden, _, scenario = conversion.documents
    assert golden["golden"]["evaluationExpectations"] == [f"{APP}/evaluationExpectations/2b"]
    assert scenario["scenario"]["evaluationExpectations"] == [f"{APP}/evaluationExpectations/2b"]
    kinds = {loss.pointer: loss.kind for loss in conversion.losses}
    assert kinds["/eval_cases/0/rubrics/0"] == "changed"
    assert kinds["/eval_cases/0/rubrics/1"] == "no_place"
