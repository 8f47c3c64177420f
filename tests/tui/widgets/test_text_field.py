"""What is typed into a long line is not kept in each of its states."""

import gc

import pytest
from rich.segment import Segment

from tests.tui.scenario import SAMPLES, scenario

LONG = 1000

pytestmark = pytest.mark.drawn


def long_segments() -> int:
    """How many pieces of text that may go to the terminal are in memory and long."""
    gc.collect()
    return sum(isinstance(each, Segment) and len(each.text) > LONG / 2 for each in gc.get_objects())


@pytest.mark.thorough
async def test_typing_into_a_long_filter_keeps_a_few_states_only() -> None:
    async with scenario(SAMPLES / "support_desk.evalset.json") as s:
        await s.press("/")
        await s.paste("東" + "x" * LONG)
        await s.press(*"abcdefghijkl")
        assert long_segments() < 10
        await s.press("escape", "escape")


@pytest.mark.thorough
async def test_typing_into_a_long_text_keeps_a_few_states_only() -> None:
    async with scenario(SAMPLES / "support_desk.evalset.json") as s:
        await s.press("down", "right", "down", "enter", "enter")
        await s.paste("東" + "x" * LONG)
        await s.press(*"abcdefghijkl")
        assert long_segments() < 10
