"""Lines of the runs of a case, the newest last: time, file, verdict and scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from evaltui.printable import printable
from evaltui.report.scores_text import date_text
from evaltui.tui.commands import key_of
from evaltui.tui.lines import COUNTING, FILL, NO_MARK, STATUS_MARKS, Line
from evaltui.tui.panes.score_lines import metric_text, recording_name
from evaltui.tui.screens.list_screen import EntryColumns

if TYPE_CHECKING:
    from evaltui.recordings.matching import CaseMatch
    from evaltui.scoring.results import CaseRun, MetricScore

_WIDE = 100
"""The least width, in cells, with room for longer names."""


class RunEntry:
    """One run of a case, with its scores once they are known."""

    def __init__(self, number: int, of: int, match: CaseMatch, *, counts: bool) -> None:
        self.number, self.of, self.match, self.counts = number, of, match, counts
        self.scored: CaseRun | None = None


class RunLines(EntryColumns[RunEntry]):
    """Draws the lines of runs."""

    def __init__(self, progress: Callable[[], str]) -> None:
        """`progress` gives how far a first run is; "" after it."""
        self._progress = progress

    def identity(self, entry: RunEntry) -> object:
        """The conversation of the run."""
        return entry.match.conversation.key

    def empty_line(self) -> Line:
        """Why the list is empty, and the keys that change it."""
        if progress := self._progress():
            return [(progress, "dim")]
        back, recordings = key_of("picker.leave"), key_of("list.recordings")
        return [(f"No recording belongs to this case. Press {back}, then {recordings} to see all files.", "dim")]

    def line(self, entry: RunEntry, width: int) -> Line:
        """Number, time, file, verdict and scores; the run that counts is marked."""
        conversation, scored = entry.match.conversation, entry.scored
        at = date_text(conversation.recorded_at) if conversation.recorded_at is not None else "time unknown"
        at = at.removesuffix(" UTC")
        is_wide = width >= _WIDE
        name = recording_name(conversation, 40 if is_wide else 18)
        line: Line = [
            COUNTING if entry.counts else NO_MARK,
            (f"{entry.number:>3}  {at:<16}  ", ""),
            (name, "name"),
            ("  ", ""),
        ]
        if scored is None:
            line.append(("scoring …", "dim"))
        else:
            line += [STATUS_MARKS[scored.status], (_scores_said(scored), "")]
        return [*line, ("", FILL), (" counts ", "accent")] if entry.counts and is_wide else line


def _scores_said(run: CaseRun) -> str:
    if run.reason:
        return printable(run.reason)
    judged = sorted((each for each in run.metrics if each.status != "informational"), key=_is_well)
    return " · ".join(map(metric_text, judged))


def _is_well(metric: MetricScore) -> bool:
    return metric.status == "passed"
