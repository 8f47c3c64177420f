"""The results of a set on disk, with the parts of reports that were made while its cases were scored."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, overload

from evaltui.runs.batch.packed_results import PackedResult
from evaltui.runs.batch.work_folder import RecordFile, RecordPlace, RecordReader
from evaltui.scoring.results import CaseResult
from evaltui.scoring.score_change import ScoreChange

_SCHEMA = """
CREATE TABLE IF NOT EXISTS results (of INT, number INT, file INT, result INT, result_length INT,
                                    why INT, why_length INT, json INT, json_length INT,
                                    PRIMARY KEY (of, number)) WITHOUT ROWID;
"""


class StoredResult(NamedTuple):
    """The places of what is known about a case."""

    result: RecordPlace
    why: RecordPlace | None
    """None if the case passed."""
    json: RecordPlace | None


def written_result(packed: PackedResult, file: RecordFile) -> StoredResult:
    """A result appended to a file. Raises `DocumentError` if the disk is full."""
    result, why, json = (file.add(each) if each is not None else None for each in packed)
    assert result is not None
    return StoredResult(result, why, json)


class StoredResults(Sequence[CaseResult]):
    """The results of the chosen cases of a set, in order. They have no turns (`PreparedReports`)."""

    def __init__(self, index: sqlite3.Connection, of: int, reader: RecordReader, change_mark: str | None) -> None:
        """`change_mark` stands for the change since a baseline in the JSON texts."""
        self._index, self._of, self._reader, self._mark = index, of, reader, change_mark
        self._files: dict[str, int] = {}
        self._numbers = array("L")
        index.executescript(_SCHEMA)

    def extend(self, numbers: Sequence[int], results: Iterable[StoredResult]) -> None:
        """Add the results of more cases, with the places of the cases in the set."""
        rows = [(self._of, number, *self._row(each)) for number, each in zip(numbers, results, strict=True)]
        self._numbers.extend(numbers)
        self._index.execute("BEGIN")
        self._index.executemany("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        self._index.execute("COMMIT")

    def sort(self) -> None:
        """Put the results into the order of the set, after they were added in another one."""
        self._numbers = array("L", sorted(self._numbers))

    def _row(self, each: StoredResult) -> tuple[int | None, ...]:
        file = self._files.setdefault(each.result.file, len(self._files))
        parts = (value for place in each for value in (place[1:] if place is not None else (None, None)))
        return file, *parts

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
        place = self._place("result", self._numbers[index])
        assert place is not None
        result: CaseResult = self._reader.record_at(place)
        return result

    def why(self, case: CaseResult) -> list[str]:
        """The sentences why a case failed or is not evaluated."""
        place = self._place("why", case.number)
        found: list[str] = self._reader.record_at(place) if place is not None else []
        return found

    def json_text(self, case: CaseResult, change: ScoreChange | None) -> str:
        """The case in the JSON document, with its change since a baseline."""
        place = self._place("json", case.number)
        assert place is not None
        text = self._reader.bytes_at(place).decode()
        return text.replace(self._mark, change, 1) if self._mark is not None and change is not None else text

    def _place(self, part: str, number: int) -> RecordPlace | None:
        query = f"SELECT file, {part}, {part}_length FROM results WHERE of=? AND number=?"
        file, offset, length = self._index.execute(query, (self._of, number)).fetchone()
        return None if offset is None else RecordPlace(list(self._files)[file], offset, length)
