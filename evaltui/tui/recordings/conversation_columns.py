"""Lines of the lists of recordings: files, their conversations, the runs of a case, and conversations to add."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from evaltui.evalset.titles import case_title
from evaltui.printable import one_line, printable
from evaltui.report.changes_text import age_text
from evaltui.report.scores_text import date_text
from evaltui.tui.commands import key_of
from evaltui.tui.lines import (
    COUNTING,
    ERROR,
    FILL,
    NO_MARK,
    NOT_EVALUATED,
    PASSED,
    STATUS_MARKS,
    WARNING,
    Line,
    counted,
    cut_in_the_middle,
    preview,
)
from evaltui.tui.panes.score_columns import Room
from evaltui.tui.panes.score_lines import metric_text, recording_name
from evaltui.tui.recordings.conversation_facts import (
    FORMATS,
    MATCHED_BY,
    ORIGINS,
    RecordingFile,
    RecordingFiles,
    RunOfCase,
    first_words,
    run_text,
)
from evaltui.tui.recordings.found_conversations import FoundConversation, FoundConversations
from evaltui.tui.recordings.turn_ticks import TICKED, TurnTicks
from evaltui.tui.screens.list_screen import EntryColumns

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Conversation
    from evaltui.scoring.results import CaseRun

_WIDE = 100
"""The least width of a list, in cells, with room for longer texts."""
_MEASURED = 200
"""The number of first entries that are measured for the widths of columns: lists may have 10,000."""
_DATE = 16


def _widest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))


def _date(seconds: float | None) -> str:
    return date_text(seconds).removesuffix(" UTC") if seconds is not None else "time unknown"


class FileColumns(EntryColumns[RecordingFile]):
    """Format, conversations, age and origin of files."""

    _SHORTEST_NAME, _LONGEST_NAME = 16, 44
    _AGE = 10
    _AROUND = 14
    """Cells of the cursor, the mark, the gaps between the columns, and the right edge."""

    def __init__(self) -> None:
        self._kind = self._matched = self._origin = 0
        """Cells of the columns."""

    def measure(self, entries: Sequence[RecordingFile]) -> None:
        """Take the longest texts; the name gets the rest."""
        self._kind = _widest(map(self._kind_of, entries))
        self._matched = _widest(map(self._matched_of, entries))
        self._origin = _widest(ORIGINS[file.source.origin][0] for file in entries)

    def identity(self, entry: RecordingFile) -> object:
        """Its path."""
        return entry.source.path

    def line(self, entry: RecordingFile, width: int) -> Line:
        """Mark, name, format, matched conversations, age and origin."""
        source = entry.source
        # The name says most, so it gets what the other columns leave.
        room = width - self._kind - self._matched - self._AGE - self._origin - self._AROUND
        room = max(self._SHORTEST_NAME, min(self._LONGEST_NAME, room))
        name = cut_in_the_middle(entry.name, room)
        origin = f"  {ORIGINS[source.origin][0]:<{self._origin}} "
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
        content = f"  {self._kind_of(entry):<{self._kind}}  {self._matched_of(entry):<{self._matched}}"
        behind = f"  {ago:>{self._AGE}}{origin}"
        return [mark, (_padded(name, room), "name"), (content, ""), ("", FILL), (behind, "dim")]

    @staticmethod
    def _kind_of(file: RecordingFile) -> str:
        """The format; "" if the file is not read."""
        recording = file.source.recording
        return FORMATS.get(recording.format, recording.format) if recording is not None else ""

    @staticmethod
    def _matched_of(file: RecordingFile) -> str:
        is_read = file.source.recording is not None
        return f"{file.matched:,} of {len(file.conversations):,} matched" if is_read else ""


def why_no_files(*, is_filtered: bool) -> str:
    """Why the list of files is empty, with the key that helps."""
    if is_filtered:
        return f"No file matches the filter. Press {key_of('picker.leave')} to clear the filter."
    return f"No recordings. Press {key_of('recordings.add')} to add a file or a folder."


class ConversationColumns(EntryColumns["Conversation"]):
    """First words and turns of the conversations of a file, and the case of each or why it has none."""

    _LONGEST_ID, _SHORT_ID = 24, 12
    _WORDS, _LONGEST_WORDS, _FEW_WORDS = 20, 80, 22
    """The fewest and most cells of the first words in a wide list, and their most cells in a narrow one."""
    _LONGEST_REASON = 48
    _TIME = 2 + _DATE
    _AROUND_WORDS = 3 + 10 + 2 + 4 + 1
    """Cells of the mark and turns before the first words, and of the gaps, in a wide list."""

    def __init__(self, files: RecordingFiles) -> None:
        self.files = files
        """They know the case of each conversation."""
        self.is_dropped = False
        """Whether the file is dropped."""
        self._id_width = self._words_width = self._case_width = self._how_width = 0

    def measure(self, entries: Sequence[Conversation]) -> None:
        """Measure the columns of ids and first words."""
        measured = entries[:_MEASURED]
        self._id_width = min(
            self._LONGEST_ID, _widest(one_line(conversation.id, self._LONGEST_ID) for conversation in measured)
        )
        self._words_width = _widest(self._words_of(conversation, self._LONGEST_WORDS) for conversation in measured)
        self._case_width = _widest("".join(self._case_of(conversation, 40)) for conversation in measured)
        runs = [run for conversation in measured if (run := self.files.run_of(conversation)) is not None]
        self._how_width = _widest(f"  {MATCHED_BY[run.match.matched_by]}" for run in runs)

    def identity(self, entry: Conversation) -> object:
        """Its path and id."""
        return entry.key

    def line(self, entry: Conversation, width: int) -> Line:
        """Mark, id, turns, time if it fits, first words, and the case with the way it was matched."""
        is_wide = width >= _WIDE
        id_width = min(self._id_width, self._LONGEST_ID if is_wide else self._SHORT_ID)
        room = width - self._AROUND_WORDS - id_width - self._case_width if is_wide else self._FEW_WORDS
        is_dated = is_wide and room >= self._WORDS + self._TIME
        room -= self._TIME if is_dated else 0
        # How a conversation was matched says less than its words.
        names_how = is_wide and room >= self._words_width + self._how_width
        room = min(max(self._WORDS, room), self._words_width)
        start: Line = [
            (_padded(cut_in_the_middle(one_line(entry.id), id_width), id_width), "name"),
            (f"  {counted(len(entry.turns), 'turn'):<8}", "dim"),
            (f"  {_date(entry.recorded_at):<{_DATE}}" if is_dated else "", "dim"),
            (f"  {_padded(self._words_of(entry, room), room)}", "dim"),
        ]
        # It has no case: a dropped file is not matched.
        if self.is_dropped:
            return [NOT_EVALUATED, *start]
        run = self.files.run_of(entry)
        if run is None:
            return [WARNING, *start, ("  ", ""), (printable(self.files.reason(entry) or "not matched yet"), "prose")]
        title, number = self._case_of(entry, 40 if is_wide else 22)
        how = f"  {MATCHED_BY[run.match.matched_by]}" if names_how else ""
        return [PASSED, *start, ("", FILL), ("  → ", "dim"), (title, ""), (f"{how}{number} ", "dim")]

    def _case_of(self, conversation: Conversation, room: int) -> tuple[str, str]:
        """The case of a conversation and the number of the run, or the reason why it has none."""
        run, case = self.files.run_of(conversation), self.files.case_of(conversation)
        if run is None:
            return one_line(self.files.reason(conversation), self._LONGEST_REASON), ""
        title = cut_in_the_middle(case_title(case), room) if case is not None else "deleted case"
        return title, f"  {run_text(run.number, run.count)}" if run.count > 1 else ""

    @staticmethod
    def _words_of(conversation: Conversation, room: int) -> str:
        return preview(first_words(conversation), room) or "no user message"


def why_no_conversations(file: RecordingFile, *, is_filtered: bool, is_unmatched_only: bool) -> str:
    """Why the list of conversations of a file is empty, with the key that helps."""
    leave = key_of("picker.leave")
    if is_filtered:
        return f"No conversation matches the filter. Press {leave} to clear the filter."
    if file.source.recording is None:
        restore = f"Press {leave}, then {key_of('recordings.restore')} to restore the file."
        return printable(file.source.trouble) or f"This file is dropped and not read. {restore}"
    if is_unmatched_only and file.conversations:
        return f"All conversations have a case. Press {key_of('conversations.unmatched')} to show them."
    return f"This file has no conversations. Press {leave} to go back to the files."


class RunColumns(EntryColumns[RunOfCase]):
    """Time, file, verdict and scores of the runs of a case, the newest last."""

    def identity(self, entry: RunOfCase) -> object:
        """The conversation of the run."""
        return entry.match.conversation.key

    def line(self, entry: RunOfCase, width: int) -> Line:
        """Number, time, file, verdict and scores; the run that counts is marked."""
        conversation, is_wide = entry.match.conversation, width >= _WIDE
        line: Line = [
            COUNTING if entry.is_used else NO_MARK,
            (f"{entry.number:>3}  {_date(conversation.recorded_at):<{_DATE}}  ", ""),
            (recording_name(conversation, 40 if is_wide else 18), "name"),
            ("  ", ""),
        ]
        if entry.scored is None:
            line.append(("scoring …", "dim"))
        else:
            line += [STATUS_MARKS[entry.scored.status], (self._scores_of(entry.scored), "")]
        return [*line, ("", FILL), (" counts ", "accent")] if entry.is_used and is_wide else line

    @staticmethod
    def _scores_of(run: CaseRun) -> str:
        """The judged scores, failed ones first: the end of a long line is cut."""
        if run.reason:
            return printable(run.reason)
        judged = [metric for metric in run.metrics if metric.status != "informational"]
        # A long line is cut at its end, and failed scores say more.
        judged.sort(key=lambda metric: metric.status == "passed")
        return " · ".join(map(metric_text, judged))


def why_no_runs() -> str:
    """Why the list of runs is empty, with the keys that help."""
    keys = f"Press {key_of('picker.leave')}, then {key_of('list.recordings')} to see all files."
    return f"No recording belongs to this case. {keys}"


class _Widths(NamedTuple):
    """The cells of each column of conversations to add; 0 for one that has no room."""

    age: int
    turns: int
    app: int
    user: int
    tools: int
    case_id: int
    file: int
    is_dated: bool


class FoundColumns(EntryColumns[FoundConversation]):
    """Tick, age, turns, first words, tools, and the case with the same user messages."""

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

    def __init__(self, entry: FoundConversations, ticks: TurnTicks) -> None:
        self._found, self._ticks = entry, ticks
        self._case_id = self._tools = self._app = self._user = self._words = self._file = self._turns = self._age = 0

    def measure(self, entries: Sequence[FoundConversation]) -> None:
        """Measure the columns."""
        measured = entries[:_MEASURED]
        self._tools = _widest(map(self._tools_of, measured))
        self._case_id = _widest(one_line(entry.known_as, self._CASE_ID) for entry in measured)
        self._app = _widest(one_line(entry.agent, self._NAME) for entry in measured)
        self._age = _widest(map(self._age_of, measured))
        self._turns = _widest(map(self._turns_of, measured))
        self._file = _widest(recording_name(entry.conversation, self._LONGEST_FILE) for entry in measured)
        self._user = _widest(one_line(entry.user, self._NAME) for entry in measured)
        self._words = _widest(preview(entry.words, self._MOST_WORDS) for entry in measured)

    def identity(self, entry: FoundConversation) -> object:
        """Its path and id."""
        return entry.key

    def line(self, entry: FoundConversation, width: int) -> Line:
        """The line of a conversation: its first words, and the columns that fit."""
        widths = self._widths(width)
        line: Line = [TICKED[self._ticks.state(entry)]]
        if not widths.is_dated:
            line.append((f"{self._age_of(entry):>{widths.age}}  ", "dim"))
        elif entry.started is None:
            line.append((f"{'–':>{_DATE}}  ", "dim"))
        else:
            line.append((f"{_date(entry.started):<{_DATE}}  ", "dim"))
        if widths.turns:
            line.append((f"{self._turns_of(entry):>{widths.turns}}  ", "dim"))
        if widths.app:
            line.append((f"{_padded(one_line(entry.agent, widths.app) or '–', widths.app)}  ", ""))
        if widths.user:
            line.append((f"{_padded(one_line(entry.user, widths.user) or '–', widths.user)}  ", "dim"))
        # Before the words, so that it is never cut.
        if entry.has_failed:
            line.append(ERROR)
        line.append((preview(entry.words, width) or "no user message", "" if entry.words else "dim"))
        behind: Line = []
        if widths.file:
            behind.append((f"  {_padded(recording_name(entry.conversation, widths.file), widths.file)}", "dim"))
        if widths.tools:
            behind.append((f"  {_padded(one_line(self._tools_of(entry), widths.tools), widths.tools)}", "name"))
        if widths.case_id and (entry.known_as or behind):  # else the first words have the room
            case_id = cut_in_the_middle(one_line(entry.known_as), widths.case_id)
            behind.append((f"  {'= ' if case_id else '  '}{_padded(case_id, widths.case_id)}", "dim"))
        return [*line, ("", FILL), *behind, (" ", "")]

    def _widths(self, width: int) -> _Widths:
        """The widths of the columns, the most useful first, while the first words keep their room."""
        # A small list gives ages only the cells that they take.
        age = self._AGE if width > self._SMALL else self._age
        room, found = Room(width - self._BESIDE - age - self._FEW_WORDS), self._found
        is_small = width <= self._SMALL
        longest = self._CASE_ID if width > self._NARROW else self._SHORTEST_CASE_ID if is_small else self._SHORT_CASE_ID
        case_id = room.reserve(min(self._case_id, longest), 4)
        turns = room.reserve(self._turns)
        room.cells -= self._WORDS - self._FEW_WORDS
        # Apps tell conversations apart; the turns of the selected one are also beside the list.
        app = room.reserve(self._app) if found.has_several_apps else 0
        file = room.reserve(min(self._file, max(self._FILE, room.cells // 2))) if found.has_several_files else 0
        tools = room.reserve(min(self._tools, max(self._LEAST_TOOLS, room.cells // 2)))
        # With long first words, users are shown only where the words keep more room.
        more_words = max(0, min(self._words, self._MORE_WORDS) - self._WORDS)
        room.cells -= more_words
        user = room.reserve(self._user) if found.has_several_users and room.cells > self._NAME else 0
        room.cells -= self._MOST_WORDS - self._WORDS - more_words
        is_dated = bool(room.reserve(_DATE - age, 0))
        app = app or (room.reserve(self._app) if room.cells > self._NAME else 0)
        return _Widths(age, turns, app, user or room.reserve(self._NAME), tools, case_id, file, is_dated)

    @staticmethod
    def _age_of(entry: FoundConversation) -> str:
        return age_text(time.time() - entry.started) if entry.started is not None else "–"

    @staticmethod
    def _turns_of(entry: FoundConversation) -> str:
        # The blank keeps single turns in line with several.
        count = len(entry.turns)
        return f"{count:,} turn{'s' if count != 1 else ' '}"

    @classmethod
    def _tools_of(cls, entry: FoundConversation) -> str:
        return one_line(" ".join(entry.tools[:8]), cls._TOOLS)
