"""The text of a file that is not JSON, during its repair: its faults with their places, and undo."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from evaltui.document.disk.file_replacement import Saved
from evaltui.document.positions import TextRange, text_ranges_of
from evaltui.document.sequence_diff import shared_length
from evaltui.document.strings import encode_file
from evaltui.json_repair.faults import SyntaxFault
from evaltui.json_repair.repair import syntax_faults
from evaltui.tui.lines import counted
from evaltui.tui.messages import sentences
from evaltui.tui.open_file.saver import EditedText, SaveJob

if TYPE_CHECKING:
    from textual.screen import Screen

    from evaltui.tui.open_file.open_file import OpenFile

_MARK = b"\xef\xbb\xbf"


def faults_of(text: bytes) -> tuple[dict[SyntaxFault, TextRange], list[int]]:
    """The faults of a text in order, with their places, and the offsets at which its lines begin.

    Columns do not count a byte order mark. To find them can take a second: do it in a thread for long texts.
    """
    mark_size = len(_MARK) if text.startswith(_MARK) else 0
    spans = {fault: (max(0, fault.start - mark_size), max(0, fault.end - mark_size)) for fault in syntax_faults(text)}
    places = text_ranges_of(text[mark_size:], set(spans.values()))
    starts = [0, *(newline.end() for newline in re.finditer(b"\n", text))]
    return {fault: places[span] for fault, span in spans.items()}, starts


_Step = tuple[int, bytes, bytes, str]
"""A change of the text that can be made: its start, the old and the new bytes there, and its label."""


class RepairedText(EditedText):
    """Text that is not valid JSON yet. It changes only in memory until it is saved, and not during a save."""

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file)
        self._encoding = file.document.encoding
        # A UTF-8 byte order mark is part of the text: google-adk rejects it, so a fix may delete it.
        self._has_mark = self._encoding == "utf-8-sig"
        self.text = self._saved = (_MARK if self._has_mark else b"") + file.document.body()
        # A file may have megabytes, and a fix changes a few bytes: a step has only these.
        self.undo_steps: list[_Step] = []
        self.redo_steps: list[_Step] = []

    @property
    def is_changed(self) -> bool:
        """Whether it differs from the file."""
        return self.text != self._saved

    def to_bytes(self) -> bytes:
        """The bytes that a save writes."""
        return self.text if self._has_mark else encode_file(self.text, self._encoding)

    def would_lose(self) -> bool:
        """Whether leaving now would lose a fix."""
        return self.is_changed

    def nothing_to_save(self) -> str:
        """A sentence about why there is nothing to save; "" if there is something."""
        return "" if self.is_changed else "Nothing to save: no fix was applied."

    def job(self) -> SaveJob:
        """The save of the current text."""
        document, data, expected = self.file.document, self.to_bytes(), self.file.document.on_disk

        def done(saved: Saved) -> str:
            digest, remarks = saved
            document.mark_saved(data, document.history.point(), digest)
            self._saved = self.text
            return sentences(f"Saved {self.file.file_name} (not valid JSON yet)", remarks)

        return SaveJob(lambda: document.write(data, expected), done, lambda: True)

    def loss(self) -> str:
        """A sentence about the fixes, or the undo of saved ones, that leaving would lose."""
        steps = len(self.undo_steps)
        lost = f"fixes are not saved ({counted(steps, 'step')})" if steps else "the undo of saved fixes is not saved"
        return f"{self.file.file_name}: {lost}."

    def nothing_unsaved(self) -> str:
        """A sentence if there are no unsaved changes; else ""."""
        return "" if self.is_changed else "No unsaved changes: no fix was applied."

    def unsaved_screen(self) -> Screen[None]:
        """The screen with the changes of the fixes."""
        from evaltui.tui.screens.diff_screens import UnsavedScreen

        return UnsavedScreen(self.file.file_name, self.file.document.base, self.to_bytes(), ())

    def become(self, text: bytes, label: str) -> None:
        """Replace the text, as one step."""
        start = shared_length(self.text, text)
        end = shared_length(self.text[start:][::-1], text[start:][::-1])
        self.redo_steps = [(start, self.text[start : len(self.text) - end], text[start : len(text) - end], label)]
        self.step("redo")
        self.redo_steps.clear()

    def step(self, way: Literal["undo", "redo"]) -> str:
        """Undo the last step, or redo the one undone last; returns its label, "" if there is none."""
        steps, reverse_steps = self.undo_steps, self.redo_steps
        if way == "redo":
            steps, reverse_steps = reverse_steps, steps
        if not steps:
            return ""
        start, old, new, label = steps.pop()
        self.text = self.text[:start] + new + self.text[start + len(old) :]
        reverse_steps.append((start, new, old, label))
        return label
