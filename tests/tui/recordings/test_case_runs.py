"""Several runs of a case: the one that counts is chosen, or each is scored."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from evaltui.runs.run_options import RunOptions
from tests.runs.test_run_options import BAD, GOOD, result_file
from tests.sampling import sampled
from tests.scored_sets import SET, turn
from tests.tui.scenario import NARROW, WIDE, Scenario, scenario

SIZES = pytest.mark.parametrize("size", sampled([NARROW, WIDE], 1))


@asynccontextmanager
async def several(size: tuple[int, int] = NARROW) -> AsyncIterator[Scenario]:
    """Three runs of `greeting`: a good one, then two bad ones."""
    beside = {"old.json": result_file(3.0, GOOD), "new.json": result_file(9.0, BAD, BAD)}
    async with scenario(SET, size, beside=beside, recordings=["old.json", "new.json"]) as s:
        yield s


def line_of(s: Scenario, case: str) -> str:
    return next(" ".join(row.split()) for row in s.rows() if case in row)


@pytest.mark.thorough
@SIZES
async def test_the_runs_of_a_case_are_listed_with_their_scores(size: tuple[int, int]) -> None:
    async with several(size) as s:
        await s.press("4", "B")
        assert s.focused == "runs"
        rows = [" ".join(row.split()) for row in s.rows()]
        assert [row.split()[0] for row in rows] == ["1", "2", "●"]
        assert rows[0].startswith("1 1970-01-01 00:00 old.json ✓")
        assert rows[1].startswith("2 1970-01-01 00:00 new.json ✗ response_match 0.00 < 0.80")
        assert "● 3" in " ".join(s.cursor().split())
        s.expect("Runs of greeting", "run 3 of 3 is used")


@SIZES
async def test_the_chosen_run_counts_and_all_places_say_which_it_is(size: tuple[int, int]) -> None:
    async with several(size) as s:
        await s.press("4")
        assert line_of(s, "greeting").startswith("✗")
        await s.press("B", "home", "enter")
        assert "greeting: run 1 of 3 is used (l: latest run). · greeting passes now" in " ".join(s.status.split())
        await s.press("escape")
        assert line_of(s, "greeting").startswith("✓")
        assert "run 1 of 3" in line_of(s, "greeting")
        await s.press("end", "w")
        s.expect("run 1 of 3 · old", "the score is from run 1 of 3 · B: choose another run")
        await s.press("B", "l", "escape")
        s.expect("the score is from run 3 of 3")


@pytest.mark.thorough
async def test_a_choice_survives_another_score_and_a_save() -> None:
    async with several() as s:
        await s.press("4", "B", "home", "enter", "escape", "f5")
        assert "run 1 of 3" in line_of(s, "greeting")
        await s.press("1")
        await s.edit_id("book_flight", "flights")
        await s.saved()
        await s.press("4")
        assert "run 1 of 3" in line_of(s, "greeting")


async def test_when_the_chosen_run_is_gone_the_latest_counts_and_a_line_says_so() -> None:
    async with several(WIDE) as s:
        await s.press("4", "B", "home", "enter", "escape")
        (s.path.parent / "old.json").write_text(result_file(3.0, escalate=BAD).replace("session-0", "another"))
        await s.press("f5")
        assert line_of(s, "✗ greeting").startswith("✗")
        s.expect('greeting: the chosen run "session-0" of old.json is gone; the latest run is used')


@pytest.mark.thorough
@SIZES
async def test_all_runs_are_scored_by_a_key_and_the_case_says_how_many_passed(size: tuple[int, int]) -> None:
    async with several(size) as s:
        await s.press("4", "n")
        line = line_of(s, "greeting")
        assert "✗ 0.33 < 0.80" in line
        assert "1/3" in line
        assert "All runs are scored. A case shows how many passed." in s.status
        assert "n all runs" not in s.keys
        s.expect("all runs")
        await s.press("w")
        s.expect("passed 1 of 3 runs", "1/3 · new")
        await s.press("1")
        await s.to("1 Hello")
        await s.press("w")
        s.expect("run 3 of 3 · new")
        await s.press("4", "n")
        assert "1/3" not in line_of(s, "greeting")
        assert "One run per case is scored." in s.status


async def test_the_list_of_runs_says_how_many_passed() -> None:
    async with several() as s:
        await s.press("4", "B", "n")
        s.expect("passed 1 of 3 · run 3 of 3 is used")


async def test_runs_are_listed_for_a_case_with_and_without_recordings() -> None:
    async with several() as s:
        # A case without recordings has no runs.
        await s.to("escalate")
        await s.press("B")
        s.expect("Runs of escalate", "No recording belongs to this case. Press esc, then H to see all files.")
        await s.press("enter", "l", "c")
        assert s.focused == "form"
        await s.press("escape", "escape", "home")

        # A conversation leads to the runs of its case.
        await s.press("H", "enter")
        s.expect("run 1 of 3")
        await s.press("right")
        assert " 1 " in s.cursor()
        await s.press("enter", "left")
        assert s.focused == "conversations"


async def test_the_review_goes_by_the_run_that_counts() -> None:
    beside = {"runs.json": result_file(9.0, turn(1, "Hello", "Leave me alone"), BAD)}
    async with scenario(SET, NARROW, beside=beside, recordings=["runs.json"]) as s:
        await s.press("4", "n", "O")
        assert s.focused == "review"
        s.expect("Go away")
        await s.press("B", "home", "enter", "escape")
        s.expect("Leave me alone")
        assert not s.shows("Go away")


async def test_an_accepted_turn_of_several_runs_is_scored_with_all_of_them() -> None:
    async with several() as s:
        await s.press("4", "n", "O", "A", "escape", "4")
        assert "2/3" in line_of(s, "greeting")


def test_the_command_line_asks_for_all_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    from evaltui import cli
    from evaltui.tui import launch

    asked: list[RunOptions] = []
    monkeypatch.setattr(launch, "launch", lambda *_, scored_with, **__: asked.append(scored_with) or 0)
    assert cli.main(["edit", "trips.evalset.json", "--runs", "all"]) == 0
    assert cli.main(["--runs", "latest", "trips.evalset.json"]) == 0
    assert [each.all_runs for each in asked] == [True, False]
