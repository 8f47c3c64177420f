"""Scores of a case against a recording, by the rules of google-adk (`LocalEvalService` and its evaluators)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, repeat
from typing import Any

from evaltui.evalset.case_data import get
from evaltui.evalset.turn import Turn
from evaltui.recordings.conversation import Conversation, MatchedBy
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.eval_config import metrics_beside_criteria, why_without_metrics
from evaltui.scoring.metrics.metric import NOTHING_STATED, CaseScores, Criterion, Explanation, OfflineCriterion, Pairs
from evaltui.scoring.metrics.registry import MEASUREMENTS
from evaltui.scoring.recorded_scores import recorded_scores
from evaltui.scoring.results import CaseRun, MetricScore, Status, TurnScores, has_other_message

_NO_THRESHOLD = "the criterion has no threshold"
_RECORDED = "this score is from the recording; evaltui did not compute it"


def score_case(
    expected: Sequence[Turn],
    conversation: Conversation,
    matched_by: MatchedBy,
    criteria: Criteria,
    case: Mapping[str, Any] | None = None,
) -> CaseRun:
    """Score a case that expects the turns `expected`. Scores of graders in the recording come last, without a verdict.

    `case` is the case as plain data. It is needed for copying scores that the recording has already.
    """
    run = _compared(expected, conversation, matched_by, criteria, case)
    return run._replace(metrics=(*run.metrics, *_grades(conversation, criteria))) if conversation.grades else run


def _compared(
    expected: Sequence[Turn],
    conversation: Conversation,
    matched_by: MatchedBy,
    criteria: Criteria,
    case: Mapping[str, Any] | None,
) -> CaseRun:
    """A case scored by the criteria."""
    if conversation.failure is not None:  # google-adk has no metrics then
        return CaseRun(conversation, matched_by, "failed", (), (), conversation.failure)
    if conversation.unread is not None:  # the part that is missing might have failed
        why = f"part of the recording cannot be read: {conversation.unread}"
        return _not_evaluated(conversation, matched_by, criteria, why)
    if not expected:
        is_scenario = get(case or {}, "conversation_scenario") is not None
        return _not_evaluated(conversation, matched_by, criteria, why_nothing_is_expected(is_scenario=is_scenario))
    if len(conversation.turns) != len(expected) and (unstated := why_nothing_stated(expected)):
        return _not_evaluated(conversation, matched_by, criteria, unstated)
    if not conversation.turns:
        return _not_evaluated(conversation, matched_by, criteria, "no turn is recorded")
    if conversation.lacks_turns and len(conversation.turns) < len(expected):
        why = f"{_turns(len(conversation.turns))} recorded, {len(expected)} expected, and others are not recorded"
        return _not_evaluated(conversation, matched_by, criteria, why)
    if len(conversation.turns) != len(expected):
        return _unequal(expected, conversation, matched_by, criteria)
    pairs = [*zip(expected, conversation.turns, strict=True)]
    other = next((number for number, pair in enumerate(pairs, 1) if has_other_message(*pair)), None)
    if conversation.lacks_turns and other is not None:
        why = f"turn {other} has another user message in the recording, and turns of the recording are missing"
        return _not_evaluated(conversation, matched_by, criteria, why)
    scored = [judge_case(criterion, pairs, conversation, case) for criterion in criteria.judged]
    scored += [_report(name, conversation.turns) for name in criteria.informational]
    metrics = tuple(overall for overall, _ in scored)
    of_turns = zip(*(scores for _, scores in scored), strict=True) if scored else repeat(())
    turns = tuple(
        TurnScores(number, ours, theirs, scores)
        for number, (ours, theirs), scores in zip(count(1), pairs, of_turns, strict=False)
    )
    return scored_run(conversation, matched_by, criteria, metrics, turns)


def scored_run(
    conversation: Conversation,
    matched_by: MatchedBy,
    criteria: Criteria,
    metrics: tuple[MetricScore, ...],
    turns: tuple[TurnScores, ...],
) -> CaseRun:
    """A run with these scores and the resulting status."""
    status, reason = status_of_case(metrics, criteria), None
    if status == "not_evaluated":
        reason = why_nothing_stated([turn.expected for turn in turns]) or _why_open(metrics, criteria)
    return CaseRun(conversation, matched_by, status, metrics, turns, reason)


def score_turn(number: int, expected: Turn, actual: Turn, criteria: Criteria) -> TurnScores:
    """The scores of one turn alone, in the metrics that evaltui computes; `number` counts from 1."""
    metrics = []
    for asked in criteria.judged:
        if isinstance(asked, OfflineCriterion) and asked.threshold is not None:
            metrics.append(asked.judge([(expected, actual)])[1][0])
        else:
            metrics.append(_refused(asked, 0, asked.refusal or _NO_THRESHOLD)[0])
    return TurnScores(number, expected, actual, tuple(metrics))


def explain(turn: TurnScores, name: str, criteria: Criteria) -> Explanation | None:
    """Why a turn has its score in the metric `name`; None without a score or if evaltui does not compute the metric.

    An explanation costs more than a score, so it is made only for turns that somebody looks at.
    """
    asked = criteria.of(name)
    score = next((metric for metric in turn.metrics if metric.name == name), None)
    if not isinstance(asked, OfflineCriterion) or asked.threshold is None or score is None or score.score is None:
        return None
    return asked.explain(turn.expected, turn.actual, has_failed=score.status == "failed")


def status_of_case(metrics: Sequence[MetricScore], criteria: Criteria) -> Status:
    """failed if any metric failed, else passed if any passed, else not evaluated (`_generate_final_eval_status`).

    For adk-rs every metric must pass.
    """
    statuses = {metric.status for metric in metrics}
    if "failed" in statuses or (criteria.profile == "adk-rs" and "passed" in statuses and len(statuses) > 1):
        return "failed"
    return "passed" if "passed" in statuses else "not_evaluated"


def judge_case(
    asked: Criterion, pairs: Pairs, conversation: Conversation, case: Mapping[str, Any] | None = None
) -> CaseScores:
    """Score a case in one metric: the score of the case and of each turn."""
    if not isinstance(asked, OfflineCriterion):
        return _recorded(asked, len(pairs), conversation, case)
    if asked.threshold is None:
        return _refused(asked, len(pairs), _NO_THRESHOLD)
    return asked.judge(pairs)


def _recorded(asked: Criterion, count: int, conversation: Conversation, case: Mapping[str, Any] | None) -> CaseScores:
    """The score in the recording, if it was given for this very case and criterion."""
    why = asked.refusal or ""
    if not asked.may_be_recorded or conversation.stored is None or case is None:
        return _refused(asked, count, why)
    found = recorded_scores(conversation.stored, asked, case)
    if found is None or isinstance(found, str):
        return _refused(asked, count, f"{why}; {found}" if found else why)
    statuses: dict[int, Status] = {1: "passed", 2: "failed", 4: "informational"}
    scores = [
        MetricScore(
            asked.name,
            statuses.get(each.status, "not_evaluated") if each else "not_evaluated",
            each.score if each else None,
            asked.threshold,
            _RECORDED,
            conversation.recorded_at,
        )
        for each in found
    ]
    return scores[0], scores[1:]


def _grades(conversation: Conversation, criteria: Criteria) -> Iterator[MetricScore]:
    """The scores of graders in the recording. A metric of the run with the name of a grader goes before it."""
    names = {*criteria.informational, *(asked.name for asked in criteria.judged)}
    for grade in conversation.grades:
        if grade.name not in names:
            no_score = f"the grader failed: {grade.error}" if grade.error else "the recording has no score"
            reason = _RECORDED if grade.score is not None else no_score
            yield MetricScore(grade.name, "informational", grade.score, None, reason, conversation.recorded_at)


def _refused(asked: Criterion, count: int, why: str) -> CaseScores:
    score = MetricScore(asked.name, "not_evaluated", None, asked.threshold, why)
    return score, [score] * count


def _report(name: str, turns: Sequence[Turn]) -> CaseScores:
    measurement = MEASUREMENTS[name]
    values = [*map(measurement.of_turn, turns)]
    scores = [_informational(name, value) for value in values]
    return _informational(name, measurement.of_case(values)), scores


def _informational(name: str, value: float | None) -> MetricScore:
    """The score of a metric that only informs."""
    return MetricScore(name, "informational", value) if value is not None else _absent(name)


@lru_cache
def _absent(name: str) -> MetricScore:
    """The score without a measured value. Cached, because each turn of most recordings has three of these."""
    return MetricScore(name, "informational", None, reason=MEASUREMENTS[name].absent)


def _not_evaluated(conversation: Conversation, matched_by: MatchedBy, criteria: Criteria, why: str) -> CaseRun:
    metrics = tuple(score_without_turns(asked, why) for asked in criteria.judged)
    return CaseRun(conversation, matched_by, "not_evaluated", metrics, (), why)


def _why_open(metrics: Sequence[MetricScore], criteria: Criteria) -> str:
    reasons = [f"{metric.name}: {metric.reason}" for metric in metrics if metric.status == "not_evaluated"]
    if not reasons and not criteria.judged and (beside := metrics_beside_criteria(criteria.config or {})):
        return f"there are no criteria; {why_without_metrics(beside)} in the config"
    return "; ".join(reasons) or "there are no criteria"


def why_nothing_is_expected(*, is_scenario: bool) -> str:
    """Why there is nothing to compare a recording with."""
    if is_scenario:
        return "the case is a scenario without expected turns, so there is nothing to compare"
    return "the case has no turns, so there is nothing to compare"


def why_nothing_stated(expected: Sequence[Turn]) -> str | None:
    """Why there is nothing to compare with the turn of a dataset's case; None if it states an expectation."""
    return NOTHING_STATED if any(len(turn.unstated) > 1 for turn in expected) else None


def _unequal(
    expected: Sequence[Turn], conversation: Conversation, matched_by: MatchedBy, criteria: Criteria
) -> CaseRun:
    """Fail a case whose recording has another number of turns. google-adk raises an error here."""
    why = f"{_turns(len(conversation.turns))} recorded, {len(expected)} expected"
    judged = (score_without_turns(asked, why, fails=True) for asked in criteria.judged)
    reported = (_report(name, conversation.turns)[0] for name in criteria.informational)
    return CaseRun(conversation, matched_by, "failed", (*judged, *reported), (), why)


def score_without_turns(asked: Criterion, why: str, *, fails: bool = False) -> MetricScore:
    """The score of a case whose turns are not compared. With `fails`, metrics that evaltui computes fail."""
    if not fails or asked.refusal is not None:
        return _refused(asked, 0, asked.refusal if fails and asked.refusal is not None else why)[0]
    return MetricScore(asked.name, "failed", None, asked.threshold, why)


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"
