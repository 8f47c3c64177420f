"""Losses follow from the source and from what stands in the written tree."""

import json

from evaltui.document.node import Node, read_document
from evaltui.interop.fields import HELD, Field, Holding
from evaltui.interop.losses import Loss, Losses
from evaltui.interop.output_tree import Invented, Made, OwnKey, Rendering, Tree
from evaltui.interop.source_fields import SourceFields

HOLDINGS = {**dict.fromkeys(Field, HELD), Field.CASE_RUBRICS: Holding("no_place", "it has no judge", "Ask a person.")}


class Source:
    """A document whose values can be named by their pointers."""

    def __init__(self, value: object) -> None:
        self.root = read_document(json.dumps(value).encode())
        self.fields = SourceFields()

    def at(self, pointer: str) -> Node:
        return self.root.at(pointer)

    def note(self, pointer: str, field: Field) -> Node:
        return self.fields.note(self.at(pointer), field)

    def losses(self, tree: Tree) -> list[Loss]:
        rendering = Rendering()
        rendering.plain(tree)
        return Losses(self.fields, rendering, HOLDINGS, "the target").of(self.root)


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
    source.note("/rubrics", Field.CASE_RUBRICS)
    source.note("/rubrics/0", Field.CASE_RUBRICS)
    wanted = [Loss("/rubrics/0", "no_place", {"id": 1}, "it has no judge", "Ask a person.", Field.CASE_RUBRICS)]
    found = source.losses({"kept": source.at("/rubrics/1/id")})
    assert found == wanted


def test_the_outermost_noted_value_counts_where_nothing_below_is_written() -> None:
    source = Source({"rubrics": [{"id": 1}]})
    source.note("/rubrics", Field.CASE_RUBRICS)
    assert [loss.pointer for loss in source.losses({})] == ["/rubrics"]


def test_a_value_below_a_noted_one_has_its_field() -> None:
    source = Source({"state": {"a": 1, "b": 2}})
    source.note("/state", Field.STATE)
    source.note("/state/a", Field.STATE)
    found = source.losses([source.at("/state/a")])
    assert [(loss.pointer, loss.field) for loss in found] == [("/state/b", Field.STATE)]
    assert found[0].reason == "the target has no place for it (session state at the start)"


def test_null_empty_and_passed_over_values_say_nothing() -> None:
    source = Source({"a": None, "b": [], "c": {"d": None}, "e": "", "role": "user"})
    source.fields.pass_over(source.at("/role"))
    assert source.losses({}) == []


def test_a_rewritten_value_is_reported_once_for_each_of_its_sources() -> None:
    source = Source({"prompt": "Hi", "plan": "Ask"})
    sources = (source.note("/prompt", Field.SCENARIO_PROMPT), source.note("/plan", Field.SCENARIO_PLAN))
    found = source.losses({"task": Made("Hi\n\nAsk", sources, "merged", "the target has one text")})
    assert [(loss.pointer, loss.kind, loss.value, loss.reason) for loss in found] == [
        ("/prompt", "merged", "Hi", "the target has one text"),
        ("/plan", "merged", "Ask", "the target has one text"),
    ]


def test_another_spelling_of_a_value_needs_no_report() -> None:
    source = Source({"time": 0.5})
    assert source.losses({"t": Made("1970-01-01T00:00:00.5Z", (source.at("/time"),))}) == []


def test_an_invented_value_is_reported_where_it_would_have_stood() -> None:
    source = Source({"cases": [{"id": "a"}]})
    tree = {"id": source.at("/cases/0/id"), "task": Invented("?", source.at("/cases/0"), "/task", "it is required")}
    assert source.losses(tree) == [Loss("/cases/0/task", "invented", "?", "it is required", "")]


def test_keys_of_a_writer_become_camel_case_and_those_of_the_author_stay() -> None:
    source = Source({"some_state": {"my_key": 1}})
    tree = {"user_content": 1, OwnKey("my_own"): {"in_it": source.at("/some_state")}}
    assert Rendering(is_camel=True).plain(tree) == {"userContent": 1, "my_own": {"inIt": {"my_key": 1}}}
