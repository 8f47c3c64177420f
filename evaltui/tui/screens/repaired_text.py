"""The text of a file that is not JSON, during its repair, with undo."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaltui.document.disk.file_replacement import Saved
from evaltui.document.positions import TextRange, text_ranges_of
from evaltui.document.sequence_diff import shared_length
from evaltui.json_repair.faults import SyntaxFault
from evaltui.json_repair.repair import syntax_faults
from evaltui.tui.messages import sentences
from evaltui.tui.open_file.saver import EditedText, SaveJob

if TYPE_CHECKING:
    from textual.screen import Screen

    from evaltui.tui.open_file.open_file import OpenFile

_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class PlacedFaults:
    """The faults of a text in order, each with its place."""

    faults: Sequence[SyntaxFault] = ()
    places: Sequence[TextRange] = ()
    """The place of each fault. Columns do not count a byte order mark."""
    line_starts: Sequence[int] = (0,)
    """The offsets at which the lines of the text begin."""


def faults_of(text: bytes) -> PlacedFaults:
    """Find all faults of a text. It can take a second, so call it in a thread for long texts."""
    faults = syntax_faults(text)
    before = len(_MARK) if text.startswith(_MARK) else 0
    spans = [(max(0, fault.start - before), max(0, fault.end - before)) for fault in faults]
    places = text_ranges_of(text[before:], set(spans))
    starts = [0, *(found.end() for found in re.finditer(b"\n", text))]
    return PlacedFaults(faults, [places[span] for span in spans], starts)


@dataclass(frozen=True, slots=True)
class _Step:
    """A change of the text, with the old and the new bytes."""

    start: int
    old: bytes
    new: bytes
    label: str


class RepairedText(EditedText):
    """Text that is not valid JSON yet. It changes only in memory until it is saved, and not during a save.

    A UTF-8 byte order mark is part of the text: google-adk rejects it, so a fix may delete it.
    """

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file)
        document = file.document
        self._encoding = document.encoding
        self._has_mark = self._encoding.mark == _MARK
        self.text = (_MARK if self._has_mark else b"") + document.body()
        self._done: list[_Step] = []
        self._undone: list[_Step] = []
        self._saved_at: _Step | None = None

    @property
    def is_changed(self) -> bool:
        """Whether it differs from the file."""
        return (self._done[-1] if self._done else None) is not self._saved_at

    @property
    def steps(self) -> int:
        """The number of steps that can be undone."""
        return len(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether a step can be redone."""
        return bool(self._undone)

    def to_bytes(self) -> bytes:
        """The bytes that a save writes."""
        return self.text if self._has_mark else self._encoding.to_file(self.text)

    # --- saving ----------------------------------------------------------------------------------------------

    def would_lose(self) -> bool:
        """Whether leaving now would lose a fix."""
        return self.is_changed

    def removes_theirs(self) -> bool:
        """False: the text is that of the file, with the fixes."""
        return False

    def nothing_to_save(self) -> str:
        """A sentence about why there is nothing to save; "" if there is something."""
        return "" if self.is_changed else "Nothing to save: no fix was applied."

    def job(self) -> SaveJob:
        """The save of the current text."""
        document, data, expected = self.file.document, self.to_bytes(), self.file.document.on_disk

        def done(saved: Saved) -> str:
            document.mark_saved(saved, document.history.point())
            self._saved_at = self._done[-1] if self._done else None
            return sentences(f"Saved {self.file.file_name} (not valid JSON yet)", saved.remarks)

        return SaveJob(lambda: document.write(data, expected), done, lambda: True)

    def loss(self) -> str:
        """A clause about the fixes that would be lost."""
        return f"fixes are not saved ({self.steps} step{'s' * (self.steps != 1)})"

    def nothing_unsaved(self) -> str:
        """A sentence if there are no unsaved changes; else ""."""
        return "" if self.is_changed else "No unsaved changes: no fix was applied."

    def unsaved_screen(self) -> Screen[None]:
        """The screen with the changes of the fixes."""
        from evaltui.tui.screens.diff_screens import UnsavedScreen

        return UnsavedScreen(self.file.file_name, self.file.document.base, self.to_bytes(), ())

    # --- steps -----------------------------------------------------------------------------------------------

    def become(self, text: bytes, label: str) -> None:
        """Replace the text, as one step. Undo keeps only the bytes that differ."""
        start = shared_length(self.text, text)
        end = shared_length(self.text[start:][::-1], text[start:][::-1])
        old, new = self.text[start : len(self.text) - end], text[start : len(text) - end]
        self._done.append(_Step(start, old, new, label))
        self._undone.clear()
        self.text = text

    def undo(self) -> str:
        """Undo the last step; returns its label, "" if there is none."""
        if not self._done:
            return ""
        step = self._done.pop()
        self._undone.append(step)
        self.text = self.text[: step.start] + step.old + self.text[step.start + len(step.new) :]
        return step.label

    def redo(self) -> str:
        """Redo the last undone step; returns its label, "" if there is none."""
        if not self._undone:
            return ""
        step = self._undone.pop()
        self._done.append(step)
        self.text = self.text[: step.start] + step.new + self.text[step.start + len(step.old) :]
        return step.label
