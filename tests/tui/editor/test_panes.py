"""Which panes are shown at which size, where keys go, and that a resize loses nothing."""

import pytest

from evaltui.tui.editor.edit_screen import EditScreen
from tests.evalset.travel import TRAVEL
from tests.sampling import sampled
from tests.tui.editor.test_problems import GOOD
from tests.tui.scenario import NARROW, NORMAL, SAMPLES, WIDE, scenario
from tests.tui.sets import SNAKE

TRIP = SAMPLES / "trip_planner.evalset.json"
BROKEN = SAMPLES / "broken.evalset.json"


@pytest.mark.thorough
async def test_a_narrow_terminal_shows_one_pane_at_a_time() -> None:
    async with scenario(BROKEN, NARROW) as s:
        s.expect("pasted_from_a_terminal")
        assert not s.shows("Problems")
        await s.press("2")
        s.expect("eval_id")
        assert not s.shows("pasted_from_a_terminal")
        await s.press("3")
        s.expect('duplicate key "name"')
        assert not s.shows("Session input")
        await s.press("1")
        s.expect("pasted_from_a_terminal")
        for pane in ("form", "problems", "tree"):
            await s.press("tab")
            assert s.focused == pane


@pytest.mark.thorough
async def test_a_wider_one_shows_all_of_them() -> None:
    async with scenario(BROKEN, NORMAL) as s:
        for size in (NORMAL, WIDE):
            await s.resize(*size)
            s.expect(
                "pasted_from_a_terminal", "eval_id     renew_a_loan", "Problems", "user_contents should be user_content"
            )
        for pane, row in [("1", "renew_a_loan"), ("2", "eval_id"), ("3", "user_contents")]:
            await s.press(pane)
            marked = [line for line in s.screen() if "▌" in line]
            assert len(marked) == 1
            assert row in marked[0].split("▌")[1]
        await s.press("1")
        for pane in ("form", "problems", "tree"):
            await s.press("tab")
            assert s.focused == pane
        await s.press("shift+tab")
        assert s.focused == "problems"


async def test_without_problems_there_is_no_pane_for_them() -> None:
    async with scenario(GOOD) as s:
        await s.press("tab", "tab")
        assert s.focused == "tree"
        await s.press("3")
        assert s.focused == "tree"
        assert "No problems" in s.status
        await s.press("tab")
        assert s.focused == "form"
        assert "No problems" not in s.status


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([NARROW, NORMAL, WIDE]))
async def test_the_last_line_shows_the_keys_of_where_one_is(size: tuple[int, int]) -> None:
    async with scenario(BROKEN, size) as s:
        assert "a add case  A add turn" in s.keys
        await s.press("2")
        assert "a add turn" in s.keys
        await s.press("enter")
        assert "esc done" in s.keys
        await s.press("tab")
        await s.press("escape", "3")
        assert "enter go to" in s.keys
        await s.press("f1", "escape")
        assert "enter go to" in s.keys


@pytest.mark.thorough
async def test_the_form_beside_the_tree_follows_the_cursor() -> None:
    async with scenario(TRIP, NORMAL) as s:
        await s.to("greeting_without_tools")
        s.expect("─ greeting_without_tools ─")
        await s.press("down")
        s.expect(
            "─ greeting_without_tools › turn 1 ─", "No tool calls. Press a to add one (while typing: esc, then a)."
        )


@pytest.mark.thorough
async def test_ctrl_arrows_step_through_the_cases_from_any_pane() -> None:
    async with scenario(TRIP) as s:
        await s.enter("trip_planner", "eval_set_id")
        for key in ["tab", "tab", "shift+tab", "enter"]:
            await s.press(key)
            assert s.focused == "field"
            assert "esc done" in s.keys
        await s.press("escape", "escape")
        await s.enter("Please book me", "Please book me")
        await s.press("ctrl+down")
        s.expect("─ greeting_without_tools")
        await s.press("alt+j")
        s.expect("─ tokyo_day_trip_by_train")
        await s.press("ctrl+up", "alt+k", "alt+k")
        s.expect("─ book_flight_lisbon_montreal")
        assert not s.is_dirty


@pytest.mark.thorough
async def test_the_cursor_is_always_in_sight() -> None:
    async with scenario(TRIP, (80, 12)) as s:
        await s.press("equals_sign", "enter")
        for key in ["escape", *["down"] * 20, *["up"] * 9, "pagedown", "end", "pageup", "ctrl+u", "home", "ctrl+d"]:
            await s.press(key)
            assert sum("▌" in line for line in s.screen()) == 1
            assert s.cursor().strip()[:40] in s.line_with("▌")


