"""Cases and turns that were added since the run: their mark, their Why, and the keys there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.scored_sets import RECORDING, SET
from tests.tui.scenario import NORMAL, Scenario, scenario

NOT_YET = "Not scored yet. Press ^s to save and score, or f5 to score now."


@asynccontextmanager
async def scored(size: tuple[int, int] = NORMAL) -> AsyncIterator[Scenario]:
    async with scenario(SET, size, beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        yield s


def told(s: Scenario) -> str:
    rows = [" ".join(row.split()) for row in s.rows()]
    return " ".join(rows[next(n for n, row in enumerate(rows) if row.startswith("Why")) :])


async def test_a_new_case_says_that_it_is_not_scored_yet() -> None:
    async with scored() as s:
        await s.to("escalate")
        await s.press("a", "escape", "escape")
        assert "w why" in s.keys
        await s.press("w")
        assert s.cursor().endswith("Why")
        assert NOT_YET in told(s)
        await s.press("a")
        assert s.status.strip() == "Nothing to accept: not scored yet. To add a turn, press home first."
        await s.press("home", "a")
        assert "added turn to case_5" in s.status
        await s.start_over()
        await s.to("escalate")
        await s.press("a", "escape")
        s.expect("– case_5")
        assert f"– {NOT_YET}" in told(s)
        await s.press("ctrl+s")
        assert "there is no recording of this case" in told(s)
        await s.start_over()
        await s.to("Hello")
        await s.press("a", *"Bye", "escape")
        assert NOT_YET in told(s)
        await s.press("u", "u")
        assert s.focused == "tree"  # the form of the new turn is gone
        await s.press("enter")
        assert "not scored yet" not in told(s).lower()


async def test_a_new_case_asks_for_no_save_if_saves_do_not_score() -> None:
    async with scored() as s:
        await s.press("4", "p", "1")
        await s.to("escalate")
        await s.press("a", "escape")
        assert "Not scored yet. Press f5 to score now." in told(s)


@pytest.mark.thorough
async def test_a_line_without_a_difference_says_how_to_add() -> None:
    async with scored() as s:
        await s.to("Find me a flight")
        await s.press("w", "a")
        assert s.status.strip() == "Nothing to accept on this line. To add a tool call, press home first."


async def test_why_of_a_selected_score_leaves_the_view_of_another_value() -> None:
    async with scored() as s:
        await s.press("ctrl+g", *"/eval_cases/1/conversation/0/intermediate_data", "enter", "enter", "4")
        assert len(s.app.file.views) == 2
        await s.press("w")
        assert len(s.app.file.views) == 1
        assert s.cursor().startswith("Why")
