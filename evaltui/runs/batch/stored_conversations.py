"""Conversations on disk: each as a whole, and as an outline with the facts that find its case."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple, overload

from evaltui.evalset.turn import Turn
from evaltui.files.remote_path import named_path
from evaltui.recordings.conversation import Conversation, LostSpans, Recording, RecordingFormat
from evaltui.recordings.large_recording import LargeRecording
from evaltui.runs.batch.stored_cases import text_key
from evaltui.runs.batch.work_folder import RecordFile, RecordPlace, RecordReader, packed, unpacked

_TurnFacts = tuple[str, str]
"""The key of the user message, and the invocation id."""


class ConversationOutline(NamedTuple):
    """The facts of a conversation that find its case."""

    place: RecordPlace
    """The place of the whole conversation."""
    id: str
    case_id: str | None
    eval_id: str | None
    eval_set_id: str | None
    recorded_at: float | None
    turns: tuple[_TurnFacts, ...]
    every_turn: tuple[_TurnFacts, ...]

    def conversation(self, path: Path) -> Conversation:
        """A conversation with these facts only."""
        return Conversation(
            path,
            self.id,
            tuple(Turn(text, invocation_id=identifier) for text, identifier in self.turns),
            self.case_id,
            self.eval_id,
            self.eval_set_id,
            self.recorded_at,
            every_turn=tuple(Turn(text, invocation_id=identifier) for text, identifier in self.every_turn),
        )


class IndexedRecording(NamedTuple):
    """A recording whose conversations lie on disk."""

    path: Path
    format: RecordingFormat
    warnings: tuple[str, ...]
    conversations: int
    """Their number."""
    outlines: tuple[RecordPlace, ...]
    """The places of the outlines, some together at each."""
    traces: RecordPlace | None = None
    """The place of the names by which traces are joined across files; None without traces."""
    eval_set_id: str | None = None
    """The eval set of conversations that name none."""
    recorded_at: float | None = None
    """The time of conversations without one."""
    lost: tuple[LostSpans, ...] = ()
    is_unread: bool = False
    """Whether it only stands for a file that cannot be read and may have spans."""


class TraceNames(NamedTuple):
    """The names of a trace by which it is joined with others."""

    id: str
    key: str
    is_named: bool


_TOGETHER = 200
"""The number of outlines that are read together."""


class ConversationFile:
    """Writes the conversations of recordings, for one process."""

    def __init__(self, folder: Path) -> None:
        self._file = RecordFile(folder / f"conversations-{os.getpid()}")

    def add(self, recording: Recording) -> IndexedRecording:
        """Write a recording. Raises `DocumentError` if the disk is full."""
        places, count = self._add(recording.conversations)
        names = [TraceNames(trace.id, trace.key, trace.is_named) for trace in recording.traces]
        traces = self._file.add(packed(names)) if names else None
        self._file.flush()
        return IndexedRecording(
            *(recording.path, recording.format, recording.warnings, count, tuple(places), traces), lost=recording.lost
        )

    def add_large(self, recording: LargeRecording) -> IndexedRecording:
        """Write a large recording. Raises `UnusualShapeError`, and `DocumentError` if the disk is full."""
        places, count = self._add(recording)
        self._file.flush()
        facts = recording.eval_set_id, recording.recorded_at
        return IndexedRecording(
            recording.path, recording.format, tuple(recording.warnings), count, tuple(places), None, *facts
        )

    def _add(self, conversations: Iterable[Conversation]) -> tuple[list[RecordPlace], int]:
        """Write conversations. Returns the places of their outlines, and their number."""
        places, count = [], 0
        rest = iter(conversations)
        while some := [self._outline(each) for each in islice(rest, _TOGETHER)]:
            places.append(self._file.add(packed(some)))
            count += len(some)
        return places, count

    def _outline(self, conversation: Conversation) -> ConversationOutline:
        return outline_of(conversation, self._file.add(packed_conversation(conversation)))


def outline_of(conversation: Conversation, place: RecordPlace) -> ConversationOutline:
    """The outline of a conversation that lies at a place."""
    return ConversationOutline(
        place,
        conversation.id,
        conversation.case_id,
        conversation.eval_id,
        conversation.eval_set_id,
        conversation.recorded_at,
        tuple((text_key(turn.user_text), turn.invocation_id) for turn in conversation.turns),
        tuple((text_key(turn.user_text), turn.invocation_id) for turn in conversation.every_turn),
    )


def packed_conversation(conversation: Conversation) -> bytes:
    """The parts of a conversation that scores need. A tuple is packed in half the time."""
    each = conversation
    return packed(
        (
            *(str(each.path), each.id, each.turns, each.case_id, each.eval_id, each.eval_set_id, each.recorded_at),
            *(each.stored, each.failure, each.unread, each.every_turn, each.lacks_turns, each.grades),
        )
    )


def whole_conversation(data: bytes, recorded_at: float | None) -> Conversation:
    """The conversation in these bytes, with its time."""
    path, identifier, turns, case_id, eval_id, eval_set_id, _, *others = unpacked(data)
    return Conversation(named_path(path), identifier, turns, case_id, eval_id, eval_set_id, recorded_at, *others)


def outlines_of(recording: IndexedRecording, reader: RecordReader) -> Iterator[ConversationOutline]:
    """The outlines of the conversations of a recording."""
    has_facts = recording.eval_set_id is not None or recording.recorded_at is not None
    for place in recording.outlines:
        outlines: list[ConversationOutline] = reader.record_at(place)
        yield from (_with_facts(each, recording) for each in outlines) if has_facts else outlines


def _with_facts(outline: ConversationOutline, recording: IndexedRecording) -> ConversationOutline:
    time = recording.recorded_at if outline.recorded_at is None else outline.recorded_at
    return outline._replace(eval_set_id=outline.eval_set_id or recording.eval_set_id, recorded_at=time)


class StoredConversations(Sequence[Conversation]):
    """The conversations of a recording, with the facts of their outlines only."""

    def __init__(self, recording: IndexedRecording, reader: RecordReader) -> None:
        self._recording, self._reader = recording, reader

    def __len__(self) -> int:
        return self._recording.conversations

    def __iter__(self) -> Iterator[Conversation]:
        return (each.conversation(self._recording.path) for each in outlines_of(self._recording, self._reader))

    @overload
    def __getitem__(self, index: int) -> Conversation: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Conversation]: ...
    def __getitem__(self, index: int | slice) -> Conversation | Sequence[Conversation]:
        return [*self][index]


def stored_recording(recording: IndexedRecording, reader: RecordReader) -> Recording:
    """The recording, with conversations that are read when they are needed."""
    conversations = StoredConversations(recording, reader)
    return Recording(recording.path, recording.format, conversations, recording.warnings)
