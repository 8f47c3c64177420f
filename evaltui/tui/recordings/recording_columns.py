"""Lines of the lists of recordings: files, their conversations, and the runs of a case."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Conversation

_WIDE = 100
"""The least width of a list, in cells, with room for longer texts."""
MEASURED = 200
"""The number of first entries that are measured for the widths of columns: lists may have 10,000."""
DATE = 16
"""Cells of a time."""


def widest(texts: Iterable[str]) -> int:
    """The cells of the longest text; 0 without any."""
    return max(map(cell_len, texts), default=0)


def padded(text: str, width: int) -> str:
    """A text with blanks up to `width` cells."""
    return text + " " * (width - cell_len(text))


def shown_date(seconds: float | None) -> str:
    """The day and the minute of a time in seconds since 1970, in UTC."""
    return date_text(seconds).removesuffix(" UTC") if seconds is not None else "time unknown"


class FileColumns:
    """Format, conversations, age and origin of files."""

    _SHORTEST_NAME, _LONGEST_NAME = 16, 44
    _AGE = 10
    _AROUND = 14
    """Cells of the cursor, the mark, the gaps between the columns, and the right edge."""

    def __init__(self, files: Sequence[RecordingFile]) -> None:
        """The columns are as wide as the longest texts of these files; the name gets the rest."""
        self._kind = widest(map(self._kind_of, files))
        self._matched = widest(map(self._matched_of, files))
        self._origin = widest(ORIGINS[file.source.origin][0] for file in files)

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
        return [mark, (padded(name, room), "name"), (content, ""), ("", FILL), (behind, "dim")]

    @staticmethod
    def _kind_of(file: RecordingFile) -> str:
        """The format; "" if the file is not read."""
        recording = file.source.recording
        return FORMATS.get(recording.format, recording.format) if recording is not None else ""

    @staticmethod
    def _matched_of(file: RecordingFile) -> str:
        is_read = file.source.recording is not None
        return f"{file.matched:,} of {len(file.conversations):,} matched" if is_read else ""


class ConversationColumns:
    """First words and turns of the conversations of a file, and the case of each or why it has none."""

    _LONGEST_ID, _SHORT_ID = 24, 12
    _WORDS, _LONGEST_WORDS, _FEW_WORDS = 20, 80, 22
    """The fewest and most cells of the first words in a wide list, and their most cells in a narrow one."""
    _LONGEST_REASON = 48
    _TIME = 2 + DATE
    _AROUND_WORDS = 3 + 10 + 2 + 4 + 1
    """Cells of the mark and turns before the first words, and of the gaps, in a wide list."""

    def __init__(self, conversations: Sequence[Conversation], known: RecordingFiles, *, is_dropped: bool) -> None:
        """`known` knows the case of each conversation. `is_dropped` says whether their file is dropped."""
        self._known, self._is_dropped = known, is_dropped
        measured = conversations[:MEASURED]
        self._id_width = min(
            self._LONGEST_ID, widest(one_line(conversation.id, self._LONGEST_ID) for conversation in measured)
        )
        self._words_width = widest(self._words_of(conversation, self._LONGEST_WORDS) for conversation in measured)
        self._case_width = widest("".join(self._case_of(conversation, 40)) for conversation in measured)
        runs = [run for conversation in measured if (run := known.run_of(conversation)) is not None]
        self._how_width = widest(f"  {MATCHED_BY[run.match.matched_by]}" for run in runs)

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
            (padded(cut_in_the_middle(one_line(entry.id), id_width), id_width), "name"),
            (f"  {counted(len(entry.turns), 'turn'):<8}", "dim"),
            (f"  {shown_date(entry.recorded_at):<{DATE}}" if is_dated else "", "dim"),
            (f"  {padded(self._words_of(entry, room), room)}", "dim"),
        ]
        # It has no case: a dropped file is not matched.
        if self._is_dropped:
            return [NOT_EVALUATED, *start]
        run = self._known.run_of(entry)
        if run is None:
            return [WARNING, *start, ("  ", ""), (printable(self._known.reason(entry) or "not matched yet"), "prose")]
        title, number = self._case_of(entry, 40 if is_wide else 22)
        how = f"  {MATCHED_BY[run.match.matched_by]}" if names_how else ""
        return [PASSED, *start, ("", FILL), ("  → ", "dim"), (title, ""), (f"{how}{number} ", "dim")]

    def _case_of(self, conversation: Conversation, room: int) -> tuple[str, str]:
        """The case of a conversation and the number of the run, or the reason why it has none."""
        run, case = self._known.run_of(conversation), self._known.case_of(conversation)
        if run is None:
            return one_line(self._known.reason(conversation), self._LONGEST_REASON), ""
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


def run_line(entry: RunOfCase, width: int) -> Line:
    """Number, time, file, verdict and scores of a run; the run that counts is marked."""
    conversation, is_wide = entry.match.conversation, width >= _WIDE
    line: Line = [
        COUNTING if entry.is_used else NO_MARK,
        (f"{entry.number:>3}  {shown_date(conversation.recorded_at):<{DATE}}  ", ""),
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
