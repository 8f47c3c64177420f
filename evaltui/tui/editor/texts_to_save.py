"""The texts that a `Saver` writes: the document that is edited, or broken text that is repaired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import Screen

from evaltui.document.disk.file_replacement import Saved
from evaltui.tui.editor.ports import SaveJob
from evaltui.tui.session.session import Session

if TYPE_CHECKING:
    from evaltui.tui.session.repaired_text import RepairedText


class EditedText:
    """The document of a session, with the drafts that a save leaves out."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def is_changed(self) -> bool:
        """Whether the document differs from what was saved last."""
        return self._session.document.is_dirty

    def nothing_to_save(self) -> str:
        """Why nothing needs to be saved, a sentence; "" where something does."""
        document = self._session.document
        is_wanted = document.is_dirty or document.is_new or self._session.disk.is_lost
        if document.root is not None and (is_wanted or document.differs_from_disk()):
            return ""
        drafts = self._session.drafts.said()
        return f"Nothing to save: {drafts}" if drafts else "Nothing to save."

    def removes_theirs(self) -> bool:
        """Whether a save takes changes of others out of the file."""
        return self._session.document.lacks_theirs

    def job(self) -> SaveJob:
        """The save of the present text; the journal is told of it first."""
        document = self._session.document
        document.history.settle()
        data, expected, point = document.to_bytes(), document.on_disk, document.history.point()
        moves = document.history.moves
        prepare = self._session.before_save(data)

        def write() -> Saved:
            prepare()
            return document.write(data, expected)

        def done(saved: Saved) -> str:
            document.mark_saved(saved, point)
            self._session.disk.trouble, self._session.disk.is_lost = "", False
            remarks = [f"saved {self._session.file_name}", *saved.remarks, self._session.drafts.said()]
            return " · ".join(filter(None, remarks))

        return SaveJob(write, done, lambda: moves == document.history.moves)

    def would_lose(self) -> bool:
        """Whether leaving now loses something."""
        return self._session.has_unsaved or self._session.document.differs_from_disk()

    def loss(self) -> str:
        """Nothing but what the session says."""
        return ""

    def nothing_unsaved(self) -> str:
        """The sentence of a text without unsaved changes; "" where there are some."""
        return "" if self._session.has_unsaved else "There are no unsaved changes."

    def unsaved_screen(self) -> Screen[None]:
        """The difference to the file, and the drafts."""
        from evaltui.tui.screens.diff_screens import UnsavedScreen

        document, drafts = self._session.document, [draft for _, draft in self._session.drafts.live()]
        before = None if document.is_new else document.base
        return UnsavedScreen(self._session.file_name, before, document.to_bytes(), drafts)


class TextToRepair:
    """The text of a file that is not JSON. Nothing changes it while a save runs."""

    def __init__(self, session: Session, repaired: RepairedText) -> None:
        self._session = session
        self._repaired = repaired

    @property
    def is_changed(self) -> bool:
        """Whether fixes were applied since the last save."""
        return self._repaired.is_changed

    def nothing_to_save(self) -> str:
        """Why nothing needs to be saved, a sentence; "" where something does."""
        return "" if self._repaired.is_changed else "Nothing to save: no fix was applied."

    def removes_theirs(self) -> bool:
        """Never: a file that others changed is not written at all."""
        return False

    def job(self) -> SaveJob:
        """The save of the present text."""
        document, data = self._session.document, self._repaired.to_bytes()
        expected = document.on_disk

        def done(saved: Saved) -> str:
            document.mark_saved(saved, document.history.point())
            self._repaired.mark_saved()
            return " · ".join([f"saved {self._session.file_name}, which is not JSON yet", *saved.remarks])

        return SaveJob(lambda: document.write(data, expected), done, lambda: True)

    def would_lose(self) -> bool:
        """Whether leaving now loses fixes."""
        return self._repaired.is_changed

    def loss(self) -> str:
        """How many fixes leaving loses."""
        steps = self._repaired.steps
        return f"fixes are not saved ({steps} step{'s' * (steps != 1)})"

    def nothing_unsaved(self) -> str:
        """The sentence of a text without unsaved changes; "" where there are some."""
        return "" if self._repaired.is_changed else "There are no unsaved changes: no fix was applied."

    def unsaved_screen(self) -> Screen[None]:
        """Changes that the fixes make."""
        from evaltui.tui.screens.diff_screens import UnsavedScreen

        return UnsavedScreen(self._session.file_name, self._session.document.base, self._repaired.to_bytes(), ())
