"""Broken text that is repaired, as the text that a `Saver` writes."""

from __future__ import annotations

from textual.screen import Screen

from evaltui.document.file_replacement import Saved
from evaltui.tui.editor.ports import SaveJob
from evaltui.tui.session.repaired_text import RepairedText
from evaltui.tui.session.session import Session


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
        """What the fixes change."""
        from evaltui.tui.screens.unsaved_screen import UnsavedScreen

        return UnsavedScreen(self._session.file_name, self._session.document.base, self._repaired.to_bytes(), ())
