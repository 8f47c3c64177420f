"""A run as a text table: failing cases first, with reasons. Ids are never cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len
from rich.text import Text

from evaltui.printable import printable
from evaltui.report.run_notes import reason_for
from evaltui.report.scores_text import MARKS, case_name, counts_text, passed_of, score_text, short_name
from evaltui.report.terminal_output import wrap_text
from evaltui.report.why_text import why_in
from evaltui.scoring.results import CaseResult, MetricScore, Status, mean_of
from evaltui.scoring.scored_set import ScoredSet

_STYLES: dict[Status, str] = {"passed": "green", "failed": "bold red", "not_evaluated": "yellow", "informational": ""}
_INDENT = "    "
_GAP = 2


def table_lines(run: ScoredSet, width: int) -> Iterator[Text]:
    """The styled lines of a run. A line is longer than `width` cells only if an id or a word is."""
    yield from _title(run)
    columns = list(_columns(run))
    layout = _Layout(run, columns, width)
    if columns and layout.fits:
        yield layout.head()
    # Cases in a row that are not evaluated for the same single reason share its line.
    for _, group in groupby(run.worst_first(), lambda case: _only_reason(case, run) or case.number):
        alike = list(group)
        for case in alike:
            yield from layout.case(case)
            if moves := _changes_of(case, run)[1]:
                yield from wrapped(f"since the baseline: {moves}", width)
        reason = printable(reason_for(len(alike), alike[0].reason or ""))
        why = why_in(run, alike[0]) if len(alike) == 1 else [f"{len(alike)} cases: {reason}"]
        for line in why if alike[-1].status != "passed" else ():
            yield from wrapped(line, width)
    yield Text("")
    yield Text(counts_text(run.totals), "bold")
    if run.changes is not None:
        from evaltui.report.changes_text import summary_of_changes  # noqa: PLC0415 - as above

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
    if run.changes is None:
        return "", ""
    from evaltui.report.changes_text import baseline_change_text, score_moves  # noqa: PLC0415 - few have a baseline

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


class _Layout:
    """Where the columns are."""

    def __init__(self, run: ScoredSet, columns: Sequence[str], width: int) -> None:
        self._columns, self._run = columns, run
        self._heads = [*map(short_name, columns)]
        self._widths = [max(cell_len(head), 6) for head in self._heads]
        self._names = max((cell_len(self._name(case)) for case in run.cases), default=0)
        self.fits = self._names + 2 + sum(_GAP + column_width for column_width in self._widths) <= width

    def head(self) -> Text:
        """The names of the metrics."""
        line = " " * (2 + self._names)
        for head, width in zip(self._heads, self._widths, strict=True):
            line += " " * (_GAP + width - cell_len(head)) + head
        return Text(line, "dim")

    def case(self, case: CaseResult) -> Iterator[Text]:
        """A case and its scores: on one line if they fit, else below the case."""
        line = Text(f"{MARKS[case.status]} {self._name(case)}", _STYLES[case.status])
        metrics = {metric.name: metric for metric in case.metrics}
        if not self.fits:
            yield line
            for name in self._columns:
                if (metric := metrics.get(name)) is not None:
                    yield Text(f"{_INDENT}{printable(metric.name)} ") + _cell(metric)
            return
        used = 2 + cell_len(self._name(case))
        for name, width in zip(self._columns, self._widths, strict=True):
            cell = _cell(metrics.get(name))
            line = line + Text(" " * (2 + self._names - used + _GAP + width - cell_len(cell.plain))) + cell
            used = 2 + self._names
        yield line

    def _name(self, case: CaseResult) -> str:
        return "  ".join(filter(None, [case_name(case), passed_of(case), _changes_of(case, self._run)[0]]))


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
