"""Rows moved and deleted, one or several."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.call_views import ToolUse, expected_uses
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.editing.call_edits import add_call, holder_of
from evaltui.evalset.editing.row_moves import delete_rows, move_rows_to, put_before, shift_rows
from evaltui.evalset.editing.templates import add_case
from tests.evalset.helpers import revised, use
from tests.tui.sets import SETS


def numbered(count: int) -> str:
    return json.dumps({"eval_cases": [{"eval_id": str(n)} for n in range(count)]}, indent=1)


def order(text: str) -> list[int]:
    return [int(case["eval_id"]) for case in json.loads(text)["eval_cases"]]


def uses_of(text: str) -> list[ToolUse]:
    root = Document(text.encode()).root
    assert root is not None
    return expected_uses(turns_of(CaseFile(root, EVAL_SET).cases[0])[0])


def calls(eval_set: CaseFile) -> list[Node]:
    return [use.node for use in expected_uses(turns_of(eval_set.cases[0])[0])]


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
    after = revised(numbered(5), lambda s: shift_rows(s, [s.cases[n] for n in chosen], step))
    assert order(after.text) == wanted


@given(st.data())
def test_dragged_rows_land_at_the_target_and_the_others_keep_their_order(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 8))
    chosen = sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1)))
    target = data.draw(st.integers(0, count - 1))
    after = order(
        revised(numbered(count), lambda s: move_rows_to(s, [s.cases[n] for n in chosen], s.cases[target])).text
    )
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
        revised(SETS["snake"], lambda s: shift_rows(s, [turns_of(case)[0] for case in s.cases], 1))


@pytest.mark.parametrize("name", SETS)
def test_a_call_moves_with_its_response_in_either_shape(name: str) -> None:
    after = revised(SETS[name], lambda s: shift_rows(s, calls(s)[:1], 1))
    assert [(use.name, use.response is not None) for use in uses_of(after.text)] == [
        ("find_umbrella", False),
        ("get_weather", True),
    ]


def test_answers_that_are_paired_by_order_move_as_their_calls_do() -> None:
    uses = [{"name": "f", "args": {"n": n}} for n in range(3)]
    answers = [{"name": "f", "response": {"n": n}} for n in range(3)]
    turn = {"user_content": {}, "intermediate_data": {"tool_uses": uses, "tool_responses": answers}}
    source = json.dumps({"eval_cases": [{"eval_id": "a", "conversation": [turn]}]})
    after = revised(source, lambda s: shift_rows(s, calls(s)[2:], -1))
    numbers = [(use.args.value()["n"], use.response.value()["response"]["n"]) for use in uses_of(after.text)]  # type: ignore[union-attr]
    assert numbers == [(0, 0), (2, 2), (1, 1)]


def in_events(*events: list[dict[str, object]]) -> str:
    """A set whose turn has an event for each list of calls and responses."""
    made = [{"author": "a", "content": {"parts": parts}} for parts in events]
    turn = {"user_content": {}, "intermediate_data": {"invocation_events": made}}
    return json.dumps({"eval_cases": [{"eval_id": "a", "conversation": [turn]}]})


def part(kind: str, name: str, **more: object) -> dict[str, object]:
    return {kind: {"name": name, **more}}


@pytest.mark.parametrize("kind", ["function_call", "functionCall"])
def test_calls_of_one_event_change_places_in_it(kind: str) -> None:
    source = in_events([part(kind, "f"), {"text": "and"}, part(kind, "g")], [part(kind, "h")])
    after = revised(source, lambda s: shift_rows(s, calls(s)[1:2], -1))
    assert [use.name for use in uses_of(after.text)] == ["g", "f", "h"]
    assert len(after.turn["intermediate_data"]["invocation_events"]) == 2


def test_a_call_that_would_have_to_leave_an_event_it_shares_says_so() -> None:
    kind = "function_call"
    source = in_events([part(kind, "f"), part(kind, "g")], [part(kind, "h")], [part(kind, "i")])
    with pytest.raises(EditError, match="are in the same event"):
        revised(source, lambda s: shift_rows(s, calls(s)[1:2], 1))
    after = revised(source, lambda s: shift_rows(s, calls(s)[3:], -1))
    assert [use.name for use in uses_of(after.text)] == ["f", "g", "i", "h"]


def test_answers_by_order_of_one_event_move_as_their_calls_do() -> None:
    call, answer = "function_call", "function_response"
    asked = [part(call, "f", args={"n": n}) for n in range(2)]
    answered = [part(answer, "f", response={"n": n}) for n in range(2)]
    after = revised(in_events(asked, answered), lambda s: shift_rows(s, calls(s)[1:], -1))
    numbers = [(use.args.value()["n"], use.response.value()["response"]["n"]) for use in uses_of(after.text)]  # type: ignore[union-attr]
    assert numbers == [(1, 1), (0, 0)]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(("at", "step"), [(0, 1), (1, -1)])
def test_what_moves_is_what_was_chosen_and_not_its_neighbour(name: str, at: int, step: int) -> None:
    document = Document(SETS[name].encode())
    assert document.root is not None
    eval_set = CaseFile(document.root, EVAL_SET)
    before = calls(eval_set)
    document.apply(shift_rows(eval_set, before[at : at + 1], step).edits, "move")
    changed = [any(document.is_changed(node) for node in (call, holder_of(call)) if node) for call in before]
    assert calls(eval_set) == before[::-1]
    assert changed == [n == at for n in range(2)]


@given(st.data())
def test_of_few_rows_only_those_move_that_were_chosen(data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 7))
    document = Document(numbered(count).encode())
    assert document.root is not None
    eval_set = CaseFile(document.root, EVAL_SET)
    cases = eval_set.cases[:]
    chosen = [cases[n] for n in sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1)))]
    edits = shift_rows(eval_set, chosen, data.draw(st.sampled_from([1, -1]))).edits
    if edits:
        document.apply(edits, "move")
    assert {case for case in cases if document.is_changed(case)} <= set(chosen)


def test_several_rows_are_deleted_at_once_with_what_is_in_them() -> None:
    after = revised(SETS["snake"], lambda s: delete_rows(s, [*s.cases, *turns_of(s.cases[0])]))
    assert after.value["eval_cases"] == []
    assert after.revision.label == "delete 2 cases"


def test_deleted_calls_take_their_responses_along() -> None:
    after = revised(SETS["snake"], lambda s: delete_rows(s, calls(s)))
    assert after.turn["intermediate_data"] == {"tool_uses": [], "tool_responses": []}


@pytest.mark.parametrize("name", SETS)
def test_an_addition_behind_a_row_becomes_one_before_it(name: str) -> None:
    after = revised(SETS[name], lambda s: put_before(add_case(s, s.cases[1]), s.cases[1]))
    assert list(map(id_of, after.value["eval_cases"])) == ["rain_in_bergen", "case_3", "greeting"]
    after = revised(SETS[name], lambda s: put_before(add_call(s, turns(s)[0], use(s, 1)), use(s, 1).node))
    assert [use.name for use in uses_of(after.text)] == ["get_weather", "", "find_umbrella"]


def id_of(case: dict[str, str]) -> str:
    return case.get("eval_id") or case["evalId"]


def turns(eval_set: CaseFile) -> list[Node]:
    return turns_of(eval_set.cases[0])
