"""Typing into fields: what keys do there, what one undo takes back, how the text comes into the file."""

import pytest

from tests.tui.editing import assert_changes_nothing_else, share
from tests.tui.edits import IN_CALLS, TEXTS
from tests.tui.scenario import NORMAL, scenario
from tests.tui.sets import SETS, SNAKE


@pytest.mark.thorough
async def test_letters_enter_and_esc_in_a_text() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Thanks", "Thanks")
        await s.press("f7")
        await s.type("quit? add 1 dUde: JK =-/")
        assert s.focused == "field"
        assert s.bytes() == s.original.replace(b'"Thanks"', b'"quit? add 1 dUde: JK =-/"')
        await s.start_over()
        await s.enter("Thanks", "Thanks")
        await s.press("enter")
        await s.type("Bye")
        assert s.focused == "field"
        assert s.bytes() == s.original.replace(b'"Thanks"', b'"Thanks\\nBye"')
        await s.start_over()
        await s.enter("Is it raining", "Is it raining")
        await s.press("ctrl+backspace", "alt+backspace")
        assert s.bytes() == s.original.replace(b"Is it raining in Bergen?", b"Is it raining in ")
        await s.start_over()
        await s.enter("Thanks", "Thanks")
        await s.type("!")
        await s.press("escape")
        assert s.focused == "form"
        s.expect("Thanks!")
        await s.press("escape")
        assert s.focused == "tree"
        s.expect("2 Thanks!")
        await s.press("escape")
        assert s.focused == "tree"
        assert not s.ended


@pytest.mark.thorough
async def test_enter_and_tab_go_on_to_the_next_field() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("weather_desk", "eval_set_id")
        await s.type("_2")
        await s.press("enter")
        await s.type(" today")
        assert s.bytes() == s.original.replace(b"weather_desk", b"weather_desk_2").replace(
            b'"Weather"', b'"Weather today"'
        )
        await s.start_over()
        await s.enter("weather_desk", "description")
        await s.press("ctrl+j")
        await s.type("in one set")
        assert s.focused == "field"
        assert s.bytes() == s.original.replace(b"Two short talks", b"Two short talks\\nin one set")
        await s.start_over()
        await s.enter("Is it raining", "get_weather", "name ")
        await s.press("tab")
        await s.type("0")
        await s.press("tab")
        await s.type("!")
        await s.press("shift+tab", "shift+tab")
        await s.type("_now")
        assert s.focused == "field"
        after = s.original.replace(b'"call-1"', b'"call-10"').replace(b'"Bergen"', b'"Bergen!"')
        assert s.bytes() == after.replace(b'"get_weather"', b'"get_weather_now"')
        await s.start_over()
        await s.enter("Is it raining", "get_weather", "rain_mm")
        await s.press("tab")
        assert s.focused == "field"
        assert not s.is_dirty


@pytest.mark.thorough
async def test_the_tree_follows_what_is_typed() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("Thanks", "Thanks")
        await s.type(" a lot")
        s.expect("2 Thanks a lot")
        assert "●" in s.line_with("2 Thanks a lot")


async def test_a_changed_text_keeps_the_escapes_it_shares_with_the_old() -> None:
    async with scenario(SNAKE.replace("Thanks", r"Gr\u00fc\u00dfe \/ caf\u00e9")) as s:
        await s.enter("Grüße", "Grüße")
        await s.type(" ☕")
        assert s.bytes().startswith(s.original.split(rb"caf\u00e9")[0] + rb"caf\u00e9")


@pytest.mark.thorough
async def test_a_text_with_wide_characters_is_edited_where_the_caret_stands() -> None:
    async with scenario(SNAKE.replace("Thanks", "東京へ👩‍👩‍👧 é")) as s:
        await s.enter("東京", "東京")
        await s.press("left", "left", "left", "left", "left", "left", "left", "left")
        await s.type("と")
        await s.press("home")
        await s.type("🚄")
        assert s.bytes() == s.original.replace("東京へ👩".encode(), "🚄東京とへ👩".encode())


@pytest.mark.parametrize(("number", "shape"), list(enumerate(["snake", "camel_events"])))
async def test_a_changed_text_changes_nothing_else(number: int, shape: str) -> None:
    await assert_changes_nothing_else(SETS[shape], share(TEXTS, number, 2))


@pytest.mark.parametrize(("number", "shape"), list(enumerate(SETS)))
async def test_a_changed_call_changes_nothing_else(number: int, shape: str) -> None:
    await assert_changes_nothing_else(SETS[shape], share(IN_CALLS, number, 4))
