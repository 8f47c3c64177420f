"""The files of `evaltui validate`, checked one by one or, where there is much to do, on all processors."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.diff.unified_diff import unified_diff
from evaltui.document.disk.file_content import Fingerprint, read_file
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.interrupt import deferred
from evaltui.printable import printable
from evaltui.report.output import Tick, no_tick, progress
from evaltui.runs.config import config_beside
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.settings.project_settings import project_settings
from evaltui.validation.file_report import FileReport, check_file, fix_file, kind_of
from evaltui.validation.rules.registry import Selection

if TYPE_CHECKING:
    from multiprocessing.pool import IMapIterator

STDIN = "-"
_LOOK = 0.1
"""Seconds between two looks whether somebody pressed Ctrl-C."""
_WORTH_PROCESSES = 8_000_000
"""Bytes of several files from which on it pays to start processes."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file to check; one that was `named` is reported whatever it is."""

    name: str
    named: bool = True

    @property
    def path(self) -> Path | None:
        """Where it is; None for standard input."""
        return None if self.name == STDIN else Path(self.name)

    @property
    def size(self) -> int:
        """Its bytes, as far as they are known."""
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
    """None for one that was found in a folder and is no eval set, or that cannot be read."""
    error: str = ""
    """Why it cannot be read."""
    is_fatal: bool = False
    """Whether the error concerns more than this file."""
    fails: bool = False
    remark: str = ""
    """Sentence about a config beside it that was left out."""
    expected: Fingerprint | None = None
    """Fingerprint that the file must have when it is written."""
    fixed: bytes | None = None
    """Bytes to write; None for nothing."""
    diff: tuple[str, ...] = ()


def outcomes(sources: Sequence[CheckedFile], how: CheckOptions) -> Iterator[CheckOutcome]:
    """Check the files in order; a progress bar shows if that takes a while."""
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

    heeded = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for this process; the others inherit that
    try:
        pool = get_context("spawn").Pool(workers)
    finally:
        signal.signal(signal.SIGINT, heeded)
    # Ended in a handler, this process would leave the others behind.
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
    is_set = kind_of(document, source.name) == "eval_set"
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
