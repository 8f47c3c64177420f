"""The conversations of each case of a set, and those of no case, in the index of a run."""

from __future__ import annotations

import marshal
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple, overload

from evaltui.document.blake2 import blake2b
from evaltui.evalset.turn import Turn
from evaltui.recordings.case_finder import CaseFinder, Finding, FoundCase, is_of_set
from evaltui.recordings.case_matches import NO_RECORDING, Unmatched
from evaltui.recordings.conversation import Conversation, MatchedBy
from evaltui.runs.batch.stored_cases import StoredSet
from evaltui.runs.batch.stored_conversations import ConversationOutline, IndexedRecording, outlines_of
from evaltui.runs.batch.work_folder import RecordPlace, RecordReader

_SCHEMA = """
CREATE TABLE IF NOT EXISTS matches (of INT, number INT, file INT, offset INT, length INT, time REAL, way TEXT,
                                    is_own INT, is_cut INT, texts BLOB);
CREATE INDEX IF NOT EXISTS by_case ON matches (of, number);
CREATE TABLE IF NOT EXISTS unmatched (of INT, recording INT, id BLOB, reason BLOB, turn_ids BLOB);
CREATE TABLE IF NOT EXISTS rivals (of INT, number INT, reason BLOB, PRIMARY KEY (of, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS warnings (of INT, sentence BLOB);
"""
_TOGETHER = 1000
"""The number of conversations that are written to the index together."""


class StoredMatch(NamedTuple):
    """A conversation of a case."""

    place: RecordPlace
    recorded_at: float | None
    matched_by: MatchedBy
    is_cut: bool
    """Whether only the turns of the case count, of a session with more."""


class CaseMatches(NamedTuple):
    """The conversations of a case, the newest last."""

    number: int
    """The index of the case in the set."""
    matches: tuple[StoredMatch, ...]
    reason: str | None
    """The reason as a clause, if there are none."""


