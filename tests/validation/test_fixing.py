"""Fixes, whatever is wrong: they leave the rest of the file alone, are undone in one step, and make nothing worse."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Rename
from evaltui.document.patch import apply_patch, operations_of, read_patch
from evaltui.validation.case_checks import check_document
from evaltui.validation.file_check import fix_file, safe_fixes
from evaltui.validation.rule_types import Diagnostic
from evaltui.validation.rules.rule_registry import RULES
from tests.agreement.mutator import mutations
from tests.agreement.test_agreement import SAMPLES
from tests.sampling import sampled


def findings(data: bytes) -> list[Diagnostic]:
    return list(check_document(Document(data)))


def errors(found: list[Diagnostic], fixes: list[Diagnostic] | None = None) -> Counter[str]:
    """Errors by code, but for those below keys that `fixes` rename: what stands there was not read before."""
    renamed = [
        f"{edit.pointer.rpartition('/')[0]}/{edit.name}"
        for each in fixes or []
        for edit in (each.fix.edits if each.fix else ())
        if isinstance(edit, Rename)
    ]
    return Counter(
        each.code
        for each in found
        if each.severity == "error" and not any(each.pointer.startswith(f"{pointer}/") for pointer in renamed)
    )


def broken(path: Path, count: int) -> list[bytes]:
    """Mutations of a file that are still JSON."""
    made = mutations(path.read_text("utf-8"), random.Random(f"fix {path.stem}"), count)
    return sampled((data for data in made if Document(data).root is not None), 10)


FILES = sorted(SAMPLES.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_fix_alone_takes_its_finding_away_and_adds_no_error(path: Path) -> None:
    fixed = 0
    for data in broken(path, 40):
        found = findings(data)
        for each in found:
            if each.fix is None:
                continue
            document = Document(data)
            document.apply(each.fix.edits, each.fix.title)
            now = list(check_document(document))
            if each.code != "not-utf-8":  # a case is checked further only once all of its bytes are text
                assert not errors(now, [each]) - errors(found), (each, data)
            assert (each.code, each.pointer) not in [(other.code, other.pointer) for other in now], (each, data)
            document.undo()
            assert document.to_bytes() == data
            fixed += 1
    assert fixed or "broken" not in path.name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_all_safe_fixes_together_leave_no_safe_one_and_add_no_error(path: Path) -> None:
    for data in broken(path, 40):
        before = findings(data)
        document, fixed = fix_file(Document(data), path.name, RULES)
        now = list(check_document(document))
        assert not errors(now, before) - errors(before), data
        assert [each for each in now if each.fix and each.fix.safe] == []
        assert bool(fixed) == (document.to_bytes() != data)
        again, more = fix_file(Document(document.to_bytes()), path.name, RULES)
        assert (again.to_bytes(), more) == (document.to_bytes(), [])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_patch_of_a_fix_does_what_the_fix_does(path: Path) -> None:
    for data in broken(path, 20):
        for each in findings(data):
            patch = operations_of(each.fix.edits) if each.fix else None
            if each.fix is None or patch is None:
                continue
            fixed, patched = Document(data), Document(data)
            fixed.apply(each.fix.edits, "")
            apply_patch(patched, read_patch(json.dumps(patch).encode()))
            assert plain(patched) == plain(fixed)


def plain(document: Document) -> Any:
    return json.loads(document.body())


TURN: dict[str, Any] = {"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}
CASE: dict[str, Any] = {"eval_id": "a", "conversation": [TURN]}
CALLS = {"tool_uses": [{"name": "f", "args": {}}]}


def renamed(value: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    return {new if key == old else key: item for key, item in value.items()}


def in_case(**members: Any) -> dict[str, Any]:
    return {"eval_set_id": "s", "eval_cases": [{**CASE, **members}]}


def in_turn(turn: dict[str, Any]) -> dict[str, Any]:
    return in_case(conversation=[turn])


def in_call(call: dict[str, Any]) -> dict[str, Any]:
    return in_turn({**TURN, "intermediate_data": {"tool_uses": [call]}})


SLIPS = {
    "evalid": ({"eval_set_id": "s", "eval_cases": [renamed(CASE, "eval_id", "evalid")]}, in_case()),
    "user_contents": (in_turn(renamed(TURN, "user_content", "user_contents")), in_case()),
    "final_respose": (in_turn(renamed(TURN, "final_response", "final_respose")), in_case()),
    "tool_use": (
        in_turn({**TURN, "intermediate_data": renamed(CALLS, "tool_uses", "tool_use")}),
        in_turn({**TURN, "intermediate_data": CALLS}),
    ),
    "arg": (in_call({"name": "f", "arg": {"x": 1}}), in_call({"name": "f", "args": {"x": 1}})),
    "session_inputs": (
        in_case(session_inputs={"app_name": "a", "user_id": "u"}),
        in_case(session_input={"app_name": "a", "user_id": "u"}),
    ),
    "eval_case": (renamed(in_case(), "eval_cases", "eval_case"), in_case()),
    "evalSetId": (renamed(in_case(), "eval_set_id", "evalSetId"), in_case()),
    "tool_name and tool_input": (
        in_call({"tool_name": "f", "tool_input": {"x": 1}}),
        in_call({"name": "f", "args": {"x": 1}}),
    ),
    "a number for an id": (in_case(eval_id=7), in_case(eval_id="7")),
    "microseconds": (in_case(creation_timestamp=1747000000000000), in_case(creation_timestamp=1747000000)),
    "no args": (in_call({"name": "f"}), in_call({"name": "f", "args": {}})),
    "a call without the id of its response": (
        in_turn(
            {
                **TURN,
                "intermediate_data": {
                    "tool_uses": [{"name": "f", "args": {}}],
                    "tool_responses": [{"id": "c9", "name": "f", "response": {}}],
                },
            }
        ),
        in_turn(
            {
                **TURN,
                "intermediate_data": {
                    "tool_uses": [{"id": "c9", "name": "f", "args": {}}],
                    "tool_responses": [{"id": "c9", "name": "f", "response": {}}],
                },
            }
        ),
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_slips_that_people_make_are_fixed_safely(slip: str) -> None:
    wrong, right = SLIPS[slip]
    document, fixed = fix_file(Document(json.dumps(wrong, indent=2).encode()), "set.evalset.json", RULES)
    assert plain(document) == right
    assert fixed
    assert errors(list(check_document(document))) == Counter()


CAMEL_CASE: dict[str, Any] = {"evalId": "a", "conversation": [{"userContent": {"parts": [{"text": "Hi"}]}}]}
TRPC_CASE = {"evalId": "a", "conversation": [{"userContent": {"role": "user", "content": "Hi"}}]}
DIALECTS: dict[str, dict[str, Any]] = {
    "google's messages": {"evalSetId": "s", "evalCases": [CAMEL_CASE]},
    "a case with a safe fix": {"evalSetId": "s", "evalCases": [{**CAMEL_CASE, "creationTimestamp": 1747000000000000}]},
    "no cases": {"evalSetId": "s"},
    "messages": {"evalCases": [{"evalId": "a", "conversation": [{"userContent": {"content": "Hi"}, "tools": []}]}]},
    "a trace": {"evalSetId": "s", "evalCases": [{"evalId": 7, "evalMode": "trace", "actualConversation": []}]},
    "a scenario": {
        "evalSetId": "s",
        "evalCases": [{"evalId": "a", "conversationScenario": {"driver": "actual", "startingPrompt": "Hi"}}],
    },
    "ids of adk-rs": {"id": "s", "eval_cases": [{"id": "a", "conversation": CAMEL_CASE["conversation"]}]},
    "ids of adk-rs in cases": {"eval_set_id": "s", "eval_cases": [{"id": "a", "conversation": []}]},
    "cases of trpc-agent-go and an eval_set_id": {"eval_set_id": "s", "evalCases": [TRPC_CASE]},
    "cases of trpc-agent-go in eval_cases": {"evalSetId": "s", "eval_cases": [{"eval_id": "a"}, TRPC_CASE]},
    "a scenario of trpc-agent-go and an eval_set_id": {
        "eval_set_id": "s",
        "evalCases": [{"evalId": "a", "conversationScenario": {"startingPrompt": "Hi", "driver": "actual"}}],
    },
    "a trace in snake_case": {
        "eval_set_id": "s",
        "eval_cases": [{"eval_id": "a", "eval_mode": "trace", "conversations": [TURN]}],
    },
    "turns that an agent had": {
        "eval_set_id": "s",
        "eval_cases": [{"eval_id": "a", "conversations": [TURN], "actual_conversation": [TURN]}],
    },
    "a dataset with other ids": {"evalCases": [{"eval_id": "a", "prompt": {"parts": [{"text": "Hi"}]}}]},
}


@pytest.mark.parametrize("name", DIALECTS)
def test_no_fix_is_safe_in_a_set_that_other_programs_read(name: str) -> None:
    data = json.dumps(DIALECTS[name]).encode()
    assert [each.code for each in findings(data) if each.fix and each.fix.safe] == []
    document, fixed = fix_file(Document(data), "set.evalset.json", RULES)
    assert (document.to_bytes(), fixed) == (data, [])
    assert safe_fixes(data, None, None, RULES) == ([], {})  # as the editor fixes all


@pytest.mark.parametrize(("path", "file"), [(None, "FILE"), (Path("a b.json"), "'a b.json'")])
def test_an_id_of_adk_rs_is_named_with_the_command_that_converts_it(path: Path | None, file: str) -> None:
    data = json.dumps(DIALECTS["ids of adk-rs"]).encode()
    (found,) = [each for each in check_document(Document(data, path)) if each.code == "misspelt-key"]
    assert found.message == (
        f"id should be eval_id; adk-rs reads id, too. `evaltui convert {file} --to evalset` makes a set of google-adk"
    )
