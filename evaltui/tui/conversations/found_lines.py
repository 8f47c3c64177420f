"""Lines of the found conversations: tick, age, turns, first words, tools, and the case that has the same texts."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rich.cells import cell_len

from evaltui.printable import one_line
from evaltui.report.run_change_text import age_text
from evaltui.report.scores_text import date_text
from evaltui.tui.conversations.tick_marks import TICKED
from evaltui.tui.lines import FILL, Line, preview
from evaltui.tui.panes.score_lines import cut_in_the_middle
from evaltui.tui.session.found_conversations import FoundConversation, FoundConversations
from evaltui.tui.session.turn_ticks import TurnTicks

_WITH_TURNS, _WITH_TOOLS, _WITH_DATES, _WITH_NAMES = 50, 72, 100, 124
"""Columns from which on the turns, the tools, dates in place of ages, and app and user have room."""
_TOOLS, _KNOWN, _NAME = 26, 20, 12
"""The most cells of a column."""
_SOME = 200
"""So many of the first entries say how wide a column is."""


class FoundLines:
    """Draws found conversations."""

    place = "chats"

    def __init__(self, found: FoundConversations, ticks: TurnTicks) -> None:
        self._found, self._ticks = found, ticks
        self.if_none: Line = []
        """The line of an empty list."""
        self._known = 0
        self._tools = 0

    def measure(self, entries: Sequence[FoundConversation]) -> None:
        """Find how wide the columns of tools and of known cases must be."""
        some = entries[:_SOME]
        self._tools = max((cell_len(_tools(each)) for each in some), default=0)
        self._known = max((cell_len(one_line(each.known_as, _KNOWN)) for each in some), default=0)

    def identity(self, entry: FoundConversation) -> object:
        """Its path and id."""
        return entry.key

    def none_line(self) -> Line:
        """Why the list is empty."""
        return self.if_none

    def entry_line(self, entry: FoundConversation, width: int) -> Line:
        """The columns that have room; the first words always."""
        line: Line = [TICKED[self._ticks.state(entry)], (f"{_when(entry, width)}  ", "dim")]
        if width >= _WITH_TURNS:
            line.append((f"{_turns(entry)}  ", "dim"))
        line += self._names(entry, width)
        line.append((preview(entry.words, width) or "no user text", "" if entry.words else "dim"))
        behind: Line = []
        if self._tools and width >= _WITH_TOOLS:
            behind.append((f"  {_padded(_tools(entry), self._tools)}", "name"))
        if self._known:
            known = cut_in_the_middle(one_line(entry.known_as), self._known)
            behind.append((f"  {'= ' if known else '  '}{_padded(known, self._known)}", "dim"))
        return [*line, ("", FILL), *behind, (" ", "")]

    def _names(self, entry: FoundConversation, width: int) -> Line:
        """App and user: where they differ between conversations, or there is room."""
        has_room = width >= _WITH_NAMES
        names: Line = []
        if has_room or (self._found.has_several_apps and width >= _WITH_TURNS):
            names.append((f"{_padded(one_line(entry.app, _NAME) or '–', _NAME)}  ", ""))
        if has_room or (self._found.has_several_users and width >= _WITH_TOOLS):
            names.append((f"{_padded(one_line(entry.user, _NAME) or '–', _NAME)}  ", "dim"))
        return names


def _when(entry: FoundConversation, width: int) -> str:
    if entry.started is None:
        return f"{'–':>16}" if width >= _WITH_DATES else f"{'–':>6}"
    if width >= _WITH_DATES:
        return date_text(entry.started).removesuffix(" UTC")
    return f"{age_text(time.time() - entry.started):>6}"


def _turns(entry: FoundConversation) -> str:
    count = len(entry.turns)
    return f"{count:>3,} turn{'s' if count != 1 else ' '}"


def _tools(entry: FoundConversation) -> str:
    return one_line(" ".join(entry.tools[:8]), _TOOLS)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))
