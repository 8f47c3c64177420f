"""Values of an eval set that have no form of their own open in a view of theirs."""

import pytest

from .scenario import NORMAL, SAMPLES, scenario
from .sets import CAMEL, SNAKE


@pytest.mark.parametrize(("text", "name"), [(SNAKE, "session_input"), (CAMEL, "sessionInput")])
async def test_the_session_input_is_opened_edited_and_left_again(text: str, name: str) -> None:
    async with scenario(text) as s:
        await s.enter("rain_in_bergen", name)
        s.expect("state  {unit, days}", "days  3")
        await s.enter('"ann"')
        await s.edit("ann", "bob")
        await s.press("escape")
        assert s.focused == "tree"
        s.expect('"bob"')
        await s.press("escape")
        s.expect("Turns")
        assert s.focused == "form"
        assert name in s.cursor()
        assert await s.saved() == s.original.replace(b'"ann"', b'"bob"')


async def test_the_tree_of_the_set_shows_what_was_changed_in_a_view() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("rain_in_bergen", "session_input")
        await s.to("days  3")
        await s.press("d", "escape", "escape")
        assert "●" in s.line_with("rain_in_bergen")
        assert "●" not in s.line_with("greeting")


async def test_undo_in_a_view_takes_back_and_redo_brings_again() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("rain_in_bergen", "session_input")
        await s.to("days  3")
        await s.press("d")
        assert b'"days"' not in s.bytes().split(b"session_input")[1]
        await s.press("u")
        s.expect("days  3")
        assert s.bytes() == s.original
        await s.press("U")
        assert not s.shows("days  3")


async def test_undoing_what_made_the_value_leaves_its_view() -> None:
    async with scenario(SNAKE) as s:
        await s.to("rain_in_bergen")
        await s.press("a", "escape")
        await s.enter("session_input")
        s.expect("state  {}")
        await s.press("u")
        s.expect("rain_in_bergen")
        assert s.bytes() == s.original
        assert not s.shows("state")


async def test_rubrics_are_reached_from_their_turn() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json", NORMAL) as s:
        await s.enter("Please book me", "rubrics")
        s.expect("rubric_id", "states_reference_and_local_time")
        await s.enter("rubric_id")
        await s.edit("states_reference", "gives_reference")
        assert s.bytes() == s.original.replace(b"states_reference_and_local_time", b"gives_reference")


async def test_a_scenario_is_shown_and_edited_through_its_view() -> None:
    async with scenario(SAMPLES / "scenario_persona.evalset.json") as s:
        assert "scenario" in s.line_with("novice_asks_for_a_service")
        await s.enter("novice_asks_for_a_service", "conversation_scenario", "starting_prompt")
        await s.edit("Hi, my bike", "Hello")
        assert b'"starting_prompt": "Hello"' in s.bytes()


async def test_a_view_in_a_view_goes_back_one_at_a_time() -> None:
    async with scenario(SAMPLES / "support_desk.evalset.json") as s:
        await s.enter("You charged me twice", "intermediate_data")
        s.expect("invocation_events")
        await s.press("enter")
        await s.press("escape", "escape")
        s.expect("Tool calls")
        await s.press("escape")
        assert s.focused == "tree"
        s.expect("support_desk")


async def test_a_deep_value_of_an_argument_is_a_field_of_its_json() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json") as s:
        await s.enter("Great. Can you add", "add_baggage")
        await s.edit("bags", '[{"weight_kg": 20}]')
        assert s.bytes() == s.original.replace(b'"bags": [{"weight_kg": 23}]', b'"bags": [{"weight_kg": 20}]')


async def test_values_of_a_view_are_marked_until_they_are_saved() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("rain_in_bergen", "session_input", "app_name  ")
        await s.edit("weather", "sky")
        await s.press("escape")
        assert "●" in s.line_with("app_name  ")
        assert s.is_dirty
        await s.press("ctrl+s")
        assert "saved" in s.status
        assert "●" not in "".join(s.screen())
        await s.press("escape", "escape")
        assert "●" not in "".join(s.screen())


async def test_ctrl_q_in_a_view_asks_about_the_file() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("rain_in_bergen", "session_input")
        await s.to("days  3")
        await s.press("d", "ctrl+q")
        assert s.focused == "QuitGuard"
        await s.press("s")
        assert s.ended
        assert s.file_bytes() == s.original.replace(b', "days": 3}}', b"}}")
