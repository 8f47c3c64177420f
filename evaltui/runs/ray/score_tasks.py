"""The last tasks of a run: a block of cases gets its conversations, and is scored."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence

import pyarrow as pa

from evaltui.recordings.matching import Matching
from evaltui.runs.ray.ray_rows import Broadcast, ClusterRow, ConversationPlace, RowKind, records_in, table_of
from evaltui.runs.ray.recording_tasks import PlacedPickle
from evaltui.runs.score_blocks import CaseToScore, ScoreSettings, score_block_elsewhere

ConversationOrder = tuple[Mapping[int, int], Mapping[ConversationPlace, int]]
"""The numbers of conversations in the matching: of the first one of each file that is used, and of all conversations of
files whose traces were joined. Others are numbered by their places in their files.
"""
NeededConversations = tuple[ConversationOrder, "array[int]", Mapping[int, Sequence[int]]]
"""The order of conversations; by their number, a block that needs them, or -1; and all blocks, if several need one.

A session may belong to several cases.
"""


def needed_by(
    order: ConversationOrder, matching: Matching, numbers: Sequence[int], size: int, *, all_runs: bool
) -> NeededConversations:
    """The conversations that the chosen cases need, in blocks of `size` cases."""
    blocks, more_blocks = array("q", [-1]) * matching.conversations, defaultdict[int, list[int]](list)
    for position, case in enumerate(numbers):
        block = position // size
        for match in matching.matches(case, only_latest=not all_runs, form="number"):
            number = match.conversation
            assert isinstance(number, int)
            if blocks[number] < 0:
                blocks[number] = block
            elif block not in (earlier_blocks := more_blocks[number] or [blocks[number]]):
                more_blocks[number] = [*earlier_blocks, block]
    return order, blocks, dict(more_blocks)


def needed_conversations(table: pa.Table, needed: Broadcast[NeededConversations]) -> pa.Table:
    """The conversations that count, once for each block that needs them."""
    (starts, joined), blocks, more_blocks = needed.value
    rows: list[ClusterRow] = []
    placed: PlacedPickle
    for placed in records_in(table, RowKind.CONVERSATION):
        place, pickle = placed
        file, _, number_in_file = place
        if file not in starts:
            continue
        number = joined[place] if place in joined else starts[file] + number_in_file
        if blocks[number] < 0:
            continue
        for block in more_blocks.get(number) or (blocks[number],):
            rows.append(ClusterRow(RowKind.CONVERSATION, (number, pickle), block))
    return table_of(rows)


def scored_block(group: pa.Table, settings: Broadcast[ScoreSettings]) -> pa.Table:
    """The outcomes of the cases of one block. `group` has their conversations, too."""
    conversations: dict[object, bytes] = dict(records_in(group, RowKind.CONVERSATION))
    block: list[CaseToScore] = [case for cases in records_in(group, RowKind.BLOCK) for case in cases]
    cases = [
        case._replace(
            matches=[match._replace(conversation=conversations[match.conversation]) for match in case.matches]
        )
        for case in block
    ]
    results = group["block"][0].as_py(), score_block_elsewhere(settings.value, cases)
    return table_of([ClusterRow(RowKind.RESULTS, results)])