class MatchTable:
    """Matches the conversations of recordings with the cases of one set."""

    def __init__(self, index: sqlite3.Connection, of: int, reader: RecordReader) -> None:
        """`of` is the number of the set in the run."""
        self._index, self._of, self._reader = index, of, reader
        self._files: dict[str, int] = {}
        self._recordings: Sequence[IndexedRecording] = ()
        index.executescript(_SCHEMA)

    def fill(self, subject: StoredSet, recordings: Sequence[IndexedRecording], tick: Callable[[int], object]) -> None:
        """Find the case of each conversation. `tick` is called with 0 now and then."""
        self._recordings = recordings
        is_only_one = len(subject.cases) == 1 and self._has_one(subject, recordings)
        finder = CaseFinder(subject.stored.table, subject.eval_set_id, is_only_one=is_only_one)
        found = self._found(finder, recordings)
        told: set[tuple[int, int]] = set()
        while some := list(islice(found, _TOGETHER)):
            tick(0)
            self._index.execute("BEGIN")
            self._add_matches(some)
            self._add_unmatched(some)
            for _, _, _, finding in some:
                if finding.rivals and (key := (finding.rivals[0], len(finding.rivals))) not in told:
                    told.add(key)
                    rows = ((self._of, number, _blob(finding.why_rival)) for number in finding.rivals)
                    self._index.executemany("INSERT OR IGNORE INTO rivals VALUES (?, ?, ?)", rows)
            said = [(self._of, _blob(finding.warning)) for _, _, _, finding in some if finding.warning]
            self._index.executemany("INSERT INTO warnings VALUES (?, ?)", said)
            self._index.execute("COMMIT")

    def _has_one(self, subject: StoredSet, recordings: Sequence[IndexedRecording]) -> bool:
        """Whether there is just one conversation that is not of another set."""
        conversations = (
            outline.conversation(each.path) for each in recordings for outline in outlines_of(each, self._reader)
        )
        own = (each for each in conversations if is_of_set(each, subject.eval_set_id))
        return len(list(islice(own, 2))) == 1

    def _found(self, finder: CaseFinder, recordings: Sequence[IndexedRecording]) -> Iterator[_MatchedOutline]:
        for number, recording in enumerate(recordings):
            for outline in outlines_of(recording, self._reader):
                conversation = outline.conversation(recording.path)
                yield _MatchedOutline(number, outline, conversation, finder.find(conversation))

    def _add_matches(self, some: Sequence[_MatchedOutline]) -> None:
        rows = [self._match(found, each) for found in some for each in found.finding.cases]
        self._index.executemany("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def _match(self, found: _MatchedOutline, case: FoundCase) -> tuple[object, ...]:
        file, offset, length = found.outline.place
        number = self._files.setdefault(file, len(self._files))
        is_cut = case.conversation is not found.conversation
        texts = _texts(case.conversation)
        time = found.outline.recorded_at
        return self._of, case.case, number, offset, length, time, case.matched_by, case.is_own, is_cut, texts

    def _add_unmatched(self, some: Sequence[_MatchedOutline]) -> None:
        rows = [
            (
                *(self._of, each.recording, _blob(each.outline.id), _blob(each.finding.reason)),
                marshal.dumps([identifier for _, identifier in each.outline.turns]),
            )
            for each in some
            if each.finding.reason
        ]
        self._index.executemany("INSERT INTO unmatched VALUES (?, ?, ?, ?, ?)", rows)

    def of_cases(self, first: int, end: int) -> list[CaseMatches]:
        """The conversations of the cases from index `first` up to `end`."""
        files = list(self._files)
        where = "WHERE of=? AND number>=? AND number<?"
        query = f"SELECT number, file, offset, length, time, way, is_own, is_cut, texts FROM matches {where}"
        by_case: dict[int, list[_Row]] = {}
        for number, file, *place, time, way, is_own, is_cut, texts in self._index.execute(
            f"{query} ORDER BY number, rowid", (self._of, first, end)
        ):
            match = StoredMatch(RecordPlace(files[file], *place), time, way, bool(is_cut))
            by_case.setdefault(number, []).append(_Row(match, bool(is_own), texts))
        reasons = dict(self._index.execute(f"SELECT number, reason FROM rivals {where}", (self._of, first, end)))
        return [
            CaseMatches(
                number,
                tuple(row.match for row in _in_order(by_case.get(number, []))),
                None if number in by_case else _text(reasons[number]) if number in reasons else NO_RECORDING,
            )
            for number in range(first, end)
        ]

    @property
    def unmatched(self) -> Sequence[Unmatched]:
        """The conversations of no case, in the order of the recordings."""
        return _StoredUnmatched(self._index, self._of, [each.path for each in self._recordings])

    @property
    def warnings(self) -> Sequence[str]:
        """Sentences about unknown ids."""
        return _StoredSentences(self._index, self._of)


class _MatchedOutline(NamedTuple):
    recording: int
    outline: ConversationOutline
    conversation: Conversation
    finding: Finding


class _Row(NamedTuple):
    match: StoredMatch
    is_own: bool
    texts: bytes


def _in_order(rows: list[_Row]) -> list[_Row]:
    """The rows by time, as `case_finder.in_order` sorts conversations."""
    taken = {row.texts for row in rows if row.is_own}
    return sorted(rows, key=lambda row: (row.texts in taken, _time(row.match.recorded_at)))


def _time(recorded_at: float | None) -> float:
    return float("-inf") if recorded_at is None else recorded_at


def _texts(conversation: Conversation) -> bytes:
    """A hash of all user messages."""
    texts = "\n".join(turn.user_text for turn in conversation.turns)  # keys of messages have no line breaks
    return blake2b(_blob(texts), digest_size=16).digest()


def _blob(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(blob: bytes) -> str:
    return blob.decode("utf-8", "surrogatepass")


class _StoredUnmatched(Sequence[Unmatched]):
    """The conversations of no case, read from the index. They have ids only."""

    def __init__(self, index: sqlite3.Connection, of: int, paths: Sequence[Path]) -> None:
        self._index, self._of, self._paths = index, of, paths

    def __len__(self) -> int:
        return int(self._index.execute("SELECT count(*) FROM unmatched WHERE of=?", (self._of,)).fetchone()[0])

    def __iter__(self) -> Iterator[Unmatched]:
        query = "SELECT recording, id, reason, turn_ids FROM unmatched WHERE of=? ORDER BY rowid"
        for recording, identifier, reason, ids in self._index.execute(query, (self._of,)):
            turns = tuple(Turn("", invocation_id=each) for each in marshal.loads(ids))
            yield Unmatched(Conversation(self._paths[recording], _text(identifier), turns), _text(reason))

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
        query = "SELECT sentence FROM warnings WHERE of=? ORDER BY rowid"
        return (_text(sentence) for (sentence,) in self._index.execute(query, (self._of,)))

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return [*self][index]
