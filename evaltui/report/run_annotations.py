"""Runs as annotations of GitHub workflows: one for each case that failed or is not evaluated, at its line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltui.printable import printable
from evaltui.report.annotations import Level, annotated_path, annotation
from evaltui.report.case_outcome import CaseOutcome, change_line, outcome_of, verdict_text
from evaltui.report.changes_text import summary_of_changes
from evaltui.report.scores_text import case_name, counts_text
from evaltui.report.why_text import why_in
from evaltui.scoring.scored_set import ScoredSet

_WORDS: dict[CaseOutcome, str] = {
    "failed": "failed",
    "not_evaluated": "is not evaluated",
    "as_before": "did not pass in the baseline either",
}


def annotation_lines(runs: Sequence[ScoredSet], *, allow_not_evaluated: bool = False) -> Iterator[str]:
    """Errors for failed cases, warnings for cases that are not evaluated, notices for what does not fail the job."""
    levels: dict[CaseOutcome, Level] = {
        "failed": "error",
        "not_evaluated": "notice" if allow_not_evaluated else "warning",
        "as_before": "notice",
    }
    return (line for run in runs for line in _of_set(run, levels))


def _of_set(run: ScoredSet, levels: dict[CaseOutcome, Level]) -> Iterator[str]:
    path = annotated_path(str(run.subject.path)) if run.subject.path is not None else None
    if run.subject.fault is not None:
        message = f"google-adk rejects this set: {run.subject.fault}"
        yield _annotation(levels["not_evaluated"], message, path, 1, "eval set is rejected")
    if not run.cases:
        message = "there are no cases, so nothing is evaluated"
        yield _annotation(levels["not_evaluated"], message, path, 1, "eval set has no cases")
    # GitHub shows ten annotations of each level for a step, so the worst come first.
    for case in run.worst_first():
        outcome = outcome_of(case, run)
        if outcome != "passed":
            title = f"{case_name(case)} {_WORDS[outcome]}"
            message = "\n".join(dict.fromkeys([*change_line(case, run), verdict_text(case), *why_in(run, case)]))
            yield _annotation(levels[outcome], message, path, run.subject.line_of(case.number), title)


def _annotation(level: Level, message: str, path: str | None, line: int | None, title: str) -> str:
    place = {"file": path, "line": line if path is not None else None}
    return annotation(level, printable(message, keep_lines=True), {**place, "title": title})


def summary_line(run: ScoredSet) -> str:
    """`trips.evalset.json: 12 cases: 9 passed, 2 failed, 1 not evaluated`, and what changed since a baseline."""
    changes = f"; {summary_of_changes(run.changes)}" if run.changes is not None else ""
    return f"{run.subject.name}: {counts_text(run.totals)}{changes}"
