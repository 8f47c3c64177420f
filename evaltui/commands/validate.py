"""`evaltui validate`: checks files and folders, and applies safe fixes.

The order is: read and check all files, save the fixed files, print the report. So stdout stays empty if a file cannot
be read or written.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evaltui.command_line.parser import CommandParser
from evaltui.commands.checked_files import STDIN, CheckedFile, CheckOptions, CheckOutcome, outcomes
from evaltui.commands.set_options import CONFIG, add_color, add_format, add_jobs
from evaltui.document.disk.file_replacement import save_file
from evaltui.document.errors import DocumentError
from evaltui.interrupt import deferred
from evaltui.printable import printable, say, write_line
from evaltui.report.output import wants_colour
from evaltui.report.report_spool import ReportSpool
from evaltui.runs.config import config_to_score_by
from evaltui.scoring.eval_config import notes_on_metrics
from evaltui.validation.rules.registry import Selection

USAGE = "validate [OPTIONS] PATH…"
DESCRIPTION = "Find what google-adk rejects or misreads in eval sets, datasets and configs."
EXAMPLE = "evaltui validate broken.evalset.json"


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui validate`."""
    what = "A file, or a folder to search. Use - for standard input."
    parser.add_argument_group("Arguments").add_argument("paths", metavar="PATH", nargs="+", help=what)
    checks = parser.add_argument_group("Rules")
    checks.add_argument("--config", metavar="FILE", help=CONFIG)
    select = "Check only these rules or groups, separated by commas. Repeatable."
    checks.add_argument("--select", metavar="CODES", action="append", default=[], help=select)
    ignore = "Skip these rules or groups, separated by commas. Repeatable."
    checks.add_argument("--ignore", metavar="CODES", action="append", default=[], help=ignore)
    fixes = parser.add_argument_group("Fixes")
    fixes.add_argument("--fix", action="store_true", help="Apply the safe fixes and save.")
    fixes.add_argument("--diff", action="store_true", help="Show the safe fixes as a diff and write nothing.")
    forms = "Format of standard output: text, json or github. Default: text."
    add_color(add_format(parser, ("text", "json", "github"), forms, "text"))
    add_jobs(parser)
    strict = "Exit with 1 for warnings, too."
    parser.add_argument_group("Exit code").add_argument("--strict", action="store_true", help=strict)


def run(options: Namespace) -> int:
    """Check, print and maybe fix. Returns 0, 1 (an error, or with `--strict` a warning) or 2 (with a sentence)."""
    with ReportSpool(options.format, colour=wants_colour(sys.stdout, options.color)) as spool:
        return _run(options, spool)


def _run(options: Namespace, spool: ReportSpool) -> int:
    found = _Found()
    try:
        sources = list(_sources(options.paths, found.said.append))
        how = _how(options)
        if how.config is not None:
            found.said += [f"{options.config}: {each}" for each in notes_on_metrics(how.config)]
        for outcome in outcomes(sources, how, options.jobs):
            found.note(outcome, spool)
        for outcome in found.fixed:
            _save(outcome, found.said.append)
    except DocumentError as error:
        say(error)
        return 2
    for sentence in found.said:
        say(sentence)
    spool.print()
    if sources and options.format != "json":
        write_line("stderr", spool.summary(is_preview=options.diff))
    _say_left_out(len(sources), found.left_out, options)
    return int(found.fails)


@dataclass(slots=True)
class _Found:
    """The state of the files after their reports."""

    said: list[str] = field(default_factory=list)
    """Sentences to print before the reports."""
    fixed: list[CheckOutcome] = field(default_factory=list)
    """Files to save."""
    left_out: int = 0
    fails: bool = False

    def note(self, outcome: CheckOutcome, spool: ReportSpool) -> None:
        """Take in the next file. Raises `DocumentError` if a file that was named cannot be read."""
        if outcome.remark:
            self.said.append(outcome.remark)
        if outcome.error:
            if outcome.source.named or outcome.is_fatal:
                raise DocumentError(outcome.error)
            self.said.append(outcome.error)
        elif outcome.report is None:
            self.left_out += 1
        else:
            spool.add_diff(outcome.diff)
            counts = spool.add(outcome.report)
            self.fails = self.fails or bool(counts["error"] or (outcome.is_strict and counts["warning"]))
        if outcome.fixed is not None:
            self.fixed.append(replace(outcome, report=None))


def _save(outcome: CheckOutcome, note: Callable[[str], object]) -> None:
    """Save a fixed file. Raises `SaveError`."""
    if outcome.source.path is None or outcome.fixed is None:
        return
    with deferred():
        saved = save_file(outcome.source.path, outcome.fixed, outcome.expected)
    for remark in saved.remarks:
        note(f"{outcome.source.path}: fixed; {remark}")


def _how(options: Namespace) -> CheckOptions:
    """The options of the checks. Raises `DocumentError` for an impossible combination before any work begins."""
    Selection.of(options.select, options.ignore)
    if options.fix and not options.diff and STDIN in options.paths:
        raise DocumentError("standard input cannot be fixed in place; give a file name, or use --diff")
    if options.config == STDIN and STDIN in options.paths:
        raise DocumentError("standard input cannot be both a set and the config; give a file name for one of them")
    config = None if options.config is None else config_to_score_by(Path(options.config))
    return CheckOptions(options.fix, options.diff, options.strict, options.select, options.ignore, config)


def _sources(paths: Sequence[str], note: Callable[[str], object]) -> Iterator[CheckedFile]:
    """Each file once, by its first name."""
    seen: set[str] = set()
    for source in (source for name in paths for source in _sources_at(name, note)):
        real = STDIN if source.path is None else os.path.realpath(source.path)
        if real not in seen:
            seen.add(real)
            yield source


def _sources_at(name: str, note: Callable[[str], object]) -> Iterator[CheckedFile]:
    if not name:
        raise DocumentError("PATH is empty; use `.` for the current folder")
    if name == STDIN or not os.path.isdir(name):  # noqa: PTH112 - of a name that is too long, reading it tells
        yield CheckedFile(name)
        return
    from evaltui.evalset.set_files import candidates

    def complain(path: Path, reason: str) -> None:
        note(f"{path}: {reason}")

    yield from (CheckedFile(str(path), named=False) for path in candidates(Path(name), complain))


def _say_left_out(files: int, count: int, options: Namespace) -> None:
    if not files:
        write_line("stderr", f"no eval sets or datasets in {', '.join(map(printable, options.paths))}")
    if count:
        skipped = f"{count} file{'s' * (count != 1)} skipped"
        write_line("stderr", f"{skipped}: not in the current eval set format of google-adk, and no dataset")
