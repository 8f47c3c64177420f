"""The check of each file of `evaltui validate`: in this process or, if there is much to do, in several.

A small file is one task. A large file is many: it is read case by case (`validation/large_file.py`), unless its fixes
are wanted, or it is not healthy. Those need the whole document.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from evaltui.document.disk.file_content import Fingerprint, is_large, read_file, read_stdin
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.sequence_diff import unified_diff
from evaltui.evalset.case_stream import NotPlainError
from evaltui.evalset.file_formats import is_sought, kind_of
from evaltui.file_access import size_of
from evaltui.printable import printable
from evaltui.processes import in_processes, processors
from evaltui.report.terminal_output import Tick, no_tick, progress
from evaltui.runs.config_file import config_beside
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.settings.project_settings import project_settings
from evaltui.validation.file_check import FileReport, check_file, fix_file
from evaltui.validation.large_file import BlockFindings, CaseBlock, LargeFile, count_blocks
from evaltui.validation.rules.rule_registry import selected_codes

STDIN = "-"
WORTH_PROCESSES = 30_000_000
"""The total bytes of files from which several processes are faster than one."""
_SEARCH = 20
"""One part in so many of the time for a large file goes into the search for its cases."""


NamedFile = tuple[str, bool]
"""The name of a file, and whether the user gave it: then it is reported whatever its format."""


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """Result of the check of one file."""

    report: FileReport | None = None
    """None for a file in a folder that is not an eval set, and for an unreadable file."""
    is_strict: bool = False
    """Whether warnings count as errors."""
    remark: str = ""
    """Why the file is unreadable, or the config beside it unusable; "" for neither."""
    expected: Fingerprint | None = None
    """Fingerprint that the file must still have before it is written."""
    fixed: bytes | None = None
    """Bytes to write; None for nothing."""
    diff: tuple[str, ...] = ()


_LargeCheck = tuple[LargeFile, frozenset[str], CheckOutcome]
"""A large file under check, the codes of the rules for it, and its outcome without the report."""
_Task = tuple[int, Callable[[], CheckOutcome | BlockFindings | DocumentError]]
"""The number of a file, and the check of the file or of a block of it."""
_Result = tuple[int, CheckOutcome | BlockFindings | DocumentError]


def check_files(
    files: Sequence[NamedFile], options: Namespace, config: LoadedConfig | None = None
) -> Iterator[CheckOutcome]:
    """Check the files in order with the options of `evaltui validate`, and a progress bar for long work.

    Use each outcome before the next one: its report reads a temporary file. Raises `DocumentError` if a named file is
    unreadable, and for invalid settings.
    """
    sizes = [size_of(path) if (path := _path(name)) is not None else 0 for name, _ in files]
    jobs = _process_count(files, sizes, options.jobs)
    large_checks: dict[int, _LargeCheck] = {}
    with progress(sum(sizes), "checking") as tick:

        def tasks() -> Iterator[_Task]:
            """The checks of small files, and of the blocks of large files."""
            # Only within this process can the check of a whole file report its progress case by case.
            tick_case = tick if jobs == 1 else no_tick
            for number, file in enumerate(files):
                large = _begin_large_check(file[0], options, config, tick)
                if large is None:
                    yield number, partial(check_whole_file, file, options, config, tick_case)
                    continue
                large_checks[number] = large
                for block in large[0].blocks:
                    yield number, partial(_check_block, large[0].check, block)

        results = in_processes(_perform, tasks(), jobs)
        try:
            with closing(results):
                for number, result in results:
                    if isinstance(result, CheckOutcome):
                        if jobs > 1:
                            tick(sizes[number])
                        yield result
                    elif number in large_checks:  # else another block could not be read, and that was said
                        large, rules, outcome = large_checks[number]
                        if isinstance(result, DocumentError):
                            if files[number][1]:
                                raise result
                            yield CheckOutcome(remark=str(result))
                        else:
                            _, _, length = large.note(result)
                            tick(length - length // _SEARCH)
                            if not large.is_complete:
                                continue
                            yield replace(outcome, report=large.report(rules))
                        large_checks.pop(number)[0].close()
        finally:
            for large, _, _ in large_checks.values():
                large.close()


def _process_count(files: Sequence[NamedFile], sizes: Sequence[int], jobs: int | None) -> int:
    """The number of processes: `jobs`, by default all processors for much work, but no idle ones."""
    paths = [_path(name) for name, _ in files]
    if None in paths:  # only this process can read standard input
        return 1
    if jobs is None:
        jobs = processors() if sum(sizes) > WORTH_PROCESSES else 1
    counts = (count_blocks(size) if path and is_large(path) else 1 for path, size in zip(paths, sizes, strict=True))
    return min(jobs, max(1, sum(counts)))


def _path(name: str) -> Path | None:
    """The path of a file to check; None for standard input."""
    return None if name == STDIN else Path(name)


def _perform(task: _Task) -> _Result:
    number, check = task
    return number, check()


def _check_block(check: Callable[[CaseBlock], BlockFindings], block: CaseBlock) -> BlockFindings | DocumentError:
    try:
        return check(block)
    except DocumentError as error:  # raised here, it would end the check of all files
        return error


def _begin_large_check(
    name: str, options: Namespace, named_config: LoadedConfig | None, tick: Tick
) -> _LargeCheck | None:
    """The check of a large file case by case; None if the file is checked as a whole."""
    path = _path(name)
    if path is None or options.fix or options.diff or not is_large(path):
        return None
    ticked = 0

    def tick_search(count: int) -> None:
        nonlocal ticked
        ticked += count // _SEARCH
        tick(count // _SEARCH)

    try:
        rules, is_strict = _rules_for(path, options)
        large = LargeFile(path, name, tick_search)
    except (DocumentError, NotPlainError):  # the check of the whole file says what is wrong with it
        tick(-ticked)
        return None
    config, remark = _config_for(path, named_config, large.kind)
    large.begin(config)
    return large, rules, CheckOutcome(is_strict=is_strict, remark=remark)


def _rules_for(path: Path | None, options: Namespace) -> tuple[frozenset[str], bool]:
    """The codes of the rules for a file, and whether warnings count as errors. Raises `DocumentError`."""
    settings = project_settings(path.parent if path is not None else Path())
    rules = selected_codes(options.select or settings.select, (*options.ignore, *settings.ignore))
    return rules, options.strict or settings.strict


def _config_for(path: Path | None, named_config: LoadedConfig | None, kind: str) -> tuple[LoadedConfig | None, str]:
    """The config for a file, and a sentence if the one beside it is unusable."""
    if named_config or path is None or kind not in ("eval_set", "legacy_turns"):
        return named_config, ""
    return config_beside(path)


def check_whole_file(
    file: NamedFile, options: Namespace, named_config: LoadedConfig | None, tick: Tick = no_tick
) -> CheckOutcome:
    """Check one file as a whole, and fix it if that is an option.

    Raises `DocumentError` if the settings are invalid, or a named file unreadable.
    """
    name, is_named = file
    path = _path(name)
    # Settings with an error hold for all files of the project, and could leave out any rule: they end the command.
    rules, is_strict = _rules_for(path, options)
    try:
        document = Document(read_stdin() if path is None else read_file(path), path)
    except DocumentError as error:
        if is_named:
            raise
        return CheckOutcome(remark=str(error))
    kind = kind_of(document.root, name)
    if not is_named and not is_sought(kind, document.root):
        return CheckOutcome()
    config, remark = _config_for(path, named_config, kind)
    old, expected = document.to_bytes(), document.on_disk
    codes = None
    if options.fix or options.diff:
        document, codes = fix_file(document, name, rules, config)
    report = check_file(document, name, config, tick)
    # A fix can change the format: text that was no JSON may become a set, or a file of another kind.
    if not is_named and not is_sought(report.format, document.root):
        return CheckOutcome()
    selected = [diagnostic for diagnostic in report.diagnostics if diagnostic.code in rules]
    report = replace(report, diagnostics=selected, fixed=None if codes is None else tuple(codes))
    outcome = CheckOutcome(report, is_strict=is_strict, remark=remark)
    if not codes:
        return outcome
    new = document.to_bytes()
    if options.diff:
        return replace(outcome, diff=tuple(unified_diff(old, new, printable(name))))
    return replace(outcome, expected=expected, fixed=new)
