"""The conversations of no case of a set, and sentences about unknown ids, in the index of a run."""

from __future__ import annotations

import marshal
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, overload

from evaltui.evalset.turn import Turn
from evaltui.recordings.conversation import Conversation
from evaltui.recordings.matching import Unmatched

_SCHEMA = """
CREATE TABLE IF NOT EXISTS unmatched (of INT, recording INT, first INT, place INT, id BLOB, reason BLOB, turn_ids BLOB);
CREATE TABLE IF NOT EXISTS warnings (of INT, recording INT, first INT, place INT, sentence BLOB);
"""
_IN_ORDER = "WHERE of=? ORDER BY recording, first, place"


class ConversationPlace(NamedTuple):
    """The place of a conversation among all of a run, which gives their order."""

    recording: int
    """The number of its recording."""
    first: int
    """The number of the recording in which it begins: another one only for traces in several files."""
    place: int
    """Its number there."""


class UnmatchedConversation(NamedTuple):
    """A conversation of no case."""

    place: ConversationPlace
    id: str
    reason: str
    turn_ids: Sequence[str]


class UnmatchedTable:
    """The conversations of no case of one set. They may be added in any order."""

    def __init__(self, index: sqlite3.Connection, of: int) -> None:
        """`of` is the number of the set in the run."""
        self._index, self._of = index, of
        index.executescript(_SCHEMA)

    def add(self, conversations: Iterable[UnmatchedConversation]) -> None:
        """Add conversations of no case."""
        rows = (
            (self._of, *at, blob(id_), blob(reason), marshal.dumps([*ids])) for at, id_, reason, ids in conversations
        )
        self._index.executemany("INSERT INTO unmatched VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def warn(self, sentences: Iterable[tuple[ConversationPlace, str]]) -> None:
        """Add sentences about conversations."""
        rows = ((self._of, *at, blob(sentence)) for at, sentence in sentences)
        self._index.executemany("INSERT INTO warnings VALUES (?, ?, ?, ?, ?)", rows)

    def conversations(self, paths: Sequence[Path]) -> Sequence[Unmatched]:
        """The conversations of no case, in the order of the recordings, which have these paths."""
        return _StoredUnmatched(self._index, self._of, paths)

    @property
    def warnings(self) -> Sequence[str]:
        """Sentences about unknown ids."""
        return _StoredSentences(self._index, self._of)


def blob(text: str) -> bytes:
    """The bytes that stand for a text in the index: SQLite takes no lone surrogates."""
    return text.encode("utf-8", "surrogatepass")


def text_of(data: bytes) -> str:
    """The text that these bytes stand for."""
    return data.decode("utf-8", "surrogatepass")


class _StoredUnmatched(Sequence[Unmatched]):
    """The conversations of no case, read from the index. They have ids only."""

    def __init__(self, index: sqlite3.Connection, of: int, paths: Sequence[Path]) -> None:
        self._index, self._of, self._paths = index, of, paths

    def __len__(self) -> int:
        return int(self._index.execute("SELECT count(*) FROM unmatched WHERE of=?", (self._of,)).fetchone()[0])

    def __iter__(self) -> Iterator[Unmatched]:
        query = f"SELECT recording, id, reason, turn_ids FROM unmatched {_IN_ORDER}"
        for recording, identifier, reason, ids in self._index.execute(query, (self._of,)):
            turns = tuple(Turn("", invocation_id=each) for each in marshal.loads(ids))
            yield Unmatched(Conversation(self._paths[recording], text_of(identifier), turns), text_of(reason))

    @overload
    def __getitem__(self, index: int) -> Unmatched: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Unmatched]: ...
    def __getitem__(self, index: int | slice) -> Unmatched | Sequence[Unmatched]:
        return [*self][index]


class _StoredSentences(Sequence[str]):
    """Sentences, read from the index."""

    def __init__(self, index: sqlite3.Connection, of: int) -> None:
        self._index, self._of = index, of

    def __len__(self) -> int:
        return int(self._index.execute("SELECT count(*) FROM warnings WHERE of=?", (self._of,)).fetchone()[0])

    def __iter__(self) -> Iterator[str]:
        query = f"SELECT sentence FROM warnings {_IN_ORDER}"
        return (text_of(sentence) for (sentence,) in self._index.execute(query, (self._of,)))

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return [*self][index]
