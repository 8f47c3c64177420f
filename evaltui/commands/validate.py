"""`evaltui validate`: the diagnostics of files and folders, and the safe fixes applied.

First all is read and checked, then what was fixed is saved, then all is printed: where something cannot be read or
written, nothing is on stdout.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from evaltui.commands.validated_files import STDIN, CheckedFile, CheckOptions, CheckOutcome, outcomes
from evaltui.document.disk.file_replacement import save_file
from evaltui.document.errors import DocumentError
from evaltui.interrupt import deferred
from evaltui.printable import printable, say, write_line
from evaltui.report.diagnostics_json import reports_as_data
from evaltui.report.diagnostics_text import github_lines, summary, text_lines
from evaltui.report.json_text import print_json
from evaltui.report.terminal import wants_colour
from evaltui.runs.config import given_config
from evaltui.validation.file_report import FileReport
from evaltui.validation.rule_selection import Selection


def run(options: Namespace) -> int:
    """Check, print and perhaps fix; exit code 0, 1 (an error, or where strict a warning) or 2 (with a sentence)."""
    try:
        said: list[str] = []
        sources = list(_sources(options.paths, said.append))
        done = [_readable(outcome, said.append) for outcome in outcomes(sources, _how(options))]
        for outcome in done:
            if outcome.fixed is not None and outcome.source.path is not None:
                with deferred():
                    saved = save_file(outcome.source.path, outcome.fixed, outcome.expected)
                for remark in saved.remarks:
                    said.append(f"{outcome.source.path}: fixed; {remark}")
    except DocumentError as error:
        say(error)
        return 2
    for sentence in said:
        say(sentence)
    _print(done, [outcome.report for outcome in done if outcome.report is not None], options)
    _say_left_out(done, options)
    return int(any(outcome.fails for outcome in done))


def _how(options: Namespace) -> CheckOptions:
    """Raises `DocumentError` for what cannot be done, before anything is."""
    Selection.of(options.select, options.ignore)
    if options.fix and not options.diff and STDIN in options.paths:
        raise DocumentError("standard input cannot be fixed in place; name a file, or use --diff")
    if options.config == STDIN and STDIN in options.paths:
        raise DocumentError("standard input cannot be both a set and the config; name one of them")
    config = None if options.config is None else given_config(Path(options.config))
    return CheckOptions(options.fix, options.diff, options.strict, options.select, options.ignore, config)


def _sources(paths: Sequence[str], note: Callable[[str], object]) -> Iterator[CheckedFile]:
    """Each file once, by whichever name comes first."""
    seen: set[str] = set()
    for source in (source for name in paths for source in _sources_at(name, note)):
        real = STDIN if source.path is None else os.path.realpath(source.path)
        if real not in seen:
            seen.add(real)
            yield source


def _sources_at(name: str, note: Callable[[str], object]) -> Iterator[CheckedFile]:
    if not name:
        raise DocumentError("a PATH is empty; `.` is the folder one is in")
    if name == STDIN or not os.path.isdir(name):  # noqa: PTH112 - of a name that is too long, reading it tells
        yield CheckedFile(name)
        return
    from evaltui.evalset.set_files import candidates

    def complain(path: Path, reason: str) -> None:
        note(f"{path}: {reason}")

    yield from (CheckedFile(str(path), named=False) for path in candidates(Path(name), complain))


def _readable(outcome: CheckOutcome, note: Callable[[str], object]) -> CheckOutcome:
    """The outcome of a file; raises `DocumentError` where one that was named cannot be read, and notes it of others."""
    if outcome.remark:
        note(outcome.remark)
    if outcome.error:
        if outcome.source.named or outcome.is_fatal:
            raise DocumentError(outcome.error)
        note(outcome.error)
    return outcome


def _print(done: list[CheckOutcome], reports: list[FileReport], options: Namespace) -> None:
    if options.format == "json":
        print_json(reports_as_data(reports))
        return
    for outcome in done if options.format == "text" else ():
        for line in outcome.diff:
            write_line("stdout", line)
    colour = wants_colour(sys.stdout, options.color)
    for report in reports:
        for line in github_lines(report) if options.format == "github" else text_lines(report, colour=colour):
            write_line("stdout", line, is_safe=True)
    if done:
        write_line("stderr", summary(reports, is_preview=options.diff))


def _say_left_out(done: list[CheckOutcome], options: Namespace) -> None:
    if not done:
        write_line("stderr", f"no eval sets in {', '.join(map(printable, options.paths))}")
    count = sum(outcome.report is None and not outcome.error for outcome in done)
    if count:
        write_line("stderr", f"{count} file{'s' * (count != 1)} left out: no eval sets of google-adk's present form")
