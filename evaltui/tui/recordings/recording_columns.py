"""Lines of the lists of recordings: files, their conversations, the runs of a case, and conversations to add."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from evaltui.evalset.titles import case_title
from evaltui.printable import one_line, printable
from evaltui.report.scores_text import age_text, date_text
from evaltui.tui.commands import key_of
from evaltui.tui.comparison.conversation_rows import ConversationDrawing, ConversationRow
from evaltui.tui.lines import (
    COUNTING,
    ERROR,
    FILL,
    MARKED,
    NO_MARK,
    NOT_EVALUATED,
    PASSED,
    STATUS_MARKS,
    WARNING,
    Line,
    Run,
    counted,
    cut_in_the_middle,
    preview,
)
from evaltui.tui.panes.score_columns import Room
from evaltui.tui.panes.score_lines import metric_text, recording_name
from evaltui.tui.recordings.conversation_facts import FORMATS, ORIGINS, ListedConversation, RecordingFile
from evaltui.tui.recordings.conversations_to_add import FoundConversation, FoundConversations, TickState, ValueDecision

if TYPE_CHECKING:
    from evaltui.evalset.volatile_values import VolatileValue

_WIDE = 100
"""The least width of a list, in cells, with room for longer texts."""
_MEASURED = 200
"""The number of first entries that are measured for the widths of columns: lists may have 10,000."""
_DATE = 16
"""Cells of a time."""
_AGE = 10
"""Cells of the age of a file."""
_WORDS = 20
"""The fewest cells of the first words in a wide list."""


def _widest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))


def _shown_date(seconds: float | None) -> str:
    """The day and the minute of a time in seconds since 1970, in UTC."""
    return date_text(seconds).removesuffix(" UTC") if seconds is not None else "time unknown"


def file_lines(files: Sequence[RecordingFile]) -> Callable[[RecordingFile, int], Line]:
    """Lines of files: mark, name, format, matched conversations, age and origin."""

    def kind_of(file: RecordingFile) -> str:
        return FORMATS[file.source.recording.format] if file.source.recording is not None else ""

    def matched_of(file: RecordingFile) -> str:
        is_read = file.source.recording is not None
        return f"{file.matched:,} of {len(file.conversations):,} matched" if is_read else ""

    kind_width, matched_width = _widest(map(kind_of, files)), _widest(map(matched_of, files))
    origin_width = _widest(ORIGINS[file.source.origin][0] for file in files)

    def line(entry: RecordingFile, width: int) -> Line:
        source = entry.source
        # The name says most, so it gets what the other columns leave.
        around = 14  # the cursor, the mark, the gaps between the columns, and the right edge
        room = max(16, min(44, width - kind_width - matched_width - _AGE - origin_width - around))
        name = cut_in_the_middle(entry.name, room)
        origin = f"  {ORIGINS[source.origin][0]:<{origin_width}} "
        if entry.is_dropped:
            restore = f"  dropped; press {key_of('recordings.restore')} to restore"
            return [NOT_EVALUATED, (name, "dim"), (restore, "dim"), ("", FILL), (origin, "dim")]
        if source.recording is None:
            # The line has the name of the file already.
            why = printable(source.trouble.removeprefix(f"{source.path}: ").removeprefix(f"{source.path}:"))
            return [ERROR, (name, "name"), (f"  {why or 'reading …'}", "prose"), ("", FILL), (origin, "dim")]
        # A conversation without a case is worth a look: it may belong to a case with another id.
        is_complete = entry.matched == len(entry.conversations)
        mark = PASSED if is_complete and not (source.trouble or source.recording.warnings) else WARNING
        age = age_text(time.time() - entry.recorded_at if entry.recorded_at is not None else None)
        ago = f"{age} ago" if age[0].isdigit() else age
        content = f"  {kind_of(entry):<{kind_width}}  {matched_of(entry):<{matched_width}}"
        return [mark, (_padded(name, room), "name"), (content, ""), ("", FILL), (f"  {ago:>{_AGE}}{origin}", "dim")]

    return line


def conversation_lines(
    conversations: Sequence[ListedConversation], *, is_dropped: bool
) -> Callable[[ListedConversation, int], Line]:
    """Lines of the conversations of a file: mark, id, turns, time, first words, and the case or why there is none."""

    def case_text(entry: ListedConversation, room: int) -> tuple[str, str]:
        """The case of a conversation and the number of the run, or the reason why it has none."""
        if entry.matched_by is None:
            return one_line(entry.reason, 48), ""
        title = cut_in_the_middle(case_title(entry.case), room) if entry.case is not None else "deleted case"
        return title, f"  {entry.run_text}" if entry.count > 1 else ""

    def words_of(entry: ListedConversation, room: int = 80) -> str:
        return preview(entry.words, room) or "no user message"

    measured = conversations[:_MEASURED]
    longest_id = _widest(one_line(entry.conversation.id, 24) for entry in measured)
    words_width = _widest(map(words_of, measured))
    case_width = _widest("".join(case_text(entry, 40)) for entry in measured)
    how_width = _widest(f"  {entry.how}" for entry in measured if entry.how)

    def line(entry: ListedConversation, width: int) -> Line:
        conversation, is_wide = entry.conversation, width >= _WIDE
        id_width = min(longest_id, 24 if is_wide else 12)
        around = 3 + 10 + 2 + 4 + 1  # the mark, the turns, and the gaps
        room = width - around - id_width - case_width if is_wide else 22
        is_dated = is_wide and room >= _WORDS + 2 + _DATE
        room -= 2 + _DATE if is_dated else 0
        # How a conversation was matched says less than its words.
        names_how = is_wide and room >= words_width + how_width
        room = min(max(_WORDS, room), words_width)
        start: Line = [
            (_padded(cut_in_the_middle(one_line(conversation.id), id_width), id_width), "name"),
            (f"  {counted(len(conversation.turns), 'turn'):<8}", "dim"),
            (f"  {_shown_date(conversation.recorded_at):<{_DATE}}" if is_dated else "", "dim"),
            (f"  {_padded(words_of(entry, room), room)}", "dim"),
        ]
        if is_dropped:
            return [NOT_EVALUATED, *start]
        if entry.matched_by is None:
            return [WARNING, *start, ("  ", ""), (printable(entry.reason or "not matched yet"), "prose")]
        title, number = case_text(entry, 40 if is_wide else 22)
        how = f"  {entry.how}" if names_how else ""
        return [PASSED, *start, ("", FILL), ("  → ", "dim"), (title, ""), (f"{how}{number} ", "dim")]

    return line


def run_line(entry: ListedConversation, width: int) -> Line:
    """Number, time, file, verdict and scores of a run; the run that counts is marked."""
    conversation, is_wide = entry.conversation, width >= _WIDE
    line: Line = [
        COUNTING if entry.is_used else NO_MARK,
        (f"{entry.number:>3}  {_shown_date(conversation.recorded_at):<{_DATE}}  ", ""),
        (recording_name(conversation, 40 if is_wide else 18), "name"),
        ("  ", ""),
    ]
    if (run := entry.scored) is None:
        line.append(("scoring …", "dim"))
    else:
        judged = [metric for metric in run.metrics if metric.status != "informational"]
        # A long line is cut at its end, and failed scores say more.
        judged.sort(key=lambda metric: metric.status == "passed")
        scores = printable(run.reason) if run.reason else " · ".join(map(metric_text, judged))
        line += [STATUS_MARKS[run.status], (scores, "")]
    return [*line, ("", FILL), (" counts ", "accent")] if entry.is_used and is_wide else line


# --- conversations to add ---------------------------------------------------------------------------------------------

_TICKED: Mapping[TickState, Run] = {"none": NO_MARK, "some": ("◇ ", "accent"), "all": MARKED}
"""Marks of conversations by their ticked turns."""
_NAME = 12
"""The most cells of an app or a user."""


def found_lines(found: FoundConversations) -> Callable[[FoundConversation, int], Line]:
    """Lines of conversations: tick, age, turns, first words, tools, and the case with the same user messages."""
    measured = found.shown[:_MEASURED]
    widest_tools, widest_age = _widest(map(_tools_of, measured)), _widest(map(_age_of, measured))
    widest_case_id = _widest(one_line(entry.known_as, 20) for entry in measured)
    widest_app = _widest(one_line(entry.agent, _NAME) for entry in measured)
    widest_turns = _widest(map(_turns_of, measured))
    widest_file = _widest(recording_name(entry.conversation, 32) for entry in measured)
    widest_user = _widest(one_line(entry.user, _NAME) for entry in measured)
    widest_words = _widest(preview(entry.words, 50) for entry in measured)

    def line(entry: FoundConversation, width: int) -> Line:
        # The most useful columns come first, while the first words keep their room: 12 cells before the case and turns,
        # 20 before any other column, 30 before the user, 50 before dates. A column without room has 0 cells, and a
        # small list gives ages only the cells that they take.
        age = 6 if width > 60 else widest_age
        room = Room(width - 8 - age - 12)  # beside marks, the ends of the line, and blanks around the age
        case_id = room.reserve(min(widest_case_id, 20 if width > 90 else 10 if width <= 60 else 14), 4)
        turns = room.reserve(widest_turns)
        room.cells -= 20 - 12
        # Apps tell conversations apart; the turns of the selected one are also beside the list.
        app = room.reserve(widest_app) if found.has_several_apps else 0
        file = room.reserve(min(widest_file, max(16, room.cells // 2))) if found.has_several_files else 0
        tools = room.reserve(min(widest_tools, max(12, room.cells // 2)))
        # With long first words, users are shown only where the words keep more room.
        more_words = max(0, min(widest_words, 30) - 20)
        room.cells -= more_words
        user = room.reserve(widest_user) if found.has_several_users and room.cells > _NAME else 0
        room.cells -= 50 - 20 - more_words
        started = f"{_age_of(entry):>{age}}"
        if room.reserve(_DATE - age, 0):
            started = f"{_shown_date(entry.started):<{_DATE}}" if entry.started is not None else f"{'–':>{_DATE}}"
        app = app or (room.reserve(widest_app) if room.cells > _NAME else 0)
        user = user or room.reserve(_NAME)
        front = (
            (turns, _turns_of(entry).rjust(turns), "dim"),
            (app, one_line(entry.agent, app) or "–", ""),
            (user, one_line(entry.user, user) or "–", "dim"),
        )
        behind = (
            (file, recording_name(entry.conversation, file), "dim"),
            (tools, one_line(_tools_of(entry), tools), "name"),
        )
        line: Line = [_TICKED[found.tick_state(entry)], (f"{started}  ", "dim")]
        line += [(f"{_padded(text, cells)}  ", role) for cells, text, role in front if cells]
        # Before the words, so that it is never cut.
        line += [ERROR] if entry.has_failed else []
        line += [(preview(entry.words, width) or "no user message", "" if entry.words else "dim"), ("", FILL)]
        line += [(f"  {_padded(text, cells)}", role) for cells, text, role in behind if cells]
        if case_id and (entry.known_as or file or tools):  # else the first words have the room
            known_as = cut_in_the_middle(one_line(entry.known_as), case_id)
            line.append((f"  {'= ' if known_as else '  '}{_padded(known_as, case_id)}", "dim"))
        return [*line, (" ", "")]

    return line


def _age_of(entry: FoundConversation) -> str:
    return age_text(time.time() - entry.started) if entry.started is not None else "–"


def _turns_of(entry: FoundConversation) -> str:
    count = len(entry.turns)
    return f"{count:,} turn{'s' if count != 1 else ' '}"


def _tools_of(entry: FoundConversation) -> str:
    return one_line(" ".join(entry.tools[:8]), 26)


class TickedTurns(ConversationDrawing):
    """Draws a conversation to add: ticks before its turns, and `≈` behind calls whose arguments are volatile."""

    def __init__(self, found: FoundConversations) -> None:
        super().__init__()
        self._found = found
        self.entry: FoundConversation | None = None

    def lines(self, row: ConversationRow, width: int) -> list[Line]:
        """The lines of a row; the user message of a turn, its first row, has the tick."""
        lines = super().lines(row, width)
        if self.entry is not None and row.kind == "user" and row.turn in self._found.ticked.get(self.entry, ()):
            lines[0][0] = MARKED
        lines[0] += self._note(row)
        return lines

    def visible(self, rows: Sequence[ConversationRow]) -> Sequence[ConversationRow]:
        """The rows; tool calls are without the arguments that are dropped as a whole."""
        return [self._without_dropped(row) for row in rows]

    def _without_dropped(self, row: ConversationRow) -> ConversationRow:
        dropped = {value.path for value, decision in self._decisions(row) if decision == "dropped"}
        if not dropped:
            return row
        args = {name: value for name, value in (row.value.args or {}).items() if (name,) not in dropped}
        return row._replace(value=row.value._replace(args=args))

    def _note(self, row: ConversationRow) -> Line:
        """The volatile arguments of a call: they are likely to change in the next run."""
        notes: list[str] = []
        for value, decision in self._decisions(row):
            name = one_line(str(value.path[-1]) if value.path else "args", 24)
            if decision == "undecided":
                notes.append(f"{name} ({'from a tool response' if value.kind == 'from_response' else value.kind})")
            elif decision == "dropped":
                notes.append(f"{name} dropped")
        more = f", {len(notes) - 2} more" if len(notes) > 2 else ""
        return [("", FILL), (f"  ≈ changes: {', '.join(notes[:2])}{more} ", "warning")] if notes else []

    def _decisions(self, row: ConversationRow) -> Collection[tuple[VolatileValue, ValueDecision]]:
        return self.entry.values_of(row.turn, row.call).items() if self.entry is not None else ()
