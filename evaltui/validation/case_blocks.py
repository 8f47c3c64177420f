"""The check of a few cases of a large file, given by their place in it: a task that any process can do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from evaltui.document.disk.file_content import reason_of
from evaltui.document.errors import ReadError
from evaltui.evalset.case_stream import CaseSpan, CaseStream, FileState, cases_in, file_state
from evaltui.garbage_collection import without_collecting
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.validation.case_facts import CaseFacts
from evaltui.validation.format_checks import checks_of
from evaltui.validation.locations import Located, located_in_case
from evaltui.validation.rules.with_config import under

BLOCK = 1 << 18
"""Bytes of cases that are checked together: a quarter of a second, next to which the way to a process is short."""


def count_blocks(size: int) -> int:
    """About the number of blocks in a large file with so many bytes."""
    return size // BLOCK + 1


class CaseBlock(NamedTuple):
    """Some cases in a row."""

    number: int
    """The number of the first case, from 0."""
    first: CaseSpan
    length: int
    """In bytes, from the first case to the end of the last one."""


class LargeSource(NamedTuple):
    """A large file, with the facts about it that the check of each block needs."""

    path: Path
    state: FileState
    """The state of the file when its cases were found."""
    kind: str
    """Its format."""
    pointer: str
    """The pointer of its list of cases."""
    config: LoadedConfig | None


class BlockFindings(NamedTuple):
    """The result of the check of a block."""

    is_refused: bool
    """Whether google-adk rejects a case."""
    found: list[tuple[int, list[Located]]]
    """The numbers of the cases with diagnostics, and these."""
    facts: list[CaseFacts]
    """The facts of all cases."""


def blocks_of(stream: CaseStream) -> Iterator[CaseBlock]:
    """The cases of a stream in blocks. Raises `NotPlainError` before or after any block."""
    first: CaseSpan | None = None
    begin = end = 0
    for number, (span, _) in enumerate(stream):
        if first is not None and span.offset + span.length - first.offset > BLOCK:
            yield CaseBlock(begin, first, end - first.offset)
            first = None
        if first is None:
            first, begin = span, number
        end = span.offset + span.length
    if first is not None:
        yield CaseBlock(begin, first, end - first.offset)


def cases_of_block(source: LargeSource, block: CaseBlock) -> Iterator[tuple[int, CaseSpan, bytes]]:
    """The cases of a block, each with its number, place and bytes. Raises `ReadError`."""
    try:
        handle = os.open(source.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            data = b""
            if file_state(handle) == source.state:
                os.lseek(handle, block.first.offset, os.SEEK_SET)
                while piece := os.read(handle, block.length - len(data)):
                    data += piece
            is_same = len(data) == block.length and file_state(handle) == source.state
        finally:
            os.close(handle)
    except OSError as error:
        raise ReadError(f"{source.path}: cannot be read: {reason_of(error)}") from error
    if not is_same:
        raise ReadError(f"{source.path}: the file changed while it was checked; run the command again")
    for at, (span, case) in enumerate(cases_in(data, block.first), block.number):
        yield at, span, case


def check_block(source: LargeSource, block: CaseBlock) -> BlockFindings:
    """Check the cases of a block. Raises `ReadError`."""
    check, config = checks_of(source.kind).check_case, source.config
    found: list[tuple[int, list[Located]]] = []
    facts: list[CaseFacts] = []
    is_refused = False
    with without_collecting():
        for number, span, case in cases_of_block(source, block):
            findings = check(case)
            facts.append(findings.facts)
            if not findings.diagnostics:
                continue
            at = f"{source.pointer}/{number}"
            own = findings.diagnostics
            if config is not None:
                own = tuple(under(config, each, findings.facts) for each in own)
            every = [each.below(at) for each in own]
            is_refused = is_refused or any(each.severity == "error" for each in every)
            found.append((number, located_in_case(case, every, span.line, span.column)))
    return BlockFindings(is_refused, found, facts)
