"""Columns of the Scores pane: name of a case, scores, change, recording, and age of the recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from evaltui.printable import one_line, printable
from evaltui.report.scores_text import age_text, change_texts, short_name
from evaltui.tui.lines import (
    CHANGE_ROLES,
    FILL,
    NOT_EVALUATED,
    OUTDATED,
    STATUS_MARKS,
    Line,
    cells_of,
    cut_at_word,
    cut_in_the_middle,
)
from evaltui.tui.panes.score_lines import cell_text, metric_name, recording_name, runs_said
from evaltui.tui.widgets.line_view import WIDEST

if TYPE_CHECKING:
    from evaltui.scoring.results import CaseResult
    from evaltui.scoring.score_change import RunChange

_GAP = "  "
_NAME_MIN = 12
_CELL, _NUMBER = len("✗ 0.57 < 0.80"), 8
_SIGN, _CHANGE_MAX = len("▲ +0.43"), 40
_RECORDING_MIN, _RECORDING_MAX = 9, 32
_AGE = len("59 min")
_MORE, _MORE_MIN = len("  9 more "), len("  +9 ")
_YOUNG = 60
"""Seconds up to which the age of a recording is not shown."""


class RowFacts(NamedTuple):
    """The facts in the line of a case."""

    name: str
    result: CaseResult | None
    is_outdated: bool
    change: RunChange | None
    age: float | None
    """Seconds since the recording was made; None if unknown."""


class Lengths(NamedTuple):
    """The longest texts in some columns, in cells."""

    name: int
    recording: int
    change: int
    """0 if nothing changed."""


class Room:
    """The free cells of a line, from which columns take theirs, the most useful ones first."""

    def __init__(self, cells: int) -> None:
        self.cells = cells

    def reserve(self, cells: int, blanks: int = len(_GAP)) -> int:
        """Take the cells of a column with its blanks; 0 if they do not fit."""
        if not cells or self.cells < cells + blanks:
            return 0
        self.cells -= cells + blanks
        return cells

    def widen(self, cells: int, most: int) -> int:
        """Take cells for a column that has some already, up to `most` in all."""
        wider = max(0, min(most - cells, self.cells)) if cells else 0
        self.cells -= wider
        return cells + wider


def lengths_of(rows: Sequence[RowFacts], *, has_changes: bool) -> Lengths:
    """The longest texts of some rows; `has_changes` tells whether any row of the run has a change."""
    results = [row.result for row in rows if row.result is not None]
    changes = [change_texts(row.change)[1] for row in rows if row.change is not None]
    return Lengths(
        max((cell_len(one_line(row.name)) for row in rows), default=0),
        max((cell_len(_recording_text(result)) for result in results), default=0),
        # One cell reserves the column for changes further down, so that scrolling to them moves nothing.
        max(map(cell_len, changes), default=1) if has_changes else 0,
    )


def _recording_text(result: CaseResult, width: int = 40) -> str:
    """The name of the recording after the pass count or the run that counts; "" if there is none."""
    runs = runs_said(result)
    name = recording_name(result.run.conversation, width) if result.run is not None else ""
    return f"{runs} {name}".strip()


class Columns:
    """The columns of lines in a given width."""

    def __init__(self, width: int, judged: Sequence[str], informational: Sequence[str], longest: Lengths) -> None:
        """Columns get room in this order: deciding metrics, sign of a change, a few letters of the recording, its
        age, its full name, words of a change, informational metrics, the rest of long names.
        """
        self._heads = {name: short_name(name) for name in (*judged, *informational)}
        self._widths = {
            name: max(cell_len(head), _CELL if name in judged else _NUMBER) for name, head in self._heads.items()
        }
        self._width = width
        self.name = max(_NAME_MIN, min(longest.name, width // 3))
        room = Room(width - 3 - self.name)
        # If some are hidden, their number needs room, too: as a word, else as a sign.
        self.metrics = self._fitting(judged, room.cells) or self._fitting(judged, room.cells - _MORE, some=True)
        self.metrics = self.metrics or self._fitting(judged, room.cells - _MORE_MIN, some=True)
        room.cells -= self._cells_of(self.metrics)
        self.change = room.reserve(_SIGN if longest.change else 0)
        room.cells -= _MORE
        self.recording = room.reserve(min(longest.recording, _RECORDING_MIN))
        # Without the name of its recording, an age would tell nothing.
        self.age = room.reserve(_AGE if self.recording else 0)
        self.recording = room.widen(self.recording, min(longest.recording, _RECORDING_MAX))
        # In the head, the word "recording" leaves room for the number of hidden metrics if its column is wide.
        in_head = min(_MORE, max(0, self.recording - _RECORDING_MIN))
        room.cells += in_head
        self.change = room.widen(self.change, min(longest.change, _CHANGE_MAX))
        if len(self.metrics) == len(judged) and self.recording:
            # No number of hidden metrics is needed if all of them fit: its room is theirs.
            fitting = self._fitting(informational, room.cells + _MORE - in_head)
            self.metrics += fitting or self._fitting(informational, room.cells - in_head, some=True)
        self.more = len(self._heads) - len(self.metrics)
        needed = 5 + self.name + self._cells_of(self.metrics) + (_MORE if self.more else 0)
        needed += sum(len(_GAP) + cells for cells in (self.change, self.recording, self.age) if cells)
        # Room that is left shows whole names.
        spare = Room(max(0, width - needed))
        self.name = spare.widen(self.name, longest.name)
        self.recording = spare.widen(self.recording, longest.recording)
        self.end = max(WIDEST, needed + max(0, width - needed) - spare.cells)
        """Where the right end of the lines is at most: the last columns stay near the scores in a wide pane."""

    def _cells_of(self, metrics: Sequence[str]) -> int:
        return sum(self._widths[name] + len(_GAP) for name in metrics)

    def _fitting(self, names: Sequence[str], room: int, *, some: bool = False) -> list[str]:
        """All of these columns if they fit, else none; with `some`, as many as fit."""
        count = len(names)
        while count and self._cells_of(names[:count]) > room:
            count -= 1
        return list(names[:count]) if some or count == len(names) else []

    def head(self) -> Line:
        """The names of the columns, and the number of metrics that do not fit; no longer than the lines below."""
        line: Line = [("  " + "case".ljust(self.name), "dim")]
        line += [(_GAP + self._heads[name].ljust(self._widths[name]), "dim") for name in self.metrics]
        recording = "recording".ljust(self.recording) if self.recording else ""
        columns = "  ".join(filter(None, [recording, "age".rjust(self.age) if self.age else ""]))
        if self.change:
            line.append((f"{_GAP}change", "dim"))
        hidden = ""
        if self.more:
            # The last line of the screen, the status line, has the other scores of the selected case.
            words = f"{self.more} more metric{'s' * (self.more != 1)}"
            room = min(self._width, self.end) - 2 - cells_of(line) - len(columns) - len("    ")
            texts = (f"{words} in the status line", words, f"{self.more} more")
            hidden = next((text for text in texts if len(text) <= room), f"+{self.more}")
        right_end = "  ".join(filter(None, [hidden, columns]))
        return [*line, ("", FILL), (f" {right_end} ", "dim")] if right_end else line

    def case(self, row: RowFacts) -> Line:
        """The line of a case: mark, name, scores or the reason without one, change, recording."""
        result, is_outdated = row.result, row.is_outdated
        name = cut_in_the_middle(one_line(row.name), self.name)
        name += " " * (self.name - cell_len(name))
        if result is None:
            return [NOT_EVALUATED, (name, "dim"), (f"{_GAP}not scored yet", "dim")]
        mark = OUTDATED if is_outdated else STATUS_MARKS[result.status]
        line: Line = [mark, (name, "dim" if is_outdated else "name")]
        change: Line = []
        if row.change is not None and self.change and not is_outdated:
            texts, role = change_texts(row.change), CHANGE_ROLES.get(row.change.change, "")
            words = next((text for text in texts if cell_len(text) <= self.change), texts[-1])
            change = [(_GAP, ""), (words.ljust(self.change), role)]
        if result.reason:
            reason = printable(result.reason)
            if change and self.metrics:  # the change stays in its column
                room = self._cells_of(self.metrics) - len(_GAP)
                reason = cut_at_word(reason, room)
                reason += " " * (room - cell_len(reason))
            described: Line = [(f"{_GAP}{reason}", "dim" if is_outdated else "")]
            line += [*described, *change] if self.metrics else [*change, *described]
        else:
            scores = {metric.name: metric for metric in result.metrics}
            for column in self.metrics:
                metric = scores.get(column)
                role = "dim"
                if metric is not None and not is_outdated:
                    role = "" if metric.status == "passed" else STATUS_MARKS[metric.status][1]
                cell = cell_text(metric) if metric is not None else ""
                line += [(_GAP, ""), (cell.ljust(self._widths[column]), role)]
            line += change
        if is_outdated:
            return [*line, ("", FILL), (" outdated ", "dim")]
        # The part of the recording's name that fits, after the pass count or the run that counts.
        recording = runs_said(result)
        room = self.recording - len(recording) - bool(recording)
        if self.recording and (not recording or room >= _RECORDING_MIN):
            recording = _recording_text(result, room)
        if recording:
            blanks = " " * max(0, self.recording - cell_len(recording))
            line += [("", FILL), (f"  {recording}{blanks} ", "dim")]
            if self.age:
                line.append((f" {age_text(row.age).rjust(self.age)} ", "dim"))
        return line

    def left_out(self, row: RowFacts, *, is_cut: bool) -> str:
        """The facts that do not fit into the line of a case: reason without a score, change, scores, recording."""
        result = row.result
        if result is None:
            return ""
        if result.reason:
            is_whole = printable(result.reason) in "".join(text for text, _ in self.case(row))
            return result.reason if is_cut or not is_whole else ""
        facts = []
        change = change_texts(row.change)[0] if row.change is not None and not row.is_outdated else ""
        if cell_len(change) > self.change:
            facts.append(change)
        metrics = [metric for metric in result.metrics if metric.name not in self.metrics]
        metrics = [metric for metric in metrics if metric.status != "informational" or metric.score is not None]
        facts += [f"{metric_name(metric)} {cell_text(metric)}" for metric in metrics]
        facts += [f"{m.name}: {m.reason}" for m in result.metrics if m.status == "not_evaluated" and m.reason]
        if result.run is not None and not self.recording:
            facts.append(recording_name(result.run.conversation))
        if result.run is not None and not self.age and (row.age or 0) >= _YOUNG:
            facts.append(f"recorded {age_text(row.age)} ago")
        return " · ".join(facts)
