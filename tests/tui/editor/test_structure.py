"""Cases, turns and calls come and go: in the file's own manner, and undo brings back every byte."""

import pytest

from tests.tui.editing import Editing, assert_changes_nothing_else, share
from tests.tui.scenario import NORMAL, SAMPLES, scenario
from tests.tui.sets import SETS, SNAKE
from tests.tui.structure_edits import CASES_AND_TURNS, IN_EVENTS, IN_LISTS


@pytest.mark.parametrize(
    ("shape", "editings"),
    [
        ("snake", share(CASES_AND_TURNS, 0, 2) | share(IN_LISTS, 0, 2)),
        ("camel", share(IN_LISTS, 1, 2)),
        ("snake_events", share(IN_EVENTS, 0, 2)),
        ("camel_events", share(CASES_AND_TURNS, 1, 2) | share(IN_EVENTS, 1, 2)),
    ],
)
async def test_an_addition_or_deletion_changes_nothing_else(shape: str, editings: dict[str, Editing]) -> None:
    await assert_changes_nothing_else(SETS[shape], editings)


@pytest.mark.thorough
async def test_a_new_row_is_selected_and_what_a_deletion_took_along_is_said() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.to("rain_in_bergen")
        await s.press("a")
        assert s.focused == "field"
        s.expect("─ case_3 ─", "added case case_3")
        await s.type("rainy_day")
        await s.press("escape", "escape")
        assert "rainy_day" in s.cursor()
        await s.press("A")
        await s.type("Hello")
        await s.press("escape", "escape")
        assert "2 Hello" in s.cursor()
        await s.press("A")
        s.expect("─ rainy_day › turn 2 › tool call 1 ─")
        await s.type("look_up")
        await s.press("escape", "escape")
        assert "look_up" in s.cursor()
        await s.start_over()
        await s.to("Is it raining")
        await s.press("right", "down", "d")
        assert "deleted tool call get_weather" in s.status
        assert "with its response" in s.status
        assert "u: undo" in s.status


@pytest.mark.thorough
async def test_deleting_goes_on_to_the_row_that_takes_the_place_until_nothing_is_left() -> None:
    async with scenario(SNAKE) as s:
        await s.to("Is it raining")
        await s.press("d")
        assert "1 Thanks" in s.cursor()
        await s.press("d")
        assert "rain_in_bergen" in s.cursor(), "a repeated d must not run on into the next case"
        await s.press("u", "u")
        assert s.bytes() == s.original
        s.expect("1 Is it raining in Bergen?", "2 Thanks")
        await s.start_over()
        await s.to("greeting")
        await s.press("d")
        await s.to("rain_in_bergen")
        await s.press("d")
        assert "0 cases" in s.title
        assert b'"eval_cases": []' in s.bytes()
        await s.press("enter")
        s.expect("No cases. Press a to add one.")
        await s.press("escape", "a")
        assert "1 case" in s.title
        await s.press("escape", "escape")
        assert "case_1" in s.cursor()


async def test_after_the_only_turn_of_the_last_case_the_cursor_is_on_its_case() -> None:
    async with scenario(SNAKE) as s:
        await s.to("Good morning")
        await s.press("x")
        assert "greeting" in s.cursor()
        await s.press("P")
        assert "1 Good morning" in s.cursor()
        await s.press("u", "u")
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_undo_brings_a_deleted_row_back_under_the_cursor() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json") as s:
        await s.to("cancel_one_of_two_hotels")
        await s.press("d", "home", "u")
        assert "cancel_one_of_two_hotels" in s.cursor()
        assert s.bytes() == s.original
