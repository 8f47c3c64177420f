"""The runs of a case as lines below its form: how many passed, which one counts, and a line for each run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.report.scores_text import date_text
from evaltui.tui.commands import key_of
from evaltui.tui.lines import COUNTING, NO_MARK, STATUS_MARKS, Line
from evaltui.tui.panes.score_lines import metric_text, recording_name
from evaltui.tui.recordings.conversation_facts import runs_of

if TYPE_CHECKING:
    from evaltui.scoring.results import CaseResult, CaseRun
    from evaltui.tui.open_file.set_scores import Scores

_MOST = 12
"""Most runs that are listed, newest ones; earlier runs are counted."""


def run_lines(scores: Scores, case: Node, result: CaseResult) -> Iterator[Line]:
    """The lines of the runs of a case, newest last, after a heading; none if there is only one run."""
    matches = runs_of(scores, case)
    if len(matches) < 2:
        return
    passed = f"passed {result.passed_runs} of {len(result.runs)} runs" if result.runs is not None else ""
    counts = f"the score is from run {result.run_number:,} of {len(matches):,}"
    said = " · ".join(filter(None, [passed, counts, f"{key_of('list.runs')}: choose another run"]))
    yield [("  runs  ", "dim"), (said, "")]
    scored = result.runs if result.runs is not None and len(result.runs) == len(matches) else None
    first = max(0, len(matches) - _MOST)
    if first:
        yield [(f"    … {first:,} earlier runs", "dim")]
    for at in range(first, len(matches)):
        conversation = matches[at].conversation
        run = scored[at] if scored is not None else result.run if at + 1 == result.run_number else None
        when = date_text(conversation.recorded_at) if conversation.recorded_at is not None else "time unknown"
        mark = COUNTING if at + 1 == result.run_number else NO_MARK
        yield [
            ("    ", ""),
            mark,
            (f"{at + 1:>3}  {when}  ", "dim"),
            (recording_name(conversation), ""),
            *_verdict(run),
        ]


def _verdict(run: CaseRun | None) -> Line:
    """The verdict of a run with its lowest score; empty if it was not scored."""
    if run is None:
        return []
    deciding = [each for each in run.metrics if each.status == run.status and each.score is not None]
    lowest = min(deciding, key=lambda each: each.score or 0.0, default=None)
    said = metric_text(lowest) if lowest is not None else run.status.replace("_", " ")
    return [("  ", ""), STATUS_MARKS[run.status], (said, "dim")]
