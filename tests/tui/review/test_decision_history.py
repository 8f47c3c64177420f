"""One history of decisions for the editor and all reviews: whatever is decided, edited and undone in whatever order."""

from __future__ import annotations

import random

import pytest

from tests.sampling import sampled
from tests.tui.review.reviewed import head, review, sidecar
from tests.tui.scenario import WIDE, Scenario

CHAIN = "]]AU]EOKnSEOSsUSEOsrJsK]J"
"""Keys after which six decisions once stayed in the sidecar, though all was undone."""
IN_REVIEW = [
    *([key] for key in "AAaSSrrsuuUJK]["),
    ["n", "m", "enter"],
    ["down", "e", "f7", "7", "ctrl+s"],
    ["E"],
    ["E"],
]
IN_EDITOR = [
    *([key] for key in "uUU"),
    *(["1", "O"] for _ in range(3)),
    ["w", "A", "escape"],
    ["1", "home", "down", "d"],
    ["1", "down", "c"],
]


def is_reviewing(s: Scenario) -> bool:
    return s.title.lstrip().startswith("Review")


def counts(s: Scenario) -> str:
    """`0 done · 2 left`."""
    return head(s)[head(s).index(" done") - 1 :]


def standing(s: Scenario) -> list[str | None]:
    """The decisions in the sidecar that were not taken back; None for a note alone."""
    lines = sidecar(s)
    gone = {line.get("takes_back") for line in lines}
    return [line.get("decision") for line in lines if "takes_back" not in line and line["id"] not in gone]


def expect_agreement(s: Scenario) -> None:
    """The acceptances in the sidecar are those of edits that are done."""
    accepted, history = s.app.file.decisions.accepted(), s.document.history
    assert all(history.has_done(point) for point in accepted)
    assert standing(s).count("accepted") == len(accepted)


async def undo_everything(s: Scenario) -> None:
    """Undo in the review, and in the editor what the review says is to be undone there."""
    for _ in range(300):
        if not is_reviewing(s):
            await s.press("1", "O")
        assert is_reviewing(s), "\n".join(s.screen())
        await s.press("u")
        expect_agreement(s)
        if "Press E to undo in the editor" in s.status:
            await s.press("E", "u")
        elif s.status.strip() == "Nothing to undo.":
            return
    raise AssertionError("there is always something to undo")


@pytest.mark.parametrize("seed", sampled(range(60), 3))
async def test_whatever_is_decided_in_editor_and_reviews_is_undone_to_the_last_line(seed: int) -> None:
    choice = random.Random(seed)
    async with review() as s:
        begun = counts(s)
        for _ in range(30):
            await s.press(*choice.choice(IN_REVIEW if is_reviewing(s) else IN_EDITOR))
            if s.focused == "field":
                await s.press("escape")
            expect_agreement(s)
        await undo_everything(s)
        assert s.bytes() == s.original
        assert standing(s) == []
        await s.press("f5", "E", "O")
        assert counts(s) == begun


@pytest.mark.thorough
async def test_decisions_that_edit_nothing_are_undone_in_a_later_review() -> None:
    async with review() as s:
        await s.press("r", "E", "O", "n")
        await s.type("why")
        await s.press("enter", "E", "O", "s", "E", "O")
        assert standing(s) == ["agent is wrong", None, "skipped"]
        await s.press("u", "E", "O", "u", "u")
        assert standing(s) == []
        await s.press("U", "E", "O", "U", "U", "U")
        assert standing(s) == ["agent is wrong", None, "skipped"]
        assert s.status.strip() == "Nothing to redo."


@pytest.mark.thorough
async def test_what_was_decided_before_an_edit_that_is_undone_can_be_undone_after_it() -> None:
    async with review() as s:
        await s.press("E", "1", "home", "down", "d", "O", "r")
        assert standing(s) == ["agent is wrong"]
        await s.press("E", "u")
        assert s.bytes() == s.original
        assert standing(s) == ["agent is wrong"], "a decision is not undone with an edit that does not belong to it"
        await s.press("O", "u")
        assert standing(s) == []


async def test_redo_in_the_review_says_what_the_editor_has_undone() -> None:
    async with review() as s:
        await s.press("E", "1", "home", "down", "d", "u", "O", "U")
        assert s.status.startswith(" Nothing to redo in this review. Press E to redo in the editor: delet")


@pytest.mark.thorough
async def test_every_key_of_a_chain_is_undone() -> None:
    async with review() as s:
        for key in CHAIN:
            await s.press(*((key, "m", "enter") if key == "n" else (key,)))
            expect_agreement(s)
        await undo_everything(s)
        assert s.bytes() == s.original
        assert standing(s) == []


async def test_save_as_takes_the_decisions_along_and_leaves_no_acceptance_that_is_not_in_the_old_file() -> None:
    async with review(WIDE) as s:
        await s.press("A", "S", "r", "E")
        assert standing(s) == ["accepted", "accepted", "agent is wrong"]
        new = s.path.with_name("new.evalset.json")
        s.app.file.saver.save_as(new)
        await s.settle()
        s.expect("3 review decisions copied to new.evalset.json.review.jsonl")
        assert standing(s) == ["agent is wrong"]
        s.path = new
        assert standing(s) == ["accepted", "accepted", "agent is wrong"]
        await s.press("1", "O")
        assert "2 done" in head(s)
        await s.press("K", "u")
        assert standing(s) == ["accepted", "accepted"]
        await s.press("u", "u")
        assert s.bytes() == s.original
        assert standing(s) == []
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
        assert standing(s) == ["agent is wrong"]
        await s.press("u")
        assert not path.exists()
