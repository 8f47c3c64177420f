"""`evaltui validate`: the diagnostics of files and folders, and the safe fixes applied."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaltui.document import Document, DocumentError
from evaltui.document.storage import read_file
from evaltui.document.unified_diff import unified_diff
from evaltui.printable import printable, write_line
from evaltui.report.colour import wants_colour
from evaltui.report.diagnostics_json import as_json
from evaltui.report.diagnostics_text import github_lines, summary, text_lines
from evaltui.validation.checking import check_file, fix_file
from evaltui.validation.file_report import FileReport
from evaltui.validation.searching import candidates
from evaltui.validation.selection import Selection

STDIN = "-"


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


def validate_command(wanted: Wanted) -> int:
    """Check, print and perhaps fix; exit code 0, 1 (an error, or with `strict` a warning) or 2 (with a sentence)."""
    try:
        selection = Selection.of(wanted.select, wanted.ignore)
        files = list(_files(wanted.paths))
        _refuse_fixing_stdin(wanted)
        reports = [_one(source, wanted, selection) for source in files]
    except DocumentError as error:
        write_line("stderr", printable(f"evaltui: {error}"))
        return 2
    kept = [report for report in reports if report is not None]
    _print(kept, wanted)
    _say_left_out(len(reports) - len(kept), files, wanted)
    failing = ("error", "warning") if wanted.strict else ("error",)
    return int(any(report.count(severity) for report in kept for severity in failing))


def _refuse_fixing_stdin(wanted: Wanted) -> None:
    if wanted.fix and not wanted.diff and STDIN in wanted.paths:
        raise DocumentError("standard input cannot be fixed in place; name a file, or use --diff")


@dataclass(frozen=True, slots=True)
class _Source:
    """A file to check; one that was `named` is reported whatever it is."""

    name: str
    named: bool


def _files(paths: Sequence[str]) -> Iterator[_Source]:
    for name in paths:
        if name != STDIN and Path(name).is_dir():
            yield from (_Source(str(path), named=False) for path in candidates(Path(name)))
        else:
            yield _Source(name, named=True)


def _one(source: _Source, wanted: Wanted, selection: Selection) -> FileReport | None:
    """The report of a file; None for one that was found in a folder and is no eval set, or cannot be read."""
    path = None if source.name == STDIN else Path(source.name)
    try:
        document = Document(sys.stdin.buffer.read() if path is None else read_file(path), path)
    except DocumentError as error:
        if source.named:
            raise
        write_line("stderr", printable(f"evaltui: {error}"))
        return None
    fixed: list[str] | None = None
    if wanted.fix or wanted.diff:
        document, fixed = _fixed(document, source.name, wanted, selection)
    report = check_file(document, source.name, path)
    if not source.named and report.format not in ("eval_set", "not_json"):
        return None
    return replace(selection.of_report(report), fixed=None if fixed is None else tuple(fixed))


def _fixed(document: Document, name: str, wanted: Wanted, selection: Selection) -> tuple[Document, list[str]]:
    before = document.body()
    document, fixed = fix_file(document, selection)
    if wanted.diff:
        if wanted.format == "text":
            for line in unified_diff(before, document.body(), printable(name)):
                write_line("stdout", line)
    elif fixed:
        document.save()
    return document, fixed


def _print(reports: list[FileReport], wanted: Wanted) -> None:
    if wanted.format == "json":
        write_line("stdout", as_json(reports), is_safe=True)
        return
    colour = wants_colour(sys.stdout, wanted.colour)
    for report in reports:
        for line in github_lines(report) if wanted.format == "github" else text_lines(report, colour=colour):
            write_line("stdout", line, is_safe=True)
    write_line("stderr", summary(reports))


def _say_left_out(count: int, files: list[_Source], wanted: Wanted) -> None:
    if not files:
        write_line("stderr", f"no eval sets in {', '.join(map(printable, wanted.paths))}")
    if count:
        write_line("stderr", f"{count} file{'s' * (count != 1)} left out: no eval sets of google-adk's present form")
