"""Lines of the files that recordings come from: format, conversations, age and origin."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rich.cells import cell_len

from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.lines import FILL, Line
from evaltui.tui.marks import ERROR, NOT_EVALUATED, PASSED, WARNING
from evaltui.tui.panes.score_lines import cut_in_the_middle
from evaltui.tui.recordings.recording_words import FORMATS, ORIGINS, ago_text
from evaltui.tui.session.recording_files import RecordingFile

_SHORTEST_NAME, _LONGEST_NAME = 16, 44
_BESIDE_NAME = 57
"""Cells of the columns beside the name."""


class FileLines:
    """Draws the lines of files."""

    place = "recordings"
    is_filtered = False
    """Whether a filter is on: an empty list then does not mean that there are no files."""

    def measure(self, _: Sequence[RecordingFile]) -> None:
        """Do nothing: the columns follow from the width of the list."""

    def identity(self, entry: RecordingFile) -> object:
        """Its path."""
        return entry.source.path

    def none_line(self) -> Line:
        """The key that adds a file, or the one that clears the filter."""
        if self.is_filtered:
            return [(f"No file matches the filter. Press {key_of('picker.leave')} to clear the filter.", "dim")]
        return [(f"No recordings. Press {key_of('recordings.add')} to add a file or a folder.", "dim")]

    def entry_line(self, entry: RecordingFile, width: int) -> Line:
        """Mark, name, format, matched conversations, age and origin."""
        source = entry.source
        room = max(_SHORTEST_NAME, min(_LONGEST_NAME, width - _BESIDE_NAME))
        name = cut_in_the_middle(entry.name, room)
        behind: Line = [("", FILL), (f"  {ORIGINS[source.origin]:<8} ", "dim")]
        if entry.is_dropped:
            back = key_of("recordings.restore")
            return [NOT_EVALUATED, (name, "dim"), (f"  dropped; press {back} to restore", "dim"), *behind]
        if source.recording is None:
            why = printable(source.trouble.removeprefix(f"{source.path}: ").removeprefix(f"{source.path}:"))
            return [ERROR, (name, "name"), (f"  {why or 'reading …'}", ""), *behind]
        total = len(entry.conversations)
        mark = WARNING if source.trouble or source.recording.warnings or entry.matched < total else PASSED
        kind = FORMATS.get(source.recording.format, source.recording.format)
        blanks = " " * max(0, room - cell_len(name))
        age = ago_text(entry.recorded_at, time.time())
        matched = f"{entry.matched:,} of {total:,} matched"
        content = (f"  {kind:<10}  {matched:<16}", "")
        whence = (f"  {age:>10}  {ORIGINS[source.origin]:<8} ", "dim")
        return [mark, (name + blanks, "name"), content, ("", FILL), whence]
