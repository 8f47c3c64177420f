"""The follower of the file on disk, on screens and threads that do as they are told."""

from pathlib import Path

import pytest
from textual.screen import Screen

from evaltui.document.document import Document
from evaltui.document.edits import Set
from evaltui.document.errors import SaveError
from evaltui.files.file_changes import read_settled
from evaltui.tui.open_file import disk_follower
from evaltui.tui.open_file.open_file import OpenFile
from evaltui.tui.screens.questions import QuestionDialog
from tests.tui.headless import HeadlessApp

TEXT, THEIRS = b'{"name": "one"}\n', b'{"name": "two"}\n'


class Followed:
    """A file, what is open of it, and what was shown of it."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path, self.app = path, HeadlessApp()
        self.file = OpenFile(Document.open(path), self.app)
        self.disk, self.shown = self.file.disk, list[str]()
        monkeypatch.setattr(self.file, "show_text", self.shown.append)

    @property
    def text(self) -> bytes:
        return self.file.document.to_bytes()

    def touch(self, data: bytes) -> None:
        """Somebody else writes the file, and it is looked at."""
        self.path.write_bytes(data)
        self.disk.look()

    def edit(self) -> None:
        self.file.document.apply([Set("/name", b'"mine"')], "edit name")

    def end_save(self) -> None:
        """A save of the text ends, and has written nothing."""
        self.file.saving = False
        self.disk.save_ended(SaveError("disk full"), None)

    def work(self) -> None:
        self.app.work_all()


@pytest.fixture
def followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Followed:
    path = tmp_path / "a.json"
    path.write_bytes(TEXT)
    return Followed(path, monkeypatch)


def test_a_changed_file_is_read_by_a_thread_and_shown_once(followed: Followed) -> None:
    followed.touch(THEIRS)
    assert followed.text == TEXT
    followed.work()
    assert (followed.text, len(followed.shown), followed.file.disk_state.trouble) == (THEIRS, 1, "")


def test_while_a_field_is_edited_the_news_waits(followed: Followed) -> None:
    followed.app.dialog = Screen()
    followed.touch(THEIRS)
    followed.work()
    assert (followed.text, followed.file.disk_state.trouble) == (TEXT, "changed on disk")
    followed.disk.look_if_waiting()
    assert followed.app.posted == []
    followed.app.dialog = None
    followed.disk.look_if_waiting()
    followed.app.posted.pop().callback()
    followed.work()
    assert (followed.text, followed.app.posted) == (THEIRS, [])


def test_a_file_touched_during_a_save_is_looked_at_after_it(followed: Followed) -> None:
    followed.file.saving = True
    followed.touch(THEIRS)
    assert followed.app.waiting == []
    followed.end_save()
    followed.work()
    assert followed.text == THEIRS


def test_what_was_read_while_a_save_came_in_between_is_read_again(
    followed: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(path: Path) -> object:
        followed.file.saving = True
        return read_settled(path)

    with monkeypatch.context() as patch:
        patch.setattr(disk_follower, "read_settled", read)
        followed.touch(THEIRS)
        followed.work()
    assert (followed.text, followed.shown) == (TEXT, [])
    followed.end_save()
    followed.work()
    assert followed.text == THEIRS


def test_a_file_that_is_gone_leaves_the_text_in_memory(followed: Followed) -> None:
    followed.path.unlink()
    followed.disk.look()
    followed.work()
    assert (followed.text, followed.file.disk_state.trouble, followed.file.disk_state.is_lost) == (
        TEXT,
        "gone from disk",
        True,
    )


def test_a_fault_of_our_own_ends_nothing(followed: Followed, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: Path) -> bytes:
        raise RuntimeError("ours")

    monkeypatch.setattr("evaltui.tui.open_file.disk_follower.read_settled", fails)
    followed.touch(THEIRS)
    followed.work()
    assert [str(error) for error in followed.app.faults] == ["ours"]
    assert "failed (RuntimeError)" in followed.app.told.messages[-1]
    assert not followed.file.disk_state.reading


@pytest.mark.parametrize(("answer", "expected"), [("discard", THEIRS), ("stay", b'{"name": "mine"}\n')])
def test_a_reload_asks_before_it_discards(followed: Followed, answer: str, expected: bytes) -> None:
    followed.edit()
    followed.path.write_bytes(THEIRS)
    followed.disk.reload()
    ((dialog, answered),) = followed.app.asked
    assert isinstance(dialog, QuestionDialog)
    answered(answer)
    followed.work()
    assert followed.text == expected


def test_a_reload_does_not_ask_where_a_save_writes_everything(
    followed: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed.edit()
    monkeypatch.setattr(followed.file.saver, "saves_everything", lambda: True)
    followed.disk.reload()
    assert followed.app.asked == []
