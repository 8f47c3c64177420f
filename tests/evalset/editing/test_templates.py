"""New sets, cases, turns and calls in the shape that a file already has."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.editing.templates import new_case, new_eval_set
from tests.evalset.helpers import layers, node_of, set_of

TEXT = [{"text": ""}]
SAYING = {"parts": [{"text": "Hello"}], "role": "user"}
IDS = st.text(st.sampled_from('ab_1é/"\\ 9'), min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("name", "identifier"),
    [
        ("trip_planner", "trip_planner"),
        ("trip-planner.evalset", "trip_planner_evalset"),
        ("Reise nach Köln", "Reise_nach_K_ln"),
        ('"},{"', "eval_set"),
        ("", "eval_set"),
        ("旅行", "eval_set"),
        ("42", "42"),
    ],
)
def test_a_new_set_has_one_case_of_one_turn_and_an_id_that_google_adk_would_create(name: str, identifier: str) -> None:
    turn = {"invocation_id": "inv-1", "user_content": {"parts": TEXT, "role": "user"}}
    body = new_eval_set(name)
    assert json.loads(body) == {
        "eval_set_id": identifier,
        "eval_cases": [{"eval_id": "case_1", "conversation": [turn]}],
    }
    assert body.endswith(b"]\n}\n")


@pytest.mark.parametrize(
    ("neighbour", "case"),
    [
        (
            {"conversation": [{"user_content": SAYING, "invocation_id": "i"}], "rubrics": [{}], "eval_id": "a_1"},
            {
                "conversation": [{"user_content": {"parts": TEXT, "role": "user"}, "invocation_id": "i_2"}],
                "eval_id": "a_2",
            },
        ),
        (
            {"evalId": "a", "conversation": [{"userContent": {"role": "user", "parts": []}, "finalResponse": {}}]},
            {
                "evalId": "case_2",
                "conversation": [
                    {"userContent": {"role": "user", "parts": TEXT}, "finalResponse": {"parts": TEXT, "role": "model"}}
                ],
            },
        ),
        (
            {"eval_id": "a", "conversation": [{"userContent": {"parts": []}, "final_response": None}]},
            {"eval_id": "case_2", "conversation": [{"userContent": {"parts": TEXT}}]},
        ),
        (
            {
                "eval_id": "a1",
                "session_input": {"userId": "u", "state": {"vip": 1}, "appName": "x"},
                "conversation": [],
            },
            {
                "eval_id": "a2",
                "session_input": {"userId": "u", "state": {}, "appName": "x"},
                "conversation": [{"invocation_id": "inv-1", "user_content": {"parts": TEXT, "role": "user"}}],
            },
        ),
        (
            {"conversation_scenario": {"conversationPlan": "x", "startingPrompt": "y"}, "eval_id": "a1"},
            {"conversation_scenario": {"conversationPlan": "", "startingPrompt": ""}, "eval_id": "a2"},
        ),
        (
            {"evalId": "a1", "conversationScenario": {}, "sessionInput": {"appName": "x", "userId": "u"}},
            {
                "evalId": "a2",
                "conversationScenario": {"startingPrompt": "", "conversationPlan": ""},
                "sessionInput": {"appName": "x", "userId": "u"},
            },
        ),
    ],
    ids=["order", "camel", "mixed, no role", "session", "scenario", "camel scenario, session without state"],
)
def test_a_new_case_is_like_its_neighbour_in_keys_order_and_shape(neighbour: Any, case: Any) -> None:
    eval_set = set_of(neighbour)
    assert layers(new_case(eval_set, eval_set.cases[0])) == layers(case)


def test_a_case_in_an_empty_set_begins_with_one() -> None:
    turn = {"invocation_id": "inv-1", "user_content": {"parts": TEXT, "role": "user"}}
    assert new_case(set_of(), None) == {"eval_id": "case_1", "conversation": [turn]}
    assert list(new_case(CaseFile(node_of({"evalSetId": "s", "evalCases": []}), EVAL_SET), None)) == [
        "evalId",
        "conversation",
    ]


@pytest.mark.parametrize(
    ("ids", "after", "fresh"),
    [
        (["a1", "a2", "a3"], 0, "a4"),
        (["a1", "a3"], 0, "a2"),
        (["a1", "b"], None, "case_3"),
        (["book", "book_2", "other"], 0, "case_4"),
        (["refund", "book_2"], None, "case_3"),
        (["case_1", "book", "refund"], 1, "case_4"),
        (["case_1", "book"], 0, "case_2"),
        (["book", "case_3"], 0, "case_4"),
        (["book-a-flight", "refund"], 0, "case-3"),
        (['say "1"', 'say "2"'], 0, "case_3"),
        (["a/1", "a/2"], 0, "a/3"),
        (["é1", "é2"], 0, "é3"),
        (["\udc80 1", "\udc80 2"], 0, "\udc80 3"),
        (["", "case_1"], 0, "case_2"),
    ],
)
def test_a_new_case_has_the_next_number_of_a_series_else_a_neutral_name(ids: list[str], after: Any, fresh: str) -> None:
    eval_set = set_of(*({"eval_id": name} for name in ids))
    made = new_case(eval_set, eval_set.cases[after] if after is not None else None)
    assert made["eval_id"] == fresh


@given(ids=st.lists(IDS, min_size=1, max_size=6), data=st.data())
def test_the_id_of_a_new_case_is_free_however_the_file_spells_its_texts(ids: list[str], data: st.DataObject) -> None:
    text = json.dumps({"eval_cases": [{"eval_id": name} for name in ids]}, ensure_ascii=data.draw(st.booleans()))
    root = Document(text.replace("/", data.draw(st.sampled_from(["/", "\\/"]))).encode()).root
    assert root is not None
    after = data.draw(st.sampled_from(CaseFile(root, EVAL_SET).cases))
    assert new_case(CaseFile(root, EVAL_SET), after)["eval_id"] not in ids
