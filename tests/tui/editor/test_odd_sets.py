"""Eval sets that are empty, broken or strange: shown, walked through and edited like any other."""

import json

import pytest

from evaltui.document.document import Document
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import EVAL_SET
from evaltui.tui.lines import text_of
from evaltui.tui.outlines.case_outline import CaseOutline
from evaltui.tui.outlines.json_outline import JsonOutline
from tests.sampling import Extent, sampled
from tests.tui.editor.test_corpus import assert_walk_is_harmless
from tests.tui.scenario import scenario

TURN = {"user_content": {"parts": [{"text": "Hello"}]}}


def set_of(cases: object) -> str:
    return json.dumps({"eval_set_id": "s", "eval_cases": cases}, indent=2)


def case_of(conversation: object) -> str:
    return set_of([{"eval_id": "c", "conversation": conversation}])


ODD = {
    "no cases key": '{"eval_set_id": "s"}',
    "cases null": set_of(None),
    "cases a text": set_of("none"),
    "cases of all kinds": set_of([1, "two", None, [], {}, {"eval_id": 7}, {"eval_id": None, "conversation": {}}]),
    "turns of all kinds": case_of([1, "two", None, [], {}, {"user_content": "Hello"}, {"user_content": {"parts": 3}}]),
    "parts of all kinds": case_of([{"user_content": {"parts": [1, None, "x", {}, {"text": None}, {"text": 3}]}}]),
    "uses of all kinds": case_of(
        [TURN | {"intermediate_data": {"tool_uses": [1, None, {}, {"name": 3, "args": [1]}]}}]
    ),
    "data a list": case_of([TURN | {"intermediate_data": [1]}]),
    "events of all kinds": case_of(
        [TURN | {"intermediate_data": {"invocation_events": [1, {}, {"content": {"parts": [{"function_call": 1}]}}]}}]
    ),
    "both shapes": case_of([TURN | {"intermediate_data": {"tool_uses": [{"name": "a"}], "invocation_events": []}}]),
    "names in both spellings": set_of([{"eval_id": "snake", "evalId": "camel", "conversation": [TURN]}]),
    "a key twice": '{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "eval_id": "b", "conversation": []}]}',
    "no numbers": '{"eval_set_id": "s", "eval_cases": [{"eval_id": NaN, "x": -Infinity, "y": 1e999}]}',
    "far too deep": "[" * 110_000 + "]" * 110_000,
    "deep": set_of([{"eval_id": "c", "x": []}]).replace('"x": []', '"x": ' + "[" * 3000 + "]" * 3000),
    "halves of characters": '{"eval_set_id": "\\ud800", "eval_cases": [{"eval_id": "\\udc00x", "conversation": []}]}',
    "bytes that are no text": b'{"eval_set_id": "\xff", "eval_cases": [{"eval_id": "\xc3", "\xe2\x82": "\xfe"}]}',
    "many": set_of([{"eval_id": f"c{n}", "conversation": [TURN]} for n in range(500)]),
}


DAILY = ("cases of all kinds", "uses of all kinds", "bytes that are no text")


@pytest.mark.parametrize("name", ODD if Extent.is_thorough else DAILY)
async def test_random_keys_end_in_no_error(name: str) -> None:
    await assert_walk_is_harmless(ODD[name], name)


@pytest.mark.parametrize("name", [name for name in ODD if "deep" not in name])
def test_every_row_and_value_has_a_form(name: str) -> None:
    text = ODD[name]
    root = Document(text if isinstance(text, bytes) else text.encode()).root
    assert root is not None
    eval_set = CaseFile(root, EVAL_SET)
    outline = CaseOutline(eval_set)
    pending = [root]
    for node in pending:
        pending += node.items[:3]
        assert text_of(outline.label(node)) or node is root
        if eval_set.kind(node) in ("set", "case", "turn", "call"):
            assert outline.form(node).items, node.pointer()
        elif node.is_container:
            assert JsonOutline(node, "a value", eval_set).form(node).items, node.pointer()


@pytest.mark.thorough
@pytest.mark.parametrize("cases", sampled([None, "[]", "null", '"none"']))
async def test_a_set_without_cases_gets_its_first(cases: str | None) -> None:
    member = f', "eval_cases": {cases}' if cases else ""
    async with scenario(f'{{"eval_set_id": "s"{member}}}') as s:
        assert "0 cases" in s.title
        await s.press("enter")
        s.expect("No cases. Press a to add one.")
        await s.press("escape", "a", "escape", "escape")
        assert "1 case" in s.title
        assert "case_1" in s.cursor()
        assert json.loads(s.bytes())["eval_cases"][0]["eval_id"] == "case_1"


async def test_a_case_without_turns_gets_its_first_and_a_turn_its_words() -> None:
    async with scenario(set_of([{"eval_id": "c"}])) as s:
        await s.to("c")
        await s.press("A")
        await s.type("Hi")
        case = json.loads(await s.saved())["eval_cases"][0]
        assert case["conversation"][0]["user_content"]["parts"] == [{"text": "Hi"}]


@pytest.mark.parametrize(
    "content", sampled(["null", '{"role": "user"}', '{"parts": []}', '{"parts": null}', '"text"'], 3)
)
async def test_words_are_written_where_there_are_none(content: str) -> None:
    async with scenario(case_of([{"user_content": 0}]).replace(": 0", f": {content}")) as s:
        await s.enter("1 no user message", "no user message")
        await s.type("Hi")
        turn = json.loads(s.bytes())["eval_cases"][0]["conversation"][0]
        assert turn["user_content"]["parts"] == [{"text": "Hi"}]


async def test_a_key_that_stands_twice_is_not_edited_and_that_is_said() -> None:
    async with scenario(ODD["a key twice"]) as s:
        assert "warning" in s.title
        await s.enter("b")
        await s.edit("eval_id", "z")
        assert "2 times" in s.status
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_a_value_that_is_replaced_as_a_whole_takes_its_rows_along() -> None:
    async with scenario('{"a": {"b": 1}, "c": 2}') as s:
        await s.enter("a  {")
        await s.edit('{"b"', "[5, 6]")
        await s.press("escape")
        s.expect("0  5", "1  6")
        await s.press("u")
        s.expect("b  1")
        await s.enter("a  {")
        await s.edit('{"b"', "7")
        await s.press("escape")
        assert [row.split("●")[0].split() for row in s.rows()[1:]] == [["a", "7"], ["c", "2"]]


@pytest.mark.thorough
async def test_cases_without_ids_are_numbered_anew_when_one_goes() -> None:
    async with scenario(set_of([{"conversation": []}, {"conversation": [TURN]}])) as s:
        await s.to("case 1 without an id")
        await s.press("d")
        s.expect("case 1 without an id")
        assert not s.shows("case 2 without an id")
        await s.press("u")
        s.expect("case 1 without an id", "case 2 without an id")
