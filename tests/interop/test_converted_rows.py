"""Text in another format that is pasted into an eval set or a dataset, and what is said of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.errors import EditError
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.editing.pasted_rows import put_copies
from evaltui.evalset.editing.revision import Copy
from evaltui.interop.converted_rows import rows_in_text

OLD_TURN = {
    "query": "Book it",
    "expected_tool_use": [{"tool_name": "book", "tool_input": {"id": 7}}],
    "expected_intermediate_agent_responses": [{"author": "root", "text": "one moment"}],
    "reference": "Gebucht – 好.",
}
CASE = {
    "eval_id": "a",
    "conversation": [
        {
            "invocation_id": "i",
            "user_content": {"parts": [{"text": "hi"}], "role": "user"},
            "final_response": {"parts": [{"text": "hello"}], "role": "model"},
        }
    ],
}
DATASET_CASE = {
    "eval_case_id": "d",
    "prompt": {"role": "user", "parts": [{"text": "hi"}]},
    "reference": {"response": {"role": "model", "parts": [{"text": "hello"}]}},
    "responses": [{"response": {"parts": [{"text": "recorded"}]}}],
}
ADK_RS_CASE = {"id": "r", "conversation": [{"invocation_id": "i", "user_content": {"parts": [{"text": "hi"}]}}]}
TRPC_CASE = {
    "evalId": "t",
    "conversation": [
        {
            "invocationId": "i",
            "userContent": {"role": "user", "content": "hi"},
            "finalResponse": {"role": "assistant", "content": "hello"},
            "tools": [{"id": "1", "name": "f", "arguments": {"a": 1}, "result": {"b": 2}}],
        }
    ],
}
CES = {
    "displayName": "Refund",
    "golden": {
        "turns": [
            {
                "steps": [
                    {"userInput": {"text": "hi"}},
                    {"expectation": {"agentResponse": {"chunks": [{"text": "hello"}]}}},
                ]
            }
        ]
    },
}


def rows(value: Any) -> tuple[list[Copy], str]:
    return rows_in_text(json.dumps(value))


def cases(found: tuple[list[Copy], str]) -> list[dict[str, Any]]:
    return [json.loads(copy.source) for copy in found[0]]


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        (DATASET_CASE, ["d"]),
        ([DATASET_CASE, DATASET_CASE], ["d", "d"]),
        ({"eval_cases": [DATASET_CASE]}, ["d"]),
        (ADK_RS_CASE, ["r"]),
        ([ADK_RS_CASE], ["r"]),
        (TRPC_CASE, ["t"]),
        ([TRPC_CASE], ["t"]),
        ({"evalSetId": "s", "evalCases": [TRPC_CASE]}, ["t"]),
        (CES, ["Refund"]),
        ([CES, CES], ["Refund", "Refund"]),
        ({"name": "old", "data": [OLD_TURN]}, ["old"]),
        ([{"name": "old", "data": [OLD_TURN]}], ["old"]),
    ],
)
def test_cases_of_all_formats_become_cases_of_the_eval_set(value: Any, ids: list[str]) -> None:
    found = rows(value)
    assert [copy.kind for copy in found[0]] == ["case"] * len(ids)
    assert [case["eval_id"] for case in cases(found)] == ids
    for case in cases(found):
        (turn,) = case["conversation"]
        assert turn["user_content"]["parts"] in ([{"text": "hi"}], [{"text": "Book it"}])
    assert "converted from" in found[1]


def test_a_list_of_old_turns_becomes_turns() -> None:
    found = rows([OLD_TURN, OLD_TURN])
    assert [copy.kind for copy in found[0]] == ["turn", "turn"]
    assert rows(OLD_TURN)[0][0].kind == "turn"
    turn = cases(found)[0]
    assert turn["user_content"]["parts"] == [{"text": "Book it"}]
    assert turn["final_response"]["parts"] == [{"text": "Gebucht – 好."}]
    assert turn["intermediate_data"]["tool_uses"] == [{"name": "book", "args": {"id": 7}}]
    assert turn["intermediate_data"]["intermediate_responses"] == [["root", [{"text": "one moment"}]]]
    assert "好".encode() in found[0][0].source  # as it is, not escaped


def pasted_into_set(value: Any) -> str:
    """The remark of a paste of cases or turns into a set."""
    document = Document(json.dumps({"eval_set_id": "s", "eval_cases": [CASE]}).encode())
    eval_set = CaseFile(document.root, EVAL_SET)
    return put_copies(eval_set, rows(value)[0], eval_set.cases[0], is_before=False, from_elsewhere=True).remark


def test_ids_that_evaltui_made_need_no_remark() -> None:
    assert pasted_into_set([DATASET_CASE, {**DATASET_CASE, "eval_case_id": "e"}]) == ""
    assert pasted_into_set([OLD_TURN, OLD_TURN]) == ""
    assert pasted_into_set({**DATASET_CASE, "eval_case_id": "a"}) == "duplicate id a renamed to a_2"


def test_what_was_lost_is_said() -> None:
    remark = rows(DATASET_CASE)[1]
    assert remark.startswith("1 lost: recorded responses · 1 case states no tool calls for the last turn")
    assert remark.endswith(" · converted from EvaluationDataset")
    session = {"app_name": "a", "user_id": "u", "state": {"n": 1}, "session_id": "dropped"}
    found = rows({"name": "old", "data": [OLD_TURN], "initial_session": session})
    assert "1 lost: session_id" in found[1]
    assert cases(found)[0]["session_input"] == {"app_name": "a", "user_id": "u", "state": {"n": 1}}


def test_rows_of_an_eval_set_stay_as_they_are() -> None:
    named = {**CASE, "name": "as adk-rs writes it, and google-adk takes it"}
    for value in (CASE, [CASE], {"eval_set_id": "s", "eval_cases": [CASE]}, named, CASE["conversation"][0]):
        found = rows(value)
        assert "converted" not in found[1]
    assert cases(rows(named)) == [named]


@pytest.mark.parametrize(
    "value", [CASE, [CASE], {"eval_set_id": "s", "eval_cases": [CASE]}, TRPC_CASE, [TRPC_CASE], CES, OLD_TURN]
)
def test_a_dataset_takes_cases_of_other_formats(value: Any) -> None:
    found = rows_in_text(json.dumps(value), of_dataset=True)
    (case,) = cases(found)
    assert found[0][0].kind == "case"
    assert "eval_id" not in case
    assert "Book it" in json.dumps(case) or '"hi"' in json.dumps(case)
    assert "converted from" in found[1]


def test_rows_of_a_dataset_stay_as_they_are() -> None:
    for value in (DATASET_CASE, [DATASET_CASE], {"eval_cases": [DATASET_CASE]}):
        found = rows_in_text(json.dumps(value), of_dataset=True)
        assert cases(found) == [DATASET_CASE]
        assert found[1] == ""


def test_a_case_that_nests_too_deep_is_refused_with_a_sentence() -> None:
    deep = '{"a": ' * 1_200 + "1" + "}" * 1_200
    old = f'{{"query": "q", "expected_tool_use": [{{"tool_name": "t", "tool_input": {deep}}}]}}'
    with pytest.raises(EditError, match="nested too deeply"):
        rows_in_text(f'[{{"name": "c", "data": [{old}]}}]')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing to paste"),
        ("hello", "text, not JSON"),
        ("42", "JSON number"),
        ("[]", "is empty"),
        ('{"url": 1}', "object with url"),
        ('{"eval_cases": []}', "nothing"),
        ('[{"name": "\\u001b[2J", "data": []}, {"query": 1}]', ""),
    ],
)
def test_what_is_said_of_what_cannot_be_used(text: str, said: str) -> None:
    try:
        found = rows_in_text(text)
    except EditError as error:
        assert said in str(error)
    else:
        assert said == ""
        assert found[0]
