"""Lines of conversations: tick, age, turns, first words, tools, and the case with the same user messages."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from evaltui.printable import one_line
from evaltui.report.changes_text import age_text
from evaltui.report.scores_text import date_text
from evaltui.tui.conversations.tick_marks import TICKED
from evaltui.tui.lines import ERROR, FILL, Line, cut_in_the_middle, preview
from evaltui.tui.panes.score_lines import recording_name
from evaltui.tui.recordings.found_conversations import FoundConversation, FoundConversations
from evaltui.tui.recordings.turn_ticks import TurnTicks
from evaltui.tui.screens.list_screen import EntryColumns

_FEW_WORDS, _WORDS, _MORE_WORDS, _MOST_WORDS = 12, 20, 30, 50
"""The least cells of the first words before the case and turns, any other column, the user, and dates are shown."""
_TOOLS, _NAME = 26, 12
"""The most cells of a column; one with shorter texts is narrower."""
_KNOWN, _SHORT_KNOWN, _SHORTEST_KNOWN = 20, 14, 10
"""The most cells of the id of a case: in a wide list, in a narrower one, and below half a screen of 120 columns."""
_FILE, _LONGEST_FILE = 16, 32
"""The cells of the name of a file: at least, and at most."""
_LEAST_TOOLS = 12
"""With fewer cells, tools are not shown."""
_AGE, _DATE = 6, 16
_WIDE, _SMALL = 90, 60
_BESIDE = 8
"""Cells of marks, of the ends of the line, and of blanks around the age."""
_SOME = 200
"""The number of first entries that are measured for the widths of columns."""


class _Columns(NamedTuple):
    """The cells of each column; 0 for one that has no room."""

    age: int = _AGE
    turns: int = 0
    app: int = 0
    user: int = 0
    tools: int = 0
    known: int = 0
    file: int = 0
    is_dated: bool = False


class FoundLines(EntryColumns[FoundConversation]):
    """Draws the lines of conversations."""

    def __init__(self, found: FoundConversations, ticks: TurnTicks) -> None:
        self._found, self._ticks = found, ticks
        self.if_none: Line = []
        """The line of an empty list."""
        self._known = self._tools = self._app = self._user = self._words = self._file = self._turns = self._age = 0

    def measure(self, entries: Sequence[FoundConversation]) -> None:
        """Measure the columns."""
        some = entries[:_SOME]
        self._tools = max((cell_len(_tools(each)) for each in some), default=0)
        self._known = max((cell_len(one_line(each.known_as, _KNOWN)) for each in some), default=0)
        self._app = max((cell_len(one_line(each.agent, _NAME)) for each in some), default=0)
        self._age = max((len(_when(each, _Columns(age=0))) for each in some), default=0)
        self._turns = max((len(_turns(each)) for each in some), default=0)
        self._file = max((cell_len(recording_name(each.conversation, _LONGEST_FILE)) for each in some), default=0)
        self._user = max((cell_len(one_line(each.user, _NAME)) for each in some), default=0)
        self._words = max((cell_len(preview(each.words, _MOST_WORDS)) for each in some), default=0)

    def identity(self, entry: FoundConversation) -> object:
        """Its path and id."""
        return entry.key

    def empty_line(self) -> Line:
        """Why the list is empty."""
        return self.if_none

    def line(self, entry: FoundConversation, width: int) -> Line:
        """The line of a conversation: its first words, and the columns that fit."""
        columns = self._columns(width)
        line: Line = [TICKED[self._ticks.state(entry)], (f"{_when(entry, columns)}  ", "dim")]
        if columns.turns:
            line.append((f"{_turns(entry):>{columns.turns}}  ", "dim"))
        if columns.app:
            line.append((f"{_padded(one_line(entry.agent, columns.app) or '–', columns.app)}  ", ""))
        if columns.user:
            line.append((f"{_padded(one_line(entry.user, columns.user) or '–', columns.user)}  ", "dim"))
        if entry.has_failed:
            line.append(ERROR)
        line.append((preview(entry.words, width) or "no user message", "" if entry.words else "dim"))
        behind: Line = []
        if columns.file:
            behind.append((f"  {_padded(recording_name(entry.conversation, columns.file), columns.file)}", "dim"))
        if columns.tools:
            behind.append((f"  {_padded(one_line(_tools(entry), columns.tools), columns.tools)}", "name"))
        if columns.known and (entry.known_as or behind):  # else the first words have the room
            known = cut_in_the_middle(one_line(entry.known_as), columns.known)
            behind.append((f"  {'= ' if known else '  '}{_padded(known, columns.known)}", "dim"))
        return [*line, ("", FILL), *behind, (" ", "")]

    def _columns(self, width: int) -> _Columns:
        """The widths of the columns, the most useful first, while the first words keep their room."""
        age = _AGE if width > _SMALL else self._age
        room, found = width - _BESIDE - age - _FEW_WORDS, self._found

        def given(cells: int, blanks: int = 2) -> int:
            nonlocal room
            if not cells or room < cells + blanks:
                return 0
            room -= cells + blanks
            return cells

        longest = _KNOWN if width > _WIDE else _SHORT_KNOWN if width > _SMALL else _SHORTEST_KNOWN
        known = given(min(self._known, longest), 4)
        turns = given(self._turns)
        room -= _WORDS - _FEW_WORDS
        # Apps tell conversations apart; the turns of the selected one are also beside the list.
        app = given(self._app) if found.has_several_apps else 0
        file = given(min(self._file, max(_FILE, room // 2))) if found.has_several_files else 0
        tools = given(min(self._tools, max(_LEAST_TOOLS, room // 2)))
        more = min(self._words, _MORE_WORDS) - _WORDS
        room -= max(0, more)
        user = given(self._user) if found.has_several_users and room > _NAME else 0
        room -= _MOST_WORDS - _WORDS - max(0, more)
        is_dated = bool(given(_DATE - age, 0))
        app = app or (given(self._app) if room > _NAME else 0)
        return _Columns(age, turns, app, user or given(_NAME), tools, known, file, is_dated)


def _when(entry: FoundConversation, columns: _Columns) -> str:
    if entry.started is None:
        return f"{'–':>{_DATE if columns.is_dated else columns.age}}"
    if columns.is_dated:
        return f"{date_text(entry.started).removesuffix(' UTC'):<{_DATE}}"
    return f"{age_text(time.time() - entry.started):>{columns.age}}"


def _turns(entry: FoundConversation) -> str:
    count = len(entry.turns)
    return f"{count:,} turn{'s' if count != 1 else ' '}"


def _tools(entry: FoundConversation) -> str:
    return one_line(" ".join(entry.tools[:8]), _TOOLS)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))
