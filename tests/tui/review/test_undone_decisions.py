"""Undo and redo of decisions in the review and in the editor."""

from __future__ import annotations

import pytest

from tests.scored_sets import a_set, recording_with, turn
from tests.tui.review.reviewed import head, review, sidecar


async def test_decisions_are_lines_beside_the_set_and_undo_takes_them_back() -> None:
    async with review() as s:
        await s.press("r")
        assert "too_long" in head(s), "the next one comes"
        (line,) = sidecar(s)
        assert (line["eval_id"], line["turn"], line["decision"]) == ("book_flight", 2, "agent is wrong")
        assert line["author"]
        assert s.bytes() == s.original
        await s.press("s", "u")
        assert sidecar(s)[2]["takes_back"] == sidecar(s)[1]["id"]
        await s.press("u")
        assert "book_flight" in head(s)
        assert not sidecar(s), "a new file without a decision is deleted"
        await s.press("A")
        assert sidecar(s)[0]["decision"] == "accepted"
        assert len(sidecar(s)[0]["changes"]) == 2


@pytest.mark.thorough
async def test_undo_in_another_review_brings_the_turn_back_into_the_queue() -> None:
    async with review() as s:
        await s.press("A", "S", "escape", "home", "o")
        assert "[2/2] too_long › turn 2 1 done" in head(s)
        await s.press("u", "u")
        assert s.bytes() == s.original
        assert "2 left" in head(s)


@pytest.mark.thorough
async def test_undo_takes_back_edits_and_decisions_and_redo_takes_them_again() -> None:
    async with review() as s:
        # Undo takes back what was done last be it an edit.
        await s.press("r", "K", "down", "e", "f7")
        await s.type("7")
        await s.press("ctrl+s", "u")
        assert s.bytes() == s.original
        assert "agent is wrong" in s.screen()[1]
        await s.press("u")
        assert "agent is wrong" not in s.screen()[1]
        assert not sidecar(s)

        # Undo takes back the edit and the decision and redo takes them again.
        await s.press("A", "S")
        accepted = s.bytes()
        assert "1 done" in head(s)
        await s.press("u")
        assert "0 done" in head(s)
        assert "book_flight › turn 2" in head(s)
        await s.press("u")
        assert s.bytes() == s.original
        await s.press("U", "U")
        assert s.bytes() == accepted
        assert "1 done" in head(s)


@pytest.mark.thorough
async def test_undo_in_the_editor_takes_the_decision_back_and_scores_at_once() -> None:
    async with review() as s:
        s.path.with_name(f"{s.path.name}.review.jsonl").write_text("{}\n")  # a file of somebody else only grows
        await s.press("A", "S", "escape")
        s.expect("✓ 2 Book the first")
        await s.press("u", "u")
        s.expect("✗ 2 Book the first")
        assert s.bytes() == s.original
        lines = sidecar(s)[1:]
        assert len(lines) == 4
        assert {each["id"] for each in lines if "decision" in each} == {each.get("takes_back") for each in lines[2:]}
        await s.press("U")
        assert [each.get("decision") for each in sidecar(s)[5:]] == ["accepted"]
        await s.press("u")


async def test_redo_with_nothing_to_redo_decides_nothing() -> None:
    async with review() as s:
        await s.press("A", "escape")
        before = sidecar(s)
        await s.press("U")
        s.expect("Nothing to redo.")
        assert sidecar(s) == before
        await s.press("u")


@pytest.mark.thorough
async def test_a_part_that_was_taken_back_in_the_editor_counts_no_more() -> None:
    async with review() as s:
        await s.press("S", "escape", "u", "o", "r")
        s.expect("Kept expected: the agent is wrong. Decisions go to set.evals")
        assert not s.shows("accepted change")


@pytest.mark.thorough
async def test_accepting_undoing_and_redoing_name_the_verdict() -> None:
    async with review() as s:
        await s.press("down", "a")
        assert 'Accepted: flight_id: "1" → 1 (type differs) · turn 2 still fails' in s.screen()[-2]
        await s.press("u")
        assert "Turn 2 still fails. Undone: accept flight_id" in s.status
        await s.press("A", "S")
        assert s.status.startswith(" Accepted. Turn 2 of book_flight passes now (was: fails).")
        await s.press("u")
        assert "Turn 2 fails again. Undone: add call send_email" in s.status
        await s.press("U")
        assert "Turn 2 passes now (was: fails). Redone: " in s.status
        await s.press("J", "S")
        assert "Accepted. Case too_long passes now (was: fails)." in s.status
        await s.press("u")
        assert "The case fails again. Undone: " in s.status


async def test_a_turn_of_a_case_without_scores_has_no_verdict() -> None:
    hello = turn(1, "Hello", "Hi.", ("look", {}))
    longer = a_set({"greeting": [hello, turn(2, "Thanks", "Bye.")]})
    async with review(set_=longer, recording=recording_with("greeting", turn(1, "Hello", "Hi."))) as s:
        s.expect(
            "✗ the case fails: 1 turn recorded, 2 expected",
            "in this turn: tool_trajectory: the agent calls no tool",
        )
        assert not any("0.00" in row or "1.00" in row for row in s.screen())
        await s.press("S")
        assert s.status.startswith(" Accepted. Case greeting still fails.")
        await s.press("S")
        assert "Accepted. Case greeting passes now (was: fails)." in s.status
