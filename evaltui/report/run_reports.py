"""The reports of `evaltui run` in all formats."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from evaltui.report.output import json_text
from evaltui.scoring.scored_set import ScoredSet

if TYPE_CHECKING:
    from rich.text import Text

ENDINGS = MappingProxyType({".json": "json", ".xml": "junit", ".md": "markdown", ".txt": "table"})
"""The format of a report by its file ending."""
_WIDTH = 80
"""The width of a table without a terminal, in cells."""
_READ_BY_PEOPLE = 200
"""The most cases for which JSON is indented."""


def report_text(runs: Sequence[ScoredSet], form: str, *, allow_not_evaluated: bool = False) -> str:
    """The whole report as text, without colours."""
    if form == "json":
        from evaltui.report.run_json import runs_as_data

        return json_text(runs_as_data(runs), indent=_indent(runs)) + "\n"
    if form == "junit":
        from evaltui.report.run_junit import junit_text

        return junit_text(runs, allow_not_evaluated=allow_not_evaluated)
    if form == "markdown":
        from evaltui.report.run_markdown import markdown_text

        return markdown_text(runs)
    return _plain_table(runs, _WIDTH) + "\n"


def _plain_table(runs: Sequence[ScoredSet], width: int) -> str:
    from evaltui.report.printed_lines import plain_text

    return plain_text(_tables(runs, width))


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
        sys.stdout.buffer.write(report_text(runs, form, allow_not_evaluated=allow_not_evaluated).encode())
        sys.stdout.buffer.flush()
    elif runs:
        from evaltui.report.printed_lines import print_lines

        print_lines(lambda width: _tables(runs, width), colour)


def _indent(runs: Sequence[ScoredSet]) -> int | None:
    """People read small documents. For large documents, indentation would take most of the time."""
    return 2 if sum(len(run.cases) for run in runs) <= _READ_BY_PEOPLE else None
