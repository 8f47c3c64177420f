"""The second map of a run: each conversation is matched with its case, and older runs of a case are dropped early."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from evaltui.recordings.case_finder import CaseFinder, Finding, FoundCase
from evaltui.recordings.conversation import Conversation, MatchedBy
from evaltui.runs.batch.match_table import texts_of, time_of
from evaltui.runs.batch.stored_cases import CaseTable
from evaltui.runs.batch.stored_conversations import ConversationOutline, outline_of, whole_conversation
from evaltui.runs.batch.unmatched_table import ConversationPlace, UnmatchedConversation
from evaltui.runs.batch.work_folder import RecordPlace
from evaltui.runs.cluster.broadcast import Broadcast
from evaltui.runs.cluster.recording_reader import ReadConversation
from evaltui.runs.cluster.rows import ClusterRow, RowKind, records_in, table_of

_NOWHERE = RecordPlace("", 0, 0)


class ClusterMatch(NamedTuple):
    """A conversation of a case, which may stand for older ones with the same user messages."""

    number: int
    """The index of the case in the set."""
    place: ConversationPlace
    recorded_at: float | None
    matched_by: MatchedBy
    is_own: bool
    """Whether the turns of the case come from this session, or from one that it stands for."""
    is_cut: bool
    texts: bytes
    """A hash of the user messages."""
    stands_for: int
    """The number of conversations that it stands for, itself included."""
    conversation: bytes


class Rivals(NamedTuple):
    """Cases that a conversation fits, so that none of them gets it."""

    place: ConversationPlace
    numbers: Sequence[int]
    reason: str


@dataclass(slots=True)
class MatchNotes:
    """Notes about some conversations, besides their cases."""

    counts: dict[int, int] = field(default_factory=dict)
    """The number of conversations by the number of their file."""
    unmatched: list[UnmatchedConversation] = field(default_factory=list)
    warnings: list[tuple[ConversationPlace, str]] = field(default_factory=list)
    rivals: list[Rivals] = field(default_factory=list)
    outlines: dict[int, list[ConversationOutline]] = field(default_factory=dict)
    """The outlines by the number of their file; empty unless they are asked for."""


class CaseBlocks:
    """The blocks of the chosen cases of a set."""

    def __init__(self, chosen: Sequence[int] | None, cases: int, size: int) -> None:
        """`chosen` are the places of chosen cases, in order; None for all of `cases`."""
        self.numbers: Sequence[int] = range(cases) if chosen is None else chosen
        self.size = size

    @cached_property
    def _places(self) -> dict[int, int]:
        return {number: place for place, number in enumerate(self.numbers)}

    def of(self, number: int) -> int | None:
        """The block of a case; None if it is not chosen."""
        if isinstance(self.numbers, range):
            return number // self.size
        place = self._places.get(number)
        return None if place is None else place // self.size

    def __iter__(self) -> Iterator[Sequence[int]]:
        return (self.numbers[at : at + self.size] for at in range(0, len(self.numbers), self.size))

    def __len__(self) -> int:
        return (len(self.numbers) + self.size - 1) // self.size


class SetToMatch:
    """The facts of a set that find the case of a conversation. Each process makes it once of its bytes."""

    def __init__(
        self,
        index: Broadcast[bytes],
        of: int,
        eval_set_id: str | None,
        blocks: CaseBlocks,
        *,
        all_runs: bool,
        is_only_one: bool,
        has_outlines: bool,
        shared_folders: frozenset[Path],
    ) -> None:
        """`index` is the database of cases, and `of` the number of the set in it."""
        self._index, self._of, self._eval_set_id, self._is_only_one = index, of, eval_set_id, is_only_one
        self._shared_folders = shared_folders
        self.blocks, self.all_runs, self.has_outlines = blocks, all_runs, has_outlines

    @cached_property
    def finder(self) -> CaseFinder:
        """Finds the case of a conversation."""
        cases = sqlite3.connect(":memory:", isolation_level=None)
        cases.deserialize(self._index.value)
        table, shared = CaseTable(cases, self._of), self._shared_folders
        return CaseFinder(table, self._eval_set_id, is_only_one=self._is_only_one, shared_folders=shared)


def match_conversations(table: pa.Table, subject: Broadcast[SetToMatch]) -> pa.Table:
    """The cases of conversations, and notes about those without one."""
    to_match, notes = subject.value, MatchNotes()
    matches = [match for each in records_in(table, RowKind.CONVERSATION) for match in _matches(each, to_match, notes)]
    kept: Iterable[ClusterMatch] = matches if to_match.all_runs else _newest(matches)
    rows = [ClusterRow(RowKind.NOTES, notes)]
    for match in kept:
        block = to_match.blocks.of(match.number)
        if block is not None:
            rows.append(ClusterRow(RowKind.MATCH, match, block))
    return table_of(rows)


def count_of_set(table: pa.Table, eval_set_id: str | None) -> pa.Table:
    """The number of conversations that are not of another set."""
    ids: Iterator[ReadConversation] = records_in(table, RowKind.CONVERSATION)
    count = sum(eval_set_id is None or each.eval_set_id in (None, eval_set_id) for each in ids)
    return pa.table({"count": [count]})


def _matches(read: ReadConversation, to_match: SetToMatch, notes: MatchNotes) -> Iterator[ClusterMatch]:
    whole = replace(whole_conversation(read.conversation, read.recorded_at), eval_set_id=read.eval_set_id)
    outline = outline_of(whole, _NOWHERE)
    conversation = outline.conversation(whole.path)
    finding = to_match.finder.find(conversation)
    _note(read.place, outline, finding, notes, has_outlines=to_match.has_outlines)
    for found in finding.cases:
        yield _match(read, found, conversation)


def _match(read: ReadConversation, found: FoundCase, conversation: Conversation) -> ClusterMatch:
    return ClusterMatch(
        found.case,
        read.place,
        read.recorded_at,
        found.matched_by,
        found.is_own,
        found.conversation is not conversation,
        texts_of(found.conversation),
        1,
        read.conversation,
    )


def _note(
    place: ConversationPlace, outline: ConversationOutline, finding: Finding, notes: MatchNotes, *, has_outlines: bool
) -> None:
    file = place.recording
    notes.counts[file] = notes.counts.get(file, 0) + 1
    if finding.reason:
        ids = [identifier for _, identifier in outline.turns]
        notes.unmatched.append(UnmatchedConversation(place, outline.id, finding.reason, ids))
    if finding.warning:
        notes.warnings.append((place, finding.warning))
    if finding.rivals:
        _note_rivals(Rivals(place, finding.rivals, finding.why_rival), notes)
    if has_outlines:
        notes.outlines.setdefault(file, []).append(outline)


def _note_rivals(rivals: Rivals, notes: MatchNotes) -> None:
    """Keep the first conversation of the same rivals."""
    for at, known in enumerate(notes.rivals):
        if (known.numbers[0], len(known.numbers)) == (rivals.numbers[0], len(rivals.numbers)):
            notes.rivals[at] = min(known, rivals, key=lambda each: each.place)
            return
    notes.rivals.append(rivals)


def _newest(matches: Iterable[ClusterMatch]) -> Iterator[ClusterMatch]:
    """The newest of the conversations of a case with the same user messages.

    Conversations with other messages are kept: a session of the case in another part of the data decides about them
    (`case_finder.in_order`).
    """
    newest: dict[tuple[int, bytes], ClusterMatch] = {}
    for match in matches:
        key = match.number, match.texts
        known = newest.get(key)
        if known is not None:
            last = max(known, match, key=lambda each: (time_of(each.recorded_at), each.place))
            count, is_own = known.stands_for + match.stands_for, known.is_own or match.is_own
            newest[key] = last._replace(stands_for=count, is_own=is_own)
        else:
            newest[key] = match
    yield from newest.values()
