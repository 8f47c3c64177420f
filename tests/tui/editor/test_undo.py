"""Undo and redo: what one step takes back, where it leads, and where they are offered."""

import pytest

from tests.evalset.travel import TRAVEL
from tests.sampling import sampled
from tests.scored_sets import RECORDING, SET
from tests.tui.scenario import NARROW, NORMAL, SAMPLES, WIDE, scenario
from tests.tui.sets import SNAKE


@pytest.mark.thorough
async def test_nothing_is_offered_where_nothing_can_be_undone() -> None:
    async with scenario(SNAKE, WIDE) as s:
        assert "u undo" not in s.keys
        await s.press("c")
        assert "u undo" in s.keys
        await s.press("ctrl+p", *"redo")
        assert not s.shows("Redo the last undone step")
        await s.press("escape", "u")
        assert "u undo" not in s.keys
        await s.press("ctrl+p", *"redo")
        s.expect("Redo the last undone step")


@pytest.mark.parametrize("size", sampled([NARROW, NORMAL], most=1))
async def test_undo_in_the_tree_goes_to_the_row_that_changed(size: tuple[int, int]) -> None:
    async with scenario(SNAKE, size) as s:
        await s.enter("Thanks")
        await s.edit("Thanks", "No")
        await s.press("escape", "home")
        assert "weather_desk" in s.cursor()
        await s.press("u")
        assert "Undone: edit user message of rain_in_bergen › turn 2" in s.status
        assert "2 Thanks" in s.cursor()
        await s.press("home", "U")
        assert "2 No" in s.cursor()


async def test_undo_goes_to_the_row_or_line_that_changed() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("Is it raining", "get_weather", "city")
        await s.press(*"!!", "escape", "escape", "escape", "end", "enter")
        assert not s.shows("Bergen!!")
        await s.press("u")
        assert s.focused == "form"
        assert "city" in s.cursor()
        assert "Bergen" in s.cursor()
        await s.press("end", "U")
        assert "Bergen!!" in s.cursor()
        await s.start_over()
        await s.edit_id("greeting", "hello")
        await s.press("escape")
        await s.enter("Thanks", "Thanks")
        assert s.focused == "field"
        await s.press("ctrl+z")
        assert s.focused == "form"
        assert "eval_id" in s.cursor()
        assert s.bytes() == s.original
        await s.start_over()
        await s.to("rain_in_bergen")
        await s.press("c", "end")
        assert "Good morning" in s.cursor()
        await s.press("u")
        assert "rain_in_bergen" in s.cursor()
        await s.press("home", "U")
        assert "rain_in_bergen_2" in s.cursor()
        await s.start_over()
        await s.enter("Thanks")
        await s.edit("Thanks", "No")
        await s.press("escape", "minus", "home", "u")
        assert "2 Thanks" in s.cursor()
        await s.start_over()
        await s.edit_id("greeting", "hello")
        await s.press("escape")
        await s.enter("rain_in_bergen", "state  {")
        assert len(s.app.screen_stack) == 2
        await s.press("u")
        assert len(s.app.screen_stack) == 1
        assert 'Undone: eval_id is "greeting" again' in s.status


async def test_undo_of_an_addition_goes_back_to_where_it_was_added() -> None:
    """Not into the form of the value beside it: the next letters would edit that one."""
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining")
        await s.press("a", *"new", "escape", "u", "u")
        assert "› turn 1 ─" in s.screen()[1]
        assert "2 find_umbrella" in s.cursor()
        await s.press("U")
        assert "3 unnamed call" in s.cursor()
        await s.start_over()
        await s.to("rain_in_bergen")
        await s.press("a", *"new", "escape", "u", "u")
        assert s.focused == "tree"
        assert "rain_in_bergen" in s.cursor()


@pytest.mark.thorough
async def test_redo_of_the_first_call_of_a_turn_goes_to_the_call() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Thanks")
        await s.press("a", *"new", "escape", "escape", "u", "u", "U")
        assert "1 unnamed call" in s.cursor()


async def test_undo_of_deleted_calls_goes_to_the_calls() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining")
        await s.to("get_weather")
        await s.press("d", "d")
        assert "Is it raining" not in s.cursor()
        for call in ("find_umbrella", "get_weather"):
            await s.press("u")
            assert call in s.cursor()


async def test_an_undone_step_is_named_with_its_place_and_selected() -> None:
    async with scenario('{"a": {"b": {"c": 1}}, "z": 2}', WIDE) as s:
        await s.to("b  {c}")
        await s.press("right")
        await s.to("c  1")
        await s.press("enter", "2", "escape", "escape", "home", "u")
        assert "Undone: edit set.evalset.json › a › b › c." in s.status
        assert "c  1" in s.cursor()
        await s.press("u")
        assert "Nothing to undo" in s.status


