"""One history of decisions for the editor and all reviews: whatever is decided, edited and undone in whatever order."""

from __future__ import annotations

import pytest

from tests.tui.review.reviewed import head, others_delete, others_write, review, standing
from tests.tui.scenario import WIDE, Scenario


def verdicts(s: Scenario) -> list[str | None]:
    """The decisions in the sidecar that were not taken back; None for a note alone."""
    return [line.get("decision") for line in standing(s)]


@pytest.mark.thorough
async def test_decisions_that_edit_nothing_are_undone_in_a_later_review() -> None:
    async with review() as s:
        await s.press("r", "E", "O", "n")
        await s.type("why")
        await s.press("enter", "E", "O", "s", "E", "O")
        assert verdicts(s) == ["agent is wrong", None, "skipped"]
        await s.press("u", "E", "O", "u", "u")
        assert verdicts(s) == []
        await s.press("U", "E", "O", "U", "U", "U")
        assert verdicts(s) == ["agent is wrong", None, "skipped"]
        assert s.status.strip() == "Nothing to redo."


@pytest.mark.thorough
async def test_what_was_decided_before_an_edit_that_is_undone_can_be_undone_after_it() -> None:
    async with review() as s:
        await s.press("E", "1", "home", "down", "d", "O", "r")
        assert verdicts(s) == ["agent is wrong"]
        await s.press("E", "u")
        assert s.bytes() == s.original
        assert verdicts(s) == ["agent is wrong"], "a decision is not undone with an edit that does not belong to it"
        await s.press("O", "u")
        assert verdicts(s) == []


@pytest.mark.parametrize(("key", "decision"), [("r", "agent is wrong"), ("s", "skipped")])
async def test_a_later_decision_stays_the_last_one_when_the_editor_redoes_what_was_accepted(
    key: str, decision: str
) -> None:
    async with review() as s:
        await s.press("right_square_bracket", "a", key, "E", "u", "U", "O")
        assert verdicts(s) == ["accepted", decision]
        assert s.screen()[1].endswith(decision)
        await s.press("u")
        assert verdicts(s) == ["accepted"]
        assert not s.screen()[1].endswith(decision)
        await s.press("u")
        assert verdicts(s) == []
        assert s.bytes() == s.original


@pytest.mark.parametrize(
    "keys",
    [
        ["s", "E", "u", "O", "r", "E", "U", "O"],  # another decision was made while the acceptance was undone
        ["r", "E", "u", "O", "u", "U", "E", "U", "O"],  # the later decision was undone and redone meanwhile
    ],
)
async def test_everything_can_be_undone_after_an_acceptance_below_others_is_redone(keys: list[str]) -> None:
    async with review() as s:
        await s.press("right_square_bracket", "a", *keys)
        for _ in range(3):
            await s.press("u")
        assert verdicts(s) == []
        assert s.bytes() == s.original


async def test_undo_of_a_decision_brings_no_deleted_case_back() -> None:
    async with review() as s:
        await s.press("r")
        await others_delete(s, "book_flight")
        await s.press("u")
        assert verdicts(s) == []
        assert "[1/1] too_long" in head(s)


@pytest.mark.thorough
@pytest.mark.parametrize(("key", "decision"), [("r", "agent is wrong"), ("s", "skipped")])
async def test_what_was_decided_meanwhile_holds_again_when_a_redone_acceptance_is_undone(
    key: str, decision: str
) -> None:
    async with review() as s:
        await s.press("A", "u", key, "U")
        assert verdicts(s) == [decision, "accepted"]
        await s.press("u")
        assert verdicts(s) == [decision]
        assert s.screen()[1].endswith(decision)
        await s.press("u")
        assert verdicts(s) == []


async def test_a_decision_that_edits_nothing_is_undone_after_a_reload() -> None:
    async with review() as s:
        await s.press("r")
        await others_write(s, s.original.replace(b"greeting", b"hello"))
        s.expect("reloaded: ")
        await s.press("u")
        assert verdicts(s) == []
        assert "book_flight › turn 2 0 done · 2 left" in head(s)
        assert b"hello" in s.bytes()
        await s.press("U", "u")
        assert verdicts(s) == []


async def test_redo_in_the_review_says_what_the_editor_has_undone() -> None:
    async with review() as s:
        await s.press("E", "1", "home", "down", "d", "u", "O", "U")
        assert s.status.startswith(" Nothing to redo in this review. Press E to redo in the editor: delet")


async def test_save_as_takes_the_decisions_along_and_leaves_no_acceptance_that_is_not_in_the_old_file() -> None:
    async with review(WIDE) as s:
        await s.press("A", "S", "r", "E")
        assert verdicts(s) == ["accepted", "accepted", "agent is wrong"]
        new = s.path.with_name("new.evalset.json")
        s.app.file.saver.save_as(new)
        await s.settle()
        s.expect("3 review decisions copied to new.evalset.json.review.jsonl")
        assert verdicts(s) == ["agent is wrong"]
        s.path = new
        assert verdicts(s) == ["accepted", "accepted", "agent is wrong"]
        await s.press("1", "O")
        assert "2 done" in head(s)
        await s.press("K", "u")
        assert verdicts(s) == ["accepted", "accepted"]
        await s.press("u", "u")
        assert s.bytes() == s.original
        assert verdicts(s) == []
        assert len(s.path.with_name("set.evalset.json.review.jsonl").read_text().splitlines()) == 5, "the old one stays"


async def test_save_as_says_that_decisions_could_not_be_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    async with review(WIDE) as s:
        await s.press("r", "E")
        new = s.path.with_name("new.evalset.json")
        new.with_name(f"{new.name}.review.jsonl").mkdir()
        s.app.file.saver.save_as(new)
        await s.settle()
        s.expect("The review decisions are not all in new.evalset.json.review.jsonl")


async def test_a_sidecar_that_was_deleted_meanwhile_gets_no_stray_line() -> None:
    async with review() as s:
        await s.press("r")
        path = s.path.with_name(f"{s.path.name}.review.jsonl")
        path.unlink()
        await s.press("u")
        assert not path.exists()
        await s.press("U")
        assert verdicts(s) == ["agent is wrong"]
        await s.press("u")
        assert not path.exists()
