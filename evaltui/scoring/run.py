"""A whole set scored: its cases matched with recordings, each judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaltui.evalset.expected_set import ExpectedCase, ExpectedSet
from evaltui.recordings.conversation import Recording
from evaltui.recordings.matching import CaseToMatch, Match, Matching, Unmatched, match
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.result import CaseResult, CaseRun, MetricScore
from evaltui.scoring.runs import result_of_run, result_of_runs
from evaltui.scoring.scoring import score_case, why_nothing_is_expected


@dataclass(frozen=True, slots=True)
class Run:
    """All scores of one set."""

    subject: ExpectedSet
    criteria: Criteria
    recordings: tuple[Recording, ...]
    cases: tuple[CaseResult, ...]
    """In the order of the set."""
    unmatched: tuple[Unmatched, ...]
    warnings: tuple[str, ...] = ()


def score_set(
    subject: ExpectedSet,
    criteria: Criteria,
    recordings: Sequence[Recording],
    *,
    all_runs: bool = False,
    tick: Callable[[int], None] | None = None,
) -> Run:
    """Score each case against the recording that was made last, or with `all_runs` against all of them.

    `tick` is told the bytes of each case once it is scored.
    """
    matching = matched(subject, recordings)
    results = []
    for case, matches, reason in zip(subject.cases, matching.cases, matching.reasons, strict=True):
        results.append(score_expected(case, matches, criteria, reason, all_runs=all_runs))
        if tick is not None:
            tick(len(case.source))
    return Run(subject, criteria, tuple(recordings), tuple(results), matching.unmatched, matching.warnings)


def matched(
    subject: ExpectedSet, recordings: Sequence[Recording], tick: Callable[[int], object] = lambda _: None
) -> Matching:
    """Which conversation of the recordings belongs to which case of a set; `tick` is called again and again."""
    conversations = [each for recording in recordings for each in recording.conversations]
    known = [CaseToMatch(case.eval_id, case.first_user_text, len(case.turns)) for case in subject.cases]
    return match(known, conversations, subject.eval_set_id, tick)


def score_expected(
    case: ExpectedCase, matches: Sequence[Match], criteria: Criteria, why_none: str | None, *, all_runs: bool = False
) -> CaseResult:
    """Score one case; `why_none` is why there are no matches, where there are none."""
    if case.fault is not None:
        return _not_evaluated(case, criteria, f"google-adk rejects this case: {case.fault}")
    if not matches and case.is_scenario:
        return _not_evaluated(case, criteria, why_nothing_is_expected(is_scenario=True))
    if not matches:
        return _not_evaluated(case, criteria, why_none or "there is no recording of this case")
    runs = [_scored(case, each, criteria) for each in (matches if all_runs else matches[-1:])]
    if all_runs:
        result = result_of_runs(case.eval_id, case.number, runs, criteria)
    else:
        result = result_of_run(case.eval_id, case.number, runs[0])
    return result._replace(recordings=len(matches))


def _scored(case: ExpectedCase, found: Match, criteria: Criteria) -> CaseRun:
    data = case.data() if found.conversation.stored is not None or not case.turns else None
    return score_case(case.turns, found.conversation, found.matched_by, criteria, data)


def _not_evaluated(case: ExpectedCase, criteria: Criteria, reason: str) -> CaseResult:
    metrics = tuple(
        MetricScore(asked.name, "not_evaluated", None, asked.threshold, reason) for asked in criteria.judged
    )
    return CaseResult(case.eval_id, case.number, "not_evaluated", metrics, None, reason)
