"""The dialog that offers what can be added says how much there is, and is gone through by the usual keys."""

import pytest

from evaltui.tui.widgets.entry_list import EntryList
from tests.tui.scenario import NARROW, SAMPLES, scenario
from tests.tui.sets import SNAKE


@pytest.mark.thorough
async def test_what_is_out_of_sight_is_counted_and_reached() -> None:
    async with scenario(SNAKE, NARROW) as s:
        await s.enter("Thanks")
        await s.press("A")
        s.expect("14 more below")
        await s.press("end")
        s.expect("role of final_response", "14 more above")
        await s.press("home")
        s.expect("text to the user message", "14 more below")
        await s.press("pagedown", "pagedown")
        assert not s.shows("14 more below")
        await s.type("durat")
        s.expect("model duration")
        assert not s.shows("more below")


@pytest.mark.thorough
async def test_choices_out_of_sight_are_counted_again_when_the_list_gets_its_height() -> None:
    async with scenario(SAMPLES / "scenario_persona.evalset.json", NARROW) as s:
        await s.enter("novice_asks_for_a_service", "user_persona")
        choices = s.app.screen.query_one(EntryList)
        choices.styles.height = 2
        await s.settle()
        s.expect("2 more below")
        choices.styles.height = "auto"
        await s.settle()
        assert not s.shows("more below")
        await s.press("n", "backspace")
        s.expect("EXPERT", "custom persona")
        assert not s.shows("more below")
        await s.press("escape")


@pytest.mark.thorough
async def test_the_remarks_of_choices_are_in_one_column() -> None:
    async with scenario(SNAKE, NARROW) as s:
        await s.press("E")
        columns = [line.index("NAME") for line in s.screen() if "NAME" in line]
        assert len(columns) > 1
        assert len(set(columns)) == 1, columns
        s.expect("▌EvaluationDataset")


@pytest.mark.thorough
async def test_a_name_that_nothing_has_is_said_at_once() -> None:
    async with scenario(SNAKE, NARROW) as s:
        await s.enter("Thanks")
        await s.press("A")
        await s.type("xyz")
        s.expect("no choice matches")
        await s.burst(*["backspace"] * 3)
        assert not s.shows("no choice matches")
        await s.press("escape")


@pytest.mark.thorough
async def test_home_goes_to_the_start_of_a_text_that_may_be_any() -> None:
    async with scenario(SAMPLES / "scenario_persona.evalset.json") as s:
        await s.enter("novice_asks_for_a_service", "asks_about_the_noise", "type  ")
        await s.press("end", "home")
        await s.type("X_")
        await s.press("enter")
        assert b'"X_FINAL_RESPONSE_QUALITY"' in s.bytes()


async def test_a_second_click_before_the_dialog_closes_is_ignored() -> None:
    async with scenario(SNAKE, NARROW) as s:
        await s.enter("Thanks")
        await s.press("A")
        choices = s.app.screen.query_one(EntryList)
        for _ in range(2):
            choices.post_message(EntryList.EntryOpened())
        await s.settle()
        assert s.bytes() != s.original


@pytest.mark.thorough
async def test_enter_takes_the_highlighted_match_of_a_fixed_list_and_the_field_is_left() -> None:
    async with scenario(SAMPLES / "scenario_persona.evalset.json") as s:
        await s.enter("novice_asks_for_a_service")
        await s.to("user_persona")
        assert "NOVICE" in s.cursor()
        await s.press("enter")
        s.expect("choose one of these")
        assert not s.shows("type another")
        await s.type("nobody")
        await s.press("enter")
        s.expect("no choice matches; only the choices of this list can be taken")
        await s.press("ctrl+u")
        await s.type("eval")
        s.expect("▌EVALUATOR")
        await s.press("enter")
        await s.type("jk")
        assert s.focused == "form"
        assert s.bytes() == s.original.replace(b'"NOVICE"', b'"EVALUATOR"', 1)


@pytest.mark.thorough
async def test_a_field_with_choices_offers_them_however_it_is_reached() -> None:
    async with scenario(SAMPLES / "scenario_persona.evalset.json") as s:
        await s.enter("novice_asks_for_a_service", "asks_about_the_noise")
        await s.to("description")
        for key in ("enter", "tab"):  # begin to type, then go on to the next field
            await s.press(key)
        s.expect("choose or type another", "▌FINAL_RESPONSE_QUALITY")
        await s.press("escape")
        assert s.focused == "form"
        await s.click("FINAL_RESPONSE_QUALITY")
        s.expect("choose or type another")
        await s.press("escape")

        # The member is added without a value: its choices open at once.
        await s.press("d")
        await s.press("enter")
        s.expect("▌FINAL_RESPONSE_QUALITY")
        await s.press("down", "enter")
        await s.type("jk")
        assert s.focused == "form"
        assert b'"type": "TOOL_USE_QUALITY"' in s.bytes()


@pytest.mark.thorough
async def test_another_text_is_typed_where_it_is_valid_and_the_highlight_tells_what_enter_takes() -> None:
    async with scenario(SAMPLES / "scenario_persona.evalset.json") as s:
        await s.enter("novice_asks_for_a_service", "asks_about_the_noise", "type  ")
        await s.type("tool_use")
        s.expect("▌TOOL_USE_QUALITY")
        s.expect("tool_use          as typed")
        await s.press("down", "enter")
        assert b'"type": "tool_use"' in s.bytes()

        # A value that is no choice is highlighted, and enter keeps it.
        changed = s.bytes()
        await s.press("enter")
        assert "current value" in s.line_with("▌tool_use")
        await s.press("enter")
        assert s.bytes() == changed
        await s.press("enter")
        await s.type("traj\r")
        assert b'"type": "TRAJECTORY_QUALITY"' in s.bytes()


async def test_a_persona_added_from_the_menu_is_not_typed_over() -> None:
    plain = """{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation_scenario":
        {"starting_prompt": "Hi", "conversation_plan": "Ask."}}]}"""
    async with scenario(plain) as s:
        await s.enter("a  ")
        await s.press("A")
        await s.type("expert\r")
        await s.type("jk")
        assert s.focused == "form"
        assert b'"user_persona": "EXPERT"' in s.bytes()


@pytest.mark.thorough
async def test_undo_and_redo_of_a_choice_select_its_line_and_the_same_choice_is_no_step() -> None:
    async with scenario(SAMPLES / "scenario_persona.evalset.json") as s:
        await s.press("end", "enter")
        await s.enter("user_persona")
        await s.type("EXPERT\r")
        for step in "uUuU":
            await s.press("home", step)
            assert "user_persona" in s.cursor()
        edited = s.bytes()
        await s.press("enter", "enter")
        assert s.focused == "form"
        assert s.bytes() == edited
        assert "undo" not in s.status
        await s.press("u")
        assert s.bytes() == s.original
