"""Columns of the Scores pane: name of a case, scores, change, recording, and age of the recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from evaltui.document.node import Node
from evaltui.evalset.titles import case_title
from evaltui.printable import one_line, printable
from evaltui.report.changes_text import age_text, change_text
from evaltui.report.scores_text import short_name
from evaltui.tui.lines import CHANGE_ROLES, FILL, NOT_EVALUATED, OUTDATED, STATUS_MARKS, Line, cut_in_the_middle
from evaltui.tui.open_file.set_scores import Scores
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


def facts_of_row(scores: Scores, case: Node, now: float) -> RowFacts:
    """The facts in the line of a case, at a given time."""
    scored, recorded_at = scores.of(case), scores.recorded_at(case)
    age = now - recorded_at if recorded_at is not None else None
    result = scored.result if scored is not None else None
    return RowFacts(case_title(case), result, case in scores.stale, scores.change(case), age)


def lengths_of(scores: Scores, cases: Sequence[Node]) -> Lengths:
    """The longest texts of some cases."""
    results = [scored.result for case in cases if (scored := scores.of(case)) is not None]
    names = [_recording_of(each) for each in results]
    titles = [case_title(case) for case in cases]
    return Lengths(
        max(map(cell_len, titles), default=0), max(map(cell_len, names), default=0), longest_change(scores, cases)
    )


def _recording_of(result: CaseResult) -> str:
    """The full name of the recording after the pass count or the run that counts; "" if there is none."""
    name = recording_name(result.run.conversation) if result.run is not None else ""
    return f"{runs_said(result)} {name}".strip()


def lengths_of_rows(rows: Sequence[RowFacts], *, has_changes: bool) -> Lengths:
    """The longest texts of some rows; `has_changes` tells whether any row of the run has a change."""
    names = [_recording_of(row.result) for row in rows if row.result is not None]
    changes = [cell_len(change_text(row.change).without_metric) for row in rows if row.change is not None]
    return Lengths(
        max((cell_len(one_line(row.name)) for row in rows), default=0),
        max(map(cell_len, names), default=0),
        max(changes, default=1) if has_changes else 0,
    )


def longest_change(scores: Scores, cases: Sequence[Node]) -> int:
    """The longest text of a change of some cases; 0 where no case of the set changed."""
    if not scores.changed_counts.total():
        return 0
    changes = [change for case in cases if (change := scores.change(case)) is not None]
    return max((cell_len(change_text(change).without_metric) for change in changes), default=1)


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
        room = width - 3 - self.name
        self.metrics = self._fitting(judged, room) or self._fitting(judged, room - _MORE, some=True)
        self.metrics = self.metrics or self._fitting(judged, room - _MORE_MIN, some=True)
        room -= self._taken(self.metrics)
        self.change = _SIGN if longest.change and room >= _SIGN + len(_GAP) else 0
        room -= self.change + len(_GAP) if self.change else 0
        room -= _MORE
        least = min(longest.recording, _RECORDING_MIN)
        self.recording = least if least + len(_GAP) <= room else 0
        room -= self.recording + len(_GAP) if self.recording else 0
        self.age = _AGE if self.recording and room >= _AGE + len(_GAP) else 0
        room -= self.age + len(_GAP) if self.age else 0
        if self.recording:
            wider = max(0, min(longest.recording, _RECORDING_MAX, self.recording + room) - self.recording)
            self.recording, room = self.recording + wider, room - wider
        # In the head, the word "recording" leaves room for the number of hidden metrics if its column is wide.
        in_head = min(_MORE, max(0, self.recording - _RECORDING_MIN))
        room += in_head
        if self.change:
            wider = max(0, min(longest.change, _CHANGE_MAX, self.change + room) - self.change)
            self.change, room = self.change + wider, room - wider
        if len(self.metrics) == len(judged) and self.recording:
            whole = self._fitting(informational, room + _MORE - in_head)
            self.metrics += whole or self._fitting(informational, room - in_head, some=True)
        self.more = len(self._heads) - len(self.metrics)
        last = [each for each in (self.change, self.recording, self.age) if each]
        needed = 5 + self.name + self._taken(self.metrics) + sum(len(_GAP) + each for each in last)
        needed += _MORE if self.more else 0
        # Room that is left shows whole names.
        spare = max(0, width - needed)
        longer = min(spare, max(0, longest.name - self.name))
        self.name, spare = self.name + longer, spare - longer
        if self.recording:
            self.recording += (wider := min(spare, max(0, longest.recording - self.recording)))
            longer += wider
        needed += longer
        self.end = max(WIDEST, needed)
        """Where the right end of the lines is at most: the last columns stay near the scores in a wide pane."""

    def _taken(self, names: Sequence[str]) -> int:
        return sum(self._widths[name] + len(_GAP) for name in names)

    def _fitting(self, names: Sequence[str], room: int, *, some: bool = False) -> list[str]:
        """All of these columns if they fit, else none; with `some`, as many as fit."""
        fitting = len(names)
        while fitting and self._taken(names[:fitting]) > room:
            fitting -= 1
        return list(names[:fitting]) if some or fitting == len(names) else []

    def head(self) -> Line:
        """The names of the columns, and the number of metrics that do not fit; no longer than the lines below."""
        width = min(self._width, self.end)
        line: Line = [("  " + "case".ljust(self.name), "dim")]
        line += [(_GAP + self._heads[name].ljust(self._widths[name]), "dim") for name in self.metrics]
        recording = "recording".ljust(self.recording) if self.recording else ""
        columns = "  ".join(filter(None, [recording, "age".rjust(self.age) if self.age else ""]))
        taken = sum(cell_len(text) for text, _ in line) + len(columns) + len("    ")
        if self.change:
            line.append((f"{_GAP}change", "dim"))
            taken += len(f"{_GAP}change")
        behind = "  ".join(filter(None, [self._left_out_said(width - 2 - taken), columns]))
        return [*line, ("", FILL), (f" {behind} ", "dim")] if behind else line

    def _left_out_said(self, room: int) -> str:
        """The number of metrics without a column, and where the scores of the selected case are: the last line."""
        if not self.more:
            return ""
        words = f"{self.more} more metric{'s' * (self.more != 1)}"
        said = (f"{words} in the status line", words, f"{self.more} more")
        return next((each for each in said if len(each) <= room), f"+{self.more}")

    def case(self, row: RowFacts) -> Line:
        """The line of a case: mark, name, scores or the reason without one, change, recording."""
        shown = cut_in_the_middle(one_line(row.name), self.name)
        padded = shown + " " * (self.name - cell_len(shown))
        result, is_outdated = row.result, row.is_outdated
        if result is None:
            return [NOT_EVALUATED, (padded, "dim"), (f"{_GAP}not scored yet", "dim")]
        line: Line = [
            OUTDATED if is_outdated else STATUS_MARKS[result.status],
            (padded, "dim" if is_outdated else "name"),
        ]
        change = row.change if not is_outdated else None
        if result.reason:
            line += self._change(change, is_padded=False)
            line.append((f"{_GAP}{printable(result.reason)}", "dim" if is_outdated else ""))
        else:
            line += [run for metric in self.metrics for run in self._cell(result, metric, is_outdated)]
            line += self._change(change, is_padded=True)
        if is_outdated:
            return [*line, ("", FILL), (" outdated ", "dim")]
        if behind := self._recording_said(result):
            blanks = " " * max(0, self.recording - cell_len(behind))
            line += [("", FILL), (f"  {behind}{blanks} ", "dim")]
            if self.age:
                line.append((f" {age_text(row.age).rjust(self.age)} ", "dim"))
        return line

    def _recording_said(self, result: CaseResult) -> str:
        """The part of the recording's name that fits, after the pass count or the run that counts."""
        runs = runs_said(result)
        room = self.recording - len(runs) - bool(runs)
        if result.run is None or (runs and room < _RECORDING_MIN) or not self.recording:
            return runs
        return f"{runs} {recording_name(result.run.conversation, room)}".strip()

    def _cell(self, result: CaseResult, name: str, is_outdated: bool) -> Line:
        metric = next((each for each in result.metrics if each.name == name), None)
        text = cell_text(metric) if metric is not None else ""
        if is_outdated or metric is None:
            role = "dim"
        else:
            role = STATUS_MARKS[metric.status][1] if metric.status != "passed" else ""
        return [(_GAP, ""), (text.ljust(self._widths[name]), role)]

    def _change(self, change: RunChange | None, *, is_padded: bool) -> Line:
        """The part of a change that fits: its sign, and as many words as fit."""
        if change is None or not self.change:
            return []
        text = change_text(change)
        kept = next((n for n in range(len(text.words), 0, -1) if cell_len(text.first(n)) <= self.change), 0)
        shown = text.whole if cell_len(text.whole) <= self.change else text.first(kept)
        return [(_GAP, ""), (shown.ljust(self.change) if is_padded else shown, CHANGE_ROLES.get(change.change, ""))]

    def left_out(self, row: RowFacts, *, is_cut: bool) -> str:
        """The facts that do not fit into the line of a case: reason without a score, change, scores, recording."""
        result = row.result
        if result is None or result.reason:
            return result.reason if is_cut and result is not None and result.reason else ""
        said = []
        change = change_text(row.change) if row.change is not None and not row.is_outdated else None
        if change is not None and cell_len(change.whole) > self.change:
            said.append(change.whole)
        metrics = [each for each in result.metrics if each.name not in self.metrics]
        said += [
            f"{metric_name(m)} {cell_text(m)}" for m in metrics if m.status != "informational" or m.score is not None
        ]
        said += [f"{m.name}: {m.reason}" for m in result.metrics if m.status == "not_evaluated" and m.reason]
        if result.run is not None and not self.recording:
            said.append(recording_name(result.run.conversation))
        if result.run is not None and not self.age and (row.age or 0) >= _YOUNG:
            said.append(f"recorded {age_text(row.age)} ago")
        return " · ".join(said)
