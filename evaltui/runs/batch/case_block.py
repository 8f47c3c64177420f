"""A block of cases scored by one process: their results and parts of reports are written to disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from evaltui.garbage import without_collecting
from evaltui.runs.batch.match_table import CaseMatches
from evaltui.runs.batch.packed_results import ResultOptions, match_of, packed_result, scored_case
from evaltui.runs.batch.stored_cases import CaseSources
from evaltui.runs.batch.stored_conversations import whole_conversation
from evaltui.runs.batch.stored_results import StoredResult, written_result
from evaltui.runs.batch.work_folder import RecordFile, RecordReader
from evaltui.scoring.results import CaseResult, ScoreTotals


class CaseToScore(NamedTuple):
    """A case of a set, and its conversations."""

    offset: int
    """The place of its text in the file of the set, in bytes."""
    length: int
    found: CaseMatches


class BlockOptions(NamedTuple):
    """How the cases of a set are scored."""

    folder: str
    """The folder for the results."""
    sources: CaseSources
    results: ResultOptions


class BlockResult(NamedTuple):
    """The results of a block, in order."""

    totals: ScoreTotals
    results: list[StoredResult]
    size: int
    """The bytes of the cases."""


class _Process:
    """The files of this process."""

    options: BlockOptions
    reader: RecordReader
    file: RecordFile


def begin(options: BlockOptions) -> None:
    """Prepare this process for the blocks of a set."""
    _Process.options, _Process.reader = options, RecordReader()
    _Process.file = RecordFile(Path(options.folder) / f"results-{os.getpid()}")


def score_block(cases: Sequence[CaseToScore]) -> BlockResult:
    """Score the cases of a block. Raises `DocumentError` if the set changed, or the disk is full."""
    totals = ScoreTotals()
    with without_collecting():
        results = [_stored(_scored(each), totals) for each in cases]
    _Process.file.flush()
    return BlockResult(totals, results, sum(each.length for each in cases))


def _scored(work: CaseToScore) -> CaseResult:
    options, found, reader = _Process.options, work.found, _Process.reader
    case = options.sources.read(found.number, work.offset, work.length)
    used = found.matches if options.results.all_runs else found.matches[-1:]
    matches = [
        match_of(
            whole_conversation(reader.bytes_at(each.place), each.recorded_at),
            each.matched_by,
            case,
            is_cut=each.is_cut,
        )
        for each in used
    ]
    return scored_case(case, matches, len(found.matches), found.reason, options.results)


def _stored(result: CaseResult, totals: ScoreTotals) -> StoredResult:
    totals.add(result)
    return written_result(packed_result(result, _Process.options.results), _Process.file)
