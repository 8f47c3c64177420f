"""The dialog that asks for a name."""

import json

from tests.tui.scenario import scenario
from tests.tui.sets import SNAKE

ODD = "a\x1b[1m\u2028\u200b\ue000\udce9z"


async def test_a_name_that_is_confirmed_unchanged_stays_as_it_is() -> None:
    async with scenario(json.dumps({"o": {ODD: "x", "b": 1}})) as s:
        await s.enter("o  ")
        await s.press("2", "r")
        assert s.focused == "NameDialog"
        s.expect_harmless()
        await s.press("enter")
        assert s.focused == "form"
        assert not s.is_dirty
        assert s.bytes() == s.original


async def test_of_an_odd_name_only_what_is_touched_changes() -> None:
    async with scenario(json.dumps({"o": {ODD: "x", "b": 1}})) as s:
        await s.enter("o  ")
        await s.press("2", "r", "end", "!", "enter")
        assert list(json.loads(s.bytes())["o"]) == [ODD + "!", "b"]


async def test_of_a_name_that_is_pasted_all_lines_become_one() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather")
        await s.press("a")
        await s.paste("one\ntwo\x1b")
        await s.press("enter")
        assert rb'"one two\u001b": ""' in s.bytes()


async def test_tab_and_undo_in_the_dialog_do_no_harm() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather")
        await s.press("a")
        await s.press(*"lang", "ctrl+z", "ctrl+y", "up", "down")
        assert s.focused == "NameDialog"
        await s.press("tab")
        assert s.focused == "NameDialog"
        await s.press("enter")
        assert b'"lang": ""' in s.bytes()
