"""Datasets put together in tests, and what is found in them."""

import json
from typing import Any

from evaltui.document.document import Document
from evaltui.validation.case_checks import check_document
from evaltui.validation.rule_types import Diagnostic
from tests.validation.findings import Said

CASE = "/eval_cases/0"
EVENTS = f"{CASE}/agent_data/turns/0/events"
HI: dict[str, Any] = {"role": "user", "parts": [{"text": "Hi"}]}
HELLO: dict[str, Any] = {"role": "model", "parts": [{"text": "Hello"}]}
CALL: dict[str, Any] = {"role": "model", "parts": [{"function_call": {"name": "get_fines", "args": {}}}]}
ASKED: dict[str, Any] = {"author": "user", "content": HI}
ANSWERED: dict[str, Any] = {"author": "desk", "content": HELLO}
CALLED: dict[str, Any] = {"author": "desk", "content": CALL}


def dataset(*cases: Any, **top: Any) -> bytes:
    return json.dumps({"eval_cases": list(cases), **top}).encode()


def case(name: str = "a", **members: Any) -> dict[str, Any]:
    """A case with a prompt, unless it has agent data."""
    prompt = {} if "agent_data" in members else {"prompt": HI}
    return {"eval_case_id": name, **prompt, **members}


def talk(*events: Any, agents: Any = None, **members: Any) -> dict[str, Any]:
    """A case with one turn of these events."""
    data = {**({"agents": agents} if agents is not None else {}), "turns": [{"turn_index": 0, "events": [*events]}]}
    return case(agent_data=data, **members)


def check_dataset(document: Document) -> list[Diagnostic]:
    return check_document(document, kind="evaluation_dataset")


def found_in(data: bytes, code: str = "") -> list[Diagnostic]:
    """All findings, or those of one rule."""
    return [each for each in check_dataset(Document(data)) if code in ("", each.code)]


def said_of(*cases: Any) -> list[Said]:
    return [(each.code, each.pointer) for each in found_in(dataset(*cases))]


def fixed(data: bytes, code: str) -> Any:
    """What the fix of the only finding of a rule makes of a dataset, which has no such finding then, and no error."""
    (found,) = found_in(data, code)
    assert found.fix is not None
    document = Document(data)
    document.apply(found.fix.edits, "fix")
    left = found_in(document.to_bytes())
    assert code not in [each.code for each in left]
    assert "error" not in [each.severity for each in left]
    return json.loads(document.to_bytes())
