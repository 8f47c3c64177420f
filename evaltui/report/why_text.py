"""Why a case is as it is, in sentences: its own reason, then those of its turns, the failing ones."""

from __future__ import annotations

from collections.abc import Iterator

from evaltui.printable import printable
from evaltui.report.scores_text import against_text, short_name
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.explaining import explain
from evaltui.scoring.result import CaseResult, MetricScore, TurnScores

_MOST = 8
"""So many sentences of one case are told."""


def why_lines(case: CaseResult, criteria: Criteria) -> list[str]:
    """The sentences for one case, each with the turn it is about; at most eight, and how many there are more."""
    lines = list(_all(case, criteria))
    if len(lines) <= _MOST:
        return lines
    return [*lines[: _MOST - 1], f"… {len(lines) - _MOST + 1} more"]


def _all(case: CaseResult, criteria: Criteria) -> Iterator[str]:
    if case.reason:
        yield printable(case.reason)
    told: set[str] = set()
    for run in case.runs or ([case.run] if case.run is not None else []):
        for metric in run.metrics:
            if metric.status in ("failed", "not_evaluated") and metric.reason:
                if metric.reason in told or metric.reason in (case.reason or ""):
                    continue
                told.add(metric.reason)
                yield f"{printable(metric.name)}: {printable(metric.reason)}"
        for turn in run.turns if run.status == "failed" else ():
            for metric in turn.metrics:
                if metric.status == "failed" and metric.score is not None:
                    yield _why(turn, metric, criteria)


def _why(turn: TurnScores, metric: MetricScore, criteria: Criteria) -> str:
    explained = explain(turn, metric.name, criteria)
    said = "; ".join(explained.sentences) if explained is not None else ""
    score = f"turn {turn.number} · {short_name(metric.name)} {against_text(metric)}"
    return f"{score}: {said}" if said else score
