"""Recordings of a run: each file is read once, by several processes if that pays. Traces are joined across files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from evaltui.document.disk.file_content import blake2b, bytes_of_stdin
from evaltui.files.folder_search import SearchCancelledError
from evaltui.files.session_source import session_file
from evaltui.files.spool import LazySequence, Spool, SpoolPart, dumped
from evaltui.processes import in_processes
from evaltui.recordings.conversation import Conversation, ConversationFacts, LostSpans, Recording, RecordingError
from evaltui.recordings.recording_bytes import is_large
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.recording_search import lost_text, unread_recording
from evaltui.runs.input_recordings import STDIN, Say

if TYPE_CHECKING:
    from evaltui.recordings.traces.trace_turns import RecordedTrace

T = TypeVar("T")

_TOGETHER = 4_000_000
"""Bytes of small files that one process reads together."""
_MOST = 100
"""The most files that one process reads together."""
_FACTS = 400
"""The usual bytes of the facts of a conversation."""
_DIGEST = 16

OpenRecording = Callable[[Path], Recording | None]
"""Opens a recording; None for a file that is not used. Raises `RecordingError`."""


def read_recordings(
    files: Mapping[Path, bool],
    open_file: OpenRecording,
    say: Say,
    *,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[Recording]:
    """Read the files that `recording_files` gave. Conversations across files are joined later, by `JoinedTraces`.

    An empty recording stands for a file that cannot be read and may have spans of the traces of others.

    Raises `RecordingError` for a named file that is not a recording; other such files are reported with `say`. Raises
    `DocumentError` when `cancelled` returns true.
    """
    recordings: list[Recording | None] = []
    for path, is_named in files.items():
        if cancelled():
            raise SearchCancelledError("reading the recordings was cancelled")
        try:
            recordings.append(open_file(path))
        except RecordingError as error:
            if is_named:
                raise
            say(f"{error}; skipped")
            recordings.append(unread_recording(path))
    read = [recording for recording in recordings if recording is not None]
    if sentence := lost_text((recording.path, bool(recording.traces), recording.lost) for recording in read):
        say(sentence)
    return read


class RecordingReader:
    """Reads the recordings of a run. What is more than the memory should hold lies in files without names."""

    def __init__(self, jobs: int = 1, tick: Callable[[int], object] = lambda _: None) -> None:
        """`jobs` is the number of processes; `tick` gets the number of bytes that were read."""
        self._jobs, self._tick = jobs, tick
        self._read: dict[tuple[Path, bool], Recording | str] = {}
        """The recording in each file, or the sentence why there is none; by path, and whether a case has more turns."""
        self._conversations, self._facts = Spool[Conversation](), Spool[ConversationFacts]()
        self._traces: Spool[RecordedTrace] = Spool()
        self._joined = JoinedTraces()

    def read(self, files: Mapping[Path, bool], say: Say, *, multi_turn: bool) -> list[Recording]:
        """The recordings in these files, with conversations joined across files.

        `multi_turn` says whether a case of the set has several turns. Raises `RecordingError` for a named file that is
        not a recording, and `DocumentError` for a full disk or a lost process.
        """
        self._read_new([path for path in files if self._known(path, multi_turn) is None], multi_turn)
        recordings = read_recordings(files, partial(self._open, multi_turn), say)
        joined = self._joined.across_files(recordings, multi_turn=multi_turn)
        return [self._keep_joined(recording) if recording.known_facts is None else recording for recording in joined]

    def _known(self, path: Path, multi_turn: bool) -> Recording | str | None:
        """A file that was read. Only traces depend on whether a case has several turns."""
        regrouped = self._read.get((path, not multi_turn))
        regrouped = None if isinstance(regrouped, Recording) and regrouped.traces else regrouped
        return self._read.get((path, multi_turn), regrouped)

    def _open(self, multi_turn: bool, path: Path) -> Recording:
        result = self._known(path, multi_turn)
        if isinstance(result, Recording):
            return result
        raise RecordingError(result)

    def _read_new(self, paths: Iterable[Path], multi_turn: bool) -> None:
        small: list[tuple[Path, bytes | None]] = []
        for path in paths:
            data = bytes_of_stdin() if str(path) == STDIN else None
            # No process could send back a file of gigabytes at once, so it is read piece by piece.
            if data is None and is_large(path):
                self._read[path, multi_turn] = self._read_large(path, multi_turn)
                self._tick(_size_of(path, None))
            else:
                small.append((path, data))
        batches = [*batches_of(small, lambda file: _size_of(*file), _TOGETHER, _MOST)]
        jobs = min(self._jobs, len(batches))
        read = in_processes(partial(_read_batch, multi_turn, jobs > 1), [files for files, _ in batches], jobs)
        with closing(read):
            for (files, size), results in zip(batches, read, strict=True):
                for (path, _), result in zip(files, results, strict=True):
                    self._read[path, multi_turn] = result if isinstance(result, str) else self._keep(result, size)
                self._tick(size)

    # --- parts in spools -------------------------------------------------------------------------------------------

    def _keep(self, recording: Recording, size: int) -> Recording:
        """The recording with its parts in the spools. `size` are the bytes of its file and others."""
        share, facts = size // max(1, len(recording.conversations)), recording.facts
        return replace(
            recording,
            conversations=_spooled_part(self._conversations, recording.conversations, share),
            known_facts=_spooled_part(self._facts, facts, _FACTS),
            traces=_spooled_part(self._traces, recording.traces, share),
        )

    def _keep_joined(self, recording: Recording) -> Recording:
        size = _FACTS * len(recording.conversations)
        return replace(self._keep(replace(recording, traces=()), size), traces=recording.traces)

    def _read_large(self, path: Path, multi_turn: bool) -> Recording | str:
        from evaltui.recordings.large_recording import LargeRecording, UnusualShapeError  # noqa: PLC0415 - few are large

        start, first_fact = len(self._conversations), len(self._facts)
        large = LargeRecording(path, jobs=self._jobs)
        try:
            for conversation, conversation_facts, size in large:
                _append(self._conversations, conversation, size)
                _append(self._facts, conversation_facts, _FACTS)
        except UnusualShapeError:
            (result,) = _read_batch(multi_turn, False, [(path, None)])
            return result if isinstance(result, str) else self._keep(result, _size_of(path, None))
        conversations = SpoolPart(self._conversations, start, len(self._conversations))
        facts: Sequence[ConversationFacts] = SpoolPart(self._facts, first_fact, len(self._facts))
        if large.eval_set_id is not None or large.recorded_at is not None:
            facts = LazySequence(len(facts), partial(with_late_facts, facts, large.eval_set_id, large.recorded_at))
        return Recording(path, large.format, conversations, tuple(large.warnings), known_facts=facts)


def with_late_facts(
    facts: Sequence[ConversationFacts], eval_set_id: str | None, recorded_at: float | None, place: int
) -> ConversationFacts:
    """The facts of a conversation, with those that a result file tells only behind its conversations."""
    conversation = facts[place]
    time = recorded_at if conversation.recorded_at is None else conversation.recorded_at
    return conversation._replace(eval_set_id=conversation.eval_set_id or eval_set_id, recorded_at=time)


def _spooled_part(spool: Spool[T], records: Iterable[T | bytes], size: int) -> SpoolPart[T]:
    """The records appended to a spool; each has about `size` bytes in JSON."""
    start = len(spool)
    for record in records:
        _append(spool, record, size)
    return SpoolPart(spool, start, len(spool))


def _append(spool: Spool[T], record: T | bytes, size: int) -> None:
    if isinstance(record, bytes):
        spool.append_pickled(record)
    else:
        spool.append(record, size)


def batches_of(
    items: Iterable[T], size_of: Callable[[T], int], largest: int, most: float = inf
) -> Iterator[tuple[list[T], int]]:
    """Items in batches, with their bytes: at most `most` together, and at most `largest` bytes if several."""
    batch: list[T] = []
    batch_size = 0
    for item in items:
        size = size_of(item)
        if batch and (batch_size + size > largest or len(batch) >= most):
            yield batch, batch_size
            batch, batch_size = [], 0
        batch.append(item)
        batch_size += size
    if batch:
        yield batch, batch_size


def _size_of(path: Path, data: bytes | None) -> int:
    """The bytes of a file, or of `data`, which was standard input; 0 if unknown."""
    try:
        return session_file(path).stat().st_size if data is None else len(data)
    except (OSError, ValueError):
        return 0


def _read_batch(
    multi_turn: bool, as_pickles: bool, files: Sequence[tuple[Path, bytes | None]]
) -> list[Recording | str]:
    """Read each file, in any process; the sentence why it is no recording in place of a recording."""
    results: list[Recording | str] = []
    for path, data in files:
        try:
            recording = open_recording(path, multi_turn=multi_turn, data=data)
        except RecordingError as error:
            results.append(str(error))
            continue
        parts = {
            "conversations": recording.conversations,
            "known_facts": recording.facts,
            "traces": recording.traces,
        }
        # The spools of the command's process take pickles as they are.
        columns: Any = {name: [*map(dumped, part)] for name, part in parts.items()} if as_pickles else parts
        results.append(replace(recording, **columns))
    return results


class JoinedTraces:
    """Joins the conversations whose traces are in several files. The last result is reused for the same recordings."""

    _last: tuple[list[Recording], bool, list[Recording]] | None = None

    def across_files(self, recordings: list[Recording], *, multi_turn: bool) -> list[Recording]:
        """The recordings, with the traces of a conversation in one place. Recordings without such traces are the same.

        Traces are grouped by conversation if a case has several turns, or a trace of any file names a session.
        """
        lost = [spans for recording in recordings for spans in recording.lost]
        read = [recording for recording in recordings if not recording.is_unread]
        if not lost and sum(bool(recording.traces) for recording in recordings) < 2:
            return read
        last = self._last
        if last is not None and last[1] == multi_turn and list(map(id, last[0])) == list(map(id, recordings)):
            return last[2]
        joined = _join_traces(read, lost, multi_turn)
        self._last = recordings, multi_turn, joined
        return joined


def _join_traces(recordings: list[Recording], lost: Sequence[LostSpans], multi_turn: bool) -> list[Recording]:
    from evaltui.recordings.traces.trace_file import conversations_of, trace_without, whole_traces  # noqa: PLC0415
    from evaltui.recordings.traces.trace_warnings import Doubts  # noqa: PLC0415 - result files need none of it

    of_traces = [number for number, recording in enumerate(recordings) if recording.traces]
    named = {number for number in of_traces if any(trace.is_named for trace in recordings[number].traces)}
    by_conversation = multi_turn or bool(named)
    groups = _groups(recordings, of_traces, by_conversation=by_conversation)
    grouped = {number for group in groups for number in group}
    for number in of_traces:
        is_regrouped = by_conversation and not multi_turn and number not in named  # its own traces would not be joined
        if (is_regrouped or lost) and number not in grouped:
            groups.append([number])
    joined = [*recordings]
    for group in groups:
        traces = [trace_without(trace, lost) for number in group for trace in recordings[number].traces]
        distinct = whole_traces(traces) if len(group) > 1 else traces
        conversations = conversations_of(distinct, Doubts(), multi_turn=by_conversation)
        for number in group:
            own = tuple(conversation for conversation in conversations if conversation.path == recordings[number].path)
            joined[number] = replace(recordings[number], conversations=own, known_facts=None)
    return joined


def _groups(recordings: Sequence[Recording], of_traces: Sequence[int], *, by_conversation: bool) -> list[list[int]]:
    """The numbers of recordings that share traces or conversations, directly or by others."""
    # Digests, because names of traces may be of any length, and all of them are in memory at once.
    names = sorted(
        blake2b(name.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest() + number.to_bytes(4, "big")
        for number in of_traces
        for trace in recordings[number].traces
        for name in ({trace.key, trace.id} if by_conversation else {trace.id})
    )
    leader: dict[int, int] = {}

    def first_of(number: int) -> int:
        while leader.setdefault(number, number) != number:
            leader[number] = number = leader[leader[number]]
        return number

    for name, following in pairwise(names):
        if name[:_DIGEST] == following[:_DIGEST] and name != following:
            first, second = (first_of(int.from_bytes(record[_DIGEST:], "big")) for record in (name, following))
            leader[max(first, second)] = min(first, second)
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for number in sorted(leader):
        groups[first_of(number)].append(number)
    return [*groups.values()]
