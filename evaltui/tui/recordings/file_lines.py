"""Lines of the files that recordings come from: format, conversations, age and origin."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from rich.cells import cell_len

from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.lines import ERROR, FILL, NOT_EVALUATED, PASSED, WARNING, Line, cut_in_the_middle
from evaltui.tui.recordings.recording_files import RecordingFile
from evaltui.tui.recordings.recording_words import FORMATS, ORIGINS, ago_text
from evaltui.tui.screens.list_screen import EntryColumns

_SHORTEST_NAME, _LONGEST_NAME = 16, 44
_AGE = 10
_AROUND = 14
"""Cells of the cursor, the mark, the gaps between the columns, and the right edge."""


class FileLines(EntryColumns[RecordingFile]):
    """Draws the lines of files."""

    is_filtered = False
    """Whether a filter is on: an empty list then does not mean that there are no files."""

    def __init__(self, progress: Callable[[], str]) -> None:
        """`progress` gives how far a first run is; "" after it."""
        self._progress = progress
        self._kind = self._matched = self._origin = 0
        """Cells of the columns."""

    def measure(self, entries: Sequence[RecordingFile]) -> None:
        """Take the longest texts; the name gets the rest."""
        self._kind = max((cell_len(_kind(each)) for each in entries), default=0)
        self._matched = max((len(_matched(each)) for each in entries), default=0)
        self._origin = max((len(ORIGINS[each.source.origin]) for each in entries), default=0)

    def identity(self, entry: RecordingFile) -> object:
        """Its path."""
        return entry.source.path

    def empty_line(self) -> Line:
        """The key that adds a file, or the one that clears the filter."""
        if progress := self._progress():
            return [(progress, "dim")]
        if self.is_filtered:
            return [(f"No file matches the filter. Press {key_of('picker.leave')} to clear the filter.", "dim")]
        return [(f"No recordings. Press {key_of('recordings.add')} to add a file or a folder.", "dim")]

    def line(self, entry: RecordingFile, width: int) -> Line:
        """Mark, name, format, matched conversations, age and origin."""
        source = entry.source
        beside = self._kind + self._matched + _AGE + self._origin + _AROUND
        room = max(_SHORTEST_NAME, min(_LONGEST_NAME, width - beside))
        name = cut_in_the_middle(entry.name, room)
        behind: Line = [("", FILL), (f"  {ORIGINS[source.origin]:<{self._origin}} ", "dim")]
        if entry.is_dropped:
            back = key_of("recordings.restore")
            return [NOT_EVALUATED, (name, "dim"), (f"  dropped; press {back} to restore", "dim"), *behind]
        if source.recording is None:
            why = printable(source.trouble.removeprefix(f"{source.path}: ").removeprefix(f"{source.path}:"))
            return [ERROR, (name, "name"), (f"  {why or 'reading …'}", "prose"), *behind]
        total = len(entry.conversations)
        mark = WARNING if source.trouble or source.recording.warnings or entry.matched < total else PASSED
        blanks = " " * max(0, room - cell_len(name))
        age = ago_text(entry.recorded_at, time.time())
        content = (f"  {_kind(entry):<{self._kind}}  {_matched(entry):<{self._matched}}", "")
        whence = (f"  {age:>{_AGE}}  {ORIGINS[source.origin]:<{self._origin}} ", "dim")
        return [mark, (name + blanks, "name"), content, ("", FILL), whence]


def _kind(entry: RecordingFile) -> str:
    """The format; "" if the file is not read."""
    recording = entry.source.recording
    return FORMATS.get(recording.format, recording.format) if recording is not None else ""


def _matched(entry: RecordingFile) -> str:
    return f"{entry.matched:,} of {len(entry.conversations):,} matched" if entry.source.recording is not None else ""