@pytest.mark.thorough
async def test_a_copy_that_is_deleted_again_leaves_nothing_unsaved() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await s.to("greeting")
        await s.press("alt+up")
        assert len([row for row in s.rows() if "●" in row]) == 1
        await s.press("alt+down")
        assert not s.shows("●")
        await s.press("c")
        assert s.is_dirty
        await s.press("d")
        assert s.bytes() == s.original
        assert not s.is_dirty
        assert not s.shows("●")
        await s.press("ctrl+q")
        assert s.ended


@pytest.mark.thorough
async def test_the_titles_of_a_view_follow_the_id_that_is_edited_in_it() -> None:
    rubrics = '"rubrics": [{"rubric_id": "kind", "rubric_content": {"text_property": "It is kind."}}],'
    async with scenario(SNAKE.replace('"eval_id": "greeting",', f'"eval_id": "greeting", {rubrics}'), WIDE) as s:
        await s.enter("greeting", "kind  It is kind.")
        await s.enter("rubric_id")
        await s.press(*"er", "escape")
        titles = s.screen()[1]
        assert titles.count("kinder") == 2
        assert "kind " not in titles


@pytest.mark.thorough
async def test_keys_typed_one_by_one_in_a_field_are_one_undo_step() -> None:
    async with scenario(SNAKE) as s:
        for rows in [("Thanks", "Thanks"), ("greeting", "eval_id"), ("Is it raining", "get_weather", "call-1")]:
            await s.enter(*rows)
            await s.press(*"ab")
            assert s.is_dirty
            await s.press("ctrl+z")
            assert s.bytes() == s.original
            assert s.focused == "field"
            await s.start_over()
        await s.enter("weather_desk", "eval_set_id")
        await s.press("a", "tab", "b", "tab", "c", "escape")
        for changed, before in [(b"talksc", b"talks"), (b"Weatherb", b"Weather"), (b"weather_deska", b"weather_desk")]:
            now = s.bytes()
            await s.press("u")
            assert s.bytes() == now.replace(changed, before)
        assert s.bytes() == s.original


@pytest.mark.thorough
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
        await s.press("f7")
        await s.type("Never")
        await s.press("ctrl+z")
        s.expect("Thanks")
        assert not s.shows("Never")
        await s.press("ctrl+y")
        s.expect("Never")
        await s.type("!")
        assert s.bytes() == s.original.replace(b'"Thanks"', b'"Never!"')


@pytest.mark.parametrize(
    ("source", "case", "field"),
    [
        (TRAVEL, "refund", "no reference"),
        (SNAKE.replace('"final_response": {"parts": [{"text": "You are welcome."}], "role": "model"}', '"rubrics": []'),
         "Thanks", "no expected response"),
    ],
    ids=["dataset", "eval set"],
)  # fmt: skip
async def test_typing_that_makes_a_field_is_one_step(source: str, case: str, field: str) -> None:
    async with scenario(source, NORMAL) as s:
        await s.enter(case, field)
        assert s.focused == "field"
        await s.type("Book")
        await s.press("escape")
        s.expect("Book")
        await s.press("u")
        assert s.bytes() == s.original
        s.expect(field)
        await s.press("U")
        s.expect("Book")


async def test_undo_in_the_scores_goes_to_the_case() -> None:
    async with scenario(SET, NORMAL, beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        await s.to("greeting")
        await s.press("alt+down", "4", "home")
        assert "greeting" not in s.cursor()
        await s.press("u")
        assert "greeting" in s.cursor()


async def test_undo_in_a_view_that_closes_says_so_in_the_view_behind_it() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining")
        await s.press("A", *"rubric", "enter", "escape")
        assert len(s.app.screen_stack) == 2
        await s.press("u")
        assert len(s.app.screen_stack) == 1
        assert "Undone: add rubric" in s.status
        assert s.bytes() == s.original


async def test_the_message_about_a_step_goes_when_one_filters_or_jumps() -> None:
    async with scenario(SNAKE) as s:
        await s.edit_id("greeting", "hello")
        for leave in (("slash", *"bergen", "enter"), ("ctrl+g", *"rain", "enter")):
            await s.press("escape", "u")
            assert "Undone: eval_id is" in s.status
            await s.press(*leave)
            assert "Undone" not in s.status, leave
            await s.press("escape", "escape", "U")


async def test_letters_after_an_undo_that_leaves_the_text_box_do_nothing() -> None:
    async with scenario(SAMPLES / "support_desk.evalset.json") as s:
        await s.press("down", "right", "down", "2", "enter")
        await s.type(" one")
        await s.press("escape", "down", "enter")
        await s.type("Z")
        await s.press("ctrl+z", "ctrl+z")
        assert s.focused == "form"
        assert s.bytes() == s.original
        await s.burst(*"done")
        assert "ignored, because undo has left the text box." in s.status
        assert s.bytes() == s.original
