"""Runs as Markdown for a pull request comment. Text of files is never markup, and never mentions anybody."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from evaltui.report.markdown import code, prose
from evaltui.report.run_notes import open_metric_lines
from evaltui.report.scores_text import (
    MARKS,
    against_text,
    baseline_change_text,
    case_name,
    counts_of_changes,
    counts_text,
    failing_first,
    passed_of,
    score_moves,
    score_text,
)
from evaltui.report.why_text import why_in
from evaltui.scoring.results import CaseResult, mean_of
from evaltui.scoring.scored_set import ScoredSet

# A GitHub comment has at most 65,536 characters.
_MOST = 50
"""The most cases with details. The others are counted."""


def markdown_lines(run: ScoredSet) -> Iterator[str]:
    """The lines of the section for a run."""
    counts = run.totals.counts
    open_cases = sum(count for status, count in counts.items() if status != "passed")
    mark = next((MARKS[status] for status in MARKS if status != "passed" and counts[status]), MARKS["passed"])
    yield from (
        f"## {mark} {code(run.subject.eval_set_id or run.subject.name)}",
        "",
        prose(counts_text(run.totals)),
        "",
    )
    yield from _changes(run)
    yield from _metrics(run)
    if run.totals.open_cases["passed"]:  # only cases that did not pass have a section with their reasons
        passed = (case for case in run.cases if case.status == "passed")
        lines = open_metric_lines(passed, run.criteria.profile)
        yield from (f"- {prose(line)}" for line in islice(lines, _MOST))
        yield ""
    for case in islice(run.worst_first(), min(open_cases, _MOST)):
        yield from _case(case, run)
    if open_cases > _MOST:
        more = open_cases - _MOST
        yield from (f"… {more} more case{'s' * (more != 1)} did not pass", "")


def _changes(run: ScoredSet) -> Iterator[str]:
    if run.changes is None:
        return
    yield from (f"{prose(counts_of_changes(run.changes.counts) or 'no cases')} since {code(run.changes.name)}", "")
    changed = sum(bool(baseline_change_text(case, run.changes)) for case in run.cases)
    if changed:
        yield from ("| change | case | score |", "| --- | --- | --- |")
    changed_cases = (case for case in run.worst_first(by_change=True) if baseline_change_text(case, run.changes))
    for case in islice(changed_cases, _MOST):
        moves = prose(" · ".join(score_moves(case, run.changes)), in_table=True)
        yield f"| {baseline_change_text(case, run.changes)} | {code(case_name(case), in_table=True)} | {moves} |"
    if changed > _MOST:
        yield f"| … | {changed - _MOST} more | |"
    if changed:
        yield ""
    if gone := run.changes.gone:
        more = f" and {len(gone) - _MOST} more" if len(gone) > _MOST else ""
        yield from (f"Gone from the set: {', '.join(map(code, gone[:_MOST]))}{more}", "")


def _metrics(run: ScoredSet) -> Iterator[str]:
    judged = {name: totals for name, totals in run.totals.by_metric.items() if not totals[1]["informational"]}
    if not judged:
        return
    yield from ("| metric | mean | passed | failed | not evaluated |", "| --- | ---: | ---: | ---: | ---: |")
    for name, (scores, counts) in judged.items():
        verdicts = " | ".join(str(counts[status]) for status in ("passed", "failed", "not_evaluated"))
        yield f"| {code(name, in_table=True)} | {score_text(mean_of(scores))} | {verdicts} |"
    yield ""


def _case(case: CaseResult, run: ScoredSet) -> Iterator[str]:
    several = f" ({passed_of(case)})" if case.runs is not None else ""
    change = f" {baseline_change_text(case, run.changes)}".rstrip()
    yield f"### {MARKS[case.status]} {code(case_name(case))}{several}{change}"
    yield ""
    scores = [
        f"{code(metric.name)} {prose(against_text(metric))}{' (recorded)' * metric.is_grade}"
        for metric in failing_first(case.metrics)
        if metric.status != "informational" or metric.is_grade
    ]
    if scores:
        yield from (f"{' · '.join(scores)}", "")
    for line in why_in(run, case):
        yield f"- {prose(line)}"
    yield ""
