"""The result of one case in bytes, with the parts of reports that need its turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from evaltui.evalset.expected_set import ExpectedCase
from evaltui.recordings.case_finder import counted_turns
from evaltui.recordings.conversation import Conversation, MatchedBy
from evaltui.recordings.matching import CaseMatch
from evaltui.runs.batch.stored_cases import facts_of
from evaltui.runs.batch.work_folder import packed
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult, CaseRun
from evaltui.scoring.scored_set import score_expected

Prepare = Callable[[Criteria, CaseResult], Any]
"""Makes the parts of reports that need the turns of a case."""


class ResultOptions(NamedTuple):
    """How cases are scored, and the reports that are made of them."""

    criteria: Criteria
    all_runs: bool
    prepare: Prepare


class PackedResult(NamedTuple):
    """The result of a case, without turns, and the parts of reports."""

    result: bytes
    prepared: bytes


def match_of(conversation: Conversation, matched_by: MatchedBy, case: ExpectedCase, *, is_cut: bool) -> CaseMatch:
    """The conversation of a case, with the turns that count. `is_cut`: only the case's own turns of a session."""
    if is_cut:
        turns = {turn.invocation_id: turn for turn in conversation.every_turn}
        conversation = replace(conversation, turns=tuple(turns[each.invocation_id] for each in case.turns))
    return CaseMatch(counted_turns(conversation, facts_of(case)), matched_by)


def scored_case(
    case: ExpectedCase, matches: Sequence[CaseMatch], recordings: int, why_none: str | None, options: ResultOptions
) -> CaseResult:
    """The result of a case. `matches` are its conversations that are scored, `recordings` is the number of all."""
    result = score_expected(case, matches, options.criteria, why_none, all_runs=options.all_runs)
    return result._replace(recordings=recordings, run_number=recordings) if result.run is not None else result


def packed_result(result: CaseResult, options: ResultOptions) -> PackedResult:
    """The result in bytes."""
    return PackedResult(packed(_without_turns(result)), packed(options.prepare(options.criteria, result)))


def _without_turns(result: CaseResult) -> CaseResult:
    """The result without the texts that reports have already."""
    run = _run_without_turns(result.run) if result.run is not None else None
    runs = tuple(map(_run_without_turns, result.runs)) if result.runs is not None else None
    return result._replace(run=run, runs=runs)


def _run_without_turns(run: CaseRun) -> CaseRun:
    whole = run.conversation
    return run._replace(conversation=Conversation(whole.path, whole.id, (), recorded_at=whole.recorded_at), turns=())
