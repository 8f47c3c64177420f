"""What is new is found, and typing begins in its first field: no letter meant for it runs a command."""

from .every_field import choose
from .scenario import NORMAL, SAMPLES, scenario
from .sets import SNAKE

SCENARIOS = SAMPLES / "scenario_persona.evalset.json"


async def test_a_thought_is_added_to_either_content() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Thanks")
        await choose(s, "thought to the user content")
        await s.type("He is polite.")
        await s.press("escape")
        await choose(s, "thought to the response")
        await s.type("So am I.")
        await s.press("escape")
        assert b'{"text": "He is polite.", "thought": true}' in s.bytes()
        assert b'{"text": "So am I.", "thought": true}' in s.bytes()


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
        await choose(s, "persona a whole")
        await s.press("escape", "a", "f7")
        await s.type("insists")
        assert b'"name": "insists"' in s.bytes()


async def test_a_new_scenario_case_begins_with_its_id() -> None:
    async with scenario(SCENARIOS, NORMAL) as s:
        await s.to("novice_asks_for_a_service")
        await s.press("a", "f7")
        await s.type("second_novice")
        assert b'"eval_id": "second_novice"' in s.bytes()
