"""y copies the value of a line, whole and as JSON; e opens it; what is only shown is no value."""

import base64
import json
from collections.abc import Iterator

import pytest

from evaltui.document.document import Document
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import EVAL_SET
from evaltui.tui.editor.clipboard import json_of
from evaltui.tui.forms.form import Field, Form, Link, Stop, value_of
from evaltui.tui.outlines.case_outline import CaseOutline
from evaltui.tui.outlines.json_outline import JsonOutline
from evaltui.tui.terminal import system_clipboard
from tests.tui.every_field import expected
from tests.tui.panes.test_why import at_turn
from tests.tui.scenario import NORMAL, Scenario, scenario
from tests.tui.sets import SETS, SNAKE

LONG = "[/x] a long text of several words, " * 20
ALL = json.dumps(expected(base64.b64encode(b"picture").decode()), indent=2)
WIDE_CALL = SNAKE.replace('"Bergen"', json.dumps(LONG)).replace('"strong"', json.dumps(LONG))


def forms_of(text: str) -> Iterator[Form]:
    """The forms of all values of a set."""
    root = Document(text.encode()).root
    assert root is not None
    eval_set = CaseFile(root, EVAL_SET)
    outline = CaseOutline(eval_set)
    pending = [root]
    while pending:
        node = pending.pop()
        pending += node.items
        is_row = eval_set.kind(node) in ("set", "case", "turn", "call")
        if is_row or node.is_container:
            yield outline.form(node) if is_row else JsonOutline(node, "a value", eval_set).form(node)


@pytest.mark.parametrize("text", [ALL, WIDE_CALL, *SETS.values()])
def test_what_is_copied_of_any_line_is_a_value_of_the_file(text: str) -> None:
    seen = 0
    inside = {json.dumps(each) for each in values(json.loads(text))}
    for form in forms_of(text):
        for stop in (item for item in form.items if isinstance(item, Stop)):
            value = value_of(stop)
            if isinstance(stop, Link) or (isinstance(stop, Field) and stop.kind != "absent" and stop.text):
                assert value is not None, stop
                assert json.dumps(json.loads(json_of(value))) in inside, stop
                seen += 1
            if isinstance(stop, Field) and stop.kind == "string" and value is not None:
                assert json.loads(json_of(value)) == stop.text
    assert seen > 20


def values(value: object) -> Iterator[object]:
    yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from values(item)


async def copied(s: Scenario, row: str) -> object:
    await s.to(row)
    await s.press("y")
    text = system_clipboard.paste_from_file()
    assert text is not None
    return json.loads(text)


@pytest.mark.thorough
async def test_a_call_is_copied_whole_where_its_line_is_cut() -> None:
    async with scenario(WIDE_CALL) as s:
        await s.enter("Is it raining")
        call = json.loads(s.original)["eval_cases"][0]["conversation"][0]["intermediate_data"]["tool_uses"][0]
        assert await copied(s, "1 get_weather") == call
        await s.press("enter")
        assert await copied(s, "city") == LONG
        assert await copied(s, "name ") == "get_weather"


@pytest.mark.thorough
async def test_a_text_that_was_copied_is_pasted_as_the_text_that_it_is() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("Is it raining")
        assert await copied(s, "Yes, bring") == "Yes, bring an umbrella."
        await s.enter("get_weather")
        await s.to("city")
        await s.press("p")
        assert b'"city": "Yes, bring an umbrella."' in s.bytes()
        await s.to("days")
        await s.press("p")
        assert b'"days": "Yes, bring an umbrella."' in s.bytes()


async def test_texts_quotes_and_calls_are_copied_as_they_are() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Thanks")
        system_clipboard.copy_to_file('"Thanks"')
        await s.press("p")
        assert b'"text": "\\"Thanks\\""' in s.bytes()
        await s.start_over()
        await s.enter("Thanks")
        await s.press("Y", "t")
        assert system_clipboard.paste_from_file() == "Thanks"
        await s.press("Y", "p")
        assert system_clipboard.paste_from_file() == "/eval_cases/0/conversation/1/user_content/parts/0/text"
        await s.start_over()
        await s.enter("greeting")
        await s.press("end")
        system_clipboard.copy_to_file("before")
        await s.press("y")
        assert "no value" in s.status
        assert system_clipboard.paste_from_file() == "before"
        await s.start_over()
        await s.enter("Is it raining", "get_weather")
        await s.to("area")
        await s.press("y")
        await s.to("name ")
        await s.press("p")
        assert s.bytes() == s.original
        s.expect("the copied value is an object; this line needs a string")


async def test_a_line_of_why_copies_the_value_that_it_is_about() -> None:
    async with at_turn("Book the first") as s:
        await s.press("w")
        for line, value in (
            ("~ book_flight", {"name": "book_flight", "args": {"flight_id": 1}}),
            ("+ send_email", {"name": "send_email", "args": {"to": "a@b.c"}}),
            ("flight_id  ", 1),
            ("It is confirmed", "It is confirmed. [bold]Enjoy[/bold] \x1b[31mred"),
        ):
            assert await copied(s, line) == value
            assert "the actual value" in s.status
            system_clipboard.copy_to_file("before")
            await s.press("Y", "j")
            assert json.loads(system_clipboard.paste_from_file() or "") == value
        await s.start_over()
        await s.enter("Book the first")
        await s.press("w")
        system_clipboard.copy_to_file("before")
        for line in ("✗ tool_trajectory_avg", "precision", "- missing", "Why"):
            row = next(row for row in s.rows() if " ".join(row.split()).startswith(line) or line in row)
            await s.to(row)
            for key in "yY":
                await s.press(key)
                assert s.status.strip() == "This line has no value to copy."
            assert system_clipboard.paste_from_file() == "before"
        await s.start_over()
        await s.enter("Book the first")
        await s.press("w")
        await s.to("flight_id  ")
        await s.press("y", "enter", "p")
        assert b'"flight_id": 1' in s.bytes()
