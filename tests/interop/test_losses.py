"""Losses follow from the source and from what stands in the written tree."""

import json
from dataclasses import replace
from typing import Any

import pytest

from evaltui.document.node import Node, read_document
from evaltui.interop.ces.writer import CES
from evaltui.interop.cxas.writer import CXAS
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.fields import HELD, Reason, SetField, SourceFields
from evaltui.interop.losses import Loss, LossFinder
from evaltui.interop.output_tree import Made, OwnKey, Tree, added, leaves_of, plain_value
from evaltui.interop.portable_set import FormatType
from tests.interop.completeness import converted

HOLDINGS = {
    **dict.fromkeys(SetField, HELD),
    SetField.CASE_RUBRICS: Reason("no_place", "it has no judge", "Ask a person."),
}


TARGET = replace(EVAL_SET, title="the target", holdings=HOLDINGS)


class Source:
    """A document whose values can be named by their pointers."""

    def __init__(self, value: object) -> None:
        self.root = read_document(json.dumps(value).encode())
        self.fields = SourceFields()

    def at(self, pointer: str) -> Node:
        return self.root.at(pointer)

    def note(self, pointer: str, field: SetField) -> Node:
        return self.fields.note(self.at(pointer), field)

    def losses(self, tree: Tree) -> list[Loss]:
        return list(LossFinder(self.fields, TARGET, leaves_of(tree), {}, has_odd_values=False).below(self.root))


def test_nothing_is_lost_of_a_source_that_is_written_whole() -> None:
    source = Source({"a": [1, {"b": None}]})
    assert source.losses({"x": source.root}) == []


def test_a_value_that_nobody_noted_is_lost_a_leaf_at_a_time() -> None:
    source = Source({"a": {"b": 1, "c~/d": ["x"]}, "kept": 2})
    found = source.losses({"kept": source.at("/kept")})
    assert [(loss.pointer, loss.kind, loss.value) for loss in found] == [
        ("/a/b", "no_place", 1),
        ("/a/c~0~1d/0", "no_place", "x"),
    ]


def test_a_noted_value_is_lost_as_a_whole_for_the_reason_of_the_target() -> None:
    source = Source({"rubrics": [{"id": 1}, {"id": 2}]})
    source.note("/rubrics", SetField.CASE_RUBRICS)
    source.note("/rubrics/0", SetField.CASE_RUBRICS)
    wanted = [Loss("/rubrics/0", "no_place", {"id": 1}, "it has no judge", "Ask a person.", SetField.CASE_RUBRICS)]
    found = source.losses({"kept": source.at("/rubrics/1/id")})
    assert found == wanted


def test_the_outermost_noted_value_counts_where_nothing_below_is_written() -> None:
    source = Source({"rubrics": [{"id": 1}]})
    source.note("/rubrics", SetField.CASE_RUBRICS)
    assert [loss.pointer for loss in source.losses({})] == ["/rubrics"]


def test_a_rubric_of_which_nothing_is_written_is_one_loss_with_its_description() -> None:
    source = Source({"rubrics": [{"id": 1, "description": "why"}, {"id": 2, "description": "why"}]})
    source.note("/rubrics", SetField.CASE_RUBRICS)
    for number in range(2):
        source.note(f"/rubrics/{number}", SetField.CASE_RUBRICS)
        source.note(f"/rubrics/{number}/description", SetField.RUBRIC_DESCRIPTION)
    found = source.losses([source.at("/rubrics/1/id")])
    assert [(loss.pointer, loss.field) for loss in found] == [
        ("/rubrics/0", SetField.CASE_RUBRICS),
        ("/rubrics/1/description", SetField.RUBRIC_DESCRIPTION),
    ]


def test_a_value_below_a_noted_one_has_its_field() -> None:
    source = Source({"state": {"a": 1, "b": 2}})
    source.note("/state", SetField.STATE)
    source.note("/state/a", SetField.STATE)
    found = source.losses([source.at("/state/a")])
    assert [(loss.pointer, loss.field) for loss in found] == [("/state/b", SetField.STATE)]
    assert found[0].reason == "the value does not have the type or form that the target requires"


