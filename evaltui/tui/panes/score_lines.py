"""Scores, verdicts and recordings as texts and runs of lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from evaltui.evalset.titles import STEP
from evaltui.printable import printable
from evaltui.report.scores_text import against_text, score_text, short_name
from evaltui.tui.lines import STATUS_MARKS, cut_in_the_middle, sign

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Conversation
    from evaltui.scoring.results import CaseResult, MetricScore


def runs_said(result: CaseResult, *, is_turn: bool = False) -> str:
    """`2/3` if all runs were scored and two passed; `run 2 of 5` if an earlier run counts; else "".

    The scores of a turn always belong to one run.
    """
    if result.runs is not None and not is_turn:
        return f"{result.passed_runs}/{len(result.runs)}"
    is_chosen = 0 < result.run_number < result.recordings or (is_turn and len(result.runs or ()) > 1)
    return f"run {result.run_number:,} of {result.recordings:,}" if is_chosen else ""


def recording_name(conversation: Conversation, width: int = 40) -> str:
    """The name of the file of a recording; for google-adk's results without their common ending."""
    return cut_in_the_middle(printable(conversation.path.name.removesuffix(".evalset_result.json")), width)


def cut_place(where: str, width: int) -> str:
    """A place such as `refund › turn 2` cut to `width` cells. Only the case id is cut, because the rest says more."""
    case, step, rest = where.partition(STEP)
    return f"{cut_in_the_middle(case, max(9, width - cell_len(step + rest)))}{step}{rest}"


def cell_text(metric: MetricScore) -> str:
    """`✗ 0.57 < 0.80`; only the mark without a score."""
    if metric.status == "informational":
        return score_text(metric.score)
    mark = STATUS_MARKS[metric.status]
    return f"{mark[0]}{against_text(metric)}" if metric.score is not None else sign(mark)


def metric_name(metric: MetricScore) -> str:
    """The short name of the metric of a score: `response_match`."""
    return short_name(printable(metric.name))


def metric_text(metric: MetricScore) -> str:
    """A score with the name of its metric: `response_match 0.57 < 0.80`."""
    return f"{metric_name(metric)} {against_text(metric)}"
