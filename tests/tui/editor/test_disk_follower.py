"""The follower of the file on disk, on screens and threads that do as they are told."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from textual.message import Message

from evaltui.document.disk.file_replacement import Saved
from evaltui.document.document import Document
from evaltui.document.edits import Set
from evaltui.tui.editor.disk_follower import DiskFollower, DiskTouched
from evaltui.tui.editor.saver import SaveEnd, SaveJob
from evaltui.tui.screens.questions import QuestionDialog
from evaltui.tui.session.session import Session
from tests.tui.editor.test_saver import Stage

TEXT, THEIRS = b'{"name": "one"}\n', b'{"name": "two"}\n'


@dataclass
class DiskStage(Stage):
    """Screens on which a field may be edited."""

    may_move: bool = True
    posted: list[Message] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)

    def post(self, message: Message) -> None:
        self.posted.append(message)

    def note_fault(self, error: Exception) -> None:
        self.faults.append(error)


@dataclass
class Followed:
    """A file, what is open of it, and what was shown of it."""

    path: Path
    session: Session
    stage: DiskStage
    disk: DiskFollower
    shown: list[str]

    @property
    def text(self) -> bytes:
        return self.session.document.to_bytes()

    def touch(self, data: bytes) -> None:
        """Somebody else writes the file, and it is looked at."""
        self.path.write_bytes(data)
        self.disk.look()

    def edit(self) -> None:
        self.session.document.apply([Set("/name", b'"mine"')], "edit name")

    def end_save(self) -> None:
        """A save of the text ends, and has written nothing."""
        self.session.saving = False
        job = SaveJob(lambda: Saved(b""), lambda _: "", lambda: False)
        self.disk.save_ended(SaveEnd(is_saved=False, said="", job=job, leaves=False, was_refused=False))

    def work(self) -> None:
        """Threads do what they were given, until nothing is left to do."""
        while self.stage.waiting:
            self.stage.work()


@pytest.fixture
def followed(tmp_path: Path) -> Followed:
    path = tmp_path / "a.json"
    path.write_bytes(TEXT)
    session, stage, shown = Session(Document.open(path)), DiskStage(), []
    return Followed(path, session, stage, DiskFollower(session, stage, shown.append, lambda: None), shown)


def test_a_changed_file_is_read_by_a_thread_and_shown_once(followed: Followed) -> None:
    followed.touch(THEIRS)
    assert followed.text == TEXT
    followed.work()
    assert (followed.text, len(followed.shown), followed.session.disk.trouble) == (THEIRS, 1, "")


def test_while_a_field_is_edited_the_news_waits(followed: Followed) -> None:
    followed.stage.may_move = False
    followed.touch(THEIRS)
    followed.work()
    assert (followed.text, followed.session.disk.trouble) == (TEXT, "changed on disk")
    followed.disk.look_if_waiting()
    assert followed.stage.posted == []
    followed.stage.may_move = True
    followed.disk.look_if_waiting()
    assert [type(message) for message in followed.stage.posted] == [DiskTouched]


def test_a_file_touched_during_a_save_is_looked_at_after_it(followed: Followed) -> None:
    followed.session.saving = True
    followed.touch(THEIRS)
    assert followed.stage.waiting == []
    followed.end_save()
    followed.work()
    assert followed.text == THEIRS


def test_what_was_read_while_a_save_came_in_between_is_read_again(followed: Followed) -> None:
    followed.touch(THEIRS)
    followed.session.saving = True
    followed.work()
    assert (followed.text, followed.shown) == (TEXT, [])
    followed.end_save()
    followed.work()
    assert followed.text == THEIRS


def test_a_file_that_is_gone_leaves_the_text_in_memory(followed: Followed) -> None:
    followed.path.unlink()
    followed.disk.look()
    followed.work()
    assert (followed.text, followed.session.disk.trouble, followed.session.disk.is_lost) == (
        TEXT,
        "gone from disk",
        True,
    )


def test_a_fault_of_our_own_ends_nothing(followed: Followed, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: Path) -> bytes:
        raise RuntimeError("ours")

    monkeypatch.setattr("evaltui.tui.editor.disk_follower.read_settled", fails)
    followed.touch(THEIRS)
    followed.work()
    assert [str(error) for error in followed.stage.faults] == ["ours"]
    assert "failed (RuntimeError)" in followed.stage.said[-1]
    assert not followed.session.disk.reading


@pytest.mark.parametrize(("answer", "expected"), [("discard", THEIRS), ("stay", b'{"name": "mine"}\n')])
def test_a_reload_asks_before_it_discards(followed: Followed, answer: str, expected: bytes) -> None:
    followed.edit()
    followed.path.write_bytes(THEIRS)
    followed.disk.reload()
    ((dialog, answered),) = followed.stage.asked
    assert isinstance(dialog, QuestionDialog)
    answered(answer)
    followed.work()
    assert followed.text == expected


def test_a_reload_does_not_ask_where_a_save_writes_everything(followed: Followed) -> None:
    followed.edit()
    followed.disk.saves_everything = lambda: True
    followed.disk.reload()
    assert followed.stage.asked == []
