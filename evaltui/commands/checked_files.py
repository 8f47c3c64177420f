"""The check of each file of `evaltui validate`: in this process or, if there is much to do, in several.

A small file is one task. A large file is many: it is read case by case (`validation/large_file.py`), unless its fixes
are wanted, or it is not healthy. Those need the whole document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from evaltui.document.disk.file_content import Fingerprint, is_large, read_file, read_stdin
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.sequence_diff import unified_diff
from evaltui.evalset.case_stream import NotPlainError
from evaltui.evalset.file_formats import is_sought, kind_of
from evaltui.file_access import size_of
from evaltui.printable import printable
from evaltui.processes import in_processes, processors
from evaltui.report.output import Tick, no_tick, progress
from evaltui.runs.config_file import config_beside
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.settings.project_settings import project_settings
from evaltui.validation.file_check import FileReport, check_file, fix_file
from evaltui.validation.large_file import BlockFindings, LargeFile, check_block, count_blocks
from evaltui.validation.rules.rule_registry import selected_codes

STDIN = "-"
WORTH_PROCESSES = 30_000_000
"""The total bytes of files from which several processes are faster than one."""
_SEARCH = 20
"""One part in so many of the time for a large file goes into the search for its cases."""


class CheckedFile(NamedTuple):
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
        return size_of(self.path) if self.path is not None else 0


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

    file: CheckedFile
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


_LargeCheck = tuple[LargeFile, frozenset[str], CheckOutcome]
"""A large file under check, the codes of the rules for it, and its outcome without the report."""
_Task = tuple[int, Callable[[], CheckOutcome | BlockFindings]]
"""The number of a file, and the check of the file or of a block of it."""
_Result = tuple[int, CheckOutcome | BlockFindings | DocumentError]


def check_files(files: Sequence[CheckedFile], options: CheckOptions, jobs: int | None = None) -> Iterator[CheckOutcome]:
    """Check the files in order, with a progress bar for long work. `jobs` is the number of processes.

    Use each outcome before the next one: its report reads a temporary file. Raises `DocumentError`.
    """
    total = sum(file.size for file in files)
    jobs = _process_count(files, total, jobs)
    large_checks: dict[int, _LargeCheck] = {}
    with progress(total, "checking") as tick:

        def tasks() -> Iterator[_Task]:
            # Only within this process can the check of a whole file report its progress case by case.
            tick_case = tick if jobs == 1 else no_tick
            for number, file in enumerate(files):
                large = _begin_large_check(file, options, tick)
                if large is None:
                    yield number, partial(check_whole_file, file, options, tick_case)
                    continue
                large_checks[number] = large
                for block in large[0].blocks:
                    yield number, partial(check_block, large[0].source, block)

        results = in_processes(_perform, tasks(), jobs)
        try:
            with closing(results):
                for number, result in results:
                    if isinstance(result, CheckOutcome):
                        if jobs > 1:
                            tick(files[number].size)
                        yield result
                    elif number in large_checks:  # else another block could not be read, and that was said
                        large, rules, outcome = large_checks[number]
                        if isinstance(result, DocumentError):
                            yield CheckOutcome(files[number], error=str(result))
                        else:
                            _, place = large.note(result)
                            tick(place.length - place.length // _SEARCH)
                            if not large.is_complete:
                                continue
                            yield replace(outcome, report=large.report(rules))
                        large_checks.pop(number)[0].close()
        finally:
            for large, _, _ in large_checks.values():
                large.close()


def _process_count(files: Sequence[CheckedFile], total: int, jobs: int | None) -> int:
    """The number of processes: `jobs`, by default all processors for much work, but no idle ones."""
    if any(file.path is None for file in files):  # only this process can read standard input
        return 1
    if jobs is None:
        jobs = processors() if total > WORTH_PROCESSES else 1
    tasks = sum(count_blocks(file.size) if file.path is not None and is_large(file.path) else 1 for file in files)
    return min(jobs, max(1, tasks))


def _perform(task: _Task) -> _Result:
    number, check = task
    try:
        return number, check()
    except DocumentError as error:  # of one block: raised here, it would end the check of all files
        return number, error


def _begin_large_check(file: CheckedFile, options: CheckOptions, tick: Tick) -> _LargeCheck | None:
    """The check of a large file case by case; None if the file is checked as a whole."""
    if file.path is None or options.fix or options.diff or not is_large(file.path):
        return None
    ticked = 0

    def tick_search(count: int) -> None:
        nonlocal ticked
        ticked += count // _SEARCH
        tick(count // _SEARCH)

    try:
        rules, is_strict = _rules_for(file, options)
        large = LargeFile(file.path, file.name, tick_search)
    except (DocumentError, NotPlainError):  # the check of the whole file says what is wrong with it
        tick(-ticked)
        return None
    config, remark = _config_for(file, options, large.kind)
    large.begin(config)
    return large, rules, CheckOutcome(file, is_strict=is_strict, remark=remark)


def _rules_for(file: CheckedFile, options: CheckOptions) -> tuple[frozenset[str], bool]:
    """The codes of the rules for a file, and whether warnings count as errors. Raises `DocumentError`."""
    settings = project_settings(file.path.parent if file.path is not None else Path())
    rules = selected_codes(options.select or settings.select, (*options.ignore, *settings.ignore))
    return rules, options.strict or settings.strict


def _config_for(file: CheckedFile, options: CheckOptions, kind: str) -> tuple[LoadedConfig | None, str]:
    """The config for a file, and a sentence if the one beside it is unusable."""
    if options.config or file.path is None or kind not in ("eval_set", "legacy_turns"):
        return options.config, ""
    return config_beside(file.path)


def check_whole_file(file: CheckedFile, options: CheckOptions, tick: Tick = no_tick) -> CheckOutcome:
    """Check one file as a whole, and fix it if that is an option."""
    try:
        rules, is_strict = _rules_for(file, options)
    except DocumentError as error:
        # Settings with an error hold for all files of the project, and could leave out any rule.
        return CheckOutcome(file, error=str(error), is_fatal=True)
    try:
        document = Document(read_stdin() if file.path is None else read_file(file.path), file.path)
    except DocumentError as error:
        return CheckOutcome(file, error=str(error))
    kind = kind_of(document.root, file.name)
    if not file.named and not is_sought(kind, document.root):
        return CheckOutcome(file)
    config, remark = _config_for(file, options, kind)
    old, expected = document.to_bytes(), document.on_disk
    codes = None
    if options.fix or options.diff:
        document, codes = fix_file(document, file.name, rules, config)
    report = check_file(document, file.name, config, tick)
    # A fix can change the format: text that was no JSON may become a set, or a file of another kind.
    if not file.named and not is_sought(report.format, document.root):
        return CheckOutcome(file)
    selected = [entry for entry in report.diagnostics if entry.diagnostic.code in rules]
    report = replace(report, diagnostics=selected, fixed=None if codes is None else tuple(codes))
    outcome = CheckOutcome(file, report, is_strict=is_strict, remark=remark)
    if not codes:
        return outcome
    new = document.to_bytes()
    if options.diff:
        return replace(outcome, diff=tuple(unified_diff(old, new, printable(file.name))))
    return replace(outcome, expected=expected, fixed=new)
