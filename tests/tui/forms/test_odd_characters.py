"""Characters that a text box or a terminal would not leave as they are, and bytes that are no text: they stay."""

import json

import pytest
from rich.cells import cell_len

from evaltui.printable import printable
from evaltui.tui.widgets.line_input import LineInput
from tests.sampling import sampled
from tests.tui.scenario import Scenario, scenario
from tests.tui.sets import SNAKE

pytestmark = pytest.mark.drawn

PRIVATE = "\U0010001b\U0010009b\U000f001b\U0010fffd\ue000"
ODD = "\u00a0\u3000\u200d\u00ad\u200e\ue000\u2060"


def first_text(s: Scenario) -> str:
    turn = json.loads(s.bytes())["eval_cases"][0]["conversation"][0]
    return str(turn["user_content"]["parts"][0]["text"])


@pytest.mark.thorough
async def test_what_is_typed_is_kept() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "Is it raining")
        for character in ODD:
            await s.burst("f7", "a", character, "b")
            s.expect_harmless()
            assert first_text(s) == f"a{character}b"


@pytest.mark.parametrize("before", sampled(["", "\x1b[0m", "\U0010001b \U000f001b \x1b"]))
async def test_private_characters_that_are_pasted_are_kept(before: str) -> None:
    async with scenario(SNAKE.replace("Is it raining in Bergen?", f"Rain{json.dumps(before)[1:-1]}")) as s:
        await s.enter("Rain", "Rain")
        await s.paste(PRIVATE)
        await s.type("\U0010001b")
        assert first_text(s) == "Rain" + before + PRIVATE + "\U0010001b"


async def test_what_is_cut_or_copied_is_pasted_as_it_was() -> None:
    async with scenario(SNAKE.replace("Is it raining in Bergen?", r"Rain\u001b\u2028")) as s:
        await s.enter("Rain", "Rain")
        await s.press("f7", "ctrl+x", "ctrl+v", "f7", "ctrl+c", "end", "ctrl+v")
        assert first_text(s) == "Rain\x1b\u2028" * 2
        assert s.app.clipboard == "Rain\x1b\u2028"


@pytest.mark.thorough
async def test_a_function_key_without_a_meaning_types_nothing() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("greeting", "eval_id")
        await s.press("f12", "ctrl+@", "ctrl+g")
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_what_cannot_be_shown_does_not_shift_the_frame_of_a_prompt() -> None:
    """Each stands as a mark one cell wide, which the box must count; the terminal would show it zero wide."""
    async with scenario(SNAKE) as s:
        await s.press("ctrl+g")
        frames = [line for line in s.screen() if "│" in line]
        for character in ("\x1b", "\u202e", "\t", "\x9b", "\u2028"):
            await s.press("end", "ctrl+u")
            await s.paste(f"a{character * 5}b")
            box = s.app.screen.query(LineInput).first()
            assert box.value in (f"a{character * 5}b", "a     b")
            assert [len(line) for line in s.screen() if "│" in line] == [len(line) for line in frames]
            strip = box.render_line(0)
            assert cell_len(printable(strip.text)) == strip.cell_length
            assert box._cursor_offset == len(box.value) + 1


BAD = (
    b'{"o": {"a": "caf\xe9 \\u00e9", "b": [1, "\xff\xfe"], "\xe9": 2}, '
    b'"t": "r\xe9sum\xe9", "s": "\\udce9 \xe2\x82\xac"}'
)


async def test_bytes_that_are_no_text_stay() -> None:
    async with scenario(BAD) as s:
        await s.to("o  ")
        await s.press("enter", "end", "enter")
        assert s.focused == "field"
        await s.press("ctrl+home", *["right"] * 200)
        await s.press("ctrl+end", "left", "backspace", "3", "escape")
        assert s.bytes() == BAD.replace(b": 2}", b": 3}")
        await s.start_over()
        await s.enter("t  ")
        await s.press("end", "!", "home", "R", "delete", "escape")
        assert s.bytes() == BAD.replace(b"r\xe9sum\xe9", b"R\xe9sum\xe9!")
        await s.press("t", "t", "t", "t")
        assert s.bytes() == BAD.replace(b'"r\xe9sum\xe9"', b'["R\xe9sum\xe9!"]')


async def test_in_a_list_that_becomes_a_text() -> None:
    async with scenario(
        b'{"eval_set_id": "s", "eval_cases": [{"eval_id": "1", "conversation": [{"intermediate_data": '
        b'{"tool_uses": [{"name": "f", "args": {"l": ["\xe9\\n"]}}]}}]}]}'
    ) as s:
        await s.press("down", "down", "down", "down", "enter")
        await s.enter("f")
        await s.to("l  ")
        await s.press("t", "t")
        assert rb'"l": "[\"' + b"\xe9" + rb'\\n\"]"' in s.bytes()
