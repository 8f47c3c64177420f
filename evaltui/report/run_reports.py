"""The reports of `evaltui run` in all formats."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from evaltui.report.why_text import why_lines
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult
from evaltui.scoring.scored_set import ScoredSet
from evaltui.workflow_commands import commanding

if TYPE_CHECKING:
    from rich.text import Text

ENDINGS = MappingProxyType({".json": "json", ".xml": "junit", ".md": "markdown", ".txt": "table"})
"""The format of a report by its file ending."""
_WIDTH = 80
"""The width of a table without a terminal, in cells."""
_READ_BY_PEOPLE = 200
"""The most cases for which JSON is indented."""
CaseReport = tuple[list[str], str | None]
"""The sentences why a case failed or is not evaluated, and its JSON text without a change.

No sentences if it passed and all its metrics have a score; no text unless a report is a JSON document.
"""


def report_pieces(runs: Sequence[ScoredSet], form: str, *, allow_not_evaluated: bool = False) -> Iterator[str]:
    """The report as text without colours, piece by piece: it may be larger than the memory."""
    if form == "json":
        from evaltui.report.json_text import json_pieces
        from evaltui.report.run_json import runs_document

        yield from json_pieces(runs_document(runs), indent_for(sum(run.totals.cases for run in runs)))
        yield "\n"
    elif form == "junit":
        from evaltui.report.ci_reports import junit_pieces

        yield from junit_pieces(runs, allow_not_evaluated=allow_not_evaluated)
    elif form == "markdown":
        from evaltui.report.markdown import markdown_lines

        yield from _ended(line for run in runs for line in markdown_lines(run))
    elif form == "github":
        from evaltui.report.ci_reports import annotation_lines

        yield from (f"{line}\n" for line in annotation_lines(runs, allow_not_evaluated=allow_not_evaluated))
    else:
        yield from _ended(line.plain.rstrip() for line in _tables(runs, _WIDTH))


def _ended(lines: Iterable[str]) -> Iterator[str]:
    """The lines, each with its end; one empty line if there is none."""
    is_empty = True
    for line in lines:
        yield f"{line}\n"
        is_empty = False
    if is_empty:
        yield "\n"


def _tables(runs: Sequence[ScoredSet], width: int) -> Iterator[Text]:
    from rich.text import Text

    from evaltui.report.run_table import table_lines

    for number, run in enumerate(runs):
        if number:
            yield Text("")
        yield from table_lines(run, width)


def print_report(
    runs: Sequence[ScoredSet], form: str, colour: str = "auto", *, allow_not_evaluated: bool = False
) -> None:
    """Write the report to stdout: a table in the encoding of the terminal, other formats in UTF-8."""
    if form != "table":
        sys.stdout.flush()
        with commanding(sys.stdout) if form == "github" else nullcontext():
            for piece in report_pieces(runs, form, allow_not_evaluated=allow_not_evaluated):
                sys.stdout.buffer.write(piece.encode())
            sys.stdout.buffer.flush()
    elif runs:
        from evaltui.report.terminal_output import print_lines

        print_lines(lambda width: _tables(runs, width), colour)


def report_case(
    criteria: Criteria, result: CaseResult, *, has_json: bool = False, indent: int | None = None
) -> CaseReport:
    """The parts of reports for one case that was scored by these criteria. `has_json`: whether a report is JSON.

    They are made in the process that scores it, so its turns need not be kept or moved.
    """
    why = [] if result.status == "passed" and not result.is_open else why_lines(result, criteria)
    if not has_json:
        return why, None
    from evaltui.report.run_json import case_text

    return why, case_text(result, criteria, indent)


def preparation_of(has_json: bool, cases: int) -> Callable[[Criteria, CaseResult], CaseReport]:
    """The function that makes the parts of reports of a case. `has_json`: whether a report is a JSON document."""
    return partial(report_case, has_json=has_json, indent=indent_for(cases))


def indent_for(cases: int) -> int | None:
    """The indentation of a document with that many cases; None for a line."""
    # Indentation would take most of the time of a large document, which nobody reads.
    return 2 if cases <= _READ_BY_PEOPLE else None
