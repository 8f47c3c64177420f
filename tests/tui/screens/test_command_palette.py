"""The command palette: over the registry, for the pane one was in."""

import pytest

from evaltui.tui.commands import all_commands
from evaltui.tui.screens.command_palette import Entry, matching
from evaltui.tui.widgets.entry_list import EntryList
from tests.tui.scenario import NARROW, SAMPLES, WIDE, Scenario, scenario
from tests.tui.sets import SNAKE

TRIP = SAMPLES / "trip_planner.evalset.json"


def titles(query: str) -> list[str]:
    entries: list[Entry] = [(command, command.title, command.keys) for command in all_commands()]
    return [title for _, title, _ in matching(entries, query)]


def test_letters_in_order_find_a_title_and_words_find_a_help() -> None:
    assert titles("save")[0] == "save"
    assert titles("unfal")[0] == "unfold all"
    assert "delete" in titles("undo restores")
    assert titles("zzzz") == []


def test_what_is_typed_in_vi_finds_what_it_does_there() -> None:
    assert titles("w")[0] == titles(" W ")[0] == "save"
    assert titles("wq")[0] == titles("q!")[0] == "quit"


@pytest.mark.thorough
def test_letters_that_are_strewn_over_an_id_find_nothing() -> None:
    assert "paste before" not in titles("restore")


async def palette_of(s: Scenario, *keys: str) -> None:
    await s.press(*keys)
    assert s.focused == "Input" or s.shows("Commands")


@pytest.mark.thorough
@pytest.mark.parametrize(("key", "size"), [("ctrl+p", NARROW), ("colon", WIDE)])
async def test_it_lists_what_can_be_done_here_with_keys(key: str, size: tuple[int, int]) -> None:
    async with scenario(TRIP, size) as s:
        await palette_of(s, key)
        s.expect("Commands", "add turn", "Delete the selected")
        await s.press(*"fold")
        s.expect("unfold all", "fold all")
        assert not s.shows("Undo the last step")
        await s.press("escape")
        assert s.focused == "tree"


@pytest.mark.thorough
async def test_it_does_the_command_for_the_pane_one_was_in() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+p", *"delete", "enter")
        s.expect("deleted")
        await s.press("ctrl+p")
        await s.type("undo\r")
        assert s.bytes() == s.original
        assert s.focused == "tree"


async def test_in_the_form_only_what_the_line_can_do_is_listed() -> None:
    async with scenario(TRIP) as s:
        await s.press("down", "enter", "colon", *"rename")
        s.expect("No such command here.")
        await s.press("enter", "escape")
        await s.enter("search_flights")
        await s.to("origin")
        await s.press("colon", *"rename", "enter")
        s.expect("New name for origin")
        await s.press("escape")


@pytest.mark.thorough
async def test_while_typing_the_field_goes_on_where_it_was() -> None:
    async with scenario(SNAKE) as s:
        await s.press("down", "enter", "enter", "X", "ctrl+p", *"save", "enter")
        s.expect("Saved set.evalset.json")
        assert s.focused == "field"
        await s.press("Y")
        assert b"XY" in s.bytes()


async def test_the_mouse_chooses_and_a_click_beside_closes() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+p", *"unfold")
        await s.click("unfold all")
        assert s.focused == "tree"
        await s.press("ctrl+p")
        await s.click_at(0, 0)
        assert s.focused == "tree"


async def test_arrows_choose_and_an_action_stands_there_once() -> None:
    async with scenario(SNAKE) as s:
        await s.press("c", "ctrl+p", *"undo")
        assert sum("Undo the last step" in line for line in s.screen()) == 1
        await s.press("ctrl+p", "ctrl+p", *"fold")
        lines = [line for line in s.screen() if "▌" in line]
        await s.press("down")
        assert [line for line in s.screen() if "▌" in line] != lines
        await s.press("up", "pagedown", "pageup", "escape")


async def test_the_repair_view_has_it_too() -> None:
    async with scenario("nope") as s:
        await s.press("colon")
        s.expect("open in $EDITOR", "quit")
        await s.press(*"help", "enter")
        s.expect("Everywhere")


async def test_no_two_commands_have_one_title() -> None:
    async with scenario(TRIP, recordings=["runs.json"], beside={"runs.json": "[]"}) as s:
        for keys in [(), ("2",), ("3",), ("4",), ("1", "down", "enter", "enter")]:
            await s.press(*keys, "ctrl+p")
            listed = [title for _, title, _ in s.app.screen.query_one(EntryList).entries]
            assert listed.count("quit") == 1
            assert len(listed) == len(set(listed)), sorted(listed)
            await s.press("escape")
