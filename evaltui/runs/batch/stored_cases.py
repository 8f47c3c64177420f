"""The cases of a set on disk: each is read again when it is needed, and found by the facts that match recordings."""

from __future__ import annotations

import marshal
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, overload

from evaltui.document.blake2 import blake2b
from evaltui.document.errors import DocumentError
from evaltui.document.plain_values import plain_value
from evaltui.evalset.case_data import get, items_in
from evaltui.evalset.case_stream import FileState, file_state
from evaltui.evalset.datasets.dataset_expectations import is_dataset_case
from evaltui.evalset.expected_set import ExpectedCase, ExpectedSet
from evaltui.evalset.other_parts import read_content
from evaltui.file_access import open_regular
from evaltui.recordings.case_finder import CaseToMatch, folded, has_all_ids
from evaltui.runs.batch.work_folder import RecordPlace, RecordReader
from evaltui.runs.set_reader import expected_case

_SCHEMA = """
CREATE TABLE IF NOT EXISTS cases (of INT, number INT, offset INT, length INT, eval_id BLOB, text BLOB, turns INT,
                                  given INT, first_turn BLOB, turn_ids BLOB, line INT,
                                  PRIMARY KEY (of, number)) WITHOUT ROWID;
"""
_INDEXES = """
CREATE INDEX IF NOT EXISTS by_id ON cases (of, eval_id);
CREATE INDEX IF NOT EXISTS by_text ON cases (of, text, number, turns);
CREATE INDEX IF NOT EXISTS by_first_turn ON cases (of, first_turn) WHERE first_turn IS NOT NULL;
"""
_LONGEST_TEXT = 120
"""Characters of a user message from which on its hash stands for it."""
_KNOWN = 256
"""The number of look-ups that are remembered. Many conversations may begin with one message."""


