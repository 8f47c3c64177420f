"""New calls and responses look like those around them, in both shapes and in any layout."""

from collections.abc import Callable
from typing import Any

import pytest

from evaltui.evalset.call_views import expected_uses
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.call_edits import add_call
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.keys import camel
from tests.evalset.editing.layouts import in_each_layout
from tests.evalset.helpers import first_turn, respond, revised

IN_LISTS = {
    "tool_uses": [{"id": "c1", "args": {"x": 1}, "name": "f"}, {"id": "c2", "args": {}, "name": "g"}],
    "tool_responses": [{"id": "c1", "name": "f", "response": {"y": [1, 2]}}],
}
CALLED: Any = {"parts": [{"function_call": {"name": "f", "args": {"x": 1}}}]}
ANSWERED: Any = {"parts": [{"function_response": {"name": "f", "response": {"y": [1, 2]}}}]}
IN_EVENTS = {
    "invocation_events": [
        {"author": "a", "content": CALLED},
        {"author": "a", "content": ANSWERED},
        {"author": "b", "content": {"parts": [{"function_call": {"name": "g", "args": {}}}]}},
    ]
}
NEW_CALL = {
    "tool_uses": {"id": "c3", "args": {}, "name": ""},
    "invocation_events": {"author": "b", "content": {"parts": [{"function_call": {"name": "", "args": {}}}]}},
}
NEW_ANSWER: Any = {
    "tool_responses": {"id": "c2", "name": "g", "response": {"z": [0]}},
    "invocation_events": {
        "author": "b",
        "content": {"parts": [{"function_response": {"name": "g", "response": {"z": [0]}}}]},
    },
}
both_shapes = pytest.mark.parametrize("data", [IN_LISTS, IN_EVENTS], ids=["lists", "events"])
both_spellings = pytest.mark.parametrize("spell", [str, camel], ids=["snake", "camel"])


def spelt(value: Any, spell: Callable[[str], str]) -> Any:
    """A value with its keys spelt one way."""
    if isinstance(value, dict):
        return {spell(name): spelt(item, spell) for name, item in value.items()}
    return [spelt(item, spell) for item in value] if isinstance(value, list) else value


def file_with(data: Any, added: dict[str, Any] | None = None) -> Any:
    """A set whose first turn has these data and, at the end of one list, something more."""
    data = {name: [*items, *([added[name]] if added and name in added else [])] for name, items in data.items()}
    turn = {"invocation_id": "i", "intermediate_data": data, "user_content": {"parts": []}}
    return {"eval_cases": [{"eval_id": "a", "conversation": [turn]}]}


def add(eval_set: CaseFile) -> Revision:
    return add_call(eval_set, first_turn(eval_set))


@in_each_layout
@both_shapes
@both_spellings
def test_a_new_call_looks_like_the_others(laid_out: Any, data: Any, spell: Any) -> None:
    before, after = ({**file_with(data, added)} for added in (None, NEW_CALL))
    before, after = ({"eval_cases": spelt(value["eval_cases"], spell)} for value in (before, after))
    assert revised(laid_out(before), add).text == laid_out(after)


@in_each_layout
@both_shapes
@both_spellings
def test_a_new_answer_looks_like_the_others(laid_out: Any, data: Any, spell: Any) -> None:
    before, after = ({"eval_cases": spelt(file_with(data, added)["eval_cases"], spell)} for added in (None, NEW_ANSWER))
    assert revised(laid_out(before), respond(b'{"z": [0]}', 1)).text == laid_out(after)


@in_each_layout
@both_spellings
def test_a_call_in_the_next_turn_looks_like_those_of_the_turn_before(laid_out: Any, spell: Any) -> None:
    turns = file_with(IN_LISTS)["eval_cases"][0]["conversation"]
    turn = {"invocation_id": "j", "user_content": {"parts": []}}
    more = {**turn, "intermediate_data": {"tool_uses": [{"id": "c3", "args": {}, "name": ""}]}}
    in_order = {name: more[name] for name in ("invocation_id", "intermediate_data", "user_content")}
    before, after = (
        {"eval_cases": [{spell("eval_id"): "a", "conversation": spelt([*turns, last], spell)}]}
        for last in (turn, in_order)
    )

    def make(eval_set: CaseFile) -> Revision:
        second = eval_set.root.at("/eval_cases/0/conversation/1")
        assert expected_uses(second) == []
        return add_call(eval_set, second)

    assert revised(laid_out(before), make).text == laid_out(after)
