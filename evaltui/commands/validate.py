"""`evaltui validate`: checks files and folders, and applies safe fixes.

The order is: read and check all files, save the fixed files, print the report. So stdout stays empty if a file cannot
be read or written.
"""

from __future__ import annotations

import os
import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.diff.unified_diff import unified_diff
from evaltui.document.disk.file_content import Fingerprint, read_file
from evaltui.document.disk.file_replacement import save_file
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.interrupt import deferred
from evaltui.printable import printable, say, write_line
from evaltui.report.diagnostics_json import reports_as_data
from evaltui.report.diagnostics_text import github_lines, summary, text_lines
from evaltui.report.output import Tick, no_tick, print_json, progress, wants_colour
from evaltui.runs.config import config_beside, given_config
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.settings.project_settings import project_settings
from evaltui.validation.file_report import FileReport, check_file, fix_file, kind_of
from evaltui.validation.rules.registry import Selection

if TYPE_CHECKING:
    from multiprocessing.pool import IMapIterator


STDIN = "-"
_LOOK = 0.1
"""Seconds between two checks for Ctrl-C."""
_WORTH_PROCESSES = 8_000_000
"""The total bytes of files from which several processes are faster than one."""


def run(options: Namespace) -> int:
    """Check, print and maybe fix. Returns 0, 1 (an error, or with `--strict` a warning) or 2 (with a sentence)."""
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
    """The options of the checks. Raises `DocumentError` for an impossible combination before any work begins."""
    Selection.of(options.select, options.ignore)
    if options.fix and not options.diff and STDIN in options.paths:
        raise DocumentError("standard input cannot be fixed in place; give a file name, or use --diff")
    if options.config == STDIN and STDIN in options.paths:
        raise DocumentError("standard input cannot be both a set and the config; give a file name for one of them")
    config = None if options.config is None else given_config(Path(options.config))
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


def _readable(outcome: CheckOutcome, note: Callable[[str], object]) -> CheckOutcome:
    """The outcome of a file. If it cannot be read, raise `DocumentError` for a named file, and note it for others."""
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
        write_line(
            "stderr", f"{count} file{'s' * (count != 1)} skipped: not in the current eval set format of google-adk"
        )


# --- the check of each file: one by one or, where there is much to do, on all processors -----------------------------


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file to check. A file that was `named` is reported whatever its format."""

    name: str
    named: bool = True

    @property
    def path(self) -> Path | None:
        """Where it is; None for standard input."""
        return None if self.name == STDIN else Path(self.name)

    @property
    def size(self) -> int:
        """Its bytes; 0 if unknown."""
        with suppress(OSError):
            return self.path.stat().st_size if self.path is not None else 0
        return 0


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """Options for the check of each file."""

    fix: bool = False
    diff: bool = False
    strict: bool = False
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    config: LoadedConfig | None = None


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """Result of the check of one file."""

    source: CheckedFile
    report: FileReport | None = None
    """None for a file in a folder that is not an eval set, and for an unreadable file."""
    error: str = ""
    """Why it cannot be read."""
    is_fatal: bool = False
    """Whether the error ends the whole command."""
    fails: bool = False
    remark: str = ""
    """Sentence about an unusable config beside the file; "" without one."""
    expected: Fingerprint | None = None
    """Fingerprint that the file must still have before it is written."""
    fixed: bytes | None = None
    """Bytes to write; None for nothing."""
    diff: tuple[str, ...] = ()


def outcomes(sources: Sequence[CheckedFile], how: CheckOptions) -> Iterator[CheckOutcome]:
    """Check the files in order, with a progress bar for long work."""
    total = sum(source.size for source in sources)
    with progress(total, "checking") as tick:
        workers = min(len(sources), os.cpu_count() or 1)
        if workers > 1 and total > _WORTH_PROCESSES and CheckedFile(STDIN) not in sources:
            for source, outcome in zip(sources, _by_processes(sources, how, workers), strict=True):
                tick(source.size)
                yield outcome
        else:
            yield from (outcome_of(source, how, tick) for source in sources)


def _by_processes(sources: Sequence[CheckedFile], how: CheckOptions, workers: int) -> Iterator[CheckOutcome]:
    from multiprocessing import get_context

    heeded = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Only this process handles Ctrl-C; workers inherit SIG_IGN
    try:
        pool = get_context("spawn").Pool(workers)
    finally:
        signal.signal(signal.SIGINT, heeded)
    # If a signal handler ended this process, the workers would stay behind.
    with deferred() as is_interrupted, pool:
        results = pool.imap(partial(outcome_of, how=how), sources)
        for _ in sources:
            yield _next(results, is_interrupted)


def _next(results: IMapIterator[CheckOutcome], is_interrupted: Callable[[], bool]) -> CheckOutcome:
    from multiprocessing import TimeoutError as NotYetError

    while not is_interrupted():
        with suppress(NotYetError):
            return results.next(timeout=_LOOK)
    raise KeyboardInterrupt


def outcome_of(source: CheckedFile, how: CheckOptions, tick: Tick = no_tick) -> CheckOutcome:
    """Check one file."""
    path = source.path
    try:
        settings = project_settings(path.parent if path is not None else Path())
        selection = Selection.of(how.select or settings.select, (*how.ignore, *settings.ignore))
    except DocumentError as error:
        return CheckOutcome(source, error=str(error), is_fatal=True)
    try:
        document = Document(sys.stdin.buffer.read() if path is None else read_file(path), path)
    except DocumentError as error:
        return CheckOutcome(source, error=str(error))
    kind = kind_of(document, source.name)
    if not source.named and kind not in ("eval_set", "not_json"):
        return CheckOutcome(source)
    is_set = kind == "eval_set"
    config, remark = (how.config, "") if how.config or path is None or not is_set else config_beside(path)
    before, fixed = document.to_bytes(), None
    expected = document.on_disk
    if how.fix or how.diff:
        document, codes = fix_file(document, source.name, selection, config)
        fixed = tuple(codes)
    report = check_file(document, source.name, config, tick)
    if not source.named and report.format not in ("eval_set", "not_json"):
        return CheckOutcome(source)
    report = replace(selection.of_report(report), fixed=fixed)
    fails = bool(report.count("error") or ((how.strict or settings.strict) and report.count("warning")))
    outcome = CheckOutcome(source, report, fails=fails, remark=remark)
    if not fixed:
        return outcome
    after = document.to_bytes()
    if how.diff:
        return replace(outcome, diff=tuple(unified_diff(before, after, printable(source.name))))
    return replace(outcome, expected=expected, fixed=after)
