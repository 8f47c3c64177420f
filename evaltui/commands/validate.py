"""`evaltui validate`: checks files and folders, and applies safe fixes.

The order is: read and check all files, save the fixed files, print the report. So stdout stays empty if a file cannot
be read or written.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from evaltui.commands.parser import CommandParser
from evaltui.commands.set_options import CONFIG, add_color, add_format, add_jobs
from evaltui.document.errors import DocumentError
from evaltui.printable import printable, say, write_line

if TYPE_CHECKING:
    from pathlib import Path

    from evaltui.commands.checked_files import NamedFile
    from evaltui.document.disk.file_content import Fingerprint
    from evaltui.report.problem_reports import ReportSpool

USAGE = "validate [OPTIONS] PATH…"
DESCRIPTION = "Find what google-adk rejects or misreads in eval sets, datasets and configs."
EXAMPLE = "evaltui validate broken.evalset.json"
_STDIN = "-"


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui validate`."""
    path = "A file, or a folder to search. Use - for standard input."
    parser.add_argument_group("Arguments").add_argument("paths", metavar="PATH", nargs="+", help=path)
    rules = parser.add_argument_group("Rules")
    rules.add_argument("--config", metavar="FILE", help=CONFIG)
    select = "Check only these rules or groups, separated by commas. Repeatable."
    rules.add_argument("--select", metavar="CODES", action="append", default=[], help=select)
    ignore = "Skip these rules or groups, separated by commas. Repeatable."
    rules.add_argument("--ignore", metavar="CODES", action="append", default=[], help=ignore)
    fixes = parser.add_argument_group("Fixes")
    fixes.add_argument("--fix", action="store_true", help="Apply the safe fixes and save.")
    fixes.add_argument("--diff", action="store_true", help="Show the safe fixes as a diff and write nothing.")
    formats = "Format of standard output: text, json or github. Default: text."
    add_color(add_format(parser, ("text", "json", "github"), formats, "text"))
    add_jobs(parser)
    strict = "Exit with 1 for warnings, too."
    parser.add_argument_group("Exit code").add_argument("--strict", action="store_true", help=strict)


def run(options: Namespace) -> int:
    """Check, print and maybe fix. Returns 0 or 1 (an error, or with `--strict` a warning)."""
    from contextlib import closing

    from evaltui.report.problem_reports import ReportSpool
    from evaltui.report.terminal_output import wants_colour

    with closing(ReportSpool(options.format, colour=wants_colour(sys.stdout, options.color))) as spool:
        messages: list[str] = []
        files = list(_find_files(options.paths, messages))
        skipped, fails = _check(files, options, spool, messages)
        for message in messages:
            say(message)
        spool.print()
        if files and options.format != "json":
            write_line("stderr", spool.summary(is_preview=options.diff))
    if not files:
        write_line("stderr", f"no eval sets or datasets in {', '.join(map(printable, options.paths))}")
    if skipped:
        count = f"{skipped} file{'s' * (skipped != 1)} skipped"
        write_line("stderr", f"{count}: not in the current eval set format of google-adk, and no dataset")
    return int(fails)


def _check(files: Sequence[NamedFile], options: Namespace, spool: ReportSpool, messages: list[str]) -> tuple[int, bool]:
    """Check and fix the files. Returns how many are skipped, and whether one fails. Raises `DocumentError`."""
    from pathlib import Path

    from evaltui.commands.checked_files import check_files
    from evaltui.document.disk.file_replacement import save_file
    from evaltui.interrupt import deferred
    from evaltui.runs.config_file import read_named_config
    from evaltui.scoring.eval_config import notes_on_metrics
    from evaltui.validation.rules.rule_registry import selected_codes

    # Before any work: an impossible combination. The settings of each file may add rules, so these are only checked.
    selected_codes(options.select, options.ignore)
    if options.fix and not options.diff and _STDIN in options.paths:
        raise DocumentError("standard input cannot be fixed in place; give a file name, or use --diff")
    if options.config == _STDIN and _STDIN in options.paths:
        raise DocumentError("standard input cannot be both a set and the config; give a file name for one of them")
    config = None if options.config is None else read_named_config(Path(options.config))
    if config is not None:
        messages += [f"{options.config}: {note}" for note in notes_on_metrics(config)]
    to_save: list[tuple[Path, bytes, Fingerprint | None]] = []
    skipped, fails = 0, False
    for outcome in check_files(files, options, config):
        if outcome.remark:
            messages.append(outcome.remark)
        if outcome.report is None:
            skipped += not outcome.remark
            continue
        spool.add_diff(outcome.diff)
        counts = spool.add(outcome.report)
        fails = fails or bool(counts["error"] or (outcome.is_strict and counts["warning"]))
        if outcome.fixed is not None:
            # Without its report, to save memory.
            to_save.append((Path(outcome.report.path), outcome.fixed, outcome.expected))
    for path, data, expected in to_save:
        with deferred():
            _, remarks = save_file(path, [data], expected)
        messages += [f"{path}: fixed; {remark}" for remark in remarks]
    return skipped, fails


def _find_files(paths: Sequence[str], messages: list[str]) -> Iterator[NamedFile]:
    """The named files and those of the folders, each once by its first name."""
    from pathlib import Path

    from evaltui.evalset.set_files import candidates

    real_paths: set[str] = set()
    for path in paths:
        if not path:
            raise DocumentError("PATH is empty; use `.` for the current folder")
        is_searched = path != _STDIN and os.path.isdir(path)  # noqa: PTH112 - reading tells of too long a name
        names: Iterable[str] = [path]
        if is_searched:
            names = map(str, candidates(Path(path), lambda file, reason: messages.append(f"{file}: {reason}")))
        for name in names:
            real_path = _STDIN if name == _STDIN else os.path.realpath(name)
            if real_path not in real_paths:
                real_paths.add(real_path)
                yield name, not is_searched
