"""Saves and re-reads that fall into one another's time."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from textual import events

from evaltui.document.disk import file_swap
from evaltui.document.disk.file_replacement import Saved
from evaltui.document.document import Document
from evaltui.document.errors import SaveError
from evaltui.files.file_changes import read_settled
from evaltui.tui.base_app import OpenNext
from evaltui.tui.open_file import disk_follower, saver
from evaltui.tui.open_file.journal_keeper import JournalKeeper
from tests.sampling import sampled
from tests.tui.editor.test_disk_changes import RENAMED, append, noticed, others_write
from tests.tui.scenario import NORMAL, WIDE, Scenario, scenario
from tests.tui.sets import SNAKE

MINE = SNAKE.replace('"Thanks"', '"Thanks!"')
BOTH = RENAMED.replace('"Thanks"', '"Thanks!"')


async def until(condition: Callable[[], bool]) -> None:
    """Let the app work until something is so; `settle` would wait for a thread that is held."""
    async with asyncio.timeout(20):
        while True:
            if condition():
                return
            await asyncio.sleep(0)


def hold_saves(s: Scenario) -> Event:
    """Threads that save write only when the event is set."""
    go_on = Event()
    s.app.file.journal = HeldJournal(go_on)
    return go_on


class HeldJournal(JournalKeeper):
    """A journal that announces a save only when the event is set, and keeps nothing."""

    problem = ""

    def __init__(self, go_on: Event) -> None:
        self._go_on = go_on

    def announce_save(self, _: bytes) -> Any:
        return SimpleNamespace(exception=lambda: self._go_on.wait(20))

    def flush(self) -> bool:
        return False

    def move(self) -> None:
        pass


def hold_reads(monkeypatch: pytest.MonkeyPatch) -> Event:
    """A thread that reads gives what it has read only when the event is set."""
    go_on = Event()

    def read(path: Path) -> object:
        found = read_settled(path)
        go_on.wait(20)
        return found

    monkeypatch.setattr(disk_follower, "read_settled", read)
    return go_on


@pytest.mark.thorough
async def test_a_save_begun_in_a_view_ends_well_after_the_view_is_left() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("rain_in_bergen", "state  {")
        await s.to("days  3")
        await s.press("d")
        go_on = hold_saves(s)
        s.app.post_message(events.Key("ctrl+s", None))
        s.app.post_message(events.Key("escape", None))
        await until(lambda: len(s.app.screen_stack) == 1)
        go_on.set()
        await s.settle()
        assert "Saved" in s.status
        assert not s.is_dirty
        assert s.file_bytes() == s.original.replace(b', "days": 3}}', b"}}")
        await s.press("u")
        assert await s.saved() == s.original


async def test_a_save_while_the_file_is_read_does_not_write_over_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(SNAKE, WIDE) as s:
        log, disk = s.document.keep_log(), s.app.file.disk_state
        assert log is not None
        await append(s, "!")
        await s.press("escape")
        read, write = hold_reads(monkeypatch), hold_saves(s)
        s.path.write_text(RENAMED)
        s.app.call_later(s.app.file.disk.look)
        await until(lambda: disk.reading)
        s._send("ctrl+s")
        await until(lambda: s.app.file.saving)
        read.set()
        await until(lambda: not disk.reading)
        write.set()
        await s.settle()
        assert s.file_bytes() == RENAMED.encode()
        assert s.bytes() == BOTH.encode()
        assert s.is_dirty
        assert s.document.base is not None
        replayed = Document(s.document.base)
        replayed.replay(log.entries(), "journal")
        assert replayed.to_bytes() == s.bytes()
        assert await s.saved() == BOTH.encode()


async def test_what_is_written_at_the_moment_of_a_save_is_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(SNAKE, WIDE) as s:
        await append(s, "!")
        await s.press("escape")
        exchange = file_swap.exchange

        def written_before(one: Path, other: Path) -> bool:
            monkeypatch.undo()
            s.path.write_text(RENAMED)
            return exchange(one, other)

        monkeypatch.setattr(file_swap, "exchange", written_before)
        assert await s.saved() == RENAMED.encode()
        assert "merged with the file on disk" in s.status
        assert s.is_dirty
        assert await s.saved() == BOTH.encode()


@pytest.mark.thorough
async def test_what_was_read_before_a_save_is_no_news_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await append(s, "!")
        read = hold_reads(monkeypatch)
        s.app.file.disk.merge()
        await until(lambda: s.app.file.disk_state.reading)
        s._send("ctrl+s")
        await until(lambda: not s.document.is_dirty)
        read.set()
        await s.settle()
        assert s.bytes() == s.file_bytes() == MINE.encode()


async def test_a_file_read_before_a_save_as_is_not_taken_for_the_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await append(s, "!")
        read, new = hold_reads(monkeypatch), s.path.with_name("new.json")
        s.path.write_text(RENAMED)
        s.app.call_later(s.app.file.disk.look)
        await until(lambda: s.app.file.disk_state.reading)
        s.app.file.saver.save_as(new)
        await until(lambda: s.document.path == new)
        read.set()
        await s.settle()
        assert "Saved as" in s.status
        assert s.bytes() == new.read_bytes() == MINE.encode()
        assert not s.is_dirty
        assert s.file_bytes() == RENAMED.encode()


async def test_the_title_says_that_a_file_is_read_no_longer_than_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(SNAKE, WIDE) as s:
        read = hold_reads(monkeypatch)
        s.app.call_later(s.app.file.disk.look)
        await until(lambda: s.app.file.disk_state.reading)
        s.app.file.tell(None)
        await until(lambda: "reading" in s.title)
        read.set()
        await s.settle()
        assert "2 cases" in s.title


# --- undoing what was taken over ---------------------------------------------------------------------------


async def merged_and_undone(s: Scenario) -> None:
    await append(s, "!")
    await s.press("escape")
    await others_write(s, RENAMED)
    await s.press("u")
    assert s.bytes() == MINE.encode()


async def test_a_save_without_what_others_wrote_asks_first() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await merged_and_undone(s)
        assert "Undone without the changes on disk (M: merge)" in s.status
        assert await s.saved() == RENAMED.encode()
        s.expect(
            "Saving removes changes that someone else made to", "save and remove their changes", "merge", "keep editing"
        )
        await s.press("escape")
        assert s.file_bytes() == RENAMED.encode()
        await s.press("ctrl+s", "s")
        assert s.file_bytes() == MINE.encode()
        assert not s.is_dirty
        await append(s, "?")
        assert await s.saved() == MINE.replace("Thanks!", "Thanks!?").encode()


async def test_a_file_deleted_on_disk_offers_no_merge_and_no_reload() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await merged_and_undone(s)
        await others_write(s, None)
        await s.press("ctrl+s")
        s.expect("set.evalset.json was deleted on disk", "save it again without their changes", "keep editing")
        assert not s.shows("merge")
        await s.press("m")
        assert s.focused == "overwrite question"
        await s.press("s")
        assert s.file_bytes() == MINE.encode()
        await append(s, "?")
        await s.press("escape")
        await others_write(s, None)
        await s.press("R")
        assert s.focused == "tree"
        assert s.status.strip().startswith("NOT SAVED: ")
        assert "there is no such file" in s.status
        await s.press("ctrl+s")
        assert s.file_bytes() == MINE.replace("Thanks!", "Thanks!?").encode()


async def test_an_undone_reading_is_asked_about_whatever_follows() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await others_write(s, RENAMED)
        await s.press("u")
        await append(s, "!")
        await noticed(s)
        assert s.bytes() == MINE.encode()
        assert await s.saved() == RENAMED.encode()
        await s.press("m")
        assert s.bytes() == BOTH.encode()
        assert await s.saved() == BOTH.encode()


@pytest.mark.thorough
async def test_a_merge_that_was_saved_and_undone_is_asked_about() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await append(s, "!")
        await s.press("escape")
        await others_write(s, RENAMED)
        await s.saved()
        await s.press("u")
        assert await s.saved() == BOTH.encode()
        await s.press("escape", "U")
        assert "Redone: merge" in s.status
        assert not s.is_dirty


@pytest.mark.thorough
async def test_m_merges_again_what_was_undone() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await merged_and_undone(s)
        await s.press("M")
        assert s.bytes() == BOTH.encode()
        assert "merged with the file on disk: 1 case changed" in s.status
        await s.press("u")
        assert await s.saved() == RENAMED.encode()
        s.expect("Saving removes changes")
        await s.press("escape")


@pytest.mark.thorough
async def test_the_next_change_of_others_brings_back_what_was_undone() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await merged_and_undone(s)
        await others_write(s, RENAMED.replace("Good morning", "Good evening"))
        assert s.bytes() == BOTH.replace("Good morning", "Good evening").encode()


@pytest.mark.thorough
async def test_quitting_with_a_save_asks_too_and_then_quits() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await merged_and_undone(s)
        await s.press("ctrl+q", "s")
        s.expect("Saving removes changes")
        assert not s.ended
        await s.press("s")
        assert s.ended
        assert s.file_bytes() == MINE.encode()


@pytest.mark.thorough
async def test_reading_again_what_is_on_disk_anyway_is_undone_without_a_question() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await append(s, "!")
        await s.press("escape", "R", "d", "u")
        assert await s.saved() == MINE.encode()


# --- saving while a save runs ------------------------------------------------------------------------------


async def changed_twice_with_a_save_between(s: Scenario) -> Event:
    """The first change is being written until the event is set."""
    write = hold_saves(s)
    await append(s, "!")
    s._send("ctrl+s")
    await until(lambda: s.app.file.saving)
    for key in ("enter", "?", "escape", "escape"):
        s._send(key)
    await until(lambda: b"Thanks!?" in s.bytes())
    return write


async def test_save_and_quit_waits_for_the_save_that_runs() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        write = await changed_twice_with_a_save_between(s)
        s._send("ctrl+q")
        await until(lambda: s.focused == "quit question")
        s._send("s")
        await until(lambda: s.focused != "quit question")
        write.set()
        await s.settle()
        assert s.ended
        assert s.file_bytes() == SNAKE.replace('"Thanks"', '"Thanks!?"').encode()


@pytest.mark.thorough
async def test_a_second_save_writes_what_was_changed_during_the_first() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        write = await changed_twice_with_a_save_between(s)
        s._send("ctrl+s")
        await until(lambda: not s.app._message_queue.qsize())
        write.set()
        await s.settle()
        assert s.file_bytes() == s.bytes() == SNAKE.replace('"Thanks"', '"Thanks!?"').encode()
        assert "Saved" in s.status


@pytest.mark.thorough
async def test_save_and_quit_stays_where_the_save_that_runs_fails() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        write = await changed_twice_with_a_save_between(s)
        s.app.file.saver.save(follow_up=lambda: s.app.exit(None))
        s.path.unlink()
        s.path.mkdir()
        write.set()
        await s.settle()
        assert not s.ended
        assert "NOT SAVED: this is a folder" in s.status
        s.path.rmdir()
        s.path.write_text(json.dumps({}))


@pytest.mark.thorough
async def test_what_is_being_saved_stays_when_the_typing_ends_in_a_draft() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("Is it raining", "get_weather", "days ")
        await s.press("end", "0")
        go_on = hold_saves(s)
        s._send("ctrl+s")
        await until(lambda: s.app.file.saving)
        s._send("x")
        await until(lambda: bool(s.app.file.drafts.live()))
        go_on.set()
        await s.settle()
        assert s.bytes() == s.file_bytes() == s.original.replace(b'"days": 3,', b'"days": 30,')
        assert "✎" in s.title


# --- leaving while a save runs -----------------------------------------------------------------------------

KEYS_THAT_LEAVE = sampled(["ctrl+q", "q", "ctrl+o"])


async def sent_while_a_save_is_held(s: Scenario, *keys: str) -> Event:
    """Change the set, then send ^s and these keys in one burst; the save writes only when the event is set."""
    await append(s, "!")
    await s.press("escape", "escape")
    go_on = hold_saves(s)
    for key in ("ctrl+s", *keys):
        s._send(key)
    return go_on


async def waits_to_leave(s: Scenario) -> None:
    await until(lambda: s.app.file.leaving.is_waiting)
    assert s.focused == "tree"
    assert not s.ended


@pytest.mark.thorough
@pytest.mark.parametrize("key", KEYS_THAT_LEAVE)
async def test_leaving_waits_for_the_save_that_runs(key: str) -> None:
    async with scenario(SNAKE, NORMAL) as s:
        go_on = await sent_while_a_save_is_held(s, key)
        await waits_to_leave(s)
        await until(lambda: "saving …" in s.title)
        assert "after the save. Press ^q again to leave without waiting." in s.status
        go_on.set()
        await s.settle()
        assert s.ended
        assert s.app.return_value == (OpenNext() if key == "ctrl+o" else None)
        assert s.file_bytes() == MINE.encode()


async def test_saving_and_quitting_in_one_burst_asks_nothing() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await append(s, "!")
        await s.press("escape", "escape")
        await s.burst("ctrl+s", "ctrl+q")
        assert s.ended
        assert s.file_bytes() == MINE.encode()


def full(*_: object) -> Saved:
    raise SaveError("set.json: cannot be saved: the disk is full", "the disk is full", "make room and save again")


@pytest.mark.thorough
async def test_quitting_asks_when_the_save_that_runs_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(SNAKE, NORMAL) as s:
        monkeypatch.setattr(s.document, "write", full)
        go_on = await sent_while_a_save_is_held(s, "ctrl+q")
        await waits_to_leave(s)
        go_on.set()
        await s.settle()
        assert s.focused == "quit question"
        assert "NOT SAVED: the disk is full" in s.status
        monkeypatch.undo()
        await s.press("s")
        assert s.ended
        assert s.file_bytes() == MINE.encode()


async def test_quitting_asks_when_the_save_that_runs_is_refused() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        go_on = await sent_while_a_save_is_held(s, "ctrl+q")
        await waits_to_leave(s)
        s.path.write_text(RENAMED)
        go_on.set()
        await s.settle()
        assert s.focused == "quit question"
        assert s.file_bytes() == RENAMED.encode()
        await s.press("s")
        assert s.ended
        assert s.file_bytes() == BOTH.encode()


async def test_a_second_key_to_quit_asks_while_the_save_still_runs() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        go_on = await sent_while_a_save_is_held(s, "ctrl+q", "ctrl+q")
        await until(lambda: s.focused == "quit question")
        assert s.app.file.saving
        go_on.set()
        await s.settle()
        assert s.focused == "quit question"
        await s.press("escape")
        assert not s.ended
        assert not s.is_dirty


@pytest.mark.thorough
async def test_what_is_typed_while_quitting_waits_answers_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(SNAKE, NORMAL) as s:
        monkeypatch.setattr(s.document, "write", full)
        go_on = await sent_while_a_save_is_held(s, "ctrl+q", "down")
        await waits_to_leave(s)
        await until(lambda: "after the save" not in s.status)  # the cursor has moved
        go_on.set()
        await s.settle()
        assert s.focused == "tree"
        assert "NOT SAVED: the disk is full" in s.status


async def test_a_change_made_while_quitting_waits_is_kept() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        go_on = await sent_while_a_save_is_held(s, "ctrl+q", "d")
        await until(lambda: s.bytes() != MINE.encode())
        go_on.set()
        await s.settle()
        assert not s.ended
        assert s.focused == "tree"
        assert s.is_dirty


async def test_quitting_waits_for_the_second_of_two_saves() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        write = await changed_twice_with_a_save_between(s)
        s._send("ctrl+s")
        s._send("ctrl+q")
        await until(lambda: s.app.file.leaving.is_waiting)
        write.set()
        await s.settle()
        assert s.ended
        assert s.file_bytes() == SNAKE.replace('"Thanks"', '"Thanks!?"').encode()


async def test_quitting_stays_when_a_copy_being_written_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = Event()

    def held(*_: object) -> Saved:
        go_on.wait(20)
        return full()

    monkeypatch.setattr(saver, "save_file", held)
    async with scenario(SNAKE, NORMAL) as s:
        s.app.file.saver.save_copy(tmp_path / "copy.json")
        s._send("ctrl+q")
        await waits_to_leave(s)
        go_on.set()
        await s.settle()
        assert not s.ended
        assert s.focused == "tree"
        assert "NOT SAVED" in s.status


@pytest.mark.thorough
async def test_reloading_waits_for_the_save_that_runs() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        go_on = await sent_while_a_save_is_held(s, "R")
        await until(lambda: s.app.file.disk._next is not None and s.app.file.disk._next.is_awaited)
        go_on.set()
        await s.settle()
        assert s.focused == "tree"
        assert not s.is_dirty
        assert s.bytes() == s.file_bytes() == MINE.encode()
