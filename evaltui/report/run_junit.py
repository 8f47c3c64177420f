"""Runs as JUnit XML for the test reporters of CI systems: one `testcase` for each case.

The document is valid for the schema of Ant's task, which requires times and a host, and for the schema of Jenkins'
plugin.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from evaltui.printable import printable
from evaltui.report.baseline_changes_text import change_text, change_word, score_moves, summary_of_changes
from evaltui.report.scores_text import against_text, case_name
from evaltui.report.why_text import why_in
from evaltui.runner_words import without_runner_words
from evaltui.scoring.baseline_changes import BaselineChanges
from evaltui.scoring.results import CaseResult, has_open_metric
from evaltui.scoring.scored_set import ScoredSet

_BEYOND_XML = re.compile("[\ufffe\uffff]")
_WITHOUT_DURATION = {"time": "0", "hostname": "localhost"}
_PLACE = "testcases"
"""Stands for all test cases of a suite while its other elements are written."""
_MARGIN = " " * 4


def junit_pieces(runs: Sequence[ScoredSet], *, allow_not_evaluated: bool = False) -> Iterator[str]:
    """A document with a suite for each run, in pieces.

    Cases that are not evaluated are errors, or skipped if this is allowed. Where only regressions fail the run, all
    cases are skipped that fail or are not evaluated as in the baseline: a CI system fails a job for any other mark.
    """
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    if not runs:
        yield "<testsuites />\n"
        return
    yield "<testsuites>\n"
    for number, run in enumerate(runs):
        yield from _suite(run, number, "skipped" if allow_not_evaluated else "error")
    yield "</testsuites>\n"


def _suite(run: ScoredSet, number: int, open_as: str) -> Iterator[str]:
    name = _clean(run.subject.eval_set_id or run.subject.name)
    suite = Element("testsuite", {"name": name, "id": str(number), "package": _clean(run.subject.name)})
    has_verdict = bool(run.totals.counts["passed"] or run.totals.counts["failed"])
    deciding = run.changes if run.changes is not None and run.changes.only_regressions and has_verdict else None
    counts = _counts(run, open_as) if deciding is None else _counts_of_regressions(run, deciding, open_as)
    suite.attrib.update(_WITHOUT_DURATION, timestamp=f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S}")
    suite.attrib.update({key: str(count) for key, count in counts.items()})
    properties = SubElement(suite, "properties")
    for criterion, value in run.criteria.to_json().items():
        SubElement(properties, "property", {"name": _clean(criterion), "value": _clean(json.dumps(value))})
    if run.changes is not None:
        SubElement(properties, "property", {"name": "baseline", "value": _clean(run.changes.name)})
    SubElement(suite, _PLACE)
    SubElement(suite, "system-out").text = _changes(run)
    SubElement(suite, "system-err")
    before, after = _text(suite, 1).split(f"{_MARGIN}<{_PLACE} />\n")
    yield before
    for case in run.cases:
        yield _text(_test_case(name, case, run, _outcome(case, deciding, open_as)), 2)
    yield after


def _text(element: Element, level: int) -> str:
    """The lines of an element at this depth of the document."""
    indent(element, level=level)
    text = tostring(element, "unicode").rstrip()
    return f"{_MARGIN[: 2 * level]}{without_runner_words(text, lambda sign: f'&#{ord(sign)};')}\n"


def _counts(run: ScoredSet, open_as: str) -> dict[str, int]:
    totals = run.totals
    not_evaluated = totals.open_cases.total() - totals.open_cases["failed"]
    return {
        "tests": totals.cases,
        "failures": totals.counts["failed"],
        "errors": not_evaluated if open_as == "error" else 0,
        "skipped": not_evaluated if open_as == "skipped" else 0,
    }


def _counts_of_regressions(run: ScoredSet, deciding: BaselineChanges, open_as: str) -> dict[str, int]:
    outcomes = Counter(_outcome(case, deciding, open_as) for case in run.cases)
    return {
        "tests": outcomes.total(),
        "failures": outcomes["failure"],
        "errors": outcomes["error"],
        "skipped": outcomes["skipped"],
    }


def _outcome(case: CaseResult, deciding: BaselineChanges | None, open_as: str) -> str:
    """How a case ended: passed, failure, error or skipped; by its change, if the changes since a baseline decide."""
    failed, is_open = case.status == "failed", has_open_metric(case)
    if not failed and not is_open:
        return "passed"
    if deciding is not None:
        change = deciding.of(case)
        failed, is_open = change.change == "regressed", change.is_lost
    return "failure" if failed else open_as if is_open else "skipped"


def _changes(run: ScoredSet) -> str | None:
    """The change of each case since the baseline, and the deleted cases; None without a baseline.

    They are in the suite, because the schema of Ant has no place for them in a passing test case.
    """
    if run.changes is None:
        return None
    told = [f"{case_name(case)}: {change_word(run.changes.of(case).change)}" for case in run.worst_first()]
    gone = [f"{printable(eval_id)}: gone" for eval_id in run.changes.gone]
    return _clean("\n".join([summary_of_changes(run.changes), *told, *gone]))


def _test_case(suite: str, case: CaseResult, run: ScoredSet, outcome: str) -> Element:
    element = Element("testcase", {"name": _clean(case_name(case)), "classname": suite, "time": "0"})
    if outcome == "passed":
        return element
    moves = ", ".join(score_moves(case, run.changes))
    change = change_text(case, run.changes)
    since = [f"{change}: {moves}" if moves else change] if change else []
    why = why_in(run, case)
    decisive = "failed" if case.status == "failed" else "not_evaluated"
    scores = "; ".join(f"{each.name} {against_text(each)}" for each in case.metrics if each.status == decisive)
    child = SubElement(element, outcome)
    child.text = _clean("\n".join([*since, *why]))
    child.set("message", _clean("; ".join(filter(None, [change, scores or "".join(why[:1])]))))
    if outcome != "skipped":
        child.set("type", "failed" if outcome == "failure" else "not_evaluated")
    return element


def _clean(text: str) -> str:
    """`text` without characters that a terminal or XML cannot have."""
    return _BEYOND_XML.sub("\ufffd", printable(text, keep_lines=True))
