"""Saving and leaving, on screens and threads that do as they are told."""

import pytest
from textual.screen import Screen

from evaltui.document.disk.file_replacement import Saved
from evaltui.document.document import Document
from evaltui.document.errors import ChangedOnDiskError, SaveError
from evaltui.tui.base_app import OpenNext
from evaltui.tui.open_file.edited_document import READ_ONLY
from evaltui.tui.open_file.open_file import OpenFile
from evaltui.tui.open_file.saver import EditedText, SaveJob
from tests.tui.headless import HeadlessApp


class Text(EditedText):
    """A text of which each edit counts, and a disk that may refuse it."""

    edits = 1
    written = 0
    error: Exception | None = None

    @property
    def is_changed(self) -> bool:
        return self.edits > self.written

    def nothing_to_save(self) -> str:
        return "" if self.is_changed else "Nothing to save."

    def job(self) -> SaveJob:
        edits = self.edits

        def write() -> Saved:
            if self.error is not None:
                raise self.error
            return b"", ()

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


class Desk:
    """A saver with all that is around it."""

    def __init__(self) -> None:
        self.app = HeadlessApp()
        self.app.input_order.inputs = 1
        self.file = OpenFile(Document(b"{}"), self.app)
        self.text = self.file.text = Text(self.file)
        self.saver, self.leaving = self.file.saver, self.file.leaving

    @property
    def said(self) -> list[str]:
        return self.app.told.messages

    @property
    def ends(self) -> list[bool]:
        return self.app.told.ends


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_save_that_is_asked_for_during_another_writes_what_came_since(desk: Desk) -> None:
    desk.saver.save()
    desk.text.edits = 2
    desk.saver.save()
    assert len(desk.app.waiting) == 1
    desk.app.work()
    desk.app.work()
    assert desk.said == ["saved 1", "saved 2"]
    assert not desk.app.waiting
    assert not desk.file.saving


def test_nothing_is_written_again_where_nothing_came_since(desk: Desk) -> None:
    desk.saver.save()
    desk.saver.save()
    desk.app.work()
    assert desk.said == ["saved 1"]
    assert not desk.app.waiting


def test_a_save_that_fails_ends_the_ones_that_wait_behind_it(desk: Desk) -> None:
    desk.text.error = SaveError("disk full")
    desk.saver.save()
    desk.text.edits = 2
    desk.saver.save(follow_up=lambda: desk.app.exit(None))
    desk.app.work()
    assert desk.said[0].startswith("NOT SAVED: disk full")
    assert not desk.app.waiting
    assert not desk.app.left


def test_who_follows_the_disk_hears_that_a_save_was_refused_for_it(desk: Desk) -> None:
    desk.text.error = ChangedOnDiskError("changed on disk")
    desk.saver.save()
    desk.app.work()
    assert (desk.ends, len(desk.app.waiting)) == ([False], 1)  # to read the disk


def test_a_fault_of_our_own_is_said_and_saving_works_again(desk: Desk) -> None:
    desk.text.error = RuntimeError("oops")
    desk.saver.save()
    desk.app.work()
    assert "NOT SAVED: writing failed (RuntimeError: oops)" in desk.said[0]
    desk.text.error = None
    desk.saver.save()
    desk.app.work()
    assert desk.said[1:] == ["saved 1"]


def test_changes_of_others_are_asked_about_and_the_answer_goes_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Document, "lacks_theirs", True)
    desk.saver.save(follow_up=lambda: desk.app.exit(None))
    assert not desk.app.waiting
    desk.app.asked[0][1]("save")
    desk.app.work()
    assert desk.said == ["saved 1"]
    assert desk.app.left == [None]


def test_a_file_that_is_only_looked_at_is_not_written(desk: Desk) -> None:
    desk.file.readonly = True
    desk.saver.save()
    assert desk.said == [READ_ONLY]
    assert not desk.app.waiting


def test_leaving_waits_for_the_save_that_runs(desk: Desk) -> None:
    desk.saver.save()
    desk.leaving.leave(OpenNext())
    assert not desk.app.left
    assert desk.said[-1].startswith("Opens the list after the save.")
    desk.app.work()
    assert desk.app.left == [OpenNext()]


def test_a_second_key_asks_at_once(desk: Desk) -> None:
    desk.saver.save()
    desk.leaving.leave(None)
    desk.leaving.leave(None)
    assert len(desk.app.asked) == 1
    desk.app.work()
    assert not desk.app.left


@pytest.mark.parametrize(("keys", "dialogs"), [(0, 1), (1, 0)])
def test_where_the_save_fails_a_question_comes_unless_the_person_has_gone_on(
    desk: Desk, keys: int, dialogs: int
) -> None:
    desk.text.error = SaveError("disk full")
    desk.saver.save()
    desk.leaving.leave(None)
    desk.app.input_order.inputs += keys
    desk.app.work()
    assert len(desk.app.asked) == dialogs
    assert not desk.app.left


def test_the_answer_to_save_leaves_once_all_is_written(desk: Desk) -> None:
    desk.leaving.leave(None)
    desk.app.asked[0][1]("save")
    assert not desk.app.left
    desk.app.work()
    assert desk.app.left == [None]
    assert desk.ends == [True]
