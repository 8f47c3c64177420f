"""Lines of the conversations to add: of their list, and of the turns of one."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from evaltui.evalset.turn import TurnCall
from evaltui.printable import one_line
from evaltui.report.scores_text import age_text
from evaltui.tui.comparison.conversation_rows import ConversationDrawing, ConversationRow
from evaltui.tui.lines import ERROR, FILL, MARKED, NO_MARK, Line, Run, cut_in_the_middle, preview
from evaltui.tui.panes.score_columns import Room
from evaltui.tui.panes.score_lines import recording_name
from evaltui.tui.recordings.found_conversations import FoundConversation, FoundConversations, TickState
from evaltui.tui.recordings.recording_columns import DATE, MEASURED, padded, shown_date, widest

_TICKED: Mapping[TickState, Run] = {"none": NO_MARK, "some": ("◇ ", "accent"), "all": MARKED}
"""Marks of conversations by their ticked turns."""


_FEW_WORDS, _WORDS, _MORE_WORDS, _MOST_WORDS = 12, 20, 30, 50
"""The least cells of the first words before the case and turns, any other column, the user, and dates are shown."""
_TOOLS, _NAME = 26, 12
"""The most cells of a column; one with shorter texts is narrower."""
_CASE_ID, _SHORT_CASE_ID, _SHORTEST_CASE_ID = 20, 14, 10
"""The most cells of the id of a case: in a wide list, in a narrower one, and below half a screen of 120 columns."""
_FILE, _LONGEST_FILE = 16, 32
"""The cells of the name of a file: at least, and at most."""
_LEAST_TOOLS = 12
"""With fewer cells, tools are not shown."""
_AGE = 6
_NARROW, _SMALL = 90, 60
_BESIDE = 8
"""Cells of marks, of the ends of the line, and of blanks around the age."""


def found_lines(found: FoundConversations) -> Callable[[FoundConversation, int], Line]:
    """Lines of conversations: tick, age, turns, first words, tools, and the case with the same user messages."""
    measured = found.shown[:MEASURED]
    widest_tools, widest_age = widest(map(_tools_of, measured)), widest(map(_age_of, measured))
    widest_case_id = widest(one_line(entry.known_as, _CASE_ID) for entry in measured)
    widest_app = widest(one_line(entry.agent, _NAME) for entry in measured)
    widest_turns = widest(map(_turns_of, measured))
    widest_file = widest(recording_name(entry.conversation, _LONGEST_FILE) for entry in measured)
    widest_user = widest(one_line(entry.user, _NAME) for entry in measured)
    widest_words = widest(preview(entry.words, _MOST_WORDS) for entry in measured)

    def line(entry: FoundConversation, width: int) -> Line:
        # The most useful columns come first, while the first words keep their room. A column without room has 0 cells,
        # and a small list gives ages only the cells that they take.
        age = _AGE if width > _SMALL else widest_age
        room = Room(width - _BESIDE - age - _FEW_WORDS)
        longest = _CASE_ID if width > _NARROW else _SHORTEST_CASE_ID if width <= _SMALL else _SHORT_CASE_ID
        case_id = room.reserve(min(widest_case_id, longest), 4)
        turns = room.reserve(widest_turns)
        room.cells -= _WORDS - _FEW_WORDS
        # Apps tell conversations apart; the turns of the selected one are also beside the list.
        app = room.reserve(widest_app) if found.has_several_apps else 0
        file = room.reserve(min(widest_file, max(_FILE, room.cells // 2))) if found.has_several_files else 0
        tools = room.reserve(min(widest_tools, max(_LEAST_TOOLS, room.cells // 2)))
        # With long first words, users are shown only where the words keep more room.
        more_words = max(0, min(widest_words, _MORE_WORDS) - _WORDS)
        room.cells -= more_words
        user = room.reserve(widest_user) if found.has_several_users and room.cells > _NAME else 0
        room.cells -= _MOST_WORDS - _WORDS - more_words
        started = f"{_age_of(entry):>{age}}"
        if room.reserve(DATE - age, 0):
            started = f"{shown_date(entry.started):<{DATE}}" if entry.started is not None else f"{'–':>{DATE}}"
        app = app or (room.reserve(widest_app) if room.cells > _NAME else 0)
        user = user or room.reserve(_NAME)

        start: Line = [_TICKED[found.tick_state(entry)], (f"{started}  ", "dim")]
        if turns:
            start.append((f"{_turns_of(entry):>{turns}}  ", "dim"))
        if app:
            start.append((f"{padded(one_line(entry.agent, app) or '–', app)}  ", ""))
        if user:
            start.append((f"{padded(one_line(entry.user, user) or '–', user)}  ", "dim"))
        # Before the words, so that it is never cut.
        if entry.has_failed:
            start.append(ERROR)
        start.append((preview(entry.words, width) or "no user message", "" if entry.words else "dim"))
        behind: Line = []
        if file:
            behind.append((f"  {padded(recording_name(entry.conversation, file), file)}", "dim"))
        if tools:
            behind.append((f"  {padded(one_line(_tools_of(entry), tools), tools)}", "name"))
        if case_id and (entry.known_as or behind):  # else the first words have the room
            known_as = cut_in_the_middle(one_line(entry.known_as), case_id)
            behind.append((f"  {'= ' if known_as else '  '}{padded(known_as, case_id)}", "dim"))
        return [*start, ("", FILL), *behind, (" ", "")]

    return line


def _age_of(entry: FoundConversation) -> str:
    return age_text(time.time() - entry.started) if entry.started is not None else "–"


def _turns_of(entry: FoundConversation) -> str:
    # The blank keeps single turns in line with several.
    count = len(entry.turns)
    return f"{count:,} turn{'s' if count != 1 else ' '}"


def _tools_of(entry: FoundConversation) -> str:
    return one_line(" ".join(entry.tools[:8]), _TOOLS)


class TickedTurns(ConversationDrawing):
    """Draws a conversation to add: ticks before its turns, and `≈` behind calls whose arguments are volatile."""

    def __init__(self, found: FoundConversations) -> None:
        super().__init__()
        self._found = found
        self.entry: FoundConversation | None = None
        """The conversation that is drawn."""

    def marked(self, row: ConversationRow, line: Line) -> Line:
        """The user message of a turn, its first row, with the tick."""
        if self.entry is None or row.kind != "user":
            return line
        return [MARKED if row.turn in self._found.ticked.get(self.entry, ()) else NO_MARK, *line[1:]]

    def call_of(self, row: ConversationRow) -> TurnCall:
        """The tool call without the arguments that are dropped as a whole."""
        call = super().call_of(row)
        if self.entry is None or row.call is None or not call.args:
            return call
        decisions = self.entry.values.get((row.turn, row.call), {}).items()
        dropped = {value.path for value, decision in decisions if decision == "dropped"}
        args = {name: value for name, value in call.args.items() if (name,) not in dropped}
        return call._replace(args=args) if len(args) < len(call.args) else call

    def call_note(self, row: ConversationRow) -> Line:
        """The volatile arguments of the call: they are likely to change in the next run."""
        notes: list[str] = []
        if self.entry is not None and row.call is not None:
            for value, decision in self.entry.values.get((row.turn, row.call), {}).items():
                name = one_line(str(value.path[-1]) if value.path else "args", 24)
                if decision == "undecided":
                    kind = "from a tool response" if value.kind == "from_response" else value.kind
                    notes.append(f"{name} ({kind})")
                elif decision == "dropped":
                    notes.append(f"{name} dropped")
        if not notes:
            return []
        more = f", {len(notes) - 2} more" if len(notes) > 2 else ""
        return [("", FILL), (f"  ≈ changes: {', '.join(notes[:2])}{more} ", "warning")]
