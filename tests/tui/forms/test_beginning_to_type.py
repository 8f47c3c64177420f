"""What is new is found, and typing begins in its first field: no letter meant for it runs a command."""

import json

import pytest

from tests.tui.every_field import choose
from tests.tui.scenario import NORMAL, SAMPLES, scenario
from tests.tui.sets import SNAKE

SCENARIOS = SAMPLES / "scenario_persona.evalset.json"


async def test_what_is_added_asks_for_its_first_text() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Thanks")
        await choose(s, "thought to the user message")
        await s.type("He is polite.")
        await s.press("escape")
        await choose(s, "thought to the response")
        await s.type("So am I.")
        await s.press("escape")
        assert b'{"text": "He is polite.", "thought": true}' in s.bytes()
        assert b'{"text": "So am I.", "thought": true}' in s.bytes()
        await s.start_over()
        await s.enter("greeting")
        await choose(s, "final session state")
        assert s.focused == "NameDialog"
        await s.type("delayed\rdecided")
        assert json.loads(s.bytes())["eval_cases"][1]["final_session_state"] == {"delayed": "decided"}
        await s.start_over()
        await s.enter("greeting")
        await choose(s, "final session state")
        await s.press("escape")
        assert "empty · press a to add a key or esc to go back" in s.status
        await s.press("d")
        assert b'"final_session_state": {}' in s.bytes()
        await s.start_over()
        await s.enter("Thanks")
        await choose(s, "app details")
        await s.type("helper\rHelp.")
        await s.press("escape", "1")
        await s.to("▾ agent_details")
        await s.press("a")
        await s.type("other\r")
        await s.press("escape")
        agents = json.loads(s.bytes())["eval_cases"][0]["conversation"][1]["app_details"]["agent_details"]
        assert agents["helper"] == {"name": "helper", "instructions": "Help."}
        assert agents["other"] == {"name": "other", "instructions": ""}


@pytest.mark.thorough
async def test_choices_for_the_content_under_the_cursor_come_first() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("Thanks")
        await s.to("You are welcome.")
        await s.press("A", "enter")
        assert s.focused == "field"
        await s.type("Good day.")
        await s.press("escape")
        assert b'"final_response": {"parts": [{"text": "You are welcome."}, {"text": "Good day."}]' in s.bytes()


async def test_a_new_behavior_begins_with_its_name() -> None:
    async with scenario(SCENARIOS, NORMAL) as s:
        await s.enter("novice_asks_for_a_service")
        await choose(s, "custom persona")
        await s.press("escape", "a", "f7")
        await s.type("insists")
        assert b'"name": "insists"' in s.bytes()


async def test_a_new_scenario_case_begins_with_its_id() -> None:
    async with scenario(SCENARIOS, NORMAL) as s:
        await s.to("novice_asks_for_a_service")
        await s.press("a", "f7")
        await s.type("second_novice")
        assert b'"eval_id": "second_novice"' in s.bytes()


@pytest.mark.thorough
async def test_the_status_names_the_undo_key_of_the_field_that_was_begun() -> None:
    async with scenario(SNAKE) as s:
        for row in ("rain_in_bergen", "Is it raining"):
            await s.to(row)
            await s.press("a")
            assert s.focused == "field"
            assert s.status.endswith("^z: undo")
            await s.press("ctrl+z")
            assert s.bytes() == s.original
            await s.press("escape", "escape")
        await s.start_over()
        await s.enter("Thanks")
        await s.to("invocation_id")
        await s.press("f")
        assert s.status.endswith(" u: undo")
        await s.press("enter")
        assert s.focused == "field"
        assert s.status.endswith(" ^z: undo")


LEAVES = '{"text": "x", "number": 1, "flag": true, "nothing": null, "list": ["first", [2]]}'


async def test_enter_on_a_value_of_a_json_tree_types_now() -> None:
    async with scenario(LEAVES) as s:
        for row, shown, typed, written in (
            ("text  ", '"x"', "ejd", '"xejd"'),
            ("number  ", "1", "20", "20"),
            ("flag  ", "true", "false", "false"),
            ("nothing  ", "null", "[]", "[]"),
            ("0  ", '"first"', " item", '"first item"'),
        ):
            await s.to(row)
            assert shown in s.cursor()
            await s.press("enter")
            assert s.focused == "field"
            await s.type(typed)
            assert s.focused == "field"
            assert written.encode() in s.bytes()
            await s.start_over()


async def test_enter_on_a_value_in_a_view_types_now() -> None:
    null = SNAKE.replace('"session_input": {', '"final_session_state": null, "session_input": {', 1)
    async with scenario(null) as s:
        await s.enter("rain_in_bergen", "state  {")
        await s.enter("days  ")
        assert s.focused == "field"
        await s.type("44")
        assert b'"days": 44' in s.bytes()
        await s.press("escape", "escape")

        # A null in a form is a value, too.
        await s.enter("final_session_state")
        assert s.focused == "field"
        await s.type('{"a": 1}')
        assert json.loads(s.bytes())["eval_cases"][0]["final_session_state"] == {"a": 1}
        assert len([line for line in s.screen() if "final_session_state  " in line]) == 1


@pytest.mark.thorough
async def test_enter_on_a_value_of_a_read_only_file_shows_it() -> None:
    async with scenario(LEAVES) as s:
        s.app.file.readonly = True
        await s.enter("text  ")
        assert s.focused == "form"
        assert s.bytes() == s.original
