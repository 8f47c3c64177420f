"""`evaltui validate`: the diagnostics of files and folders, and the safe fixes applied.

First all is read and checked, then what was fixed is saved, then all is printed: where something cannot be read or
written, nothing is on stdout.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evaltui.config_for import config_beside, given_config
from evaltui.document import Document, DocumentError
from evaltui.document.storage import read_file
from evaltui.document.unified_diff import unified_diff
from evaltui.evalset.configs import LoadedConfig
from evaltui.printable import printable, write_line
from evaltui.project_settings import project_settings
from evaltui.report.colour import wants_colour
from evaltui.report.diagnostics_json import as_json
from evaltui.report.diagnostics_text import github_lines, summary, text_lines
from evaltui.validation.checking import check_file, fix_file
from evaltui.validation.file_report import FileReport
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
    config: str | None = None


def validate_command(wanted: Wanted) -> int:
    """Check, print and perhaps fix; exit code 0, 1 (an error, or where strict a warning) or 2 (with a sentence)."""
    try:
        _refuse(wanted)
        given = None if wanted.config is None else given_config(Path(wanted.config))
        sources = list(_sources(wanted.paths))
        outcomes = [_checked(source, wanted, given) for source in sources]
        for outcome in filter(None, outcomes):
            if outcome.fixed is not None:
                outcome.read.write(outcome.fixed, outcome.read.on_disk)
    except DocumentError as error:
        write_line("stderr", printable(f"evaltui: {error}"))
        return 2
    kept = [outcome for outcome in outcomes if outcome is not None]
    _print(kept, wanted)
    _say_left_out(len(outcomes) - len(kept), sources, wanted)
    return int(any(outcome.fails for outcome in kept))


def _refuse(wanted: Wanted) -> None:
    """Raise for what cannot be done, before anything is."""
    Selection.of(wanted.select, wanted.ignore)
    if wanted.fix and not wanted.diff and STDIN in wanted.paths:
        raise DocumentError("standard input cannot be fixed in place; name a file, or use --diff")


@dataclass(frozen=True, slots=True)
class _Source:
    """A file to check; one that was `named` is reported whatever it is."""

    name: str
    named: bool


@dataclass(frozen=True, slots=True)
class _Outcome:
    report: FileReport
    fails: bool
    read: Document
    """As it was read."""
    fixed: bytes | None = None
    """What to write; None for nothing."""
    diff: list[str] = field(default_factory=list)


def _sources(paths: Sequence[str]) -> Iterator[_Source]:
    for name in paths:
        if name != STDIN and Path(name).is_dir():
            from evaltui.validation.searching import candidates

            yield from (_Source(str(path), named=False) for path in candidates(Path(name)))
        else:
            yield _Source(name, named=True)


def _checked(source: _Source, wanted: Wanted, given: LoadedConfig | None) -> _Outcome | None:
    """What became of a file, checked with the config `given` or the one beside it.

    None for one that was found in a folder and is no eval set, or cannot be read.
    """
    path = None if source.name == STDIN else Path(source.name)
    try:
        document = Document(sys.stdin.buffer.read() if path is None else read_file(path), path)
    except DocumentError as error:
        if source.named:
            raise
        write_line("stderr", printable(f"evaltui: {error}"))
        return None
    settings = project_settings(path.parent if path is not None else Path())
    selection = Selection.of(wanted.select or settings.select, (*wanted.ignore, *settings.ignore))
    strict = wanted.strict or settings.strict
    config = given or (config_beside(path) if path is not None else None)
    if not (wanted.fix or wanted.diff):
        return _outcome(check_file(document, source.name, config), source, selection, strict, document)
    read = Document(before := document.to_bytes(), path)
    document, fixed = fix_file(document, source.name, selection, config)
    report = replace(check_file(document, source.name, config), fixed=tuple(fixed))
    outcome = _outcome(report, source, selection, strict, read)
    if outcome is None or not fixed:
        return outcome
    if wanted.diff:
        return replace(outcome, diff=list(unified_diff(before, document.to_bytes(), printable(source.name))))
    return replace(outcome, fixed=document.to_bytes())


def _outcome(
    report: FileReport, source: _Source, selection: Selection, strict: bool, read: Document
) -> _Outcome | None:
    if not source.named and report.format not in ("eval_set", "not_json"):
        return None
    report = selection.of_report(report)
    return _Outcome(report, bool(report.count("error") or (strict and report.count("warning"))), read)


def _print(outcomes: list[_Outcome], wanted: Wanted) -> None:
    reports = [outcome.report for outcome in outcomes]
    if wanted.format == "json":
        write_line("stdout", as_json(reports), is_safe=True)
        return
    colour = wants_colour(sys.stdout, wanted.colour)
    for outcome in outcomes:
        for line in outcome.diff if wanted.format == "text" else ():
            write_line("stdout", line)
    for report in reports:
        for line in github_lines(report) if wanted.format == "github" else text_lines(report, colour=colour):
            write_line("stdout", line, is_safe=True)
    write_line("stderr", summary(reports))


def _say_left_out(count: int, sources: list[_Source], wanted: Wanted) -> None:
    if not sources:
        write_line("stderr", f"no eval sets in {', '.join(map(printable, wanted.paths))}")
    if count:
        write_line("stderr", f"{count} file{'s' * (count != 1)} left out: no eval sets of google-adk's present form")
