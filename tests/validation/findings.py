"""Sets put together in tests, the examples of rules as files, and what is found in them."""

import json
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

from evaltui.document.document import Document
from evaltui.validation.case_checks import check_document
from evaltui.validation.rule_types import Diagnostic, Example

Said = tuple[str, str]
"""Code and pointer."""

TURN: dict[str, Any] = {
    "user_content": {"parts": [{"text": "Hi"}]},
    "final_response": {"parts": [{"text": "Hello"}]},
}


def turn(**members: Any) -> dict[str, Any]:
    return {**TURN, **members}


def case(*turns: dict[str, Any], eval_id: str = "one", **members: Any) -> dict[str, Any]:
    return {"eval_id": eval_id, "conversation": list(turns or (TURN,)), **members}


def with_calls(calls: list[Any], responses: list[Any] | None = None) -> dict[str, Any]:
    data = {"tool_uses": calls, **({"tool_responses": responses} if responses is not None else {})}
    return case(turn(intermediate_data=data))


def with_session(number: int = 1, /, **session: Any) -> dict[str, Any]:
    return case(eval_id=f"case_{number}", session_input={"app_name": "desk", "user_id": "user", **session})


def set_of(*cases: dict[str, Any], **top: Any) -> bytes:
    return json.dumps({"eval_set_id": "s", "eval_cases": list(cases), **top}).encode()


def found_in(data: bytes, code: str = "", path: Path | None = None) -> list[Diagnostic]:
    """All findings, or those of one rule."""
    return [each for each in check_document(Document(data, path)) if code in ("", each.code)]


def said_of(data: bytes) -> list[Said]:
    return [(each.code, each.pointer) for each in found_in(data)]


def fixed(data: bytes, code: str) -> Any:
    """What the fix of the only finding of a rule makes of a set, which has no such finding then, and no new error."""
    (found,) = found_in(data, code)
    assert found.fix is not None
    document = Document(data)
    document.apply(found.fix.edits, "fix")
    left = list(check_document(document))
    assert code not in [each.code for each in left]
    assert "error" not in [each.severity for each in left]
    return json.loads(document.to_bytes())


GOOD_TURN = '{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}'


def file_of(example: Example) -> bytes:
    """The whole file that an example stands for."""
    text = example.text
    if example.kind == "dataset_case":
        text = f'{{"eval_cases": [{text}]}}'
    if example.kind == "turn":
        text = f'{{"eval_id": "a", "conversation": [{text}]}}'
    if example.kind in ("turn", "case"):
        text = f'{{"eval_set_id": "s", "eval_cases": [{text}]}}'
    return text.encode("utf-8", "surrogatepass")


def json_of(probes: Sequence[dict[str, Any]], beyond: Container[str]) -> list[tuple[str, Any, bool]]:
    """Name, data and google-adk's verdict of each probe that is about what is in the JSON; not of those `beyond`."""
    found = []
    for probe in probes:
        try:
            data = json.loads(probe.get("text", ""))
        except (ValueError, RecursionError):
            continue
        if probe["name"] not in beyond:
            found.append((probe["name"], data, probe["accepted"]))
    return found