@pytest.mark.thorough
async def test_folding_shows_and_hides_turns() -> None:
    async with scenario(TRIP) as s:
        await s.press("minus")
        assert not s.shows("Great. Can you add")
        await s.to("book_flight")
        await s.press("right")
        s.expect("Great. Can you add")
        await s.press("right")
        assert "Please book me" in s.cursor()
        await s.press("space")
        s.expect("search_flights")
        await s.press("left", "left")
        assert "book_flight_lisbon" in s.cursor()
        await s.press("equals_sign")
        s.expect("Great. Can you add", "Perfect. Two window seats")


@pytest.mark.thorough
async def test_the_next_pane_is_found_from_problems_that_are_all_gone() -> None:
    async with scenario('{"eval_set_id": "a", "eval_cases": []}') as s:
        assert isinstance(s.app.screen, EditScreen)
        s.app.screen.navigator.show_pane("problems")
        await s.settle()
        await s.press("tab")
        assert s.app.focused is not None


async def test_a_message_about_one_pane_goes_with_it() -> None:
    async with scenario(SNAKE) as s:
        assert "^s save" not in s.keys
        await s.enter("rain_in_bergen")
        await s.press("r")
        assert "Only arguments and keys can be renamed." in s.status
        await s.press("1")
        assert "renamed" not in s.status
        await s.press("c")
        assert "^s save" in s.keys
        await s.press("ctrl+s")
        assert "^s save" not in s.keys


async def test_a_save_of_a_set_without_scores_draws_only_what_it_changed() -> None:
    async with scenario(SNAKE) as s:
        await s.press("c")
        version = s.app.file.scores.version
        await s.press("ctrl+s")
        assert s.app.file.scores.runs > 1
        assert s.app.file.scores.version == version


async def test_the_keys_do_not_offer_to_cancel_a_run_that_has_ended() -> None:
    async with scenario(SNAKE) as s:
        await s.press("4")
        scores = s.app.file.scores
        for scores.is_running in (True, False):  # its results are those of the run before
            s.app.file.show_scores()
            await s.settle()
            assert ("x cancel" in s.keys) is scores.is_running


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([NARROW, NORMAL, WIDE], most=1))
async def test_the_keys_that_add_name_the_row_that_they_add(size: tuple[int, int]) -> None:
    async with scenario(SNAKE, size) as s:
        for row, titles in [
            ("weather_desk", "a add case  + recorded"),
            ("rain_in_bergen", "a add case  A add turn"),
            ("Is it raining", "a add turn  A add tool call"),
            ("get_weather", "a add tool call  + recorded"),
        ]:
            await s.to(row)
            if row == "Is it raining":
                await s.press("right")
            assert titles in s.keys
            assert "^q quit" in s.keys


@pytest.mark.thorough
async def test_the_keys_that_add_name_the_rows_of_a_dataset_too() -> None:
    async with scenario(TRAVEL, NORMAL) as s:
        await s.to("book_flight")
        assert "a add case  A add turn" in s.keys
        await s.to("Book it")
        assert "a add turn  A add event" in s.keys


@pytest.mark.thorough
async def test_the_key_for_other_values_says_whether_a_part_or_a_field_comes_first() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("Is it raining")
        assert "A add part" in s.keys
        await s.press("A")
        s.expect("Add part to rain_in_bergen › turn 1")
        await s.press("escape")
        await s.to("invocation_id")
        assert "A add field" in s.keys
        await s.press("A")
        s.expect("Add field to rain_in_bergen › turn 1")
        await s.press("escape")


async def test_folding_leads_from_a_row_that_goes_to_the_row_around_it() -> None:
    async with scenario(TRIP) as s:
        await s.press("down", "minus", "right", "down", "right", "down")
        call = s.cursor()
        await s.press("equals_sign", "1")
        assert s.cursor() != call
        s.expect_rows_and_form_of_the_document()
        await s.press("right", "down")
        assert s.cursor() == call
        await s.press("minus")
        assert "book_flight" in s.cursor()
        s.expect_rows_and_form_of_the_document()


async def test_the_message_about_a_pane_goes_with_the_next_pane() -> None:
    async with scenario(GOOD) as s:
        await s.press("3")
        assert "No problems" in s.status
        await s.press("tab")
        assert "No problems" not in s.status
