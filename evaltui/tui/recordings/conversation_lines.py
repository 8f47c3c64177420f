"""Lines of the conversations of a recording: first words, turns, and the case or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from evaltui.evalset.titles import case_title
from evaltui.printable import one_line, printable
from evaltui.report.scores_text import date_text
from evaltui.tui.commands import key_of
from evaltui.tui.lines import FILL, NOT_EVALUATED, PASSED, WARNING, Line, cut_in_the_middle, preview
from evaltui.tui.recordings.recording_files import MATCHED_BY, RecordingFile, RecordingFiles, first_words
from evaltui.tui.recordings.recording_words import counted, run_text
from evaltui.tui.screens.list_screen import EntryColumns

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Conversation

_LONGEST_ID, _SHORT_ID = 24, 12
_WIDE = 100
"""The least width, in cells, with room for longer texts."""
_WORDS, _LONGEST_WORDS, _FEW_WORDS = 24, 80, 22
"""The fewest and most cells of the first words in a wide list, and their most cells in a narrow one."""
_BESIDE_WORDS = 56 + 48
"""Cells of the columns before the first words, and the room that the case or reason behind them gets."""
_SOME = 200
"""The number of first conversations that are measured for the widths of their columns."""


class ConversationLines(EntryColumns["Conversation"]):
    """Draws the lines of conversations."""

    def __init__(self, files: Callable[[], RecordingFiles]) -> None:
        """`files` knows the case of each conversation."""
        self._files = files
        self._id_width = self._words_width = 0
        self.is_dropped = False
        """Whether the file is dropped."""
        self.if_none = ""
        """Why the list is empty, and the key that helps."""

    def take_up(self, file: RecordingFile, *, query: str, is_unmatched_only: bool) -> None:
        """Draw the conversations of this file from now on; `query` is the filter."""
        self.is_dropped, back = file.is_dropped, key_of("picker.leave")
        if query:
            self.if_none = f"No conversation matches the filter. Press {back} to clear the filter."
        elif file.source.recording is None:
            restore = f"Press {back}, then {key_of('recordings.restore')} to restore the file."
            self.if_none = printable(file.source.trouble) or f"This file is dropped and not read. {restore}"
        elif is_unmatched_only and file.conversations:
            self.if_none = f"All conversations have a case. Press {key_of('conversations.unmatched')} to show them."
        else:
            self.if_none = f"This file has no conversations. Press {back} to go back to the files."

    def measure(self, entries: Sequence[Conversation]) -> None:
        """Measure the columns of ids and first words."""
        widths = (cell_len(one_line(each.id, _LONGEST_ID)) for each in entries[:_SOME])
        self._id_width = min(_LONGEST_ID, max(widths, default=0))
        self._words_width = max((cell_len(_words(each, _LONGEST_WORDS)) for each in entries[:_SOME]), default=0)

    def identity(self, entry: Conversation) -> object:
        """Its path and id."""
        return entry.key

    def empty_line(self) -> Line:
        """Why the list is empty."""
        return [(self.if_none, "dim")]

    def line(self, entry: Conversation, width: int) -> Line:
        """Mark, id, turns, time if it fits, first words, and the case with the way it was matched."""
        is_wide = width >= _WIDE
        id_width = min(self._id_width, _LONGEST_ID if is_wide else _SHORT_ID)
        id_ = cut_in_the_middle(one_line(entry.id), id_width)
        room = max(_WORDS, min(_LONGEST_WORDS, width - _BESIDE_WORDS)) if is_wide else _FEW_WORDS
        words = _words(entry, room)
        blanks = " " * (min(room, self._words_width) - cell_len(words))
        start: Line = [
            (id_ + " " * max(0, id_width - cell_len(id_)), "name"),
            (f"  {counted(len(entry.turns), 'turn'):<8}", "dim"),
            (f"  {_time(entry):<16}" if is_wide else "", "dim"),
            (f"  {words}{blanks}", "dim"),
        ]
        if self.is_dropped:
            return [NOT_EVALUATED, *start]
        found = self._files().belonging(entry)
        if found is None:
            return [WARNING, *start, ("  ", ""), (printable(self._files().reason(entry) or "not matched yet"), "prose")]
        case = self._files().case_of(entry)
        title = cut_in_the_middle(case_title(case), 40 if is_wide else 22) if case is not None else "deleted case"
        runs = f"  {run_text(found.run_number, found.runs)}" if found.runs > 1 else ""
        how = f"  {MATCHED_BY[found.matched_by]}" if is_wide else ""
        return [PASSED, *start, ("", FILL), ("  → ", "dim"), (title, ""), (f"{how}{runs} ", "dim")]


def _words(conversation: Conversation, room: int) -> str:
    return preview(first_words(conversation), room) or "no user message"


def _time(conversation: Conversation) -> str:
    at = conversation.recorded_at
    return date_text(at).removesuffix(" UTC") if at is not None else "time unknown"
