"""Traces of one conversation, which may come from several files, become a conversation."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from evaltui.recordings.conversation import LostSpans
from evaltui.recordings.traces.doubts import Doubts
from evaltui.recordings.traces.trace_file import conversations_of, trace_without, whole_traces
from evaltui.runs.batch.stored_conversations import packed_conversation
from evaltui.runs.batch.unmatched_table import ConversationPlace
from evaltui.runs.cluster.recording_reader import ReadConversation, ReadTrace
from evaltui.runs.cluster.rows import ClusterRow, RowKind, records_in, table_of


def joined_traces(group: pa.Table, by_conversation: bool, lost: Sequence[LostSpans]) -> pa.Table:
    """The conversation of the traces in a group; none if it has no turns. `lost` are spans of all files.

    It belongs to the file of its first trace, as in `traces.trace_file.across_files`.
    """
    traces: list[ReadTrace] = sorted(records_in(group, RowKind.TRACE), key=lambda each: (each.file, each.place))
    files = {each.trace.path: each.file for each in traces}
    first = traces[0]
    whole = whole_traces(trace_without(each.trace, lost) for each in traces)
    found = conversations_of(whole, Doubts(), multi_turn=by_conversation)
    return table_of(
        ClusterRow(
            RowKind.CONVERSATION,
            ReadConversation(
                ConversationPlace(files[each.path], first.file, first.place),
                packed_conversation(each),
                each.eval_set_id,
                each.recorded_at,
            ),
        )
        for each in found
    )
