"""Runs as reports for CI systems: JUnit XML for test reporters, and annotations of GitHub workflows.

All values of the XML come from the set and its recordings, so the same input gives the same bytes.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from evaltui.printable import printable
from evaltui.report.scores_text import (
    against_text,
    baseline_change_text,
    case_name,
    change_word,
    counts_text,
    score_moves,
    summary_of_changes,
    utc_time,
)
from evaltui.report.why_text import why_in
from evaltui.scoring.results import CaseResult
from evaltui.scoring.scored_set import ScoredSet
from evaltui.workflow_commands import Level, annotated_path, annotation, without_runner_words

CaseOutcome = Literal["passed", "failed", "not_evaluated", "as_before"]
"""`as_before`: the case fails or is not evaluated as in the baseline, and that does not count."""
_WORDS: dict[CaseOutcome, str] = {
    "failed": "failed",
    "not_evaluated": "is not evaluated",
    "as_before": "did not pass in the baseline either",
}
_BEYOND_XML = re.compile("[\ufffe\uffff]")
_PLACE = "testcases"
"""Stands for all test cases of a suite while its other elements are written."""
_MARGIN = " " * 4


def _only_regressions_count(run: ScoredSet) -> bool:
    """Whether the changes since a baseline decide the outcomes of cases, and not their verdicts."""
    has_verdict = bool(run.totals.counts["passed"] or run.totals.counts["failed"])
    return run.changes is not None and run.changes.only_regressions and has_verdict


def _outcome_of(case: CaseResult, run: ScoredSet) -> CaseOutcome:
    failed, is_open = case.status == "failed", case.is_open
    if not failed and not is_open:
        return "passed"
    if run.changes is not None and _only_regressions_count(run):
        change = run.changes.of(case)
        failed, is_open = change.change == "regressed", change.is_lost
    return "failed" if failed else "not_evaluated" if is_open else "as_before"


def _verdict_text(case: CaseResult) -> str:
    """`response_match_score 0.57 < 0.80`: the scores that decide; if there are none, the reason of the case."""
    decisive = "failed" if case.status == "failed" else "not_evaluated"
    metrics = [metric for metric in case.metrics if metric.status == decisive]
    scores = "; ".join(f"{metric.name} {against_text(metric)}" for metric in metrics)
    has_score = any(metric.score is not None for metric in metrics)
    return scores if has_score or not case.reason else printable(case.reason)


def _change_line(case: CaseResult, run: ScoredSet) -> list[str]:
    """`▼ regressed: response_match 0.91 → 0.57` as the only line; none for an unchanged case."""
    change, moves = baseline_change_text(case, run.changes), ", ".join(score_moves(case, run.changes))
    return [f"{change}: {moves}" if moves else change] if change else []


# --- JUnit XML: one `testcase` for each case ------------------------------------------------------------------------

# No standard defines the format. GitLab, CircleCI and reporters of GitHub read `file` and `line` of a test case. Apart
# from these two, the document is valid for the schema of Jenkins' xUnit plugin (`junit-10.xsd`).


def junit_pieces(runs: Sequence[ScoredSet], *, allow_not_evaluated: bool = False) -> Iterator[str]:
    """A document with a suite for each run, in pieces.

    Cases that are not evaluated are errors, or skipped if this is allowed.
    """
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    if not runs:
        yield "<testsuites />\n"
        return
    yield "<testsuites>\n"
    tags: dict[CaseOutcome, str] = {
        "failed": "failure",
        "not_evaluated": "skipped" if allow_not_evaluated else "error",
        "as_before": "skipped",  # a CI system fails the job for any other mark
    }
    for number, run in enumerate(runs):
        yield from _suite(run, number, tags)
    yield "</testsuites>\n"


def _suite(run: ScoredSet, number: int, tags: dict[CaseOutcome, str]) -> Iterator[str]:
    name = _clean(run.subject.eval_set_id or run.subject.name)
    suite = Element("testsuite", {"name": name, "id": str(number), "package": _clean(run.subject.name), **_file(run)})
    counts = _count_tags(run, tags)
    suite.attrib.update({key: str(count) for key, count in counts.items()})
    suite.set("time", f"{run.totals.milliseconds / 1000:.3f}")
    if timestamp := utc_time(run.totals.recorded_at):
        suite.set("timestamp", timestamp.removesuffix("Z"))  # the schema of Ant has times without a zone
    properties = SubElement(suite, "properties")
    for criterion, value in run.criteria.to_json().items():
        SubElement(properties, "property", {"name": _clean(criterion), "value": _clean(json.dumps(value))})
    if run.changes is not None:
        SubElement(properties, "property", {"name": "baseline", "value": _clean(run.changes.name)})
    SubElement(suite, _PLACE)
    SubElement(suite, "system-out").text = _changes(run)
    SubElement(suite, "system-err")
    # The cases of a suite may be more than the memory, so they are written between its head and its tail.
    head, tail = _text(suite, 1).split(f"{_MARGIN}<{_PLACE} />\n")
    yield head
    for case in run.cases:
        yield _text(_test_case(name, case, run, tags.get(_outcome_of(case, run))), 2)
    yield tail


def _text(element: Element, level: int) -> str:
    indent(element, level=level)
    text = tostring(element, "unicode").rstrip()
    return f"{_MARGIN[: 2 * level]}{without_runner_words(text, lambda sign: f'&#{ord(sign)};')}\n"


def _file(run: ScoredSet) -> dict[str, str]:
    return {"file": _clean(str(run.subject.path))} if run.subject.path is not None else {}


def _count_tags(run: ScoredSet, tags: dict[CaseOutcome, str]) -> dict[str, int]:
    totals = run.totals
    if not _only_regressions_count(run):  # the totals tell it, and the cases may lie on disk
        not_evaluated = totals.open_cases.total() - totals.open_cases["failed"]
        counts = Counter({"failure": totals.counts["failed"], tags["not_evaluated"]: not_evaluated})
    else:
        counts = Counter(tags.get(_outcome_of(case, run), "") for case in run.cases)
    return {
        "tests": totals.cases,
        "failures": counts["failure"],
        "errors": counts["error"],
        "skipped": counts["skipped"],
    }


def _changes(run: ScoredSet) -> str | None:
    """The change of each case since the baseline, and the deleted cases; None without a baseline."""
    # They are in the suite, because the schema of Ant has no place for them in a passing test case.
    if run.changes is None:
        return None
    changes = [f"{case_name(case)}: {change_word(run.changes.of(case).change)}" for case in run.worst_first()]
    gone = [f"{printable(eval_id)}: gone" for eval_id in run.changes.gone]
    return _clean("\n".join([summary_of_changes(run.changes), *changes, *gone]))


def _test_case(suite: str, case: CaseResult, run: ScoredSet, tag: str | None) -> Element:
    """The element of a case, with a child named `tag`; None for a case that passed."""
    element = Element("testcase", {"name": _clean(case_name(case)), "classname": suite, **_file(run)})
    line = run.subject.line_of(case.number)
    if line is not None and run.subject.path is not None:
        element.set("line", str(line))
    # Reporters need a number. A time that is not recorded is 0 without decimals.
    element.set("time", f"{case.seconds:.3f}" if case.seconds is not None else "0")
    if tag is None:
        return element
    child = SubElement(element, tag)
    child.text = _clean("\n".join([*_change_line(case, run), *why_in(run, case)]))
    parts = filter(None, [baseline_change_text(case, run.changes), _verdict_text(case)])
    child.set("message", _clean("; ".join(parts)))
    if tag != "skipped":
        child.set("type", "failed" if tag == "failure" else "not_evaluated")
    return element


def _clean(text: str) -> str:
    """`text` without characters that a terminal or XML cannot have."""
    return _BEYOND_XML.sub("\ufffd", printable(text, keep_lines=True))


# --- annotations: one for each case that failed or is not evaluated, at its line --------------------------------------


def annotation_lines(runs: Sequence[ScoredSet], *, allow_not_evaluated: bool = False) -> Iterator[str]:
    """Errors for failed cases, warnings for cases that are not evaluated, notices for what does not fail the job."""
    levels: dict[CaseOutcome, Level] = {
        "failed": "error",
        "not_evaluated": "notice" if allow_not_evaluated else "warning",
        "as_before": "notice",
    }
    return (line for run in runs for line in _of_set(run, levels))


def _of_set(run: ScoredSet, levels: dict[CaseOutcome, Level]) -> Iterator[str]:
    path = printable(annotated_path(str(run.subject.path))) if run.subject.path is not None else None
    if run.subject.fault is not None:
        message = f"google-adk rejects this set: {run.subject.fault}"
        yield _annotation(levels["not_evaluated"], message, path, 1, "eval set is rejected")
    if not run.cases:
        message = "there are no cases, so nothing is evaluated"
        yield _annotation(levels["not_evaluated"], message, path, 1, "eval set has no cases")
    # GitHub shows ten annotations of each level for a step, so the worst come first.
    for case in run.worst_first():
        outcome = _outcome_of(case, run)
        if outcome != "passed":
            title = f"{case_name(case)} {_WORDS[outcome]}"
            message = "\n".join(dict.fromkeys([*_change_line(case, run), _verdict_text(case), *why_in(run, case)]))
            yield _annotation(levels[outcome], message, path, run.subject.line_of(case.number), title)


def _annotation(level: Level, message: str, path: str | None, line: int | None, title: str) -> str:
    place = {"file": path, "line": line if path is not None else None}
    return annotation(level, printable(message, keep_lines=True), {**place, "title": title})


def summary_line(run: ScoredSet) -> str:
    """`trips.evalset.json: 12 cases: 9 passed, 2 failed, 1 not evaluated`, and what changed since a baseline."""
    changes = f"; {summary_of_changes(run.changes)}" if run.changes is not None else ""
    return f"{run.subject.name}: {counts_text(run.totals)}{changes}"
