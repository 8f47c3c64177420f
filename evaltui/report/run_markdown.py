"""Runs as Markdown for a pull request comment. Text of files is never markup, and never mentions anybody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltui.printable import one_line
from evaltui.report.baseline_changes_text import by_change, change_text, counts_of_changes, score_moves, worst_first
from evaltui.report.markdown import code, escaped
from evaltui.report.scores_text import MARKS, against_text, case_name, counts_text, passed_of
from evaltui.report.why_text import why_lines
from evaltui.scoring.results import CaseResult, summary_of
from evaltui.scoring.scored_set import ScoredSet

_MOST = 50
"""The most cases with details, because a GitHub comment has at most 65,536 characters. The others are counted."""


def markdown_text(runs: Sequence[ScoredSet]) -> str:
    """A section for each run."""
    return "\n".join(line for run in runs for line in _section(run)) + "\n"


def _section(run: ScoredSet) -> Iterator[str]:
    open_cases = [case for case in worst_first(run) if case.status != "passed"]
    mark = next((MARKS[case.status] for case in open_cases), MARKS["passed"])
    yield from (
        f"## {mark} {escaped(run.subject.eval_set_id or run.subject.name)}",
        "",
        escaped(counts_text(run.cases)),
        "",
    )
    yield from _changes(run)
    yield from _metrics(run)
    for case in open_cases[:_MOST]:
        yield from _case(case, run)
    if len(open_cases) > _MOST:
        more = len(open_cases) - _MOST
        yield from (f"… {more} more case{'s' * (more != 1)} did not pass", "")


def _changes(run: ScoredSet) -> Iterator[str]:
    """The changes since the baseline, regressions first."""
    if run.changes is None:
        return
    yield from (f"{escaped(counts_of_changes(run.changes.counts) or 'no cases')} since {code(run.changes.name)}", "")
    changed = [case for case in by_change(run.cases, run.changes) if change_text(case, run.changes)]
    if changed:
        yield from ("| change | case | score |", "| --- | --- | --- |")
    for case in changed[:_MOST]:
        moves = escaped(" · ".join(score_moves(case, run.changes)))
        yield f"| {change_text(case, run.changes)} | {code(case_name(case), in_table=True)} | {moves} |"
    if len(changed) > _MOST:
        yield f"| … | {len(changed) - _MOST} more | |"
    if changed:
        yield ""
    if run.changes.gone:
        yield from (f"Gone from the set: {', '.join(map(code, run.changes.gone[:_MOST]))}{_more(run.changes.gone)}", "")


def _more(ids: Sequence[str]) -> str:
    return f" and {len(ids) - _MOST} more" if len(ids) > _MOST else ""


def _metrics(run: ScoredSet) -> Iterator[str]:
    summaries = [each for each in summary_of(run.cases) if not each.counts["informational"]]
    if not summaries:
        return
    yield from ("| metric | mean | passed | failed | not evaluated |", "| --- | ---: | ---: | ---: | ---: |")
    for each in summaries:
        mean = "–" if each.mean is None else f"{each.mean:.4g}"
        counts = " | ".join(str(each.counts[status]) for status in ("passed", "failed", "not_evaluated"))
        yield f"| {code(each.name, in_table=True)} | {mean} | {counts} |"
    yield ""


def _case(case: CaseResult, run: ScoredSet) -> Iterator[str]:
    several = f" ({passed_of(case)})" if case.runs is not None else ""
    change = f" {change_text(case, run.changes)}".rstrip()
    yield f"### {MARKS[case.status]} {code(case_name(case))}{several}{change}"
    yield ""
    scores = [f"{code(each.name)} {against_text(each)}" for each in case.metrics if each.status != "informational"]
    if scores:
        yield from (f"{' · '.join(scores)}", "")
    for line in why_lines(case, run.criteria):
        yield f"- {escaped(one_line(line))}"
    yield ""
