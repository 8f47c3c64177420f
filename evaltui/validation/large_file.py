"""The check of a large file, case by case: memory does not grow with the number of cases."""

from __future__ import annotations

import os
import pickle
import zlib
from collections import defaultdict
from collections.abc import Callable, Container, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import SpooledTemporaryFile

from evaltui.document.disk.file_content import FileState, file_state, reason_of
from evaltui.document.document import Document
from evaltui.document.errors import ReadError
from evaltui.document.positions import TextRange, line_and_column
from evaltui.evalset.case_stream import CasePlace, CaseStream, NotPlainError, cases_in
from evaltui.evalset.file_formats import format_of_document, is_of_dialect
from evaltui.evalset.keys import pointer_of_case
from evaltui.garbage_collection import without_collecting
from evaltui.scoring.eval_config import LoadedConfig
from evaltui.validation.case_checks import check_case, check_rest, set_checks
from evaltui.validation.checked_case import CaseFacts
from evaltui.validation.file_check import FileReport, Tick, in_order_of_places, located, located_in_case
from evaltui.validation.rule_types import Diagnostic, SetCheck
from evaltui.validation.rules import ids, odd_values, other_formats, with_config

BLOCK = 1 << 18
"""Bytes of cases that are checked together."""
# Their check takes a quarter of a second, next to which the way to a process is short.


def count_blocks(size: int) -> int:
    """About the number of blocks in a large file with so many bytes."""
    return size // BLOCK + 1


CaseBlock = tuple[int, CasePlace, int]
"""Some cases in a row: the number of the first one, from 0, where it begins, and the bytes of all of them together."""


BlockFindings = tuple[list[tuple[int, list[Diagnostic]]], list[CaseFacts]]
"""The numbers of the cases of a block with diagnostics, and these; and the facts of all its cases."""


def blocks_of(stream: CaseStream) -> Iterator[CaseBlock]:
    """The cases of a stream in blocks. Raises `NotPlainError` before or after any block."""
    first: CasePlace | None = None
    begin = end = 0
    for number, (place, case) in enumerate(stream):
        if first is not None and place[0] + len(case) - first[0] > BLOCK:
            yield begin, first, end - first[0]
            first = None
        if first is None:
            first, begin = place, number
        end = place[0] + len(case)
    if first is not None:
        yield begin, first, end - first[0]


def cases_of_block(path: Path, state: FileState, block: CaseBlock) -> Iterator[tuple[int, CasePlace, bytes]]:
    """The cases of a block, each with its number, place and bytes. Raises `ReadError` for a file in another state."""
    first_number, place, length = block
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            data = b""
            if file_state(handle) == state:
                os.lseek(handle, place[0], os.SEEK_SET)
                while piece := os.read(handle, length - len(data)):
                    data += piece
            is_same = len(data) == length and file_state(handle) == state
        finally:
            os.close(handle)
    except OSError as error:
        raise ReadError(f"{path}: cannot be read: {reason_of(error)}") from error
    # The places of the cases are those of the file as it was.
    if not is_same:
        raise ReadError(f"{path}: the file changed while it was checked; run the command again")
    for number, (own_place, case) in enumerate(cases_in(data, place), first_number):
        yield number, own_place, case


def check_block(
    path: Path, state: FileState, kind: str, pointer: str, config: LoadedConfig | None, block: CaseBlock
) -> BlockFindings:
    """Check the cases of a block. `pointer` is that of the list of cases. Raises `ReadError`."""
    diagnostics: list[tuple[int, list[Diagnostic]]] = []
    all_facts: list[CaseFacts] = []
    with without_collecting():
        for number, (_, line, column), case in cases_of_block(path, state, block):
            own, facts = check_case(case, kind)
            all_facts.append(facts)
            if own:  # placed here, while the text of the case is at hand
                if config is not None:
                    own = tuple(with_config.under(config, diagnostic, facts) for diagnostic in own)
                own = tuple(diagnostic.below(f"{pointer}/{number}") for diagnostic in own)
                diagnostics.append((number, located_in_case(case, own, line, column)))
    return diagnostics, all_facts


_IN_MEMORY = 4 << 20
"""Bytes of results that stay in memory."""
_LENGTH = 4

_Suspect = tuple[int, CaseFacts, list[int]]
"""The number and facts of a case, and the places of the checks that may find something in it."""


