"""The case or turn on screen that a pointer into a source leads to."""

from __future__ import annotations

import json

import pytest

from evaltui.document.document import Document
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import EVAL_SET
from evaltui.tui.conversion.converter import shown_place

CASES = [{"eval_id": str(n), "conversation": [{"invocation_id": f"{n}.{m}"} for m in range(2)]} for n in range(3)]


def shown(cases: int, pointer: str, *, is_list: bool = False) -> str:
    root = Document(json.dumps({"eval_set_id": "s", "eval_cases": CASES[:cases]}).encode()).root
    assert root is not None
    return shown_place(CaseFile(root, EVAL_SET), pointer, is_list_of_turns=is_list).pointer()


@pytest.mark.parametrize(
    ("cases", "pointer", "wanted"),
    [
        (3, "/1/data/1/mark", "/eval_cases/1/conversation/1"),
        (3, "/1/initial_session/session_id", "/eval_cases/1"),
        (3, "/evalCases/2/conversation/0/tools/1", "/eval_cases/2/conversation/0"),
        (1, "/golden/turns/1/steps/0", "/eval_cases/0/conversation/1"),
        (1, "/golden/toolCalls", "/eval_cases/0"),
        (3, "/2/golden/turns/1/steps/0", "/eval_cases/2/conversation/1"),
        (3, "/name", ""),
        (3, "", ""),
        (3, "/7/data/0", ""),
        (3, "/1/data/9", "/eval_cases/1"),
    ],
)
def test_the_first_numbers_tell_case_and_turn(cases: int, pointer: str, wanted: str) -> None:
    assert shown(cases, pointer) == wanted


def test_a_list_of_turns_is_one_case() -> None:
    assert shown(1, "/1/query", is_list=True) == "/eval_cases/0/conversation/1"
