"""The dialog that offers what can be added says how much there is, and is gone through by the usual keys."""

import pytest

from evaltui.tui.screens.choice_list import ChoiceList
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


async def test_the_remarks_of_choices_are_in_one_column() -> None:
    async with scenario(SNAKE, NARROW) as s:
        await s.press("E")
        columns = [line.index("NAME") for line in s.screen() if "NAME" in line]
        assert len(columns) > 1
        assert len(set(columns)) == 1, columns
        s.expect("▌EvaluationDataset")


async def test_a_name_that_nothing_has_is_said_at_once() -> None:
    async with scenario(SNAKE, NARROW) as s:
        await s.enter("Thanks")
        await s.press("A")
        await s.type("xyz")
        s.expect("no choice matches")
        await s.burst(*["backspace"] * 3)
        assert not s.shows("no choice matches")
        await s.press("escape")


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
        choices = s.app.screen.query_one(ChoiceList)
        for _ in range(2):
            choices.post_message(ChoiceList.Clicked(choices.choices[0]))
        await s.settle()
        assert s.bytes() != s.original
