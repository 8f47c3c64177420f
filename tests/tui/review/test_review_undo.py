"""Undo in the review: it takes back the decisions and edits of the review, and nothing else."""

from __future__ import annotations

import json

import pytest

from tests.tui.review.reviewed import at_cursor, head, review, sidecar
from tests.tui.scenario import WIDE


async def test_an_edit_of_the_editor_is_not_undone_in_the_review() -> None:
    async with review() as s:
        await s.press("escape", "home", "down", "d")
        edited = s.bytes()
        assert edited != s.original
        await s.press("o")
        assert "0 done" in head(s)
        assert "undo" not in s.keys
        await s.press("u")
        assert s.bytes() == edited
        assert s.status.startswith(" Nothing to undo in this review. Press E to undo in the editor: ")
        await s.press("r")
        assert "u undo" in s.keys
        await s.press("u")
        assert sidecar(s) == []
        assert "undo" not in s.keys
        await s.press("U")
        assert [each["decision"] for each in sidecar(s)] == ["agent is wrong"]
        await s.press("u", "escape", "u")
        assert s.bytes() == s.original


async def test_edits_of_the_review_are_undone_in_it_and_in_the_editor() -> None:
    async with review() as s:
        # An edit of the review is undone also after a look into the editor.
        await s.press("down", "e", "f7")
        await s.type("2")
        await s.press("ctrl+s", "E", "O")
        await s.press("u")
        assert s.bytes() == s.original

        # On an accepted turn the step that undo takes first is named.
        await s.press("A", "S", "r", "K", "K")
        assert "book_flight › turn 2" in head(s)
        assert "keep expected" not in s.keys, "it would do nothing"
        await s.press("r")
        s.expect("No difference is left. u undoes first: agent is wrong (too_long › turn 2)")
        assert len(json.loads(s.bytes())["eval_cases"]) == 4
        await s.press("u", "K", "r")
        s.expect("No difference is left. Press u to undo the accepted changes.")
        await s.press("u", "u")
        assert s.bytes() == s.original

        # The editor says what it undid without a place behind it.
        await s.press("S", "E", "u")
        assert s.bytes() == s.original
        assert s.status.startswith(" Undone: add call send_email")
        assert " · " not in s.status
        assert "conversation" not in s.status


async def test_the_quit_question_counts_accepted_values_until_they_are_saved() -> None:
    async with review(WIDE) as s:
        await s.press("A", "ctrl+q")
        s.expect("has unsaved changes. 1 of them is an")
        await s.press("escape", "S", "ctrl+q")
        s.expect("has unsaved changes. 2 of them are")
        await s.press("escape", "u", "ctrl+q")
        s.expect("1 of them is an")
        await s.press("escape", "ctrl+s", "S", "ctrl+q")
        s.expect("1 of them is an")
        await s.press("escape", "ctrl+s", "escape")


@pytest.mark.thorough
async def test_a_save_in_the_review_says_that_it_scored_again() -> None:
    async with review(WIDE) as s:
        await s.press("A", "S", "ctrl+s")
        s.expect("Saved set.evalset.json. Scored again: book_flight passes now, 2 of 4 cases pass.")


async def test_undo_selects_the_line_that_was_accepted() -> None:
    async with review() as s:
        await s.press("right_square_bracket")
        line = at_cursor(s)
        assert "flight_id" in line
        await s.press("a", "home", "u")
        assert at_cursor(s) == line


async def test_undo_of_an_edit_goes_to_its_line() -> None:
    async with review() as s:
        await s.press("right_square_bracket")
        line = at_cursor(s)
        await s.press("e", "end", "9", "ctrl+s")
        assert s.bytes() != s.original
        turn = head(s)
        await s.press("J")
        assert head(s) != turn
        await s.press("u")
        assert head(s).split("›")[0] == turn.split("›")[0]
        assert at_cursor(s) == line
        assert s.bytes() == s.original


async def test_the_summary_asks_for_no_save_after_it() -> None:
    async with review() as s:
        await s.press("A", "S", "r", "s")
        s.expect("Press ^s to save the accepted changes")
        await s.press("ctrl+s")
        assert not s.shows("Press ^s to save")
        assert s.file_bytes() != s.original
