"""Scores as lines: a case with the score of each metric, the head above them, and what is said of a run as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from evaltui.printable import one_line, printable
from evaltui.report.scores_text import against_text, score_text, short_name
from evaltui.tui.lines import FILL, Line
from evaltui.tui.marks import NOT_EVALUATED, OF_SEVERITY, OF_STATUS, STALE, sign

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Conversation
    from evaltui.scoring.results import CaseResult, MetricScore
    from evaltui.tui.session.run_facts import Remark
    from evaltui.tui.session.scores import Verdict

_GAP = "  "
_NAME_MIN = 12
_CELL, _NUMBER = len("✗ 0.57 < 0.80"), 8
_RECORDING_MIN, _RECORDING_MAX = 9, 32
_MORE = len(" +9 more ")


class Columns:
    """The columns of names, scores and recordings in lines of a given width."""

    def __init__(
        self, width: int, names: Sequence[str], judged: Sequence[str], informational: Sequence[str], recording: int
    ) -> None:
        """`recording` is how long the names of recordings are.

        Room is given to the metrics that are judged, then to the recording, then to those that only inform, if it
        is enough for all of them.
        """
        self._heads = {name: short_name(name) for name in (*judged, *informational)}
        self._widths = {
            name: max(cell_len(head), _CELL if name in judged else _NUMBER) for name, head in self._heads.items()
        }
        self.name = max(_NAME_MIN, min(max(map(cell_len, names), default=0), width // 3))
        room = width - 3 - self.name
        self.metrics = self._fitting(judged, room) or self._fitting(judged, room - _MORE, some=True)
        room -= self._taken(self.metrics)
        self.recording = max(0, min(recording, room - len(_GAP) - _MORE, _RECORDING_MAX))
        if self.recording < min(recording, _RECORDING_MIN):
            self.recording = 0
        if len(self.metrics) == len(judged) and self.recording:
            self.metrics += self._fitting(informational, room - self.recording - len(_GAP))
        self.left_out = len(self._heads) - len(self.metrics)

    def _taken(self, names: Sequence[str]) -> int:
        return sum(self._widths[name] + len(_GAP) for name in names)

    def _fitting(self, names: Sequence[str], room: int, *, some: bool = False) -> list[str]:
        """All of these columns where there is room for them, else none; with `some`, as many as there is room for."""
        fitting = len(names)
        while fitting and self._taken(names[:fitting]) > room:
            fitting -= 1
        return list(names[:fitting]) if some or fitting == len(names) else []

    def head(self) -> Line:
        """The names of the columns, and how many metrics there was no room for."""
        line: Line = [("  " + "case".ljust(self.name), "dim")]
        line += [(_GAP + self._heads[name].ljust(self._widths[name]), "dim") for name in self.metrics]
        more = f"+{self.left_out} more" if self.left_out else ""
        behind = "  ".join(filter(None, [more, "recording" if self.recording else ""]))
        return [*line, ("", FILL), (f" {behind} ", "dim")] if behind else line

    def case(self, name: str, result: CaseResult | None, *, is_stale: bool) -> Line:
        """A case: its mark, its name, the score of each metric or why there is none, and the recording."""
        shown = cut_in_the_middle(one_line(name), self.name)
        padded = shown + " " * (self.name - cell_len(shown))
        if result is None:
            return [NOT_EVALUATED, (padded, "dim"), (f"{_GAP}not scored yet", "dim")]
        line: Line = [
            STALE if is_stale else OF_STATUS[result.status],
            (padded, "dim" if is_stale else "name"),
        ]
        if result.reason:
            line.append((f"{_GAP}{printable(result.reason)}", "dim" if is_stale else ""))
        else:
            line += [run for metric in self.metrics for run in self._cell(result, metric, is_stale)]
        if is_stale:
            return [*line, ("", FILL), (" edited since ", "dim")]
        behind = self._recording_said(result)
        return [*line, ("", FILL), (f"  {behind} ", "dim")] if behind else line

    def _recording_said(self, result: CaseResult) -> str:
        """The recording as far as there is room, behind how many runs passed or which one counts."""
        runs = runs_said(result)
        room = self.recording - len(runs) - bool(runs)
        if result.run is None or (runs and room < _RECORDING_MIN) or not self.recording:
            return runs
        return f"{runs} {recording_name(result.run.conversation, room)}".strip()

    def _cell(self, result: CaseResult, name: str, is_stale: bool) -> Line:
        metric = next((each for each in result.metrics if each.name == name), None)
        text = cell_text(metric) if metric is not None else ""
        role = "dim" if is_stale or metric is None else OF_STATUS[metric.status][1] if metric.status != "passed" else ""
        return [(_GAP, ""), (text.ljust(self._widths[name]), role)]


def runs_said(result: CaseResult, *, is_turn: bool = False) -> str:
    """`2/3` if all runs were scored and two passed, `run 2 of 5` if another than the latest counts; else "".

    A turn is of one run, even if all were scored.
    """
    if result.runs is not None and not is_turn:
        return f"{result.passed_runs}/{len(result.runs)}"
    is_chosen = 0 < result.run_number < result.recordings or (is_turn and len(result.runs or ()) > 1)
    return f"run {result.run_number:,} of {result.recordings:,}" if is_chosen else ""


def recording_name(conversation: Conversation, width: int = 40) -> str:
    """The name of its file; of google-adk's results without what all of them end in."""
    return cut_in_the_middle(printable(conversation.path.name.removesuffix(".evalset_result.json")), width)


def cut_in_the_middle(name: str, width: int) -> str:
    """A name in at most so many cells, cut in the middle."""
    if cell_len(name) <= width:
        return name
    half = (width - 1) // 2
    return f"{set_cell_size(name, width - 1 - half).rstrip()}…{_end(name, half)}"


def _end(name: str, width: int) -> str:
    """The last characters of a name that fit."""
    start = len(name)
    while start and cell_len(name[start - 1 :]) <= width:
        start -= 1
    return name[start:]


def cell_text(metric: MetricScore) -> str:
    """`✗ 0.57 < 0.80`; only the mark where there is no score."""
    if metric.status == "informational":
        return score_text(metric.score)
    mark = OF_STATUS[metric.status]
    return f"{mark[0]}{against_text(metric)}" if metric.score is not None else sign(mark)


def metric_name(metric: MetricScore) -> str:
    """The short name of its metric: `response_match`."""
    return short_name(printable(metric.name))


def metric_text(metric: MetricScore) -> str:
    """A score with the name of its metric: `response_match 0.57 < 0.80`."""
    return f"{metric_name(metric)} {against_text(metric)}"


def verdict_runs(verdict: Verdict) -> tuple[Line, Line]:
    """Runs before the label of a row and at its right end: the mark, and the deciding score."""
    stale, status, metric = verdict.is_stale, verdict.status, verdict.metric
    before: Line = [STALE if stale else OF_STATUS[status]]
    if metric is None:
        return before, []
    role = "error" if status == "failed" and not stale else "dim"
    return before, [(f" {score_text(metric.score, metric.threshold)}", role)]


def remark_line(remark: Remark) -> Line:
    """A sentence about the run as a whole."""
    return [OF_SEVERITY[remark.severity], (printable(remark.text), "")]
