"""The results of a set on disk, with the parts of reports that were made while its cases were scored."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, overload

from evaltui.runs.batch.packed_results import PackedResult
from evaltui.runs.batch.work_folder import RecordFile, RecordPlace, RecordReader
from evaltui.scoring.results import CaseResult

_SCHEMA = """
CREATE TABLE IF NOT EXISTS results (of INT, number INT, file INT, result INT, result_length INT,
                                    prepared INT, prepared_length INT,
                                    PRIMARY KEY (of, number)) WITHOUT ROWID;
"""


class StoredResult(NamedTuple):
    """The places of what is known about a case."""

    result: RecordPlace
    prepared: RecordPlace


def written_result(packed: PackedResult, file: RecordFile) -> StoredResult:
    """A result appended to a file. Raises `DocumentError` if the disk is full."""
    return StoredResult(file.add(packed.result), file.add(packed.prepared))


class StoredResults(Sequence[CaseResult]):
    """The results of the chosen cases of a set, in order. They have no turns."""

    def __init__(self, index: sqlite3.Connection, of: int, reader: RecordReader) -> None:
        self._index, self._of, self._reader = index, of, reader
        self._files: dict[str, int] = {}
        self._numbers = array("L")
        index.executescript(_SCHEMA)

    def extend(self, numbers: Sequence[int], results: Iterable[StoredResult]) -> None:
        """Add the results of more cases, with the places of the cases in the set."""
        rows = [(self._of, number, *self._row(each)) for number, each in zip(numbers, results, strict=True)]
        self._numbers.extend(numbers)
        self._index.execute("BEGIN")
        self._index.executemany("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        self._index.execute("COMMIT")

    def sort(self) -> None:
        """Put the results into the order of the set, after they were added in another one."""
        self._numbers = array("L", sorted(self._numbers))

    def _row(self, each: StoredResult) -> tuple[int, ...]:
        file = self._files.setdefault(each.result.file, len(self._files))
        return file, *each.result[1:], *each.prepared[1:]

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[CaseResult]:
        files = list(self._files)
        query = "SELECT file, result, result_length FROM results WHERE of=? ORDER BY number"
        for file, *place in self._index.execute(query, (self._of,)):
            yield self._reader.record_at(RecordPlace(files[file], *place))

    @overload
    def __getitem__(self, index: int) -> CaseResult: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[CaseResult]: ...
    def __getitem__(self, index: int | slice) -> CaseResult | Sequence[CaseResult]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        result: CaseResult = self._reader.record_at(self._place("result", self._numbers[index]))
        return result

    def prepared(self, case: CaseResult) -> Any:
        """The parts of reports for a case."""
        return self._reader.record_at(self._place("prepared", case.number))

    def _place(self, part: str, number: int) -> RecordPlace:
        query = f"SELECT file, {part}, {part}_length FROM results WHERE of=? AND number=?"
        file, offset, length = self._index.execute(query, (self._of, number)).fetchone()
        return RecordPlace(list(self._files)[file], offset, length)
