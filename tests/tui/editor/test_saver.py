"""The saver and the guard at the exit, on screens and threads that do as they are told."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from textual.screen import Screen

from evaltui.document.disk.file_replacement import Saved
from evaltui.document.document import Document
from evaltui.document.errors import ChangedOnDiskError, SaveError
from evaltui.tui.base_app import OpenNext
from evaltui.tui.editor.exit_guard import ExitGuard
from evaltui.tui.editor.saver import SaveEnd, SaveJob, Saver
from evaltui.tui.session.session import READ_ONLY, Session

Dialog = tuple[Screen[Any], Callable[[Any], None]]


@dataclass
class Stage:
    """Screens that keep what is said, and a thread that works when it is told to."""

    said: list[str] = field(default_factory=list)
    waiting: list[Callable[[], None]] = field(default_factory=list)
    asked: list[Dialog] = field(default_factory=list)
    left: list[OpenNext | None] = field(default_factory=list)
    inputs: int = 1
    is_free: bool = True
    has_waiting_input: bool = False
    came_from_list: bool = False

    def tell(self, said: str | None) -> None:
        self.said += [said] if said is not None else []

    say = tell

    def start(self, _: str, work: Callable[[], Any], done: Callable[[Any], None], failed: Callable[..., None]) -> None:
        def run() -> None:
            try:
                result = work()
            except Exception as error:
                failed(error)
            else:
                done(result)

        self.waiting.append(run)

    def work(self) -> None:
        """The thread does what it was given first."""
        self.waiting.pop(0)()

    def ask(self, dialog: Screen[Any], answered: Callable[[Any], None]) -> None:
        self.asked.append((dialog, answered))

    def write_typed(self) -> None:
        pass

    def leave(self, following: OpenNext | None) -> None:
        self.left.append(following)


@dataclass
class Text:
    """A text of which each edit counts, and a disk that may refuse it."""

    edits: int = 1
    written: int = 0
    theirs: bool = False
    error: Exception | None = None

    @property
    def is_changed(self) -> bool:
        return self.edits > self.written

    def nothing_to_save(self) -> str:
        return "" if self.is_changed else "Nothing to save."

    def removes_theirs(self) -> bool:
        return self.theirs

    def job(self) -> SaveJob:
        edits = self.edits

        def write() -> Saved:
            if self.error is not None:
                raise self.error
            return Saved(b"")

        def done(_: Saved) -> str:
            self.written = edits
            return f"saved {edits}"

        return SaveJob(write, done, lambda: edits == self.edits)

    def would_lose(self) -> bool:
        return self.is_changed

    def loss(self) -> str:
        return "something"

    def nothing_unsaved(self) -> str:
        return "" if self.is_changed else "No unsaved changes."

    def unsaved_screen(self) -> Screen[None]:
        return Screen()


@dataclass
class Desk:
    """A saver with all that is around it."""

    stage: Stage = field(default_factory=Stage)
    text: Text = field(default_factory=Text)
    ends: list[SaveEnd] = field(default_factory=list)
    overwrites: list[Callable[[], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.session = Session(Document(b"{}"))
        self.saver = Saver(self.session, self.text, self.stage, self.overwrites.append)
        self.guard = ExitGuard(self.session, self.text, self.saver, self.stage)
        self.saver.on_end = (self.ends.append, self.guard.save_ended)


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_save_that_is_asked_for_during_another_writes_what_came_since(desk: Desk) -> None:
    desk.saver.save()
    desk.text.edits = 2
    desk.saver.save()
    assert len(desk.stage.waiting) == 1
    desk.stage.work()
    desk.stage.work()
    assert desk.stage.said == ["saved 1", "saved 2"]
    assert not desk.stage.waiting
    assert not desk.session.saving


def test_nothing_is_written_again_where_nothing_came_since(desk: Desk) -> None:
    desk.saver.save()
    desk.saver.save()
    desk.stage.work()
    assert desk.stage.said == ["saved 1"]
    assert not desk.stage.waiting


def test_a_save_that_fails_ends_the_ones_that_wait_behind_it(desk: Desk) -> None:
    desk.text.error = SaveError("disk full")
    desk.saver.save()
    desk.text.edits = 2
    desk.saver.save(then=lambda: desk.stage.leave(None))
    desk.stage.work()
    assert desk.stage.said[0].startswith("NOT SAVED: disk full")
    assert not desk.stage.waiting
    assert not desk.stage.left


def test_who_follows_the_disk_hears_that_a_save_was_refused_for_it(desk: Desk) -> None:
    desk.text.error = ChangedOnDiskError("changed on disk")
    desk.saver.save()
    desk.stage.work()
    assert [(end.is_saved, end.was_refused) for end in desk.ends] == [(False, True)]


def test_a_fault_of_our_own_is_said_and_saving_works_again(desk: Desk) -> None:
    desk.text.error = RuntimeError("oops")
    desk.saver.save()
    desk.stage.work()
    assert "NOT SAVED: writing failed (RuntimeError: oops)" in desk.stage.said[0]
    desk.text.error = None
    desk.saver.save()
    desk.stage.work()
    assert desk.stage.said[1:] == ["saved 1"]


def test_changes_of_others_are_asked_about_and_the_answer_goes_on(desk: Desk) -> None:
    desk.text.theirs = True
    desk.saver.save(then=lambda: desk.stage.leave(None))
    assert not desk.stage.waiting
    desk.overwrites[0]()
    desk.stage.work()
    assert desk.stage.said == ["saved 1"]
    assert desk.stage.left == [None]


def test_a_file_that_is_only_looked_at_is_not_written(desk: Desk) -> None:
    desk.session.readonly = True
    desk.saver.save()
    assert desk.stage.said == [READ_ONLY]
    assert not desk.stage.waiting


def test_leaving_waits_for_the_save_that_runs(desk: Desk) -> None:
    desk.saver.save()
    desk.guard.leave(OpenNext())
    assert not desk.stage.left
    assert desk.stage.said[-1].startswith("Opens the list after the save.")
    desk.stage.work()
    assert desk.stage.left == [OpenNext()]


def test_a_second_key_asks_at_once(desk: Desk) -> None:
    desk.saver.save()
    desk.guard.leave(None)
    desk.guard.leave(None)
    assert len(desk.stage.asked) == 1
    desk.stage.work()
    assert not desk.stage.left


@pytest.mark.parametrize(("keys", "dialogs"), [(0, 1), (1, 0)])
def test_where_the_save_fails_a_question_comes_unless_the_person_has_gone_on(
    desk: Desk, keys: int, dialogs: int
) -> None:
    desk.text.error = SaveError("disk full")
    desk.saver.save()
    desk.guard.leave(None)
    desk.stage.inputs += keys
    desk.stage.work()
    assert len(desk.stage.asked) == dialogs
    assert not desk.stage.left


def test_the_answer_to_save_leaves_once_all_is_written(desk: Desk) -> None:
    desk.guard.leave(None)
    desk.stage.asked[0][1]("save")
    assert not desk.stage.left
    desk.stage.work()
    assert desk.stage.left == [None]
    assert [end.leaves for end in desk.ends] == [True]
