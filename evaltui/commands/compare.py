"""`evaltui compare`: two results of one set, case by case and metric by metric, regressions first."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from evaltui.command_line.parser import CommandParser
from evaltui.commands.set_options import add_color, add_format
from evaltui.printable import one_line, printable, say

if TYPE_CHECKING:
    from evaltui.comparison.result_changes import ComparedResults

USAGE = "compare [OPTIONS] BASE CANDIDATE"
DESCRIPTION = "Compare two results of one eval set, made by google-adk, agents-cli or `evaltui run`."
EXAMPLE = (
    "evaltui run trip_planner.evalset.json -r recordings -o before.json\n"
    "evaltui compare before.json recordings/trip_planner_second.evalset_result.json"
)

_STDIN = "-"
_NAMED = 5
"""The most cases that a sentence names."""


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui compare`."""
    files = parser.add_argument_group("Arguments")
    files.add_argument("base", metavar="BASE", help="The earlier result. Use - for standard input.")
    files.add_argument("candidate", metavar="CANDIDATE", help="The later result. Use - for standard input.")
    forms = "Format of standard output: table, json or markdown. Default: table."
    add_color(add_format(parser, ("table", "json", "markdown"), forms, "table"))
    fail = "When to exit with 1: regression, any (a case fails or has a lower score) or never. Default: regression."
    parser.add_argument_group("Exit code").add_argument(
        "--fail-on", metavar="WHEN", choices=("regression", "any", "never"), default="regression", help=fail
    )


def run(given: Namespace) -> int:
    """Compare and print. Returns 0, 1 (by `--fail-on`), 2 (with a sentence) or 3 (no longer evaluated)."""
    from evaltui.comparison.judged_result import ResultError
    from evaltui.report.compare_reports import print_comparison

    try:
        compared = _compared(given.base, given.candidate)
        print_comparison(compared, given.format, given.color)
    except ResultError as error:
        say(error)
        return 2
    except RecursionError:  # some versions of Python parse deeper values than they compare
        say(f"{given.candidate}: values are nested too deeply to compare with {given.base}")
        return 2
    for sentence in _sentences(compared):
        say(sentence)
    return compared.exit_code(given.fail_on)


def _compared(base: str, candidate: str) -> ComparedResults:
    from evaltui.comparison.judged_result import ResultError
    from evaltui.comparison.result_changes import compare_results
    from evaltui.comparison.result_file import open_result
    from evaltui.report.output import progress

    if base == candidate == _STDIN:
        raise ResultError("standard input can be only one of the two results; give a file name")
    with progress(_size_of(base) + _size_of(candidate), "reading") as tick:
        results = [
            open_result(name, sys.stdin.buffer.read() if name == _STDIN else None, tick) for name in (base, candidate)
        ]
    return compare_results(*results)


def _size_of(name: str) -> int:
    from pathlib import Path

    with suppress(OSError, ValueError):
        return Path(name).stat().st_size if name != _STDIN else 0
    return 0


def _sentences(compared: ComparedResults) -> Iterator[str]:
    yield from compared.warnings
    if others := compared.other_thresholds:
        yield f"thresholds differ, so verdicts may differ: {'; '.join(map(printable, others))}"
    if compared.gone:
        verb = "is" if len(compared.gone) == 1 else "are"
        yield f"{compared.candidate.name}: {_some(compared.gone)} of {compared.base.name} {verb} missing"
    lost = [case.eval_id for case in compared.cases if case.is_lost]
    if lost:
        verb = "is" if len(lost) == 1 else "are"
        yield f"{compared.candidate.name}: {_some(lost)} {verb} no longer evaluated"
    if not any(case.base is not None for case in compared.cases):
        yield f"{compared.candidate.name}: no case in common with {compared.base.name}, so there is nothing to compare"


def _some(ids: list[str] | tuple[str, ...]) -> str:
    named = ", ".join(one_line(each, 60) for each in ids[:_NAMED])
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return f"{len(ids)} case{'s' * (len(ids) != 1)} ({named}{more})"
