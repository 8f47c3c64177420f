"""`evaltui compare`: two results of one set, case by case and metric by metric, regressions first."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from evaltui.commands.parser import CommandParser
from evaltui.commands.set_options import add_color, add_format
from evaltui.document.errors import DocumentError
from evaltui.printable import one_line, printable, say

if TYPE_CHECKING:
    from evaltui.result_files.compared_results import ComparedResults

USAGE = "compare [OPTIONS] BASE CANDIDATE"
DESCRIPTION = "Compare two results of one eval set, made by google-adk, agents-cli or `evaltui run`."
EXAMPLE = (
    "evaltui run trip_planner.evalset.json -r recordings -o before.json\n"
    "evaltui compare before.json recordings/trip_planner_second.evalset_result.json"
)

_STDIN = "-"
_MOST_NAMED = 5
"""The most cases that a sentence names."""


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui compare`."""
    files = parser.add_argument_group("Arguments")
    files.add_argument("base", metavar="BASE", help="The earlier result. Use - for standard input.")
    files.add_argument("candidate", metavar="CANDIDATE", help="The later result. Use - for standard input.")
    formats = "Format of standard output: table, json or markdown. Default: table."
    add_color(add_format(parser, ("table", "json", "markdown"), formats, "table"))
    fail = "When to exit with 1: regression, any (a case fails or has a lower score) or never. Default: regression."
    parser.add_argument_group("Exit code").add_argument(
        "--fail-on", metavar="WHEN", choices=("regression", "any", "never"), default="regression", help=fail
    )


def run(options: Namespace) -> int:
    """Compare and print. Returns 0, 1 (by `--fail-on`) or 3 (no longer evaluated)."""
    from pathlib import Path

    from evaltui.file_access import size_of
    from evaltui.report.compare_reports import print_comparison
    from evaltui.report.terminal_output import progress
    from evaltui.result_files.compared_results import compare_results
    from evaltui.result_files.result_file import open_result

    names = (options.base, options.candidate)
    # Standard input is read once: the second result would be empty.
    if names == (_STDIN, _STDIN):
        raise DocumentError("standard input can be only one of the two results; give a file name")
    try:
        with progress(sum(size_of(Path(name)) for name in names if name != _STDIN), "reading") as tick:
            base, candidate = (
                open_result(name, sys.stdin.buffer.read() if name == _STDIN else None, tick) for name in names
            )
        compared = compare_results(base, candidate)
        print_comparison(compared, options.format, options.color)
    except RecursionError as error:  # some versions of Python parse deeper values than they compare
        sentence = f"{options.candidate}: values are nested too deeply to compare with {options.base}"
        raise DocumentError(sentence) from error
    for sentence in _notes_on(compared):
        say(sentence)
    return compared.exit_code(options.fail_on)


def _notes_on(compared: ComparedResults) -> Iterator[str]:
    yield from compared.warnings
    # Another threshold changes the verdict although the score is the same.
    if thresholds := compared.other_thresholds:
        yield f"thresholds differ, so verdicts may differ: {'; '.join(map(printable, thresholds))}"
    # The rows of the table are cases of the candidate: a missing case is easily overlooked.
    if compared.gone:
        verb = "is" if len(compared.gone) == 1 else "are"
        yield f"{compared.candidate.name}: {_name_cases(compared.gone)} of {compared.base.name} {verb} missing"
    if lost := [case.eval_id for case in compared.cases if case.is_lost]:
        verb = "is" if len(lost) == 1 else "are"
        yield f"{compared.candidate.name}: {_name_cases(lost)} {verb} no longer evaluated"
    if not any(case.base is not None for case in compared.cases):
        yield f"{compared.candidate.name}: no case in common with {compared.base.name}, so there is nothing to compare"


def _name_cases(eval_ids: Sequence[str]) -> str:
    names = ", ".join(one_line(eval_id, 60) for eval_id in eval_ids[:_MOST_NAMED])
    more = f" and {len(eval_ids) - _MOST_NAMED} more" if len(eval_ids) > _MOST_NAMED else ""
    return f"{len(eval_ids)} case{'s' * (len(eval_ids) != 1)} ({names}{more})"
