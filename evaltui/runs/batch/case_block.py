"""A block of cases scored by one process: their results and parts of reports are written to disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from evaltui.evalset.expected_set import ExpectedCase
from evaltui.garbage import without_collecting
from evaltui.recordings.case_finder import counted_turns
from evaltui.recordings.case_matches import CaseMatch
from evaltui.recordings.conversation import Conversation
from evaltui.report.json_text import json_text
from evaltui.report.run_json import case_as_data
from evaltui.report.why_text import why_lines
from evaltui.runs.batch.match_table import CaseMatches, StoredMatch
from evaltui.runs.batch.stored_cases import CaseSources, facts_of
from evaltui.runs.batch.stored_conversations import whole_conversation
from evaltui.runs.batch.work_folder import RecordFile, RecordPlace, RecordReader, packed
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult, CaseRun, ScoreTotals, has_open_metric
from evaltui.scoring.scored_set import score_expected


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
    criteria: Criteria
    all_runs: bool
    has_json: bool
    """Whether a report is a JSON document."""
    indent: int | None
    """The indentation of this document."""
    change_mark: str | None
    """Stands for the change since a baseline in the JSON document; None without a baseline."""


class StoredResult(NamedTuple):
    """The places of what is known about a case."""

    result: RecordPlace
    why: RecordPlace | None
    """None if the case passed."""
    json: RecordPlace | None


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
    options, found = _Process.options, work.found
    case = options.sources.read(found.number, work.offset, work.length)
    count = len(found.matches)
    used = found.matches if options.all_runs else found.matches[-1:]
    matches = [_match(each, case) for each in used]
    result = score_expected(case, matches, options.criteria, found.reason, all_runs=options.all_runs)
    return result._replace(recordings=count, run_number=count) if result.run is not None else result


def _match(found: StoredMatch, case: ExpectedCase) -> CaseMatch:
    conversation = whole_conversation(_Process.reader, found.place, found.recorded_at)
    if found.is_cut:
        conversation = _cut(conversation, case)
    return CaseMatch(counted_turns(conversation, facts_of(case)), found.matched_by)


def _cut(conversation: Conversation, case: ExpectedCase) -> Conversation:
    turns = {turn.invocation_id: turn for turn in conversation.every_turn}
    return replace(conversation, turns=tuple(turns[each.invocation_id] for each in case.turns))


def _stored(result: CaseResult, totals: ScoreTotals) -> StoredResult:
    options, file = _Process.options, _Process.file
    totals.add(result)
    is_well = result.status == "passed" and not has_open_metric(result)
    why = None if is_well else file.add(packed(why_lines(result, options.criteria)))
    text = None
    if options.has_json:
        data = case_as_data(result, options.criteria, options.change_mark)
        text = file.add(json_text(data, indent=options.indent).encode())
    return StoredResult(file.add(packed(_without_turns(result))), why, text)


def _without_turns(result: CaseResult) -> CaseResult:
    """The result without the texts that reports have already."""
    run = _run_without_turns(result.run) if result.run is not None else None
    runs = tuple(map(_run_without_turns, result.runs)) if result.runs is not None else None
    return result._replace(run=run, runs=runs)


def _run_without_turns(run: CaseRun) -> CaseRun:
    return run._replace(conversation=Conversation(run.conversation.path, run.conversation.id, ()), turns=())
