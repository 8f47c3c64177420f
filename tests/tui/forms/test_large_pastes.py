"""A paste of megabytes is taken in at once, whole and as one step, or refused with a sentence."""

import json

import pytest

from evaltui.document.document import Document
from evaltui.tui.forms.value_text import value_edits
from evaltui.tui.widgets.line_input import LineInput
from evaltui.tui.widgets.text_field import TextField
from tests.sampling import sampled
from tests.tui.scenario import Scenario, scenario
from tests.tui.sets import SNAKE

MB = 1_000_000
TEXTS = {
    "lines": "a line\r" * (MB // 7),
    "one word": "x" * MB,
    "words": "some words " * (MB // 11),
    "other scripts": "äöü漢字 " * (MB // 10),
    "escapes": "\x1b[31mred\u2028" * (MB // 10),
}


PROMPTS = ("slash", "ctrl+g", "ctrl+r", "ctrl+p")
"""Keys that ask for one line."""


async def user_text(s: Scenario) -> None:
    await s.enter("Is it raining", "Is it raining")


def said_by_user(s: Scenario) -> str:
    turns = (turn for case in json.loads(s.bytes())["eval_cases"] for turn in case["conversation"])
    texts = [turn["user_content"]["parts"][0]["text"] for turn in turns]
    return next(text for text in texts if "Is it raining" in text or len(text) > MB / 4)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", sampled(TEXTS))
async def test_a_large_paste_into_a_field_goes_past_the_box_into_the_text(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scenario(SNAKE) as s:
        await user_text(s)
        before = said_by_user(s)
        monkeypatch.setattr(TextField, "edit", lambda *_: pytest.fail("the box takes minutes for such a text"))
        await s.burst("home")
        await s.paste(TEXTS[kind])
        assert said_by_user(s) == TEXTS[kind].replace("\r", "\n") + before
        s.expect(f"Pasted {len(TEXTS[kind]):,} characters")
        await s.press("enter")
        assert s.focused == "form"
        await s.press("ctrl+z")
        assert s.bytes() == s.original


async def test_what_is_pasted_takes_the_place_of_what_is_selected_or_is_refused() -> None:
    async with scenario(SNAKE) as s:
        await user_text(s)
        await s.press("f7")
        await s.paste(TEXTS["words"])
        await s.press("escape")
        assert said_by_user(s) == TEXTS["words"]
        await s.start_over()
        await user_text(s)
        s.app._clipboard = "some words " * 6_000
        await s.press("f7", "ctrl+v", "ctrl+v", "ctrl+v")
        assert s.focused == "field"
        await s.press("ctrl+v")
        s.expect("Pasted 66,000 characters")
        assert said_by_user(s) == s.app._clipboard * 4
        await s.press("enter")
        assert s.focused == "form"
        await s.start_over()
        await s.enter("Is it raining", "get_weather", "hours")
        await s.paste(TEXTS["words"])
        assert s.bytes() == s.original
        s.expect("nothing was pasted")
        await s.start_over()
        await s.press("slash")
        s.app._clipboard = "two\nlines"
        await s.press("ctrl+v")
        assert s.app.screen.query(LineInput).first().value == "two lines"


async def test_a_large_paste_into_a_prompt_is_refused_with_a_sentence() -> None:
    async with scenario(SNAKE) as s:
        s.app._disable_notifications = False
        for key in PROMPTS:
            await s.press(key)
            await s.paste("find this " * 30_000)
            s.expect("300,000 characters are too many")
            s.app.clear_notifications()
            await s.press("escape")
            assert s.focused == "tree"
        assert s.bytes() == s.original
        await s.press("S")
        await s.paste("a/b " * 100_000)
        s.expect("400,000 characters are too many")
        s.app._clipboard = "a/b " * 30_000
        await s.press("ctrl+v", "ctrl+v")
        s.expect("120,000 characters are too many")


@pytest.mark.parametrize(("items", "edits"), [(3, 3), (3_000, 1), (30_000, 1)])
def test_of_a_list_with_many_new_items_the_whole_is_written_at_once(items: int, edits: int) -> None:
    """One edit for each of thousands of items takes seconds."""
    pasted = json.dumps([1_000_000 + n for n in range(items)])
    node = Document(b'{\n  "hours": [6, 12]\n}').root.at("/hours")
    assert len(value_edits(node, pasted)) == edits


@pytest.mark.thorough
@pytest.mark.parametrize("items", sampled([3_000, 30_000], most=1))
async def test_a_large_list_is_pasted_into_a_value_as_one_step(items: int) -> None:
    hours = [{"hour": n} for n in range(items)]
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather", "hours")
        await s.press("f7")
        await s.paste(json.dumps(hours))
        await s.press("enter", "escape")
        call = json.loads(s.bytes())["eval_cases"][0]["conversation"][0]["intermediate_data"]["tool_uses"][0]
        assert call["args"]["hours"] == hours
        await s.press("u")
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_a_value_too_long_for_a_field_keeps_the_layout_it_was_pasted_with() -> None:
    pasted = json.dumps([{"hour": n} for n in range(15_000)], indent=1)
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather", "hours")
        await s.press("f7")
        await s.paste(pasted.replace("\n", "\r"))
        assert s.bytes().count(b"\n") == s.original.count(b"\n") + pasted.count("\n")


async def test_a_line_does_not_grow_without_end_by_pasting_what_it_holds() -> None:
    """Each key takes as long as the line is; of the palette, two million characters took minutes."""
    async with scenario(SNAKE) as s:
        s.app._disable_notifications = False
        for key in PROMPTS:
            await s.press(key)
            box = s.app.screen.query(LineInput).first()
            box.value = "long " * 1_000
            box.select_all()
            await s.press("ctrl+c", "end", "ctrl+v")
            assert box.value == "long " * 2_000
            await s.press("ctrl+v")
            assert box.value == "long " * 2_000
            s.expect("are too many")
            s.app.clear_notifications()
            await s.press("x")
            assert box.value == "long " * 2_000
            await s.press("backspace", "x")
            assert box.value == ("long " * 2_000)[:-1] + "x"
            await s.press("escape")
