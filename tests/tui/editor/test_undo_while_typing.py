"""What one undo takes back of what was typed."""

from tests.tui.scenario import scenario
from tests.tui.sets import SNAKE


async def test_keys_typed_one_by_one_in_a_field_are_one_undo_step() -> None:
    for rows in [("Thanks", "Thanks"), ("greeting", "eval_id"), ("Is it raining", "get_weather", "call-1")]:
        async with scenario(SNAKE) as s:
            await s.enter(*rows)
            await s.press(*"abc")
            assert s.is_dirty
            await s.press("ctrl+z")
            assert s.bytes() == s.original
            assert s.focused == "field"


async def test_a_jump_of_the_caret_begins_another_undo_step() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Thanks", "Thanks")
        await s.press("a", "b", "home", "c", "d")
        assert b'"cdThanksab"' in s.bytes()
        await s.press("ctrl+z")
        assert b'"Thanksab"' in s.bytes()
        s.expect("Thanksab")
        await s.press("ctrl+z")
        assert s.bytes() == s.original


async def test_each_field_is_an_undo_step_of_its_own() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("weather_desk", "eval_set_id")
        await s.press("a", "tab", "b", "tab", "c", "escape")
        for changed, before in [(b"talksc", b"talks"), (b"Weatherb", b"Weather"), (b"weather_deska", b"weather_desk")]:
            now = s.bytes()
            await s.press("u")
            assert s.bytes() == now.replace(changed, before)
        assert s.bytes() == s.original


async def test_undo_in_a_field_shows_the_older_text_and_redo_the_newer() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Thanks", "Thanks")
        await s.press("f7")
        await s.type("Never mind")
        await s.press("ctrl+z")
        s.expect("Thanks")
        assert not s.shows("Never mind")
        await s.press("ctrl+y")
        s.expect("Never mind")
        await s.type("!")
        assert s.bytes() == s.original.replace(b'"Thanks"', b'"Never mind!"')