def text_key(text: str) -> str:
    """A user message in the form that is compared; the hash of a long one."""
    found = folded(text)
    if len(found) <= _LONGEST_TEXT:
        return found
    return "\0" + blake2b(found.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


class PlacedCase(NamedTuple):
    """A case in its file."""

    offset: int
    """In bytes."""
    length: int
    """In bytes."""
    facts: CaseToMatch
    line: int | None
    """The line of the set in which it begins, from 1; None if unknown."""


class CaseTable:
    """The facts of the cases of one set in the index of a run (`CaseLookup`)."""

    def __init__(self, index: sqlite3.Connection, of: int) -> None:
        """`of` is the number of the set in the run."""
        self._index, self._of = index, of
        self.of = of
        index.executescript(_SCHEMA)
        self.with_id = lru_cache(_KNOWN)(self._with_id)
        self.with_text = lru_cache(_KNOWN)(self._with_text)
        self.with_length = lru_cache(_KNOWN)(self._with_length)
        self.with_first_turn = lru_cache(_KNOWN)(self._with_first_turn)

    def clear(self) -> None:
        """Remove all cases."""
        self._index.execute("DELETE FROM cases WHERE of=?", (self._of,))

    def fill(self, cases: Iterable[PlacedCase]) -> int:
        """Add all cases in the order of the set, and return their number."""
        self._index.execute("BEGIN")
        rows = (self._row(number, case) for number, case in enumerate(cases))
        count = self._index.executemany("INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows).rowcount
        self._index.execute("COMMIT")
        self._index.executescript(_INDEXES)
        return max(count, 0)

    def _row(self, number: int, case: PlacedCase) -> tuple[object, ...]:
        offset, length, facts, line = case
        first, ids = None, None
        if has_all_ids(facts):
            first, ids = _blob(facts.invocation_ids[0]), marshal.dumps(facts.invocation_ids)
        text = _blob(facts.user_text)
        return self._of, number, offset, length, _blob(facts.eval_id), text, facts.turns, facts.given, first, ids, line

    def span(self, number: int) -> tuple[int, int]:
        """Offset and length of a case in bytes."""
        found = self._index.execute("SELECT offset, length FROM cases WHERE of=? AND number=?", (self._of, number))
        offset, length = found.fetchone()
        return offset, length

    def line(self, number: int) -> int | None:
        """The line of the set in which a case begins, from 1; None if unknown."""
        found = self._index.execute("SELECT line FROM cases WHERE of=? AND number=?", (self._of, number))
        line: int | None = found.fetchone()[0]
        return line

    def spans(self, first: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Number, offset and length of the cases from index `first` up to `end`."""
        query = "SELECT number, offset, length FROM cases WHERE of=? AND number>=? AND number<? ORDER BY number"
        yield from self._index.execute(query, (self._of, first, end))

    def eval_ids(self) -> Iterator[tuple[int, str]]:
        """Number and eval_id of all cases."""
        found = self._index.execute("SELECT number, eval_id FROM cases WHERE of=? ORDER BY number", (self._of,))
        return ((number, _text(eval_id)) for number, eval_id in found)

    def case(self, index: int) -> CaseToMatch:
        """The facts of one case."""
        query = "SELECT eval_id, text, turns, given, turn_ids FROM cases WHERE of=? AND number=?"
        eval_id, text, turns, given, ids = self._index.execute(query, (self._of, index)).fetchone()
        return CaseToMatch(_text(eval_id), _text(text), turns, marshal.loads(ids) if ids else (), given)

    def _with_id(self, eval_id: str) -> Sequence[int]:
        """The cases with this eval_id."""
        return self._numbers("by_id", "eval_id=?", _blob(eval_id))

    def _with_text(self, text: str) -> Sequence[int]:
        """The cases whose first user message is this text, as `folded` writes it."""
        return self._numbers("by_text", "text=?", _blob(text_key(text)))

    def _with_length(self, text: str, turns: int) -> Sequence[int]:
        """The cases with this first user message and this number of turns."""
        return self._numbers("by_text", "text=? AND turns=?", _blob(text_key(text)), turns)

    def _with_first_turn(self, invocation_id: str) -> Sequence[int]:
        """The cases whose first turn has this id, and whose turns all have ids."""
        return self._numbers("by_first_turn", "first_turn=?", _blob(invocation_id))

    def has_ids(self) -> bool:
        """Whether any case has an eval_id."""
        query = "SELECT EXISTS (SELECT 1 FROM cases INDEXED BY by_id WHERE of=? AND eval_id>x'')"
        return bool(self._index.execute(query, (self._of,)).fetchone()[0])

    def _numbers(self, index: str, where: str, *values: object) -> list[int]:
        # Named, because SQLite may prefer the primary key for the order, and read all cases.
        query = f"SELECT number FROM cases INDEXED BY {index} WHERE of=? AND {where} ORDER BY number"
        return [number for (number,) in self._index.execute(query, (self._of, *values))]


def facts_of(case: ExpectedCase) -> CaseToMatch:
    """The facts of a case that matching needs."""
    ids = tuple(turn.invocation_id for turn in case.turns) if case.dataset is None else ()
    turns = len(case.given) + len(case.turns)
    return CaseToMatch(case.eval_id, text_key(case.first_user_text), turns, ids, len(case.given))


def facts_in_text(source: bytes) -> CaseToMatch | None:
    """The facts of a case of an eval set in its JSON text, as `facts_of` gives them; None for any other case.

    It reads no calls, so it takes half the time.
    """
    try:
        data = plain_value(source)
    except (ValueError, RecursionError):
        return None
    eval_id = get(data, "eval_id")
    if not isinstance(eval_id, str) or not eval_id or is_dataset_case(data):
        return None
    turns = [turn for turn in items_in(data, "conversation") if isinstance(turn, dict)]
    ids = (get(turn, "invocation_id") for turn in turns)
    text = read_content(get(turns[0], "user_content"))[0] if turns else ""
    return CaseToMatch(
        eval_id, text_key(text), len(turns), tuple(each if isinstance(each, str) else "" for each in ids)
    )


def _blob(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(blob: bytes) -> str:
    return blob.decode("utf-8", "surrogatepass")


class CaseSources:
    """The texts of cases in a file that must not change."""

    def __init__(self, file: str, state: FileState | None, *, is_of_dataset: bool) -> None:
        """`state` is the state of the file when its cases were found; None for a file of this run."""
        self.file, self.state, self._is_of_dataset = file, state, is_of_dataset
        self._reader: RecordReader | None = None

    def __getstate__(self) -> tuple[str, FileState | None, bool]:
        return self.file, self.state, self._is_of_dataset

    def __setstate__(self, state: tuple[str, FileState | None, bool]) -> None:
        self.__init__(state[0], state[1], is_of_dataset=state[2])  # type: ignore[misc]

    def read(self, number: int, offset: int, length: int) -> ExpectedCase:
        """The case at a place. Raises `DocumentError` if the file changed."""
        return expected_case(self.text_at(offset, length), number, self._is_of_dataset)

    def text_at(self, offset: int, length: int) -> bytes:
        """The JSON text at a place. Raises `DocumentError` if the file changed."""
        try:
            if self._reader is None:
                self._check()
                self._reader = RecordReader()
            return self._reader.bytes_at(RecordPlace(self.file, offset, length))
        except OSError as error:
            raise DocumentError(f"{self.file}: cannot be read: {(error.strerror or '').lower()}") from error

    def _check(self) -> None:
        if self.state is None:
            return
        with open_regular(Path(self.file)) as file:
            if file_state(file.fileno()) != self.state:
                raise DocumentError(f"{self.file}: the file changed while it was scored; run the command again")


class StoredCases(Sequence[ExpectedCase]):
    """The cases of a set, read from disk one after another."""

    def __init__(self, table: CaseTable, sources: CaseSources, count: int) -> None:
        self.table, self.sources, self._count = table, sources, count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> ExpectedCase: ...
    @overload
    def __getitem__(self, index: slice) -> list[ExpectedCase]: ...
    def __getitem__(self, index: int | slice) -> ExpectedCase | list[ExpectedCase]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(self._count))]
        number = range(self._count)[index]
        return self.sources.read(number, *self.table.span(number))

    def __iter__(self) -> Iterator[ExpectedCase]:
        for number, offset, length in self.table.spans(0, self._count):
            yield self.sources.read(number, offset, length)


@dataclass(frozen=True)
class StoredSet(ExpectedSet):
    """A set whose cases lie on disk."""

    has_several_turns: bool = False
    is_answered: bool = False

    @property
    def eval_ids(self) -> Iterable[str]:
        """The ids of the cases, in order."""
        return (eval_id for _, eval_id in self.stored.table.eval_ids())

    def source_of(self, number: int) -> bytes:
        """The JSON text of a case."""
        return self.stored.sources.text_at(*self.stored.table.span(number))

    def line_of(self, number: int) -> int | None:
        """The line of the file in which a case begins, from 1; None if unknown."""
        return self.stored.table.line(number)

    @property
    def is_multi_turn(self) -> bool:
        """Whether any case has several turns, given turns included."""
        return self.has_several_turns

    @property
    def is_own_recording(self) -> bool:
        """Whether the file is a dataset that records responses of an agent itself."""
        return self.is_answered

    @property
    def stored(self) -> StoredCases:
        """Its cases."""
        assert isinstance(self.cases, StoredCases)
        return self.cases
