"""A field stays over its value while it is edited, whatever the value becomes meanwhile."""

import json
import re

import pytest

from tests.tui.scenario import Scenario, scenario
from tests.tui.sets import FIRST_CALL, SNAKE

LONG = "lorem ipsum " * 16_700
NEARLY_TOO_LONG = LONG[:199_998]
"""So that three letters more are too many."""


def with_text(text: str) -> str:
    return SNAKE.replace('"Is it raining in Bergen?"', json.dumps(text))


def parts(s: Scenario) -> list[dict[str, object]]:
    """The parts of the first user text."""
    return json.loads(s.bytes())["eval_cases"][0]["conversation"][0]["user_content"]["parts"]  # type: ignore[no-any-return]


@pytest.mark.thorough
async def test_a_text_that_grows_too_long_for_a_box_is_edited_on() -> None:
    async with scenario(with_text(NEARLY_TOO_LONG)) as s:
        await s.enter("lorem", "lorem")
        for letter in "dqua":
            await s.press(letter)
        assert s.focused == "field"
        assert parts(s) == [{"text": NEARLY_TOO_LONG + "dqua"}]
        await s.press("escape")
        s.expect("text of 200.0 kB")
        assert not s.shows("no user message")


@pytest.mark.thorough
async def test_what_is_typed_behind_a_paste_beyond_that_size_acts_on_nothing() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "Is it raining")
        await s.press("f7")
        await s.paste(LONG)
        await s.type("end")
        assert [part["text"] for part in parts(s)] == [LONG]
        s.expect("too long for a field", "to edit the text in $EDITOR")
        await s.press("enter", "u")
        assert s.bytes() == s.original
        assert s.focused == "form"


@pytest.mark.thorough
async def test_what_is_already_too_long_is_shown_as_such_and_not_as_missing() -> None:
    async with scenario(with_text(LONG)) as s:
        await s.enter("lorem")
        s.expect("text of 200.4 kB", "lorem ipsum")
        assert not s.shows("no user message")


@pytest.mark.thorough
async def test_a_text_beside_a_long_signature_is_a_text() -> None:
    signed = '{"text": "Short", "thought_signature": "' + "QUJD" * 60_000 + '"}'
    async with scenario(SNAKE.replace('{"text": "Is it raining in Bergen?"}', signed)) as s:
        await s.enter("Short", "Short")
        await s.type("er")
        assert parts(s)[0]["text"] == "Shorter"
        await s.burst("ctrl+u", *"anew")
        assert [part["text"] for part in parts(s)] == ["anew"]
        await s.press("escape")


@pytest.mark.thorough
async def test_a_long_part_does_not_lend_its_place_to_the_next() -> None:
    two = json.dumps({"text": NEARLY_TOO_LONG}) + ', {"text": "the second"}'
    async with scenario(SNAKE.replace('{"text": "Is it raining in Bergen?"}', two)) as s:
        await s.enter("lorem", "lorem")
        await s.type("x" * 4)
        assert [part["text"] for part in parts(s)] == [NEARLY_TOO_LONG + "x" * 4, "the second"]
        await s.press("escape")


async def test_an_argument_that_comes_to_look_like_base64_is_edited_on() -> None:
    async with scenario(SNAKE.replace('"Bergen"', json.dumps("d" * 394))) as s:
        await s.enter(*FIRST_CALL, "city")
        for letter in "dqdqu" * 3:
            await s.press(letter)
        assert s.focused == "field"
        assert ("d" * 394 + "dqdqu" * 3).encode() in s.bytes()
        await s.press("escape")


@pytest.mark.thorough
async def test_a_response_that_grows_too_long_is_edited_on() -> None:
    async with scenario(SNAKE.replace('"wind": "strong"', f'"wind": "{NEARLY_TOO_LONG[:-36]}"')) as s:
        await s.enter(*FIRST_CALL, "rain_mm")
        await s.press("left", "left")
        await s.type("x" * 4)
        assert s.focused == "field"
        assert (NEARLY_TOO_LONG[:-36] + "x" * 4).encode() in s.bytes()
        await s.press("escape")


