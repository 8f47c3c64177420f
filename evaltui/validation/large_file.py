"""The check of a large file, case by case: memory does not grow with the number of cases.

The file is read twice: once for the places of its cases, and once for their check, in blocks that any process can do.
The results of the blocks wait in a temporary file. Cases with problems across the set are read once more.
"""

from __future__ import annotations

import os
import pickle
import zlib
from collections import defaultdict
from collections.abc import Container, Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import NamedTuple

from evaltui.document.disk.file_content import reason_of
from evaltui.document.document import Document
from evaltui.document.errors import ReadError
from evaltui.document.positions import TextRange, line_and_column
from evaltui.evalset.case_file import pointer_of_case
from evaltui.evalset.case_stream import CaseSpan, CaseStream, FileState, NotPlainError, cases_in, file_state
from evaltui.evalset.file_formats import format_of_document, is_of_dialect
from evaltui.garbage_collection import without_collecting
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.validation.case_facts import CaseFacts
from evaltui.validation.file_report import FileReport, Tick
from evaltui.validation.format_checks import checks_of
from evaltui.validation.locations import Located, in_order_of_places, located, located_in_case
from evaltui.validation.rule import Diagnostic
from evaltui.validation.rules.formats import check_name_of_dataset
from evaltui.validation.rules.values import DUPLICATE_KEY, with_reachable_fixes
from evaltui.validation.rules.with_config import under
from evaltui.validation.set_check import StoredNumbers

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


_IN_MEMORY = 4 << 20
"""Bytes of results that stay in memory."""
_LENGTH = 4

_Suspect = tuple[int, CaseFacts, list[int]]
"""The number and facts of a case, and the places of the checks that may find something in it."""


class FoundCases:
    """The cases of a large file: their places in blocks, and the rest of the file."""

    def __init__(self, path: Path, name: str, tick: Tick) -> None:
        """Read the file once. `tick` gets the number of bytes after each read. Raises `NotPlainError`."""
        self.path = path
        self.stream = CaseStream(path, tick)
        self.blocks = list(blocks_of(self.stream))
        self.kind = format_of_document(self.stream.sample, Path(name).name)
        """The format of the file."""
        if self.kind not in ("eval_set", "evaluation_dataset") or not self.blocks or is_of_dialect(self.stream.sample):
            raise NotPlainError


