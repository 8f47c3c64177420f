"""Traces of one conversation that lie in several files, joined as if they were in one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from evaltui.document.disk.file_content import blake2b
from evaltui.recordings.conversation import LostSpans, Recording

_DIGEST = 16


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
