"""The reduce of a run: a block of cases gets its conversations, keeps the latest of each case, and is scored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa

from evaltui.garbage import without_collecting
from evaltui.runs.batch.match_table import time_of
from evaltui.runs.batch.packed_results import PackedResult, ResultOptions, match_of, packed_result, scored_case
from evaltui.runs.batch.stored_conversations import whole_conversation
from evaltui.runs.cluster.broadcast import Broadcast
from evaltui.runs.cluster.conversation_matcher import ClusterMatch
from evaltui.runs.cluster.rows import ClusterRow, RowKind, records_in, table_of
from evaltui.runs.set_reader import expected_case
from evaltui.scoring.results import CaseResult, ScoreTotals


class ClusterBlock(NamedTuple):
    """Some cases of a set that are scored together."""

    numbers: Sequence[int]
    """Their places in the set."""
    sources: Sequence[bytes]
    """Their JSON texts."""
    reasons: Sequence[str]
    """The reason for each as a clause, if it has no conversation."""


class BlockResults(NamedTuple):
    """The results of a block."""

    block: int
    numbers: Sequence[int]
    results: Sequence[PackedResult]
    totals: ScoreTotals
    size: int
    """The bytes of the cases."""


class ScoreOptions(NamedTuple):
    """How the cases of a set are scored."""

    results: ResultOptions
    is_dataset: bool


def score_block(group: pa.Table, options: Broadcast[ScoreOptions]) -> pa.Table:
    """The results of the cases of one block. `group` has their conversations, too."""
    block: ClusterBlock = next(records_in(group, RowKind.BLOCK))
    by_case: defaultdict[int, list[ClusterMatch]] = defaultdict(list)
    for match in records_in(group, RowKind.MATCH):
        by_case[match.number].append(match)
    totals, results, settings = ScoreTotals(), [], options.value
    with without_collecting():
        for number, source, reason in zip(*block, strict=True):
            result = _scored(number, source, reason, by_case.get(number, []), settings)
            totals.add(result)
            results.append(packed_result(result, settings.results))
    found = BlockResults(
        group["block"][0].as_py(), block.numbers, results, totals, sum(len(each) for each in block.sources)
    )
    return table_of([ClusterRow(RowKind.RESULTS, found)])


def _scored(
    number: int, source: bytes, reason: str, found: Sequence[ClusterMatch], options: ScoreOptions
) -> CaseResult:
    case = expected_case(source, number, options.is_dataset)
    ordered = _in_order(found)
    used = ordered if options.results.all_runs else ordered[-1:]
    matches = [
        match_of(whole_conversation(each.conversation, each.recorded_at), each.matched_by, case, is_cut=each.is_cut)
        for each in used
    ]
    count = sum(each.stands_for for each in found)
    return scored_case(case, matches, count, None if found else reason, options.results)


def _in_order(found: Sequence[ClusterMatch]) -> list[ClusterMatch]:
    """The conversations by time, as `case_finder.in_order` sorts them."""
    taken = {each.texts for each in found if each.is_own}
    return sorted(found, key=lambda each: (each.texts in taken, time_of(each.recorded_at), each.place))