class LargeFile:
    """The check of a large file: `begin` it, give it the findings of each block in order; then it has a report."""

    check: Callable[[CaseBlock], BlockFindings]
    """Checks a block in any process. Raises `ReadError`."""

    def __init__(self, path: Path, name: str, tick: Tick) -> None:
        """Read the file once; `name` is its path as the user gave it. Raises `NotPlainError`.

        `tick` gets the number of bytes after each read.
        """
        self._path, self._name = path, name
        # The first of two readings finds the places of the cases. The second checks them, in blocks that any process
        # can do. Cases with problems across the set are read once more.
        self._stream = CaseStream(path, tick)
        self.blocks = list(blocks_of(self._stream))
        sample = self._stream.sample
        self.kind = format_of_document(sample, Path(name).name)
        # A set of another program is checked as a whole, because its fixes depend on all of it.
        if self.kind not in ("eval_set", "evaluation_dataset") or not self.blocks or is_of_dialect(sample):
            raise NotPlainError
        self._pointer = pointer_of_case(self._stream.root, 0).rpartition("/")[0]
        self._config: LoadedConfig | None = None
        self._ids = ids.StoredNumbers()
        # The results of the blocks wait here, because the problems of the set come before them in the text.
        self._spool = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - it lives until the report was read
        self._checks: list[SetCheck] = []
        self._noted = self._count = 0
        self._is_refused = False
        self._duplicate_keys: list[Diagnostic] = []
        """Those in the cases of a dataset."""

    def begin(self, config: LoadedConfig | None) -> None:
        """Choose the checks; `config` is the loaded config."""
        stream = self._stream
        self._config = config if self.kind == "eval_set" else None
        self.check = partial(check_block, self._path, stream.state, self.kind, self._pointer, self._config)
        self._checks = set_checks(stream.rest, self.kind, self._config, self._path, self._ids)

    @property
    def is_complete(self) -> bool:
        """Whether all blocks were noted."""
        return self._noted == len(self.blocks)

    def note(self, findings: BlockFindings) -> CaseBlock:
        """Take in the findings of the next block, and return the block."""
        diagnostics, facts = findings
        block = self.blocks[self._noted]
        self._noted += 1
        places: dict[int, list[int]] = defaultdict(list)
        for place, check in enumerate(self._checks):
            for number in check.note(enumerate(facts, self._count)):
                places[number].append(place)
        suspects: list[_Suspect] = [(number, facts[number - self._count], places[number]) for number in sorted(places)]
        self._count += len(facts)
        for diagnostic in (diagnostic for _, own in diagnostics for diagnostic in own):
            self._is_refused = self._is_refused or diagnostic.severity == "error"
            if self.kind == "evaluation_dataset" and diagnostic.code == odd_values.DUPLICATE_KEY.code:
                self._duplicate_keys.append(diagnostic)
        # Findings and facts of many cases are alike, so that they take a tenth of their size.
        packed = zlib.compress(pickle.dumps((diagnostics, suspects), pickle.HIGHEST_PROTOCOL), 1)
        self._spool.write(len(packed).to_bytes(_LENGTH) + packed)
        return block

    def report(self, codes: Container[str]) -> FileReport:
        """The report, with the diagnostics of the rules with these codes. These can be read only once."""
        diagnostics = check_rest(self._stream.rest, self._count, self.kind)
        for check in self._checks:
            diagnostics += check.of_set()
        if self._config is not None:
            diagnostics = [with_config.under(self._config, diagnostic) for diagnostic in diagnostics]
        # A duplicate key in a case blocks a fix of the whole dataset, which edits all cases.
        reachable = odd_values.with_reachable_fixes((*self._duplicate_keys, *diagnostics))
        named = other_formats.check_name_of_dataset(self._path.name) if self.kind == "evaluation_dataset" else []
        rest = [*named, *islice(reachable, len(self._duplicate_keys), None)]
        is_refused = self._is_refused or any(diagnostic.severity == "error" for diagnostic in rest)
        return FileReport(
            self._name,
            self.kind,
            self.kind == "eval_set" and not is_refused,
            self._count if self._pointer else None,
            (diagnostic for diagnostic in self._located(rest) if diagnostic.code in codes),
        )

    def close(self) -> None:
        """Delete what was kept."""
        self._spool.close()
        self._ids.close()

    def _located(self, rest: list[Diagnostic]) -> Iterator[Diagnostic]:
        """All diagnostics in the order of the text; `rest` are those outside the cases. Raises `ReadError`."""
        stream = self._stream
        # The rest was checked as one text without cases, so its end moves to where it is in the file.
        old, new = line_and_column(stream.head), stream.closing

        def moved(line: int, column: int) -> tuple[int, int]:
            if (line, column) < old:
                return line, column
            return line + new[0] - old[0], column + (new[1] - old[1] if line == old[0] else 0)

        around = [
            replace(entry, place=TextRange(*moved(*entry.place[:2]), *moved(*entry.place[2:])))
            for entry in located(Document(stream.head + stream.tail, self._path), rest)
        ]
        yield from (entry for entry in around if entry.place[:2] < new)
        self._spool.seek(0)
        for block in self.blocks:
            yield from self._located_in_block(block)
        yield from (entry for entry in around if entry.place[:2] >= new)

    def _located_in_block(self, block: CaseBlock) -> Iterator[Diagnostic]:
        entries: list[tuple[int, list[Diagnostic]]]
        suspects: list[_Suspect]
        entries, suspects = pickle.loads(zlib.decompress(self._spool.read(int.from_bytes(self._spool.read(_LENGTH)))))
        across: dict[int, list[Diagnostic]] = {}
        for number, facts, places in suspects:
            across[number] = [
                (diagnostic if self._config is None else with_config.under(self._config, diagnostic)).below(
                    f"{self._pointer}/{number}"
                )
                for place in places
                for diagnostic in self._checks[place].of_case(number, facts)
            ]
        of_case = dict(entries)
        if any(across.values()):
            for number, (_, line, column), source in cases_of_block(self._path, self._stream.state, block):
                if of_set := across.get(number):
                    own = of_case.get(number, [])
                    further = [*islice(odd_values.with_reachable_fixes((*own, *of_set)), len(own), None)]
                    of_case[number] = [*own, *located_in_case(source, further, line, column)]
        for number in sorted(of_case):
            yield from in_order_of_places(of_case[number])
