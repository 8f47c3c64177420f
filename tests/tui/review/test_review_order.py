"""The way through the queue: open turns, skipped ones once more, recordings without a case, and the summary."""

from __future__ import annotations

import pytest

from tests.scored_sets import ACTUAL, EXPECTED, a_set, turn
from tests.tui.review.reviewed import at_cursor, head, review, sidecar
from tests.tui.scenario import scenario

_SAME = a_set({name: turns for name, turns in ACTUAL.items() if name != "nobody"})


@pytest.mark.thorough
async def test_turns_that_were_passed_over_come_before_recordings_without_a_case() -> None:
    async with review() as s:
        await s.press("J", "r")
        assert "book_flight" in head(s)


@pytest.mark.thorough
async def test_skipped_turns_come_once_more_and_then_the_summary() -> None:
    async with review() as s:
        await s.press("s", "s")
        assert "book_flight" in head(s)
        assert "It comes again." in s.status
        lines = sidecar(s)
        await s.press("s")
        assert "too_long" in head(s)
        assert s.status.startswith(" Skipped book_flight › turn 2 again.")
        assert sidecar(s) == lines, "nothing was decided"
        await s.press("u")
        assert "book_flight" in head(s)
        assert sidecar(s) == lines
        await s.press("s", "s")
        assert "nobody" in head(s)
        await s.press("s")
        s.expect("Summary", "0 left, 2 skipped")
        await s.press("enter")
        assert "book_flight" in head(s)
        await s.press("s")
        s.expect("Summary")


async def test_a_review_in_which_all_is_decided_says_so_and_what_else_there_is() -> None:
    async with review() as s:
        await s.press("r", "r", "escape", "home", "o")
        s.expect("Summary", "2 where the agent is wrong")
        assert "All 2 turns are decided. 1 recorded conversation without a case left." in s.status
        await s.press("end", "enter")
        assert "nobody" in head(s)


async def test_the_lines_of_the_summary_lead_to_their_first_turn() -> None:
    async with review(recording=_SAME) as s:
        await s.press("n")
        await s.type("ask")
        await s.press("enter", "s", "r", "s")
        s.expect("Summary", "1 note: book_flight › turn 2")
        assert "1 where the agent is wrong: too_long" in at_cursor(s)
        assert "enter open" in s.keys
        await s.press("enter")
        assert "too_long › turn 2" in head(s)


async def test_a_turn_that_passes_since_an_edit_needs_no_decision() -> None:
    expected, actual = ({"c": [turn(1, "Hi", "Same", ("f", {"a": value}))]} for value in (1, 2))
    async with review(set_=a_set(expected), recording=a_set(actual)) as s:
        await s.press("down", "e", "f7")
        await s.type("2")
        await s.press("ctrl+s")
        assert "0 done · 0 left" in head(s)
        await s.press("J")
        s.expect("Summary", "1 turn without a decision: c › turn 1 now passes")
        await s.press("u")
        assert "1 left" in head(s)


async def test_a_turn_is_kept_once_and_only_while_the_decision_applies() -> None:
    async with review() as s:
        # A turn is kept once.
        await s.press("r", "K", "r")
        s.expect("The expected values of this turn are kept already: the agent is wrong.")
        assert len(sidecar(s)) == 1
        await s.press("u")
        assert sidecar(s) == []

        # A decision that no longer applies is not counted.
        await s.press("r", "K", "down", "e", "f7")
        await s.type("7")
        await s.press("ctrl+s")
        assert "0 done · 2 left" in head(s)
        assert not s.shows("agent is wrong")
        await s.press("u")
        assert "1 done · 1 left" in head(s)
        s.expect("you: agent is wrong")


async def test_an_acceptance_that_was_not_saved_ends_an_earlier_decision() -> None:
    files = {"actual.json": a_set({"book_flight": ACTUAL["book_flight"]})}
    set_ = a_set({"book_flight": EXPECTED["book_flight"]})
    async with scenario(set_, beside=files, recordings=["actual.json"]) as s:
        await s.press("o", "r", "K", "A", "S")
        lines = s.path.with_name(f"{s.path.name}.review.jsonl").read_text()
        await s.press("u", "u", "escape")
    files["set.evalset.json.review.jsonl"] = lines
    async with scenario(set_, beside=files, recordings=["actual.json"]) as s:
        await s.press("o")
        assert "0 done · 1 left" in head(s)
        assert "1 turn is open again: its accepted values are not in the file." in s.status
        assert not s.shows("you: agent is wrong")
