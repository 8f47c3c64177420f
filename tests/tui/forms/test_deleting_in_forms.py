"""A key that deletes a row of a form, pressed once more than there are rows, deletes nothing of another list."""

import pytest

from tests.sampling import sampled
from tests.tui.scenario import NORMAL, Scenario, scenario
from tests.tui.sets import SETS, SNAKE

TURN = "Is it raining"


async def deleted(s: Scenario, row: str, times: int = 1) -> bytes:
    """Delete a row and those that come in its place; gives the text then."""
    await s.to(row)
    await s.press(*"d" * times)
    return s.bytes()


@pytest.mark.thorough
@pytest.mark.parametrize("text", sampled(SETS.values()))
async def test_behind_the_last_call_of_a_turn_the_response_stays(text: str) -> None:
    async with scenario(text) as s:
        await s.enter(TURN)
        for first in ("get_weather", "find_umbrella"):
            without_calls = await deleted(s, first, 2)
            assert b"find_umbrella" not in without_calls
            assert b"get_weather" not in without_calls
            assert "No tool calls" in s.cursor()
            await s.press("d", "d", "delete")
            assert s.bytes() == without_calls
            assert "Nothing to delete here" in s.status
            await s.press("u", "u")
            assert s.bytes() == s.original


async def test_the_cursor_stays_in_an_emptied_section() -> None:
    async with scenario(SNAKE) as s:
        await s.enter(TURN)
        await deleted(s, "get_weather", 2)
        await s.resize(*NORMAL)
        assert "No tool calls" in s.cursor()
        await s.press("enter")
        assert "Nothing to edit here" in s.status
        await s.press("down")
        assert "Yes, bring an umbrella" in s.cursor()
        await s.press("up")
        assert "Is it raining" in s.cursor()
        await s.start_over()
        await s.enter(TURN)
        await deleted(s, "find_umbrella")
        assert "get_weather" in s.cursor()
        await s.press("d", "a")
        assert s.focused == "field"
        await s.type("f")
        assert b'"name": "f"' in s.bytes()
        await s.start_over()
        await s.enter("rain_in_bergen")
        without_turns = await deleted(s, TURN, 2)
        assert b'"conversation": []' in without_turns
        await s.press("d", "d")
        assert s.bytes() == without_turns


SAID = SNAKE.replace(
    '"tool_responses": [',
    '"intermediate_responses": [["agent", [{"text": "Let me see."}]]],\n            "tool_responses": [',
)


@pytest.mark.thorough
async def test_where_a_whole_section_goes_the_next_one_stays() -> None:
    async with scenario(SAID) as s:
        await s.enter(TURN)
        without = await deleted(s, "Let me see")
        assert b"Let me see" not in without
        assert s.cursor().strip().startswith("Expected response")
        await s.resize(*NORMAL)
        await s.press("d", "d")
        assert s.bytes() == without
        await s.press("down")
        assert "Yes, bring an umbrella" in s.cursor()
