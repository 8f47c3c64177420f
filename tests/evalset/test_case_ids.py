"""The ids of cases, read from their source as it is now."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.edits import Insert, Remove, Set, json_text
from evaltui.document.node import Node
from evaltui.evalset.case_ids import CaseIds
from evaltui.evalset.set_views import EvalCaseView, EvalSetView
from tests.evalset.helpers import set_of

TEXTS = st.text(st.sampled_from('ab1é/"\\ '), max_size=3)
CASES = st.builds(lambda key, text, first: {**({} if first else {"n": {"eval_id": "x"}}), key: text},
                  st.sampled_from(["eval_id", "evalId"]), TEXTS, st.booleans())  # fmt: skip
STEPS = st.lists(st.tuples(st.sampled_from(["insert", "remove", "set", "undo"]), st.integers(0, 9), CASES), max_size=8)


def ids_of(cases: list[Node]) -> set[str]:
    return {EvalCaseView(case).eval_id for case in cases}


@given(before=st.lists(CASES, max_size=5), steps=STEPS)
def test_they_are_those_of_the_cases_whatever_is_done_to_them(before: list[object], steps: list[tuple]) -> None:
    document = Document(json.dumps({"eval_cases": before}, ensure_ascii=False).encode())
    assert document.root is not None
    eval_set = EvalSetView(document.root)
    for what, number, case in [("", 0, {}), *steps]:
        cases, there = eval_set.cases, f"/eval_cases/{number % max(1, len(eval_set.cases))}"
        if what == "insert":
            document.apply([Insert(there if cases else "/eval_cases/-", json_text(case))], "")
        elif what == "undo":
            document.undo()
        elif what and cases:
            document.apply([Remove(there) if what == "remove" else Set(there, json_text(case))], "")
        assert eval_set.ids.of(eval_set.cases) == CaseIds().of(eval_set.cases)
        assert eval_set.ids.of(eval_set.cases) >= ids_of(eval_set.cases)


@pytest.mark.parametrize("text", ["a", "é", 'say "1"', "\udc80 1", "a/1", "", "a\n"])
def test_no_case_is_unfolded_for_them(text: str) -> None:
    eval_set = set_of({"eval_id": text, "conversation": []}, {"conversation": [], "evalId": text})
    assert eval_set.ids.of(eval_set.cases) == {text}
    assert not any(case.is_unfolded for case in eval_set.cases)
