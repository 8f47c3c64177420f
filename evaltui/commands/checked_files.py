"""The check of each file of `evaltui validate`: in this process or, where there is much to do, in several.

A small file is one task. A large file is many: it is read case by case (`validation/large_file.py`), unless its fixes
are wanted, or it is not healthy. Those need the whole document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from evaltui.document.diff.unified_diff import unified_diff
from evaltui.document.disk.file_content import Fingerprint, read_file, read_stdin
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.evalset.case_stream import NotPlainError, is_large
from evaltui.evalset.formats import is_sought
from evaltui.printable import printable
from evaltui.processes import LostProcessError, in_processes, processors
from evaltui.report.output import Tick, no_tick, progress
from evaltui.runs.config import config_beside
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.settings.project_settings import project_settings
from evaltui.validation.case_blocks import BlockFindings, CaseBlock, LargeSource, check_block, count_blocks
from evaltui.validation.file_report import FileReport, check_file, checked_kind, fix_file
from evaltui.validation.large_file import FoundCases, LargeFile
from evaltui.validation.rules.registry import Selection

STDIN = "-"
WORTH_PROCESSES = 30_000_000
"""The total bytes of files from which several processes are faster than one."""
_SEARCH = 20
"""One part in so many of the time for a large file goes into the search for its cases."""


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
    is_strict: bool = False
    """Whether warnings count as errors."""
    remark: str = ""
    """Sentence about an unusable config beside the file; "" without one."""
    expected: Fingerprint | None = None
    """Fingerprint that the file must still have before it is written."""
    fixed: bytes | None = None
    """Bytes to write; None for nothing."""
    diff: tuple[str, ...] = ()


def outcomes(sources: Sequence[CheckedFile], how: CheckOptions, jobs: int | None = None) -> Iterator[CheckOutcome]:
    """Check the files in order, with a progress bar for long work. `jobs` is the number of processes.

    Each outcome must be used before the next one. Raises `DocumentError`.
    """
    total = sum(source.size for source in sources)
    with progress(total, "checking") as tick:
        work = _Work(sources, how, tick)
        count = _jobs(sources, total, jobs)
        perform = _perform if count > 1 else partial(_perform, tick=tick)
        results = in_processes(perform, work.tasks(), count)
        try:
            with closing(work), closing(results):
                for result in results:
                    yield from work.outcomes(result, is_ticked=count == 1)
        except LostProcessError as error:
            raise DocumentError(str(error)) from error


def _jobs(sources: Sequence[CheckedFile], total: int, wanted: int | None) -> int:
    """The number of processes: as many as wanted, by default all processors for much work, but no idle ones."""
    if CheckedFile(STDIN) in sources:  # only this process can read it
        return 1
    if wanted is None:
        wanted = processors() if total > WORTH_PROCESSES else 1
    tasks = sum(count_blocks(source.size) if _is_large(source) else 1 for source in sources)
    return min(wanted, max(1, tasks))


def _is_large(source: CheckedFile) -> bool:
    return source.path is not None and is_large(source.path)


@dataclass(frozen=True, slots=True)
class _FileTask:
    """The check of a whole file."""

    number: int
    source: CheckedFile
    how: CheckOptions


@dataclass(frozen=True, slots=True)
class _BlockTask:
    """The check of some cases of a large file."""

    number: int
    source: LargeSource
    block: CaseBlock


@dataclass(frozen=True, slots=True)
class _NoTask:
    """A file whose outcome is known without a check."""

    number: int
    outcome: CheckOutcome


_Task = _FileTask | _BlockTask | _NoTask
_Result = tuple[int, CheckOutcome | BlockFindings | DocumentError]
"""The number of the file, and the outcome or a part of it."""


def _perform(task: _Task, tick: Tick = no_tick) -> _Result:
    if isinstance(task, _NoTask):
        return task.number, task.outcome
    if isinstance(task, _FileTask):
        return task.number, outcome_of(task.source, task.how, tick)
    try:
        return task.number, check_block(task.source, task.block)
    except DocumentError as error:
        return task.number, error


class _Work:
    """The tasks for some files, and what their results mean for each file."""

    def __init__(self, sources: Sequence[CheckedFile], how: CheckOptions, tick: Tick) -> None:
        self._sources = sources
        self._how = how
        self._tick = tick
        self._large: dict[int, _LargeCheck] = {}
        """The large files that are being checked, by number."""

    def close(self) -> None:
        """Delete what the checks of large files keep."""
        for large in self._large.values():
            large.file.close()

    def tasks(self) -> Iterator[_Task]:
        """All tasks in order."""
        for number, source in enumerate(self._sources):
            large = self._large_check(source)
            if large is None:
                yield _FileTask(number, source, self._how)
                continue
            if isinstance(large, CheckOutcome):
                yield _NoTask(number, large)
                continue
            self._large[number] = large
            for block in large.file.blocks:
                yield _BlockTask(number, large.file.source, block)

    def outcomes(self, result: _Result, *, is_ticked: bool) -> Iterator[CheckOutcome]:
        """The outcome of a file, with its last result. `is_ticked` tells whether the check of a file ticks itself."""
        number, found = result
        source = self._sources[number]
        if isinstance(found, CheckOutcome):
            if not is_ticked:
                self._tick(source.size)
            yield found
            return
        large = self._large.get(number)
        if large is None:  # it is over: another block could not be read
            return
        if isinstance(found, BlockFindings):
            block = large.file.note(found)
            self._tick(block.length - block.length // _SEARCH)
            if not large.file.is_complete:
                return
            yield large.outcome(source)
        else:
            yield CheckOutcome(source, error=str(found))
        large.file.close()
        del self._large[number]

    def _large_check(self, source: CheckedFile) -> _LargeCheck | CheckOutcome | None:
        """The check of a large file case by case, or its outcome; None if it is to be checked as a whole."""
        how, path = self._how, source.path
        if path is None or how.fix or how.diff or not is_large(path):
            return None
        ticked = 0

        def tick(count: int) -> None:
            nonlocal ticked
            ticked += count // _SEARCH
            self._tick(count // _SEARCH)

        try:
            selection, is_strict = _rules_of(source, how)
            cases = FoundCases(path, source.name, tick)
        except (DocumentError, NotPlainError):
            self._tick(-ticked)
            return None
        if not source.named and cases.kind not in ("eval_set", "evaluation_dataset"):
            return CheckOutcome(source)
        config, remark = _config_of(source, how, cases.kind)
        return _LargeCheck(LargeFile(cases, source.name, config), selection, is_strict, remark)


@dataclass(frozen=True, slots=True)
class _LargeCheck:
    """The check of a large file under way."""

    file: LargeFile
    selection: Selection
    is_strict: bool
    remark: str

    def outcome(self, source: CheckedFile) -> CheckOutcome:
        """The outcome after the last block."""
        return CheckOutcome(source, self.file.report(self.selection), is_strict=self.is_strict, remark=self.remark)


def _rules_of(source: CheckedFile, how: CheckOptions) -> tuple[Selection, bool]:
    """The rules for a file, and whether warnings count as errors. Raises `DocumentError`."""
    settings = project_settings(source.path.parent if source.path is not None else Path())
    selection = Selection.of(how.select or settings.select, (*how.ignore, *settings.ignore))
    return selection, how.strict or settings.strict


def _config_of(source: CheckedFile, how: CheckOptions, kind: str) -> tuple[LoadedConfig | None, str]:
    """The config for a file, and a sentence if the one beside it is unusable."""
    if how.config or source.path is None or kind not in ("eval_set", "legacy_turns"):
        return how.config, ""
    return config_beside(source.path)


def outcome_of(source: CheckedFile, how: CheckOptions, tick: Tick = no_tick) -> CheckOutcome:
    """Check one file as a whole."""
    path = source.path
    try:
        selection, is_strict = _rules_of(source, how)
    except DocumentError as error:
        return CheckOutcome(source, error=str(error), is_fatal=True)
    try:
        document = Document(read_stdin() if path is None else read_file(path), path)
    except DocumentError as error:
        return CheckOutcome(source, error=str(error))
    kind = checked_kind(document, source.name)
    if not source.named and not is_sought(kind, document.root):
        return CheckOutcome(source)
    config, remark = _config_of(source, how, kind)
    before, fixed = document.to_bytes(), None
    expected = document.on_disk
    if how.fix or how.diff:
        document, codes = fix_file(document, source.name, selection, config)
        fixed = tuple(codes)
    report = check_file(document, source.name, config, tick)
    if not source.named and not is_sought(report.format, document.root):
        return CheckOutcome(source)
    report = replace(selection.of_report(report), fixed=fixed)
    outcome = CheckOutcome(source, report, is_strict=is_strict, remark=remark)
    if not fixed:
        return outcome
    after = document.to_bytes()
    if how.diff:
        return replace(outcome, diff=tuple(unified_diff(before, after, printable(source.name))))
    return replace(outcome, expected=expected, fixed=after)
