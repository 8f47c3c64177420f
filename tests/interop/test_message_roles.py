"""Eval sets become eval sets in other spellings without roles that nobody wrote."""

import json
from typing import Any

import pytest

from evaltui.document.node import read_document
from evaltui.interop.adk_rs_set import ADK_RS
from evaltui.interop.conversion import convert
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from tests.interop.completeness import converted

TEXT = [{"text": "hi"}]
EVENTS = [
    {"author": "a", "content": {"parts": TEXT}},
    {"author": "a", "content": {"role": "user", "parts": TEXT}},
    {"author": "a", "content": {"role": "model", "parts": TEXT}},
]


def value_of(*roles: str | None) -> dict[str, Any]:
    user, final = ({"parts": TEXT} if role is None else {"role": role, "parts": TEXT} for role in roles)
    turn = {"user_content": user, "final_response": final, "intermediate_data": {"invocation_events": EVENTS}}
    return {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}


@pytest.mark.parametrize("roles", [(None, None), ("user", None), (None, "model"), ("user", "model"), ("odd", "tool")])
def test_an_eval_set_keeps_the_roles_that_it_has(roles: tuple[str | None, str | None]) -> None:
    made = converted(value_of(*roles), EVAL_SET, EVAL_SET)
    assert made.documents[0] == value_of(*roles)
    assert made.losses == []


def test_a_set_in_camel_case_has_no_role_that_the_source_lacks() -> None:
    root = read_document(json.dumps(value_of(None, None)).encode())
    written = json.dumps(convert(root, EVAL_SET, EVAL_SET, is_camel=True).documents[0])
    assert written.count('"role"') == 2
    assert '"userContent": {"parts"' in written


def test_other_formats_have_the_usual_roles() -> None:
    (case,) = converted(value_of(None, None), EVAL_SET, EVALUATION_DATASET).documents[0]["eval_cases"]
    assert (case["prompt"]["role"], case["reference"]["response"]["role"]) == ("user", "model")
    (turn,) = converted(value_of(None, None), EVAL_SET, ADK_RS).documents[0]["eval_cases"][0]["conversation"]
    assert (turn["user_content"]["role"], turn["final_response"]["role"]) == ("user", "model")
