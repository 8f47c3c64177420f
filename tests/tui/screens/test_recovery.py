"""What an earlier session left: offered, restored, kept or discarded; and a second process on one file."""

from __future__ import annotations

import errno
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Remove, Set, json_text
from evaltui.document.journals.journal import write_line
from evaltui.evalset.editing.revision import Revision
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.launch import _open
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.open_file.journal_keeper import JournalKeeper, journal_folder, start_journal
from evaltui.tui.open_file.left_work import changed_cases
from evaltui.tui.screens.recovery_screen import RecoveryScreen
from tests.tui.scenario import NARROW, NORMAL, SAMPLES, WIDE, Scenario

SAMPLE = SAMPLES / "trip_planner.evalset.json"
WORDS = "Great. Can you add one checked bag, 23 kg?"
AT = "/eval_cases/0/conversation/1/user_content/parts/0/text"
"""The place of the words."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "trips.evalset.json"
    path.write_bytes(SAMPLE.read_bytes())
    return path


class Opened(Scenario):
    """A session with a journal."""

    @property
    def now(self) -> bytes:
        return self.app.file.document.to_bytes()

    def keep(self) -> None:
        """Let the timer of the journal have been."""
        assert self.app.file.journal is not None
        self.app.file.journal.flush()
        assert self.app.file.journal.problem == ""

    @property
    def offers(self) -> bool:
        return isinstance(self.app.screen, RecoveryScreen)


@asynccontextmanager
async def opened(path: Path, size: tuple[int, int] = NARROW, *, killed: bool = False) -> AsyncIterator[Opened]:
    """evaltui on a file, as the command line starts it; `killed` ends it without a word."""
    app = EvaltuiApp(_open(path, only_read=False))
    app.notices.append(start_journal(app.file))
    try:
        async with app.run_test(size=size) as pilot:
            running = Opened(app, pilot, SAMPLE)
            running.path = path
            await running.settle()
            yield running
    finally:
        if killed:
            kill(journal_of(app.file))
        else:
            journal_of(app.file).end(keeps=app.return_code != 0)


def killed_while_editing(path: Path, text: str = "Add a bag") -> bytes:
    """What a session that was killed would have saved."""
    file = EditedDocument(_open(path, only_read=False))
    start_journal(file)
    file.apply(Revision("edit user text", [Set(AT, json_text(text))]))
    assert journal_of(file).flush()
    kill(journal_of(file))
    return file.document.to_bytes()


def journal_of(file: EditedDocument) -> JournalKeeper:
    assert file.journal is not None
    return file.journal


def kill(journalling: JournalKeeper) -> None:
    """Leave the journal as the end of its process leaves it."""
    journalling._thread.shutdown()
    journalling._journal.close()


def look(s: Opened) -> None:
    """Let the timer of the journal be, and its thread be done."""
    for _ in range(2):
        s.app._write_journal()
        assert s.app.file.journal is not None
        if (writing := s.app.file.journal._writing) is not None:
            writing.exception()
    s.app._write_journal()


def put(path: Path, content: bytes | None) -> None:
    """Somebody else writes the file, or deletes it."""
    path.unlink() if content is None else path.write_bytes(content)


def journals() -> list[str]:
    folder = journal_folder()
    return sorted(file.suffix for file in folder.iterdir()) if folder.exists() else []


@pytest.mark.parametrize("size", [NARROW, NORMAL, WIDE])
async def test_what_was_unsaved_is_shown_and_restored_as_a_step(path: Path, size: tuple[int, int]) -> None:
    mine = killed_while_editing(path)
    async with opened(path, size) as s:
        s.expect("trips.evalset.json · unsaved changes of an earlier session", "1 unsaved change, the last at 20")
        s.expect("1 case: book_flight_lisbon_montreal", "Add a bag", "r restore", "k keep for later", "d discard")
        assert any(line.lstrip().startswith("-") and WORDS in line for line in s.screen())
        await s.press("r")
        s.expect("restored 1 unsaved change", "●")
        assert s.now == mine
        assert s.file_bytes() == s.original
        await s.press("u")
        assert s.now == s.original
        await s.press("U")
        assert await s.saved() == mine
        s.keep()
    assert journals() == []


@pytest.mark.thorough
async def test_restored_steps_survive_another_kill(path: Path) -> None:
    mine = killed_while_editing(path)
    async with opened(path, killed=True) as s:
        await s.press("r")
    async with opened(path) as s:
        assert s.offers
        await s.press("r")
        assert s.now == mine


@pytest.mark.thorough
async def test_kept_for_later_it_is_offered_again(path: Path) -> None:
    mine = killed_while_editing(path)
    for key in ("k", "escape"):
        async with opened(path) as s:
            await s.press(key)
            s.expect("1 unsaved change kept for later")
            assert s.now == s.original
    async with opened(path) as s:
        await s.press("q")
    async with opened(path) as s:
        await s.press("r")
        assert s.now == mine


async def test_discarding_asks_once_more(path: Path) -> None:
    killed_while_editing(path)
    async with opened(path) as s:
        await s.press("d", "d", "escape")
        s.expect("Nothing was discarded.")
        await s.press("y")
        assert s.offers
        await s.press("d", "y")
        s.expect("unsaved changes discarded")
        assert journals() == [".journal"]
    assert journals() == []
    async with opened(path) as s:
        assert not s.offers


async def test_several_are_gone_through_one_after_another(path: Path) -> None:
    killed_while_editing(path, "first")
    async with opened(path, killed=True) as s:
        await s.press("k")
        await s.enter(WORDS)
        await s.edit(WORDS, "second")
        s.keep()
    async with opened(path) as s:
        s.expect("(1 of 2)", "first")
        await s.press("k")
        s.expect("(2 of 2)", "second")
        await s.press("r")
        s.expect("1 unsaved change kept for later · restored 1 unsaved change")
        assert b"second" in s.now
        s.keep()
        await s.press("ctrl+s")
    async with opened(path) as s:
        s.expect("first", "The file has changed since then.")


async def test_of_a_file_changed_meanwhile_neither_side_is_lost(path: Path) -> None:
    mine = killed_while_editing(path)
    theirs = SAMPLE.read_bytes().replace(b"Trip planner", b"Trips")
    put(path, theirs)
    async with opened(path) as s:
        s.expect("The file has changed since then.")
        await s.press("r")
        s.expect("restored 1 unsaved change · the file has changed since then")
        assert s.now == mine
        s.keep()
        s.app._return_code = 143
    async with opened(path) as s:
        await s.press("r")
        assert s.now == mine
        await s.press("ctrl+s")
        s.expect("merged with the file on disk")
        assert s.file_bytes() == theirs
        await s.press("ctrl+s")
        assert s.file_bytes() == mine.replace(b"Trip planner", b"Trips")


async def test_a_restored_undo_of_somebody_elses_change_is_not_saved_without_a_question(path: Path) -> None:
    theirs = SAMPLE.read_bytes().replace(b"Trip planner", b"Trips")
    async with opened(path, killed=True) as s:
        put(path, theirs)
        s.app.file.disk.look()
        await s.settle()
        s.expect("reloaded: ")
        await s.press("u")
        assert s.now == s.original
        s.keep()
    async with opened(path) as s:
        await s.press("r", "ctrl+s")
        s.expect("Saving removes changes that someone else made")
        await s.press("escape")
        assert s.file_bytes() == theirs
        await s.press("u")
        assert s.now == theirs
        assert not s.app.file.document.lacks_theirs
        await s.press("U", "M")
        s.expect("merged with the file on disk")
        assert s.now == theirs


@pytest.mark.thorough
@pytest.mark.parametrize("theirs", [b"<<<<<<< HEAD\n", None])
async def test_of_a_file_that_is_broken_or_gone_the_work_comes_back(path: Path, theirs: bytes | None) -> None:
    mine = killed_while_editing(path)
    put(path, theirs)
    async with opened(path) as s:
        await s.press("r")
        assert s.now == mine
        s.expect("Cases")


async def test_a_set_that_was_never_saved_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "brand_new.evalset.json"
    async with opened(path, killed=True) as s:
        await s.press("a")
        s.keep()
        mine = s.now
    assert not path.exists()
    async with opened(path) as s:
        await s.press("r")
        assert s.now == mine
        await s.press("ctrl+s")
        assert path.read_bytes() == mine


async def test_a_draft_comes_back(path: Path) -> None:
    put(path, b'{"a": 600, "b": {"c": [1, 2]}}')
    async with opened(path, killed=True) as s:
        await s.press("enter")
        await s.type("x")
        (draft,) = s.app.file.drafts.kept.values()
        s.keep()
    async with opened(path) as s:
        s.expect("Drafts: ")
        await s.press("r")
        assert list(s.app.file.drafts.kept.values()) == [draft]
        s.expect("✎")


async def test_nothing_unsaved_leaves_nothing_and_is_not_offered(path: Path) -> None:
    async with opened(path, killed=True) as s:
        await s.press("down", "d")
        s.keep()
        await s.press("u")
        s.keep()
    async with opened(path) as s:
        assert not s.offers
        assert journals() == [".journal"]
    assert journals() == []


async def test_a_save_empties_the_journal(path: Path) -> None:
    async with opened(path, killed=True) as s:
        await s.press("down", "d")
        s.keep()
        assert journals() == [".base", ".journal"]
        await s.press("ctrl+s")
        s.keep()
        assert journals() == [".journal"]
        await s.press("d")
        s.keep()
        mine = s.now
    async with opened(path) as s:
        await s.press("r")
        assert s.now == mine


async def test_a_damaged_journal_is_said_and_stays(path: Path) -> None:
    killed_while_editing(path)
    (base,) = journal_folder().glob("*.base")
    base.write_bytes(b"{}")
    put(path, SAMPLE.read_bytes() + b"\n")
    async with opened(path) as s:
        assert "the copy of the file at the start of the journal is damaged" in " ".join(" ".join(s.screen()).split())
        await s.press("r")
        s.expect("These changes cannot be restored")
        await s.press("k")
        s.expect("journal kept for later", "Cases")
    assert ".journal" in journals()


STEP = {"do": [["set", [0], '"z"']], "label": "x", "steps": 1, "at": 1.0}


@pytest.mark.parametrize(
    "record",
    [
        {**STEP, "do": [["set", [0], 5]]},
        {**STEP, "do": [["set", ["a"], '"z"']]},
        {**STEP, "do": [["run", [], -5, 1, [], []]]},
        {**STEP, "do": [["run", [], 0, 0, [["", "", "", "1", ""]], [[99, "", ""]]]]},
        {**STEP, "steps": "no"},
        {"do": STEP["do"], "label": "x"},
        {"drafts": [{"a": 1}, 5]},
        {"drafts": [{"path": ["0"], "by": "\u202e", "text": "", "problem": "", "where": ""}]},
    ],
    ids=str,
)
def test_records_that_make_no_sense_are_said_and_stay(path: Path, record: dict[str, object]) -> None:
    killed_while_editing(path)
    (journal,) = journal_folder().glob("*.journal")
    journal.write_bytes(journal.read_bytes() + write_line(record))
    start_journal(file := EditedDocument(Document.open(path)))
    journalling = journal_of(file)
    (work,) = journalling.left
    assert work.unsaved is None
    assert work.problem
    journalling.end(keeps=False)
    assert ".journal" in journals()


async def test_a_step_of_a_far_future_is_restored(path: Path) -> None:
    killed_while_editing(path)
    (journal,) = journal_folder().glob("*.journal")
    journal.write_bytes(journal.read_bytes() + write_line({**STEP, "at": 1e300}))
    async with opened(path) as s:
        await s.press("r")
        s.expect("Cases")


async def test_hostile_text_is_shown_and_not_obeyed(path: Path) -> None:
    killed_while_editing(path, "[red]x[/nope] \x1b]0;owned\x07 ")
    async with opened(path, WIDE) as s:
        s.expect("[red]x[/nope]")


async def test_the_second_process_says_so_and_both_can_work(path: Path) -> None:
    async with opened(path) as first:
        await first.press("down", "d")
        first.keep()
        # Another evaltui has another process number; its lock is as good in the same process.
        async with opened(path) as second:
            second.expect("also open in another evaltui: process")
            assert not second.offers
            await second.press("down", "down", "d", "ctrl+s")
            theirs = second.file_bytes()
        await first.press("ctrl+s")
        first.expect("merged with the file on disk: 1 case changed")
        assert first.file_bytes() == theirs
        await first.press("ctrl+s")
        assert first.file_bytes() == first.now
        assert len(first.now) < len(theirs)


async def test_without_a_place_for_the_journal_one_can_work_and_is_told(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(path))
    notice = start_journal(EditedDocument(Document.open(path)))
    assert notice.startswith("no journal of unsaved changes: the journal cannot be written")


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_title_says_that_nothing_is_journalled_until_it_is(
    path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], tmp_path: Path
) -> None:
    occupied = tmp_path / "state"
    occupied.touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(occupied))
    async with opened(path, size, killed=True) as s:
        assert "no journal" in s.title
        await s.press("down", "d")
        assert "no journal" in s.title
        occupied.unlink()
        look(s)
        await s.settle()
        assert "no journal" not in s.title
        assert "The journal works again." in s.status
        mine = s.now
    async with opened(path, size) as s:
        await s.press("r")
        assert s.now == mine


async def test_a_journal_that_fails_later_is_a_lasting_mark(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async with opened(path) as s:
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            await s.press("down", "d")
            look(s)
            await s.press("up", "down")
            assert "no journal" in s.title
        look(s)
        await s.settle()
        assert "no journal" not in s.title


@pytest.mark.thorough
async def test_a_set_in_one_line_is_compared_value_by_value(path: Path) -> None:
    turns = ",".join(f'{{"user_content": {{"parts": [{{"text": "word {n}"}}]}}}}' for n in range(300))
    put(path, ('{"eval_set_id": "s", "eval_cases": [{"eval_id": "long", "conversation": [' + turns + "]}]}").encode())
    async with opened(path, killed=True) as s:
        await s.press("down", "right")
        await s.to("word 7")
        await s.press("d")
        s.keep()
    async with opened(path) as s:
        s.expect("1 case: long", '"word 7"')


@pytest.mark.thorough
async def test_a_disk_that_is_full_for_a_while_is_said_and_nothing_is_left_out(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async with opened(path, killed=True) as s:
        journalling = s.app.file.journal
        assert journalling is not None
        await s.press("down", "d")
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            assert not journalling.flush()
            assert journalling.problem == "the journal cannot be written: no space left on device"
        await s.press("d")
        s.keep()
        mine = s.now
    async with opened(path) as s:
        await s.press("r")
        assert s.now == mine


async def test_a_fault_of_the_journal_does_not_end_the_session(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(path) as s:
        assert s.app.file.journal is not None
        monkeypatch.setattr(s.app.file.journal._journal, "write", lambda *_, **__: 1 // 0)
        await s.press("down", "d")
        assert not s.app.file.journal.flush()
        assert "ZeroDivisionError" in s.app.file.journal.problem


@pytest.mark.thorough
async def test_a_long_run_of_typing_keeps_the_journal_small(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaltui.document.journals.journal._SMALL", 4_000)
    async with opened(path, killed=True) as s:
        assert s.app.file.journal is not None
        await s.enter(WORDS)
        await s.enter(WORDS)
        await s.press("f7")
        await s.paste("word " * 1_000)
        for letter in "abcdefghijklmnopqrstuvwxyz":
            await s.press(letter)
            s.keep()
        assert s.app.file.journal._journal.file.stat().st_size < 50_000
        mine = s.now
    async with opened(path) as s:
        await s.press("r")
        assert s.now == mine


async def test_save_and_quit_keeps_drafts_for_the_next_time(path: Path) -> None:
    put(path, b'{"a": 600, "b": {"c": 1}}')
    async with opened(path, killed=True) as s:
        await s.press("enter", "end", "x", "escape", "escape")
        await s.press("end", "enter", "end", "2", "escape")
        await s.press("ctrl+q")
        s.expect("s  save and quit (1 draft kept for next time)", "d  quit without saving (1 draft lost, too)")
        await s.press("s")
        assert s.ended
        s.app.ended(0)
        assert s.file_bytes() == b'{"a": 600, "b": {"c": 12}}'
    async with opened(path, killed=True) as s:
        s.expect("Drafts: ", "600x")
        await s.press("r")
        s.expect("600x", "✎")
        await s.press("u")
        assert not s.shows("✎")
        await s.press("U", "ctrl+q", "d")
        assert s.ended
        s.app.ended(0)
    async with opened(path) as s:
        assert not s.offers


async def test_a_draft_comes_back_beside_a_value_that_was_changed_on_disk(path: Path) -> None:
    put(path, b'{"a": 600, "b": {"c": 1}}')
    async with opened(path, killed=True) as s:
        await s.press("enter")
        await s.type("x")
        s.keep()
    put(path, b'{"a": 700, "b": {"c": 1}}')
    async with opened(path) as s:
        s.expect("The file has changed since then. After a restore you see the changed file.")
        s.expect("A restore does not change the text of the file.")
        await s.press("r")
        s.app.call_later(s.app.file.disk.look)
        await s.settle()
        assert s.now == b'{"a": 700, "b": {"c": 1}}'
        await s.press("f8")
        s.expect("✎ draft", "The value has changed since the draft was begun.")
        await s.press("enter", "X")
        s.expect("700")


async def test_a_draft_of_a_number_of_google_adks_own_comes_back(path: Path) -> None:
    put(path, b'{"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [], "creation_timestamp": 1}]}')
    async with opened(path, killed=True) as s:
        await s.enter("a")
        await s.enter("creation_timestamp")
        await s.type("x")
        (draft,) = s.app.file.drafts.kept.values()
        s.keep()
    async with opened(path) as s:
        await s.press("r")
        assert list(s.app.file.drafts.kept.values()) == [draft]


def test_a_renamed_case_is_one_changed_case(path: Path) -> None:
    file = EditedDocument(_open(path, only_read=False))
    start_journal(file)
    assert file.eval_set is not None
    gone = file.eval_set.case_id(file.eval_set.cases[2])
    file.apply(Revision("edit eval_id", [Set("/eval_cases/0/eval_id", json_text("flight"))]))
    file.apply(Revision("delete case", [Remove("/eval_cases/2")]))
    assert journal_of(file).flush()
    kill(journal_of(file))
    start_journal(reopened := EditedDocument(_open(path, only_read=False)))
    following = journal_of(reopened)
    (left,) = following.left
    assert left.unsaved is not None
    assert changed_cases(left.unsaved) == ["flight", f"−{gone}"]
    following.end(keeps=False)


async def test_in_five_lines_of_twenty_columns_every_answer_can_be_read(path: Path) -> None:
    killed_while_editing(path)
    async with opened(path, (20, 5)) as s:
        assert [line.split()[0] for line in s.screen()[1:]] == ["r", "k", "d", "q"]
        await s.press("d")
        assert [line.split()[0] for line in s.screen()[3:]] == ["y", "esc"]
        await s.press("escape", "k")


async def test_keys_that_were_typed_ahead_discard_nothing(path: Path) -> None:
    killed_while_editing(path)
    async with opened(path) as s:
        await s.burst("d", "y")
        s.expect("You cannot undo this. Press y to discard the changes")
        assert s.app.screen.PLACE == "recovery"
        s.app.screen._show()
        s.app.screen._asked_at += 3600.0  # it is shown only after these keys
        await s.press("d")
        assert not s.shows("You cannot undo this")
        await s.press("k")
