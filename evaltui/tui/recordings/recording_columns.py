"""Lines of the lists of recordings: files, their conversations, and the runs of a case."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from evaltui.evalset.titles import case_title
from evaltui.printable import one_line, printable
from evaltui.report.scores_text import age_text, date_text
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
_SHORTEST_NAME, _LONGEST_NAME, _AGE = 16, 44, 10
"""Cells of the name of a file, and of its age."""
_AROUND_FILE = 14
"""Cells of the cursor, the mark, the gaps between the columns, and the right edge, in a line of a file."""
_LONGEST_ID, _SHORT_ID, _LONGEST_REASON = 24, 12, 48
_WORDS, _LONGEST_WORDS, _FEW_WORDS = 20, 80, 22
"""The fewest and most cells of the first words in a wide list, and their most cells in a narrow one."""
_TIME = 2 + DATE
_AROUND_WORDS = 3 + 10 + 2 + 4 + 1
"""Cells of the mark and turns before the first words, and of the gaps, in a wide list."""


def widest(texts: Iterable[str]) -> int:
    """The cells of the longest text; 0 without any."""
    return max(map(cell_len, texts), default=0)


def padded(text: str, width: int) -> str:
    """A text with blanks up to `width` cells."""
    return text + " " * (width - cell_len(text))


def shown_date(seconds: float | None) -> str:
    """The day and the minute of a time in seconds since 1970, in UTC."""
    return date_text(seconds).removesuffix(" UTC") if seconds is not None else "time unknown"


def file_lines(files: Sequence[RecordingFile]) -> Callable[[RecordingFile, int], Line]:
    """Lines of files: mark, name, format, matched conversations, age and origin."""

    def kind_of(file: RecordingFile) -> str:
        return FORMATS[file.source.recording.format] if file.source.recording is not None else ""

    def matched_of(file: RecordingFile) -> str:
        is_read = file.source.recording is not None
        return f"{file.matched:,} of {len(file.conversations):,} matched" if is_read else ""

    kind_width, matched_width = widest(map(kind_of, files)), widest(map(matched_of, files))
    origin_width = widest(ORIGINS[file.source.origin][0] for file in files)

    def line(entry: RecordingFile, width: int) -> Line:
        source = entry.source
        # The name says most, so it gets what the other columns leave.
        room = width - kind_width - matched_width - _AGE - origin_width - _AROUND_FILE
        room = max(_SHORTEST_NAME, min(_LONGEST_NAME, room))
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
        return [mark, (padded(name, room), "name"), (content, ""), ("", FILL), (f"  {ago:>{_AGE}}{origin}", "dim")]

    return line


def conversation_lines(
    conversations: Sequence[Conversation], known: RecordingFiles, *, is_dropped: bool
) -> Callable[[Conversation, int], Line]:
    """Lines of the conversations of a file: mark, id, turns, time, first words, and the case or why there is none.

    `known` knows the case of each conversation. `is_dropped` says whether their file is dropped.
    """

    def case_text(conversation: Conversation, room: int) -> tuple[str, str]:
        """The case of a conversation and the number of the run, or the reason why it has none."""
        run, case = known.run_of(conversation), known.case_of(conversation)
        if run is None:
            return one_line(known.reason(conversation), _LONGEST_REASON), ""
        title = cut_in_the_middle(case_title(case), room) if case is not None else "deleted case"
        return title, f"  {run_text(run.number, run.count)}" if run.count > 1 else ""

    def words_of(conversation: Conversation, room: int = _LONGEST_WORDS) -> str:
        return preview(first_words(conversation), room) or "no user message"

    measured = conversations[:MEASURED]
    longest_id = widest(one_line(conversation.id, _LONGEST_ID) for conversation in measured)
    words_width = widest(map(words_of, measured))
    case_width = widest("".join(case_text(conversation, 40)) for conversation in measured)
    runs = [run for conversation in measured if (run := known.run_of(conversation)) is not None]
    how_width = widest(f"  {MATCHED_BY[run.match.matched_by]}" for run in runs)

    def line(entry: Conversation, width: int) -> Line:
        is_wide = width >= _WIDE
        id_width = min(longest_id, _LONGEST_ID if is_wide else _SHORT_ID)
        room = width - _AROUND_WORDS - id_width - case_width if is_wide else _FEW_WORDS
        is_dated = is_wide and room >= _WORDS + _TIME
        room -= _TIME if is_dated else 0
        # How a conversation was matched says less than its words.
        names_how = is_wide and room >= words_width + how_width
        room = min(max(_WORDS, room), words_width)
        start: Line = [
            (padded(cut_in_the_middle(one_line(entry.id), id_width), id_width), "name"),
            (f"  {counted(len(entry.turns), 'turn'):<8}", "dim"),
            (f"  {shown_date(entry.recorded_at):<{DATE}}" if is_dated else "", "dim"),
            (f"  {padded(words_of(entry, room), room)}", "dim"),
        ]
        # It has no case: a dropped file is not matched.
        if is_dropped:
            return [NOT_EVALUATED, *start]
        if (run := known.run_of(entry)) is None:
            return [WARNING, *start, ("  ", ""), (printable(known.reason(entry) or "not matched yet"), "prose")]
        title, number = case_text(entry, 40 if is_wide else 22)
        how = f"  {MATCHED_BY[run.match.matched_by]}" if names_how else ""
        return [PASSED, *start, ("", FILL), ("  → ", "dim"), (title, ""), (f"{how}{number} ", "dim")]

    return line


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
