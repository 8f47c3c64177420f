"""`evaltui validate`: the diagnostics of files and folders, and the safe fixes applied.

First all is read and checked, then what was fixed is saved, then all is printed: where something cannot be read or
written, nothing is on stdout.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaltui.config_for import given_config
from evaltui.document import DocumentError
from evaltui.document.file_replacement import save_file
from evaltui.interrupt import deferred
from evaltui.printable import printable, say, write_line
from evaltui.report.colour import wants_colour
from evaltui.report.diagnostics_json import as_data
from evaltui.report.diagnostics_text import github_lines, summary, text_lines
from evaltui.report.json_text import print_json
from evaltui.validate_files import STDIN, How, Outcome, Source, outcomes
from evaltui.validation.file_report import FileReport
from evaltui.validation.selection import Selection


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for on the command line."""

    paths: Sequence[str]
    format: str = "text"
    fix: bool = False
    diff: bool = False
    strict: bool = False
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    colour: str = "auto"
    config: str | None = None


def validate_command(wanted: Wanted) -> int:
    """Check, print and perhaps fix; exit code 0, 1 (an error, or where strict a warning) or 2 (with a sentence)."""
    try:
        said: list[str] = []
        sources = list(_sources(wanted.paths, said.append))
        done = [_readable(outcome, said.append) for outcome in outcomes(sources, _how(wanted))]
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
    _print(done, [outcome.report for outcome in done if outcome.report is not None], wanted)
    _say_left_out(done, wanted)
    return int(any(outcome.fails for outcome in done))


def _how(wanted: Wanted) -> How:
    """Raises `DocumentError` for what cannot be done, before anything is."""
    Selection.of(wanted.select, wanted.ignore)
    if wanted.fix and not wanted.diff and STDIN in wanted.paths:
        raise DocumentError("standard input cannot be fixed in place; name a file, or use --diff")
    if wanted.config == STDIN and STDIN in wanted.paths:
        raise DocumentError("standard input cannot be both a set and the config; name one of them")
    config = None if wanted.config is None else given_config(Path(wanted.config))
    return How(wanted.fix, wanted.diff, wanted.strict, wanted.select, wanted.ignore, config)


def _sources(paths: Sequence[str], note: Callable[[str], object]) -> Iterator[Source]:
    """Each file once, by whichever name comes first."""
    seen: set[str] = set()
    for source in (source for name in paths for source in _sources_at(name, note)):
        real = STDIN if source.path is None else os.path.realpath(source.path)
        if real not in seen:
            seen.add(real)
            yield source


def _sources_at(name: str, note: Callable[[str], object]) -> Iterator[Source]:
    if not name:
        raise DocumentError("a PATH is empty; `.` is the folder one is in")
    if name == STDIN or not os.path.isdir(name):  # noqa: PTH112 - of a name that is too long, reading it tells
        yield Source(name)
        return
    from evaltui.evalset.set_files import candidates

    def complain(path: Path, reason: str) -> None:
        note(f"{path}: {reason}")

    yield from (Source(str(path), named=False) for path in candidates(Path(name), complain))


def _readable(outcome: Outcome, note: Callable[[str], object]) -> Outcome:
    """The outcome of a file; raises `DocumentError` where one that was named cannot be read, and notes it of others."""
    if outcome.remark:
        note(outcome.remark)
    if outcome.error:
        if outcome.source.named or outcome.is_fatal:
            raise DocumentError(outcome.error)
        note(outcome.error)
    return outcome


def _print(done: list[Outcome], reports: list[FileReport], wanted: Wanted) -> None:
    if wanted.format == "json":
        print_json(as_data(reports))
        return
    for outcome in done if wanted.format == "text" else ():
        for line in outcome.diff:
            write_line("stdout", line)
    colour = wants_colour(sys.stdout, wanted.colour)
    for report in reports:
        for line in github_lines(report) if wanted.format == "github" else text_lines(report, colour=colour):
            write_line("stdout", line, is_safe=True)
    if done:
        write_line("stderr", summary(reports, is_preview=wanted.diff))


def _say_left_out(done: list[Outcome], wanted: Wanted) -> None:
    if not done:
        write_line("stderr", f"no eval sets in {', '.join(map(printable, wanted.paths))}")
    count = sum(outcome.report is None and not outcome.error for outcome in done)
    if count:
        write_line("stderr", f"{count} file{'s' * (count != 1)} left out: no eval sets of google-adk's present form")