def test_the_reason_of_the_reader_counts_where_the_target_has_the_field() -> None:
    source = Source({"state": {"a": [1]}, "rubrics": [{"id": 1}]})
    source.fields.note(source.at("/state"), SetField.STATE, "another state counts")
    source.fields.note(source.at("/rubrics"), SetField.CASE_RUBRICS, "other rubrics count")
    assert [(loss.pointer, loss.reason) for loss in source.losses({})] == [
        ("/state", "another state counts"),
        ("/rubrics", "it has no judge"),
    ]


def test_null_empty_and_passed_over_values_say_nothing() -> None:
    source = Source({"a": None, "b": [], "c": {"d": None}, "e": "", "role": "user"})
    source.fields.pass_over(source.at("/role"))
    assert source.losses({}) == []


def test_a_rewritten_value_is_reported_once_for_each_of_its_sources() -> None:
    source = Source({"prompt": "Hi", "plan": "Ask"})
    sources = (source.note("/prompt", SetField.SCENARIO_PROMPT), source.note("/plan", SetField.SCENARIO_PLAN))
    found = source.losses({"task": Made("Hi\n\nAsk", sources, Reason("merged", "the target has one text"))})
    assert [(loss.pointer, loss.kind, loss.value, loss.reason) for loss in found] == [
        ("/prompt", "merged", "Hi", "the target has one text"),
        ("/plan", "merged", "Ask", "the target has one text"),
    ]


def test_another_spelling_of_a_value_needs_no_report() -> None:
    source = Source({"time": 0.5})
    assert source.losses({"t": Made("1970-01-01T00:00:00.5Z", (source.at("/time"),))}) == []


def test_an_invented_value_is_reported_where_it_would_have_stood() -> None:
    source = Source({"cases": [{"id": "a"}]})
    task = added("?", source.at("/cases/0"), "/task", "it is required")
    tree = {"id": source.at("/cases/0/id"), "task": task}
    assert source.losses(tree) == [Loss("/cases/0/task", "invented", "?", "it is required", "")]


def test_keys_of_a_writer_become_camel_case_and_those_of_the_author_stay() -> None:
    source = Source({"some_state": {"my_key": 1}})
    tree = {"user_content": 1, OwnKey("my_own"): {"in_it": source.at("/some_state")}}
    assert plain_value(tree, is_camel=True) == {"userContent": 1, "my_own": {"inIt": {"my_key": 1}}}


def test_a_value_with_a_reason_of_its_own_is_reported_for_it_whatever_is_written() -> None:
    source = Source({"conversation": [{"text": "Hi"}]})
    source.fields.remarks[source.at("/conversation")] = Reason("changed", "nobody plays it", "Play it.")
    wanted = [Loss("/conversation", "changed", [{"text": "Hi"}], "nobody plays it", "Play it.")]
    assert source.losses([source.at("/conversation/0/text")]) == wanted


def test_the_spelling_that_does_not_count_is_lost_as_a_whole_because_of_the_other() -> None:
    source = Source({"user_content": {"role": "user", "text": "snake"}, "userContent": {"text": "camel"}})
    (found,) = source.losses([source.at("/userContent/text")])
    assert (found.pointer, found.kind) == ("/user_content", "no_place")
    assert found.reason == "the object has this key in snake_case and in camelCase, and evaltui uses the other spelling"


def test_lists_beside_events_are_lost_because_the_events_are_taken() -> None:
    events = [{"author": "a"}]
    data = {"tool_uses": [{"name": "f"}], "invocation_events": events, "intermediate_responses": []}
    turn = {"user_content": {"role": "user", "parts": [{"text": "hi"}]}, "intermediate_data": data}
    value = {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}
    (loss,) = converted(value, EVAL_SET, EVAL_SET).losses
    assert (loss.pointer, loss.kind) == ("/eval_cases/0/conversation/0/intermediate_data/tool_uses", "no_place")
    assert loss.reason.endswith("evaltui uses invocation_events")


@pytest.mark.parametrize("target", [CES, CXAS], ids=lambda item: item.option)
@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"eval_set_id": "s", "eval_cases": []}, "but this set has no cases"),
        ({"eval_set_id": 7, "eval_cases": [{"eval_id": "a", "conversation": []}]}, "but a tag must be a text"),
    ],
)
def test_the_set_id_is_lost_for_the_one_true_reason(target: FormatType, value: Any, reason: str) -> None:
    (loss,) = [item for item in converted(value, EVAL_SET, target).losses if item.pointer == "/eval_set_id"]
    assert loss.reason == f"the eval set id becomes a tag of cases, {reason}"
