"""The reports of `evaltui compare`: JSON, Markdown, and a text table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from evaltui.comparison.result_changes import ComparedCase, ComparedResults
from evaltui.report.baseline_changes_text import CHANGE_MARKS, change_word, counts_of_changes
from evaltui.report.compare_why import why_changed
from evaltui.report.compared_text import is_told, moved, score_of
from evaltui.report.json_text import json_text
from evaltui.report.markdown import code, prose

if TYPE_CHECKING:
    from rich.text import Text

_VERSION = 1
_MOST = 50
"""The most cases in Markdown, because a GitHub comment has at most 65,536 characters. The others are counted."""


def print_comparison(compared: ComparedResults, form: str, colour: str = "auto") -> None:
    """Write the comparison to stdout: JSON and Markdown in UTF-8, a table in the encoding of the terminal."""
    if form == "table":
        from evaltui.report.output import print_lines

        print_lines(lambda width: _table(compared, width), colour)
        return
    text = json_text(comparison_as_data(compared)) if form == "json" else comparison_markdown(compared)
    sys.stdout.flush()
    sys.stdout.buffer.write(f"{text}\n".encode())
    sys.stdout.buffer.flush()


def _table(compared: ComparedResults, width: int) -> Iterator[Text]:
    from evaltui.report.compare_table import comparison_lines

    return comparison_lines(compared, width)


def comparison_as_data(compared: ComparedResults) -> dict[str, Any]:
    """The JSON document of `evaltui compare --format json`."""
    return {
        "version": _VERSION,
        "base": compared.base.name,
        "candidate": compared.candidate.name,
        "cases": [_case_as_data(each) for each in compared.cases],
        "gone": list(compared.gone),
        "counts": compared.counts,
    }


def _case_as_data(case: ComparedCase) -> dict[str, Any]:
    return {
        "eval_id": case.eval_id,
        "change": case.change,
        "metrics": [
            {
                "name": each.name,
                "base": score_of(each.base),
                "candidate": score_of(each.candidate),
                "change": each.change,
            }
            for each in case.metrics
        ],
        "why": why_changed(case),
    }


def comparison_markdown(compared: ComparedResults) -> str:
    """The comparison as Markdown for a pull request comment, regressions first. Text of files is never markup."""
    return "\n".join(_markdown_lines(compared)).rstrip()


def _markdown_lines(compared: ComparedResults) -> Iterator[str]:
    worst = compared.cases[0].change if compared.cases else "same"
    eval_set_id = compared.candidate.eval_set_id or compared.base.eval_set_id
    yield from (f"## {CHANGE_MARKS[worst]} {code(eval_set_id) if eval_set_id else 'Results compared'}", "")
    yield from (f"{code(compared.base.name)} → {code(compared.candidate.name)}", "")
    yield from (counts_of_changes(compared.counts) or "no cases", "")
    changed = [case for case in compared.cases if is_told(case)]
    if changed:
        yield from ("| case | metric | base | candidate | change |", "| --- | --- | ---: | ---: | --- |")
    for case in changed[:_MOST]:
        yield from _rows(case)
    if len(changed) > _MOST:
        yield f"| … {len(changed) - _MOST} more | | | | |"
    if changed:
        yield ""
    for case in changed[:_MOST]:
        if why := why_changed(case):
            yield from (f"### {_change(case.change)} {code(case.eval_id)}", "")
            yield from (f"- {prose(line)}" for line in why)
            yield ""
    if compared.gone:
        more = f" and {len(compared.gone) - _MOST} more" if len(compared.gone) > _MOST else ""
        yield f"Only in the base: {', '.join(map(code, compared.gone[:_MOST]))}{more}"


def _rows(case: ComparedCase) -> Iterator[str]:
    name = code(case.eval_id, in_table=True)
    if not case.metrics:
        yield f"| {name} | | | | {_change(case.change)} |"
    for each in case.metrics:
        before, now = moved(each.base, each.candidate)
        metric = code(each.name, in_table=True)
        scores = f"{prose(before, in_table=True)} | {prose(now, in_table=True)}"
        yield f"| {name} | {metric} | {scores} | {_change(each.change)} |"


def _change(change: Any) -> str:
    return f"{CHANGE_MARKS[change]} {change_word(change)}"
