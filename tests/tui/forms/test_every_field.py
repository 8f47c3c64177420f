"""A set with every field that google-adk has is made by keyboard, and google-adk reads it back."""

import asyncio
import base64
import json
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from tests.tui.every_field import START, case_fields, choose, expected, scenario_case, set_fields, turn_fields
from tests.tui.scenario import NARROW, SAMPLES, WIDE, Scenario, scenario
from tests.tui.sets import SNAKE

PICTURE = b"\x89PNG\r\n\x1a\nhere"
_READ_BACK = """
import sys
from google.adk.evaluation.eval_set import EvalSet
read = EvalSet.model_validate_json(sys.stdin.buffer.read())
print(read.model_dump_json(exclude_unset=True))
"""


async def make_all(s: Scenario, picture: Path) -> None:
    """Give the set of `START` all there is."""
    await set_fields(s)
    await back_to_tree(s)
    await s.enter("case_1")
    await case_fields(s)
    await s.enter("1 no user message")
    await turn_fields(s, picture)
    await back_to_tree(s)
    await scenario_case(s)
    await back_to_tree(s)


async def back_to_tree(s: Scenario) -> None:
    """Leave every form and view."""
    while s.focused != "tree" or len(s.app.screen_stack) > 1:
        await s.press("escape")


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A file that looks like a picture."""
    path = tmp_path / "bill.png"
    path.write_bytes(PICTURE)
    return path


@pytest.mark.thorough
async def test_every_field_is_made_by_keyboard(picture: Path) -> None:
    async with scenario(START, NARROW) as s:
        await make_all(s, picture)
        assert json.loads(await s.saved()) == expected(base64.b64encode(PICTURE).decode())


async def test_every_field_of_a_turn_is_made_by_keyboard(picture: Path) -> None:
    async with scenario(START, NARROW) as s:
        await s.enter("1 no user message")
        await turn_fields(s, picture)
        turn = expected(base64.b64encode(PICTURE).decode())["eval_cases"][0]["conversation"][0]
        turn["rubrics"][0] |= {"rubric_id": "rubric_1", "type": "FINAL_RESPONSE_QUALITY"}
        assert json.loads(await s.saved())["eval_cases"][0]["conversation"] == [turn]


async def test_google_adk_reads_the_same_values_back(adk_python: str, picture: Path) -> None:
    async with scenario(START, WIDE) as s:
        await make_all(s, picture)
        made = s.bytes()
    run = await asyncio.create_subprocess_exec(adk_python, "-c", _READ_BACK, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    read, said = await run.communicate(made)
    assert run.returncode == 0, said.decode()
    assert json.loads(read) == expected(base64.urlsafe_b64encode(PICTURE).decode())


async def test_a_case_becomes_a_scenario_and_comes_back() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("greeting")
        await choose(s, "scenario instead")
        assert b'"starting_prompt": "Good morning"' in s.bytes()
        assert b"Good morning to you." not in s.bytes()
        assert "1 turn deleted" in s.status
        await s.press("escape", "u")
        assert s.bytes() == s.original


async def test_a_scenario_becomes_a_conversation() -> None:
    async with scenario(SAMPLES / "scenario_persona.evalset.json", WIDE) as s:
        await s.enter("novice_asks_for_a_service")
        await choose(s, "turns instead")
        assert "plan" in s.status
        assert s.document.root is not None
        case = json.loads(s.bytes())["eval_cases"][0]
        assert "conversation_scenario" not in case
        assert case["conversation"][0]["user_content"]["parts"][0]["text"].startswith("Hi, my bike")


@pytest.mark.thorough
async def test_a_built_in_persona_becomes_a_whole_one() -> None:
    async with scenario(SAMPLES / "scenario_persona.evalset.json") as s:
        await s.enter("novice_asks_for_a_service")
        await choose(s, "custom persona")
        assert s.focused == "field"
        await s.type("mine")
        assert b'"id": "mine"' in s.bytes()
        await s.press("escape", "escape")
        s.expect("user_persona  mine")


@pytest.mark.thorough
async def test_taking_out_what_google_adk_insists_on_is_said() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await s.enter("rain_in_bergen")
        await s.press("d")
        assert "deleted eval_id of rain_in_bergen · google-adk requires it" in s.status
