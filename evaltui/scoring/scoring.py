"""A case scored against what an agent did, by the rules of google-adk (`LocalEvalService`, its evaluators)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evaltui.evalset.case_data import get
from evaltui.evalset.turn import Turn
from evaltui.recordings.conversation import Conversation, MatchedBy
from evaltui.scoring import adk_rs
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.criterion import RESPONSE, TRAJECTORY, Criterion
from evaltui.scoring.informational import ABSENT, mean_of, value_of
from evaltui.scoring.recorded import recorded_score
from evaltui.scoring.response_match import response_match
from evaltui.scoring.result import CaseRun, MetricScore, Status, TurnScores
from evaltui.scoring.trajectory import trajectory_matches

Scored = tuple[MetricScore, Sequence[MetricScore]]
"""What a metric says of a case and of each of its turns."""

_SCORES: dict[str, Callable[[Criterion, Turn, Turn], float]] = {
    TRAJECTORY: lambda asked, expected, actual: float(
        trajectory_matches(expected.calls, actual.calls, asked.match_type, ignore_args=asked.ignore_args)
    ),
    RESPONSE: lambda asked, expected, actual: response_match(expected.response, actual.response).f_measure,
}


def score_case(
    expected: Sequence[Turn],
    conversation: Conversation,
    matched_by: MatchedBy,
    criteria: Criteria,
    case: Mapping[str, Any] | None = None,
) -> CaseRun:
    """The scores of a case that expects `expected`.

    `case` is the case as plain data. Only with it scores that the recording came with are taken over.
    """
    if conversation.failure is not None:  # google-adk has no metrics then
        return CaseRun(conversation, matched_by, "failed", (), (), conversation.failure)
    if conversation.unread is not None:  # what was left out of it might not have passed
        why = f"the recording cannot be read as a whole: {conversation.unread}"
        return _not_evaluated(conversation, matched_by, criteria, why)
    if not expected:
        is_scenario = get(case or {}, "conversation_scenario") is not None
        return _not_evaluated(conversation, matched_by, criteria, why_nothing_is_expected(is_scenario=is_scenario))
    if len(conversation.turns) != len(expected):
        return _unequal(expected, conversation, matched_by, criteria)
    pairs = [*zip(expected, conversation.turns, strict=True)]
    scored = [_judge(criterion, pairs, criteria, conversation, case) for criterion in criteria.judged]
    scored += [_report(name, conversation.turns) for name in criteria.informational]
    metrics = tuple(overall for overall, _ in scored)
    turns = tuple(
        TurnScores(number, *pair, tuple(of_turns[number - 1] for _, of_turns in scored))
        for number, pair in enumerate(pairs, 1)
    )
    status = status_of_case(metrics, criteria)
    return CaseRun(
        conversation, matched_by, status, metrics, turns, _why_open(metrics) if status == "not_evaluated" else None
    )


def status_of_case(metrics: Sequence[MetricScore], criteria: Criteria) -> Status:
    """failed if any metric failed, else passed if any passed, else not evaluated (`_generate_final_eval_status`).

    For adk-rs anything but passed fails.
    """
    statuses = {metric.status for metric in metrics}
    if "failed" in statuses or (criteria.profile == "adk-rs" and "passed" in statuses and len(statuses) > 1):
        return "failed"
    return "passed" if "passed" in statuses else "not_evaluated"


def reached(score: float, threshold: float | None) -> Status:
    """Whether a score reaches a threshold; NaN is never reached."""
    return "passed" if threshold is not None and score >= threshold else "failed"


def _judge(
    asked: Criterion,
    pairs: Sequence[tuple[Turn, Turn]],
    criteria: Criteria,
    conversation: Conversation,
    case: Mapping[str, Any] | None,
) -> Scored:
    if asked.refusal is not None:
        return _recorded(asked, len(pairs), conversation, case)
    if asked.threshold is None:
        return _refused(asked, len(pairs), "its criterion has no threshold")
    if criteria.profile == "adk-rs":
        return adk_rs.judge(asked, pairs)
    score_of = _SCORES[asked.name]
    turns, total = [], 0.0
    for expected, actual in pairs:
        score = score_of(asked, expected, actual)
        # Added up one by one as google-adk does: `sum` of Python 3.12 would round otherwise.
        total += score
        turns.append(MetricScore(asked.name, reached(score, asked.threshold), score, asked.threshold))
    mean = total / len(turns)
    return MetricScore(asked.name, reached(mean, asked.threshold), mean, asked.threshold), turns


def _recorded(asked: Criterion, count: int, conversation: Conversation, case: Mapping[str, Any] | None) -> Scored:
    """The score that the recording came with, where it holds for the case as it is."""
    why = asked.refusal or ""
    if not asked.may_be_recorded or conversation.stored is None or case is None:
        return _refused(asked, count, why)
    found = recorded_score(conversation.stored, asked, case)
    if found is None or isinstance(found, str):
        return _refused(asked, count, f"{why}; {found}" if found else why)
    statuses: dict[int, Status] = {1: "passed", 2: "failed", 4: "informational"}
    scores = [
        MetricScore(
            asked.name,
            statuses.get(each.status, "not_evaluated") if each else "not_evaluated",
            each.score if each else None,
            asked.threshold,
            "recorded with the conversation, not computed",
            conversation.recorded_at,
        )
        for each in (found.overall, *found.turns)
    ]
    return scores[0], scores[1:]


def _refused(asked: Criterion, count: int, why: str) -> Scored:
    score = MetricScore(asked.name, "not_evaluated", None, asked.threshold, why)
    return score, [score] * count


def _report(name: str, turns: Sequence[Turn]) -> Scored:
    values = [value_of(name, turn) for turn in turns]
    scores = [
        MetricScore(name, "informational", value, reason=None if value is not None else ABSENT.get(name))
        for value in (mean_of(name, values), *values)
    ]
    return scores[0], scores[1:]


def _not_evaluated(conversation: Conversation, matched_by: MatchedBy, criteria: Criteria, why: str) -> CaseRun:
    metrics = tuple(_refused(asked, 0, why)[0] for asked in criteria.judged)
    return CaseRun(conversation, matched_by, "not_evaluated", metrics, (), why)


def _why_open(metrics: Sequence[MetricScore]) -> str:
    reasons = [f"{metric.name}: {metric.reason}" for metric in metrics if metric.status == "not_evaluated"]
    return "; ".join(reasons) or "no metric judges it: there are no criteria"


def why_nothing_is_expected(*, is_scenario: bool) -> str:
    """Why there is nothing to compare a recording with."""
    if is_scenario:
        return "the case is a scenario for a simulated user and expects no turns, so there is nothing to compare"
    return "the case has no turns, so there is nothing to compare"


def _unequal(
    expected: Sequence[Turn], conversation: Conversation, matched_by: MatchedBy, criteria: Criteria
) -> CaseRun:
    """google-adk raises here; what is left out must not pass."""
    why = f"the recording has {_turns(len(conversation.turns))}, the case expects {_turns(len(expected))}"
    judged = (
        MetricScore(asked.name, "failed", None, asked.threshold, why)
        if asked.refusal is None
        else _refused(asked, 0, asked.refusal)[0]
        for asked in criteria.judged
    )
    reported = (_report(name, conversation.turns)[0] for name in criteria.informational)
    return CaseRun(conversation, matched_by, "failed", (*judged, *reported), (), why)


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"
