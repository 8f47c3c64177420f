"""The conversations of each case of a set, and those of no case, in the index of a run."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from evaltui.document.blake2 import blake2b
from evaltui.recordings.case_finder import CaseFinder, Finding, FoundCase, is_of_set
from evaltui.recordings.conversation import Conversation, MatchedBy
from evaltui.recordings.matching import NO_RECORDING, Unmatched
from evaltui.runs.batch.stored_cases import StoredSet
from evaltui.runs.batch.stored_conversations import ConversationOutline, IndexedRecording, outlines_of
from evaltui.runs.batch.unmatched_table import (
    ConversationPlace,
    UnmatchedConversation,
    UnmatchedTable,
    blob,
    text_of,
)
from evaltui.runs.batch.work_folder import RecordPlace, RecordReader

_SCHEMA = """
CREATE TABLE IF NOT EXISTS matches (of INT, number INT, file INT, offset INT, length INT, time REAL, way TEXT,
                                    is_own INT, is_cut INT, texts BLOB);
CREATE INDEX IF NOT EXISTS by_case ON matches (of, number);
CREATE TABLE IF NOT EXISTS rivals (of INT, number INT, reason BLOB, PRIMARY KEY (of, number)) WITHOUT ROWID;
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
        self._unmatched = UnmatchedTable(index, of)
        index.executescript(_SCHEMA)

    def fill(self, subject: StoredSet, recordings: Sequence[IndexedRecording], tick: Callable[[int], object]) -> None:
        """Find the case of each conversation. `tick` is called with 0 now and then."""
        self._recordings = recordings
        is_only_one = len(subject.cases) == 1 and self._has_one(subject, recordings)
        table, shared = subject.stored.table, subject.shared_folders
        finder = CaseFinder(table, subject.eval_set_id, is_only_one=is_only_one, shared_folders=shared)
        found = self._found(finder, recordings)
        told: set[tuple[int, int]] = set()
        while some := list(islice(found, _TOGETHER)):
            tick(0)
            self._index.execute("BEGIN")
            self._add_matches(some)
            self._add_unmatched(some)
            for finding in (each.finding for each in some):
                if finding.rivals and (key := (finding.rivals[0], len(finding.rivals))) not in told:
                    told.add(key)
                    rows = ((self._of, number, blob(finding.why_rival)) for number in finding.rivals)
                    self._index.executemany("INSERT OR IGNORE INTO rivals VALUES (?, ?, ?)", rows)
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
            for place, outline in enumerate(outlines_of(recording, self._reader)):
                conversation = outline.conversation(recording.path)
                yield _MatchedOutline(
                    ConversationPlace(number, number, place), outline, conversation, finder.find(conversation)
                )

    def _add_matches(self, some: Sequence[_MatchedOutline]) -> None:
        rows = [self._match(found, each) for found in some for each in found.finding.cases]
        self._index.executemany("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def _match(self, found: _MatchedOutline, case: FoundCase) -> tuple[object, ...]:
        file, offset, length = found.outline.place
        number = self._files.setdefault(file, len(self._files))
        is_cut = case.conversation is not found.conversation
        texts = texts_of(case.conversation)
        time = found.outline.recorded_at
        return self._of, case.case, number, offset, length, time, case.matched_by, case.is_own, is_cut, texts

    def _add_unmatched(self, some: Sequence[_MatchedOutline]) -> None:
        self._unmatched.add(
            UnmatchedConversation(
                each.place, each.outline.id, each.finding.reason, [identifier for _, identifier in each.outline.turns]
            )
            for each in some
            if each.finding.reason
        )
        self._unmatched.warn((each.place, each.finding.warning) for each in some if each.finding.warning)

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
                None if number in by_case else text_of(reasons[number]) if number in reasons else NO_RECORDING,
            )
            for number in range(first, end)
        ]

    @property
    def unmatched(self) -> Sequence[Unmatched]:
        """The conversations of no case, in the order of the recordings."""
        return self._unmatched.conversations([each.path for each in self._recordings])

    @property
    def warnings(self) -> Sequence[str]:
        """Sentences about unknown ids."""
        return self._unmatched.warnings


class _MatchedOutline(NamedTuple):
    place: ConversationPlace
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
    return sorted(rows, key=lambda row: (row.texts in taken, time_of(row.match.recorded_at)))


def time_of(recorded_at: float | None) -> float:
    """The time by which conversations are sorted: one without a time is the oldest."""
    return float("-inf") if recorded_at is None else recorded_at


def texts_of(conversation: Conversation) -> bytes:
    """A hash of all user messages: conversations with the same messages are runs of the same talk."""
    texts = "\n".join(turn.user_text for turn in conversation.turns)  # keys of messages have no line breaks
    return blake2b(blob(texts), digest_size=16).digest()
