"""Rows moved and deleted, one or several."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document import Document, EditError, Node
from evaltui.evalset.arranging import delete_rows, move_to, shift
from evaltui.evalset.eval_set import EvalCase, EvalSet, Invocation
from evaltui.evalset.tool_uses import ToolUse
from tests.tui.sets import SETS

from .helpers import revised


def numbered(count: int) -> str:
    return json.dumps({"eval_cases": [{"eval_id": str(n)} for n in range(count)]}, indent=1)


def order(text: str) -> list[int]:
    return [int(case["eval_id"]) for case in json.loads(text)["eval_cases"]]


def uses_of(text: str) -> list[ToolUse]:
    root = Document(text.encode()).root
    assert root is not None
    return Invocation(EvalCase(EvalSet(root).cases[0]).invocations[0]).tool_uses.calls


def calls(eval_set: EvalSet) -> list[Node]:
    return [use.node for use in Invocation(EvalCase(eval_set.cases[0]).invocations[0]).tool_uses.calls]


@pytest.mark.parametrize(
    ("chosen", "step", "wanted"),
    [
        ([2], -1, [0, 2, 1, 3, 4]),
        ([2], 1, [0, 1, 3, 2, 4]),
        ([0], -1, [0, 1, 2, 3, 4]),
        ([4], 1, [0, 1, 2, 3, 4]),
        ([1, 2], -1, [1, 2, 0, 3, 4]),
        ([0, 1], -1, [0, 1, 2, 3, 4]),
        ([0, 2], -1, [0, 2, 1, 3, 4]),
        ([1, 3], 1, [0, 2, 1, 4, 3]),
    ],
)
def test_rows_move_a_place_up_or_down(chosen: list[int], step: int, wanted: list[int]) -> None:
    after = revised(numbered(5), lambda s: shift(s, [s.cases[n] for n in chosen], step))
    assert order(after.text) == wanted


@given(st.data())
def test_dragged_rows_land_at_the_target_and_the_others_keep_their_order(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 8))
    chosen = sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1)))
    target = data.draw(st.integers(0, count - 1))
    after = order(revised(numbered(count), lambda s: move_to(s, [s.cases[n] for n in chosen], s.cases[target])).text)
    others = [n for n in range(count) if n not in chosen]
    assert [n for n in after if n not in chosen] == others
    if target in chosen:
        assert after == list(range(count))
    else:
        first = after.index(chosen[0])
        assert after[first : first + len(chosen)] == chosen
        assert after.index(target) in (first - 1, first + len(chosen))


def test_rows_of_different_lists_do_not_move_together() -> None:
    with pytest.raises(EditError, match="different lists"):
        revised(SETS["snake"], lambda s: shift(s, [EvalCase(case).invocations[0] for case in s.cases], 1))


@pytest.mark.parametrize("name", SETS)
def test_a_call_moves_with_its_response_in_either_shape(name: str) -> None:
    after = revised(SETS[name], lambda s: shift(s, calls(s)[:1], 1))
    assert [(use.name, use.response is not None) for use in uses_of(after.text)] == [
        ("find_umbrella", False),
        ("get_weather", True),
    ]


def test_answers_that_are_paired_by_order_move_as_their_calls_do() -> None:
    uses = [{"name": "f", "args": {"n": n}} for n in range(3)]
    answers = [{"name": "f", "response": {"n": n}} for n in range(3)]
    turn = {"user_content": {}, "intermediate_data": {"tool_uses": uses, "tool_responses": answers}}
    source = json.dumps({"eval_cases": [{"eval_id": "a", "conversation": [turn]}]})
    after = revised(source, lambda s: shift(s, calls(s)[2:], -1))
    numbers = [(use.args.value()["n"], use.response.value()["response"]["n"]) for use in uses_of(after.text)]  # type: ignore[union-attr]
    assert numbers == [(0, 0), (2, 2), (1, 1)]


def test_calls_that_share_an_event_say_so() -> None:
    parts = [{"function_call": {"name": "f"}}, {"function_call": {"name": "g"}}]
    events = [{"author": "a", "content": {"parts": parts}}]
    turn = {"user_content": {}, "intermediate_data": {"invocation_events": events}}
    source = json.dumps({"eval_cases": [{"eval_id": "a", "conversation": [turn]}]})
    with pytest.raises(EditError, match="share an event"):
        revised(source, lambda s: shift(s, calls(s)[1:], -1))


def test_several_rows_are_deleted_at_once_with_what_is_in_them() -> None:
    after = revised(SETS["snake"], lambda s: delete_rows(s, [*s.cases, *EvalCase(s.cases[0]).invocations]))
    assert after.value["eval_cases"] == []
    assert after.revision.label == "delete 2 cases"


def test_deleted_calls_take_their_responses_along() -> None:
    after = revised(SETS["snake"], lambda s: delete_rows(s, calls(s)))
    assert after.turn["intermediate_data"] == {"tool_uses": [], "tool_responses": []}