class LargeFile:
    """The check of a large file. Give it the findings of each block in order; then it has a report."""

    def __init__(self, cases: FoundCases, name: str, config: LoadedConfig | None) -> None:
        """`name` is the path as the user gave it, and `config` is the loaded config."""
        self.blocks = cases.blocks
        stream, root = cases.stream, cases.stream.root
        config = config if cases.kind == "eval_set" else None
        pointer = pointer_of_case(root, 0).rpartition("/")[0]
        self.source = LargeSource(cases.path, stream.state, cases.kind, pointer, config)
        self._name = name
        self._stream = stream
        self._ids = StoredNumbers()
        self._rest = stream.rest
        self._checks = checks_of(cases.kind).set_checks(self._rest, config, cases.path, self._ids)
        self._spool = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - it lives until the report was read
        self._noted = self._count = 0
        self._is_refused = False
        self._doubled: list[Diagnostic] = []
        """Duplicate keys in the cases of a dataset: a fix of the whole dataset may be for all cases."""

    @property
    def is_complete(self) -> bool:
        """Whether all blocks were noted."""
        return self._noted == len(self.blocks)

    def note(self, findings: BlockFindings) -> CaseBlock:
        """Take in the findings of the next block, and return the block."""
        block = self.blocks[self._noted]
        self._noted += 1
        suspects: dict[int, list[int]] = defaultdict(list)
        for place, check in enumerate(self._checks):
            for number in check.note(enumerate(findings.facts, self._count)):
                suspects[number].append(place)
        kept: list[_Suspect] = [
            (number, findings.facts[number - self._count], suspects[number]) for number in sorted(suspects)
        ]
        self._count += len(findings.facts)
        self._is_refused = self._is_refused or findings.is_refused
        if self.source.kind == "evaluation_dataset":
            every = (each.diagnostic for _, found in findings.found for each in found)
            self._doubled += (each for each in every if each.code == DUPLICATE_KEY.code)
        # Findings and facts of many cases are alike, so that they take a tenth of their size.
        packed = zlib.compress(pickle.dumps((findings.found, kept), pickle.HIGHEST_PROTOCOL), 1)
        self._spool.write(len(packed).to_bytes(_LENGTH) + packed)
        return block

    def report(self, wanted: Container[str]) -> FileReport:
        """The report, with the diagnostics of the wanted rules. These can be read only once."""
        kind = self.source.kind
        rest = self._of_rest()
        refused = self._is_refused or any(each.severity == "error" for each in rest)
        accepted = kind == "eval_set" and not refused
        found = (each for each in self._diagnostics(rest) if each.diagnostic.code in wanted)
        return FileReport(self._name, kind, accepted, self._count if self.source.pointer else None, found)

    def close(self) -> None:
        """Delete what was kept."""
        self._spool.close()
        self._ids.close()

    def _of_rest(self) -> list[Diagnostic]:
        """The diagnostics of the file outside its cases."""
        config = self.source.config
        found = checks_of(self.source.kind).check_rest_alone(self._rest, self._count)
        for check in self._checks:
            found += check.of_set()
        every = [*self._doubled, *(found if config is None else (under(config, each) for each in found))]
        reachable = list(with_reachable_fixes(every))[len(self._doubled) :]
        is_dataset = self.source.kind == "evaluation_dataset"
        return [*(check_name_of_dataset(self.source.path.name) if is_dataset else ()), *reachable]

    def _diagnostics(self, rest: list[Diagnostic]) -> Iterator[Located]:
        """All diagnostics in the order of the text. Raises `ReadError`."""
        around = self._located_in_rest(rest)
        closing = self._stream.closing
        yield from (each for each in around if each.place[:2] < closing)
        self._spool.seek(0)
        needed = {place for place, check in enumerate(self._checks) if check.finds_in_cases}
        for block in self.blocks:
            yield from self._of_block(block, needed)
        yield from (each for each in around if each.place[:2] >= closing)

    def _of_block(self, block: CaseBlock, needed: set[int]) -> Iterator[Located]:
        found: list[tuple[int, list[Located]]]
        suspects: list[_Suspect]
        found, suspects = pickle.loads(zlib.decompress(self._spool.read(int.from_bytes(self._spool.read(_LENGTH)))))
        across = {number: self._across(number, facts, needed.intersection(own)) for number, facts, own in suspects}
        of_case = dict(found)
        if any(across.values()):
            for number, span, source in cases_of_block(self.source, block):
                if of_set := across.get(number):
                    own = of_case.get(number, [])
                    every = list(with_reachable_fixes((*(each.diagnostic for each in own), *of_set)))
                    more = located_in_case(source, every[len(own) :], span.line, span.column)
                    of_case[number] = [*own, *more]
        for number in sorted(of_case):
            yield from in_order_of_places(of_case[number])

    def _across(self, number: int, facts: CaseFacts, needed: set[int]) -> list[Diagnostic]:
        """The diagnostics of a case in comparison with the others."""
        at, config = f"{self.source.pointer}/{number}", self.source.config
        found = (each for place in sorted(needed) for each in self._checks[place].of_case(number, facts))
        return [(each if config is None else under(config, each)).below(at) for each in found]

    def _located_in_rest(self, rest: list[Diagnostic]) -> list[Located]:
        """Diagnostics outside the cases, with their places in the file."""
        stream = self._stream
        here, there = line_and_column(stream.head), stream.closing

        def moved(line: int, column: int) -> tuple[int, int]:
            if (line, column) < here:
                return line, column
            return line + there[0] - here[0], column + (there[1] - here[1] if line == here[0] else 0)

        found = located(Document(stream.head + stream.tail, self.source.path), rest)
        return [
            Located(
                each.diagnostic,
                TextRange(*moved(*each.place[:2]), *moved(*each.place[2:])),
                each.eval_id,
                each.turn,
            )
            for each in found
        ]
