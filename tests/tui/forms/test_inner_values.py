"""Values of an eval set that have no form of their own open in a view of theirs."""

import json

import pytest

from tests.sampling import sampled
from tests.tui.scenario import NORMAL, SAMPLES, scenario
from tests.tui.sets import CAMEL, SNAKE


@pytest.mark.thorough
@pytest.mark.parametrize("text", sampled([CAMEL, SNAKE], most=1))
async def test_the_state_of_a_session_is_opened_edited_and_left_again(text: str) -> None:
    async with scenario(text) as s:
        await s.enter("rain_in_bergen")
        s.expect("app_name    weather")
        await s.edit("ann", "bob")
        await s.enter("state  {unit, days}")
        await s.edit("unit", "inch")
        assert s.focused == "form"
        s.expect('"inch"')
        await s.press("escape")
        s.expect("Turns")
        assert s.focused == "form"
        assert "state" in s.cursor()
        assert await s.saved() == s.original.replace(b'"ann"', b'"bob"').replace(b'"mm"', b'"inch"')


@pytest.mark.thorough
async def test_views_undo_mark_and_save_like_the_set() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("rain_in_bergen", "state  {")
        await s.to("days        3")
        await s.press("d", "escape", "escape")
        assert "●" in s.line_with("rain_in_bergen")
        assert "●" not in s.line_with("greeting")
        await s.start_over()
        await s.enter("rain_in_bergen", "state  {")
        await s.to("days        3")
        await s.press("d")
        assert b'"days"' not in s.bytes().split(b"session_input")[1]
        await s.press("u")
        s.expect("days        3")
        assert s.bytes() == s.original
        await s.press("U")
        assert not s.shows("days        3")
        await s.start_over()
        await s.to("rain_in_bergen")
        await s.press("a", "escape")
        await s.enter("state  {}")
        assert "empty ({}) · a: add a key" in s.cursor()
        await s.press("u")
        s.expect("rain_in_bergen")
        assert s.bytes() == s.original
        assert not s.shows("session_input › state")
        await s.start_over()
        await s.enter("rain_in_bergen", "state  {")
        await s.edit("unit", "sky")
        assert s.is_dirty
        await s.press("ctrl+s")
        assert "Saved" in s.status
        assert "●" not in "".join(s.screen())
        await s.press("escape", "escape")
        assert "●" not in "".join(s.screen())


@pytest.mark.thorough
async def test_rubrics_are_reached_from_their_turn() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json", NORMAL) as s:
        await s.enter("Please book me", "states_reference_and_local_time")
        await s.to("rubric_id  ")
        s.expect("states_reference_and_local_time", "Required. A duplicate id")
        await s.edit("rubric_id  ", "gives_reference")
        assert s.bytes() == s.original.replace(b"states_reference_and_local_time", b"gives_reference")


async def test_a_scenario_is_edited_in_the_form_of_its_case_and_in_views() -> None:
    async with scenario(SAMPLES / "scenario_persona.evalset.json") as s:
        assert "scenario" in s.line_with("novice_asks_for_a_service")
        await s.enter("novice_asks_for_a_service")
        await s.edit("Hi, my bike", "Hello")
        assert b'"starting_prompt": "Hello"' in s.bytes()
        await s.start_over()
        await s.enter("novice_asks_for_a_service", "asks_about_the_noise")
        await s.press("1")
        await s.to("type  ")
        await s.press("enter")
        s.expect("TOOL_USE_QUALITY", "TRAJECTORY_QUALITY")
        await s.press("down", "enter")
        assert s.focused == "form"
        assert s.bytes() == s.original.replace(b"FINAL_RESPONSE_QUALITY", b"TOOL_USE_QUALITY", 1)


@pytest.mark.thorough
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


@pytest.mark.thorough
async def test_a_deep_value_of_an_argument_is_a_field_of_its_json() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json") as s:
        await s.enter("Great. Can you add", "add_baggage")
        await s.edit("bags", '[{"weight_kg": 20}]')
        assert s.bytes() == s.original.replace(b'"bags": [{"weight_kg": 23}]', b'"bags": [{"weight_kg": 20}]')


@pytest.mark.thorough
async def test_ctrl_q_in_a_view_asks_about_the_file() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("rain_in_bergen", "state  {")
        await s.to("days  3")
        await s.press("d", "ctrl+q")
        assert s.focused == "quit question"
        await s.press("s")
        assert s.ended
        assert s.file_bytes() == s.original.replace(b', "days": 3}}', b"}}")


async def test_a_scenario_has_no_turns_and_its_values_are_named() -> None:
    async with scenario(SAMPLES / "scenario_persona.evalset.json", (140, 40)) as s:
        await s.to("novice_asks_for_a_service")
        assert "A add" not in s.keys
        await s.press("enter")
        assert "a add" not in s.keys
        await s.press("a")
        assert "both a scenario and turns" in s.status
        await s.start_over()
        await s.enter("novice_asks_for_a_service", "checks_calendar")
        s.expect("novice_asks_for_a_service › rubrics › checks_calendar")
        await s.to("type  ")
        await s.press("d")
        assert "deleted type of rubric checks_calendar of novice_asks_for_a_service" in s.status
        await s.press("escape", "1")
        await s.enter("hurried_commuter_flat_tyre", "user_persona", "Short messages")
        await s.to("name  ")
        await s.press("d")
        assert "deleted name of behavior Short messages of hurried_commuter_flat_tyre" in s.status


@pytest.mark.thorough
async def test_a_state_opens_as_the_form_that_arguments_have() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("rain_in_bergen", "state  {")
        assert s.focused == "form"
        await s.edit("days", "4")
        await s.press("a")
        await s.type("area\rnorth")
        await s.press("escape")
        state = json.loads(s.bytes())["eval_cases"][0]["session_input"]["state"]
        assert state == {"unit": "mm", "days": 4, "area": "north"}
        await s.press("escape", "escape")
        assert len(s.app.screen_stack) == 1


@pytest.mark.thorough
async def test_an_empty_state_asks_for_its_first_key() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("greeting")
        await s.press("A", *"final session state", "enter", "escape")
        s.expect("empty ({}) · a: add a key")
        await s.press("enter")
        assert s.focused == "NameDialog"
        await s.type("mood\rcalm")
        await s.press("escape")
        assert json.loads(s.bytes())["eval_cases"][1]["final_session_state"] == {"mood": "calm"}
