"""Runs in each of the forms that `evaltui run` prints and writes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from types import MappingProxyType

from evaltui.printable import write_line
from evaltui.report.output import json_text, wants_colour
from evaltui.scoring.scored_set import ScoredSet

ENDINGS = MappingProxyType({".json": "json", ".xml": "junit", ".md": "markdown", ".txt": "table"})
"""The form of a report by the ending of its file."""
_WIDTH = 80
"""The width of a table that is not for a terminal, in cells."""
_READ_BY_PEOPLE = 200
"""So many cases at most are laid out for people in JSON."""


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
    from evaltui.report.run_table import table_lines

    return "\n\n".join("\n".join(line.plain.rstrip() for line in table_lines(run, width)) for run in runs)


def print_report(
    runs: Sequence[ScoredSet], form: str, colour: str = "auto", *, allow_not_evaluated: bool = False
) -> None:
    """Write the report to stdout: data in UTF-8, a table as the terminal has it."""
    if form != "table":
        sys.stdout.flush()
        sys.stdout.buffer.write(report_text(runs, form, allow_not_evaluated=allow_not_evaluated).encode())
        sys.stdout.buffer.flush()
    elif runs:
        _print_table(runs, colour)


def _indent(runs: Sequence[ScoredSet]) -> int | None:
    """People look at what is small; for what is large the layout would take most of the time."""
    return 2 if sum(len(run.cases) for run in runs) <= _READ_BY_PEOPLE else None


def _print_table(runs: Sequence[ScoredSet], colour: str) -> None:
    width = _terminal_width()
    if not wants_colour(sys.stdout, colour):
        write_line("stdout", _plain_table(runs, width), is_safe=True)
        return
    from rich.console import Console

    from evaltui.report.run_table import table_lines

    console = Console(
        width=width,
        color_system="auto" if sys.stdout.isatty() else "standard",
        force_terminal=True,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
        legacy_windows=False,
    )
    for number, run in enumerate(runs):
        if number:
            console.print()
        for line in table_lines(run, width):
            console.print(line)


def _terminal_width() -> int:
    if not sys.stdout.isatty():
        given = os.environ.get("COLUMNS", "")
        return max(int(given), 40) if given.isdecimal() and len(given) < 5 else _WIDTH
    return max(os.get_terminal_size(sys.stdout.fileno()).columns, 20)