async def test_a_value_in_a_view_that_grows_too_long_is_edited_on() -> None:
    async with scenario(json.dumps({"a": {"b": NEARLY_TOO_LONG}})) as s:
        await s.press("home", "down", "right", "right", "enter")
        await s.type("d" * 4)
        assert s.focused == "field"
        assert (NEARLY_TOO_LONG + "d" * 4).encode() in s.bytes()
        await s.press("escape")


@pytest.mark.thorough
async def test_json_text_is_typed_through_sizes_at_which_it_is_not_offered() -> None:
    async with scenario('{"a": {"b": 1}}') as s:
        await s.press("home", "down", "enter", "end", "enter", "f7")
        for key in "{}":
            await s.press(key)
        assert s.focused == "field"
        await s.press("left")
        await s.paste('"d": "' + "q " * 2100 + '"')
        await s.press("left", "x")
        assert s.focused == "field"
        assert json.loads(s.bytes()) == {"a": {"d": "q " * 2100 + "x"}}
        await s.press("escape")


@pytest.mark.thorough
async def test_a_text_of_many_lines_is_wrapped_as_ever_and_drawn_to_its_end() -> None:
    lines = [f"line {number} " + "word " * (number % 40) + "\t東京" * (number % 3) for number in range(300)]
    async with scenario(with_text("\n".join(lines))) as s:
        await s.enter("line 0", "line 0")
        box = s.app.screen.panes.form.box
        assert box.wrapped_document.height == sum(len(offsets) + 1 for offsets in box.wrapped_document._wrap_offsets)
        s.expect("line 299")
        await s.press("ctrl+home", "end", "X")
        s.expect("line 0 X")
        assert parts(s) == [{"text": "\n".join(["line 0 X", *lines[1:]])}]
        await s.press("escape")


@pytest.mark.thorough
async def test_a_long_line_with_tabs_shows_each_of_its_sections() -> None:
    async with scenario(with_text("\t".join(f"w{number}" for number in range(300)))) as s:
        await s.enter("w0", "w0")
        s.expect("w299")
        await s.press("ctrl+home")
        s.expect(re.compile("w0 +w1 +w2 +w3"))
        await s.press("shift+end")
        s.expect_harmless()
        await s.press("escape")


async def test_line_breaks_that_change_no_value_make_the_box_grow() -> None:
    async with scenario('{"a": {"b": [1, 2]}, "n": 5}') as s:
        box = s.app.screen.panes.form.box
        for keys, first in (
            (("home", "down", "enter", "end", "enter", "ctrl+end", "enter", "enter"), '{"b": [1, 2]}'),  # as JSON
            (("home", "end", "enter", "end", "ctrl+j", "ctrl+j"), "5"),  # a number
            (("home", "down", "enter", "down", "enter", "ctrl+home", "ctrl+j", "ctrl+j"), ""),  # above the value
        ):
            await s.press(*keys)
            assert s.bytes() == s.original
            assert (box.size.height, box.scroll_offset.y, box.document.line_count) == (3, 0, 3)
            assert first in s.screen()[box.region.y]
            await s.press("backspace", "backspace")
            assert box.size.height == 1
            await s.start_over()


@pytest.mark.parametrize(
    ("before", "typed", "after"),
    [
        ('{\n"a": 1\n}', '"b": 2,', '{\n"a": 1,\n"b": 2\n}'),  # a new key of the file goes to the end
        ('"first\\nlast"', "dqX", '"first\\ndqX\\nlast"'),
    ],
)
async def test_enter_begins_a_line_in_every_text_of_several_lines(before: str, typed: str, after: str) -> None:
    text = SNAKE.replace('"Bergen"', before, 1)
    async with scenario(text) as s:
        await s.enter(*FIRST_CALL, "city")
        s.expect("enter new line")
        await s.press("ctrl+home", "end", "enter")
        await s.type(typed)
        assert s.focused == "field"
        box = s.app.screen.panes.form.box
        assert (box.size.height, box.scroll_offset.y) == (box.document.line_count, 0)
        assert s.bytes().decode() == text.replace(before, after)
        await s.press("ctrl+end", "enter")
        assert s.focused == "field"
        await s.press("escape")
        assert s.focused == "form"
