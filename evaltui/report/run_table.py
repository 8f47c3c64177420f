"""A run as a text table: failing cases first, with reasons. Ids are never cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len
from rich.text import Text

from evaltui.printable import printable
from evaltui.report.run_notes import reason_for
from evaltui.report.scores_text import (
    MARKS,
    baseline_change_text,
    case_name,
    counts_text,
    passed_of,
    score_moves,
    score_text,
    short_name,
    summary_of_changes,
)
from evaltui.report.terminal_output import wrap_text
from evaltui.report.why_text import why_in
from evaltui.scoring.results import CaseResult, MetricScore, Status, mean_of
from evaltui.scoring.scored_set import ScoredSet

_STYLES: dict[Status, str] = {"passed": "green", "failed": "bold red", "not_evaluated": "yellow", "informational": ""}
_INDENT = "    "


def table_lines(run: ScoredSet, width: int) -> Iterator[Text]:
    """The styled lines of a run. A line is longer than `width` cells only if an id or a word is."""
    yield from _title(run)
    columns = list(_columns(run))
    heads = [*map(short_name, columns)]
    widths = [2 + max(cell_len(head), 6) for head in heads]
    longest = 2 + max((cell_len(_name_of(case, run)) for case in run.cases), default=0)
    fits = longest + sum(widths) <= width
    if columns and fits:
        yield _row(Text("", "dim"), map(Text, heads), longest, widths)
    # Cases in a row that are not evaluated for the same single reason share its line.
    for _, group in groupby(run.worst_first(), lambda case: _only_reason(case, run) or case.number):
        alike = list(group)
        for case in alike:
            name = Text(f"{MARKS[case.status]} {_name_of(case, run)}", _STYLES[case.status])
            metrics = {metric.name: metric for metric in case.metrics}
            if fits:
                yield _row(name, (_cell(metrics.get(column)) for column in columns), longest, widths)
            else:
                yield name
                scored = (metrics[column] for column in columns if column in metrics)
                yield from (Text(f"{_INDENT}{printable(metric.name)} ") + _cell(metric) for metric in scored)
            if moves := _changes_of(case, run)[1]:
                yield from wrapped(f"since the baseline: {moves}", width)
        reason = printable(reason_for(len(alike), alike[0].reason or ""))
        why = why_in(run, alike[0]) if len(alike) == 1 else [f"{len(alike)} cases: {reason}"]
        for line in why if alike[-1].status != "passed" else ():
            yield from wrapped(line, width)
    yield Text("")
    yield Text(counts_text(run.totals), "bold")
    if run.changes is not None:
        yield from wrapped(summary_of_changes(run.changes), width)
    yield from _totals(run, columns, width)


def _columns(run: ScoredSet) -> Iterator[str]:
    """The names of the metrics with a verdict, then of grades. Refused metrics without a score have a line below."""
    refused = {criterion.name for criterion in run.criteria.judged if criterion.refusal is not None}
    has_verdict = bool(run.totals.counts["passed"] or run.totals.counts["failed"])
    for name, (_, counts) in run.totals.by_metric.items():
        is_open = has_verdict and counts["not_evaluated"] and name not in refused
        if counts["passed"] or counts["failed"] or is_open:
            yield name
    yield from (name for name, (scores, _) in run.totals.by_metric.items() if scores and _is_grade(name, run))


def _only_reason(case: CaseResult, run: ScoredSet) -> str:
    """The reason of a case that is not evaluated, if that is all there is to say about it; else ""."""
    if case.status != "not_evaluated" or not case.reason or _changes_of(case, run)[1]:
        return ""
    return case.reason if len(why_in(run, case)) == 1 else ""


def _changes_of(case: CaseResult, run: ScoredSet) -> tuple[str, str]:
    """The change of a case since the baseline and its scores that moved, as texts; "" without a baseline."""
    return baseline_change_text(case, run.changes), ", ".join(score_moves(case, run.changes))


def _title(run: ScoredSet) -> Iterator[Text]:
    names = [run.subject.name, *([run.subject.eval_set_id] if run.subject.eval_set_id else [])]
    yield Text(printable(" · ".join(names)), "bold")
    criteria, origin = run.criteria, "options"
    if criteria.path is not None:
        origin = printable(criteria.path.name)
    elif criteria.is_default:
        origin = f"{'google-adk' if criteria.profile == 'adk' else criteria.profile}'s defaults"
    judged = []
    for criterion in criteria.judged:
        threshold = f" ≥ {score_text(criterion.threshold)}" if criterion.threshold is not None else ""
        judged.append(f"{short_name(criterion.name)}{criterion.options_text()}{threshold}")
    yield Text(f"{origin}: {' · '.join(judged) or 'no metrics'}", "dim")


def _name_of(case: CaseResult, run: ScoredSet) -> str:
    return "  ".join(filter(None, [case_name(case), passed_of(case), _changes_of(case, run)[0]]))


def _row(name: Text, cells: Iterable[Text], name_width: int, widths: Sequence[int]) -> Text:
    line, used = name, cell_len(name.plain)
    for cell, width in zip(cells, widths, strict=True):
        line = line + Text(" " * (name_width - used + width - cell_len(cell.plain))) + cell
        used = name_width
    return line


def _is_grade(name: str, run: ScoredSet) -> bool:
    """Whether the scores of a metric are those of a grader, which the recordings hold."""
    return bool(run.totals.by_metric[name][1]["informational"]) and name not in run.criteria.informational


def _cell(metric: MetricScore | None) -> Text:
    if metric is None:
        return Text("–")
    score = f"{score_text(metric.score, metric.threshold)} " if metric.score is not None else ""
    return Text(f"{score}{MARKS[metric.status]}", _STYLES[metric.status])


def _totals(run: ScoredSet, columns: Sequence[str], width: int) -> Iterator[Text]:
    for name in columns:
        scores, counts = run.totals.by_metric[name]
        recorded = ", recorded" if _is_grade(name, run) else ""
        count = counts["not_evaluated"]
        missing = f", {count} case{'s' * (count != 1)} not evaluated" if count else ""
        yield from wrapped(f"{printable(name)}: mean {score_text(mean_of(scores))}{recorded}{missing}", width)
    for name, (scores, counts) in run.totals.by_metric.items():
        if counts["informational"] and scores and not _is_grade(name, run):
            yield from wrapped(f"{printable(name)}: mean {score_text(mean_of(scores))}, informational", width)
    for criterion in run.criteria.judged:
        if criterion.refusal is not None and criterion.name not in columns:
            yield from wrapped(f"{printable(criterion.name)}: not evaluated: {printable(criterion.refusal)}", width)


def wrapped(text: str, width: int) -> Iterator[Text]:
    """Wrap `text` with indentation. A word that is longer than a line stays whole."""
    return map(Text, wrap_text(text, width, _INDENT))
