"""Scores of a case against its recordings, by the rules of google-adk (`LocalEvalService` and its evaluators)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, repeat
from typing import Any

from evaltui.evalset.case_data import get
from evaltui.evalset.expected_set import ExpectedCase
from evaltui.evalset.turn import Turn
from evaltui.recordings.conversation import Conversation, MatchedBy
from evaltui.recordings.matching import NO_RECORDING, CaseMatch
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.eval_config import metrics_beside_criteria, why_without_metrics
from evaltui.scoring.metrics.efficiency import MEASUREMENTS
from evaltui.scoring.metrics.metric import NOTHING_STATED, CaseScores, Criterion, Explanation, OfflineCriterion, Pairs
from evaltui.scoring.recorded_scores import recorded_scores
from evaltui.scoring.results import CaseResult, CaseRun, MetricScore, Status, TurnScores, has_other_message, judge_score

_IS_SCENARIO = "the case is a scenario without expected turns, so there is nothing to compare"
_RECORDED = "this score is from the recording; evaltui did not compute it"
_LONGEST = 1e9
"""Seconds from which on the duration of a turn is an error of the recorder."""


def score_expected(
    case: ExpectedCase,
    matches: Sequence[CaseMatch],
    criteria: Criteria,
    why_none: str | None,
    *,
    all_runs: bool = False,
    counts: int = -1,
) -> CaseResult:
    """Score one case. `why_none` is the reason if there are no matches.

    `counts` is the index of the match that counts. Only this one is scored, unless `all_runs` is set.
    """
    why = case.refusal
    if why is None and not matches:
        unstated = _IS_SCENARIO if case.is_scenario else explain_unstated(case.turns)
        why = unstated or why_none or NO_RECORDING
    if why is not None:
        metrics = tuple(score_without_turns(criterion, why) for criterion in criteria.judged)
        return CaseResult(case.eval_id, case.number, "not_evaluated", metrics, None, why, source=case.source)
    place = range(len(matches))[counts]
    scored = matches if all_runs else [matches[place]]
    data = case.data() if not case.turns or any(match.conversation.stored is not None for match in scored) else None
    runs = [score_case(case.turns, match.conversation, match.matched_by, criteria, data) for match in scored]
    result = result_of_runs(case.eval_id, case.number, runs, criteria, all_runs=all_runs)
    durations = [turn.seconds for match in scored for turn in match.conversation.turns]
    seconds = [number for number in durations if number is not None and 0 <= number <= _LONGEST]
    # The time of the case is unknown if that of a turn is, or is impossible.
    is_known = len(seconds) == len(durations) > 0
    result = result.count_recordings(place + 1, len(matches))
    return result._replace(seconds=sum(seconds) if is_known else None, source=case.source)


# --- against one conversation -------------------------------------------------------------------------------------


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
    if conversation.failure is not None:  # google-adk has no metrics then
        run = CaseRun(conversation, matched_by, "failed", (), (), conversation.failure)
    elif why := _explain_no_comparison(expected, conversation, case):
        metrics = tuple(score_without_turns(criterion, why) for criterion in criteria.judged)
        run = CaseRun(conversation, matched_by, "not_evaluated", metrics, (), why)
    elif len(conversation.turns) != len(expected):  # google-adk raises an error here
        actual = len(conversation.turns)
        why = f"{actual} turn{'s' * (actual != 1)} recorded, {len(expected)} expected"
        judged = (score_without_turns(criterion, why, fails=True) for criterion in criteria.judged)
        reported = (_measure(name, conversation.turns)[0] for name in criteria.informational)
        run = CaseRun(conversation, matched_by, "failed", (*judged, *reported), (), why)
    else:
        pairs = [*zip(expected, conversation.turns, strict=True)]
        scored = [judge_case(criterion, pairs, conversation, case) for criterion in criteria.judged]
        scored += [_measure(name, conversation.turns) for name in criteria.informational]
        by_turn = zip(*(scores for _, scores in scored), strict=True) if scored else repeat(())
        numbered = zip(count(1), pairs, by_turn, strict=False)
        turns = tuple(TurnScores(number, *pair, scores) for number, pair, scores in numbered)
        run = scored_run(conversation, matched_by, criteria, tuple(overall for overall, _ in scored), turns)
    return run._replace(metrics=(*run.metrics, *_copy_grades(conversation, criteria))) if conversation.grades else run


def _explain_no_comparison(expected: Sequence[Turn], conversation: Conversation, case: Mapping[str, Any] | None) -> str:
    """Why the turns cannot be compared; "" if they can."""
    turns = conversation.turns
    if conversation.unread is not None:  # the part that is missing might have failed
        return f"part of the recording cannot be read: {conversation.unread}"
    if not expected:
        is_scenario = get(case or {}, "conversation_scenario") is not None
        return _IS_SCENARIO if is_scenario else "the case has no turns, so there is nothing to compare"
    if len(turns) != len(expected) and (unstated := explain_unstated(expected)):
        return unstated
    if not turns:
        return "no turn is recorded"
    if not conversation.lacks_turns:
        return ""
    if len(turns) < len(expected):
        count = f"{len(turns)} turn{'s' * (len(turns) != 1)}"
        return f"{count} recorded, {len(expected)} expected, and others are not recorded"
    # A turn that is missing in the middle would compare each turn with the one after it.
    pairs = zip(expected, turns, strict=False) if len(turns) == len(expected) else ()
    number = next((number for number, pair in enumerate(pairs, 1) if has_other_message(*pair)), None)
    if number is not None:
        return f"turn {number} has another user message in the recording, and turns of the recording are missing"
    return ""


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
        reason = explain_unstated([turn.expected for turn in turns]) or _explain_open(metrics, criteria)
    return CaseRun(conversation, matched_by, status, metrics, turns, reason)


def score_turn(number: int, expected: Turn, actual: Turn, criteria: Criteria) -> TurnScores:
    """The scores of one turn alone, in the metrics that evaltui computes; `number` counts from 1."""
    metrics = (judge_case(criterion, [(expected, actual)])[1][0] for criterion in criteria.judged)
    return TurnScores(number, expected, actual, tuple(metrics))


def explain(turn: TurnScores, name: str, criteria: Criteria) -> Explanation | None:
    """Why a turn has its score in the metric `name`; None without a score or if evaltui does not compute the metric.

    An explanation costs more than a score, so it is made only for turns that somebody looks at.
    """
    criterion = criteria.of(name)
    score = next((metric for metric in turn.metrics if metric.name == name and metric.score is not None), None)
    if score is None or not isinstance(criterion, OfflineCriterion) or criterion.threshold is None:
        return None
    return criterion.explain(turn.expected, turn.actual, has_failed=score.status == "failed")


def status_of_case(metrics: Sequence[MetricScore], criteria: Criteria) -> Status:
    """failed if any metric failed, else passed if any passed, else not evaluated (`_generate_final_eval_status`).

    For adk-rs every metric must pass.
    """
    statuses = {metric.status for metric in metrics}
    if "failed" in statuses or (criteria.profile == "adk-rs" and "passed" in statuses and len(statuses) > 1):
        return "failed"
    return "passed" if "passed" in statuses else "not_evaluated"


def judge_case(
    criterion: Criterion,
    pairs: Pairs,
    conversation: Conversation | None = None,
    case: Mapping[str, Any] | None = None,
) -> CaseScores:
    """Score a case in one metric: the score of the case and of each turn.

    Without the case as data, no score of the conversation is copied: it must be of this very case and criterion.
    """
    if isinstance(criterion, OfflineCriterion) and criterion.threshold is not None:
        return criterion.judge(pairs)
    why = criterion.refusal or "the criterion has no threshold"
    if not criterion.may_be_recorded or conversation is None or conversation.stored is None or case is None:
        return _refuse(criterion, len(pairs), why)
    stored = recorded_scores(*conversation.stored, criterion, case)
    if stored is None or isinstance(stored, str):
        return _refuse(criterion, len(pairs), f"{why}; {stored}" if stored else why)
    statuses: dict[int, Status] = {1: "passed", 2: "failed", 4: "informational"}
    scores = [
        MetricScore(
            criterion.name,
            statuses.get(score.status, "not_evaluated") if score else "not_evaluated",
            score.score if score else None,
            criterion.threshold,
            _RECORDED,
            conversation.recorded_at,
        )
        for score in stored
    ]
    return scores[0], scores[1:]


def _copy_grades(conversation: Conversation, criteria: Criteria) -> Iterator[MetricScore]:
    """The scores of graders in the recording. A metric of the run with the name of a grader goes before it."""
    names = {*criteria.informational, *(criterion.name for criterion in criteria.judged)}
    for grade in conversation.grades:
        if grade.name not in names:
            no_score = f"the grader failed: {grade.error}" if grade.error else "the recording has no score"
            reason = _RECORDED if grade.score is not None else no_score
            yield MetricScore(grade.name, "informational", grade.score, None, reason, conversation.recorded_at)


def _refuse(criterion: Criterion, count: int, why: str) -> CaseScores:
    score = MetricScore(criterion.name, "not_evaluated", None, criterion.threshold, why)
    return score, [score] * count


def _measure(name: str, turns: Sequence[Turn]) -> CaseScores:
    of_turn, of_case, why_absent = MEASUREMENTS[name]
    values = [*map(of_turn, turns)]
    overall, *scores = (
        MetricScore(name, "informational", value) if value is not None else _leave_unmeasured(name, why_absent)
        for value in (of_case(values), *values)
    )
    return overall, scores


@lru_cache
def _leave_unmeasured(name: str, why: str) -> MetricScore:
    """The score without a measured value. Cached, because each turn of most recordings has three of these."""
    return MetricScore(name, "informational", None, reason=why)


def _explain_open(metrics: Sequence[MetricScore], criteria: Criteria) -> str:
    reasons = [f"{metric.name}: {metric.reason}" for metric in metrics if metric.status == "not_evaluated"]
    if not reasons and not criteria.judged and (beside := metrics_beside_criteria(criteria.config or {})):
        return f"there are no criteria; {why_without_metrics(beside)} in the config"
    return "; ".join(reasons) or "there are no criteria"


def explain_unstated(expected: Sequence[Turn]) -> str | None:
    """Why there is nothing to compare with the turn of a dataset's case; None if it states an expectation."""
    return NOTHING_STATED if any(len(turn.unstated) > 1 for turn in expected) else None


def score_without_turns(criterion: Criterion, why: str, *, fails: bool = False) -> MetricScore:
    """The score of a case whose turns are not compared. With `fails`, metrics that evaltui computes fail."""
    if fails and criterion.refusal is None:
        return MetricScore(criterion.name, "failed", None, criterion.threshold, why)
    return _refuse(criterion, 0, (fails and criterion.refusal) or why)[0]


# --- several runs of a case ---------------------------------------------------------------------------------------


def result_of_runs(
    eval_id: str, number: int, runs: Sequence[CaseRun], criteria: Criteria, *, all_runs: bool = True
) -> CaseResult:
    """The result of a case with its runs, the newest last; `number` is its place in the set, from 0.

    Without `all_runs`, it is the result of the only run. Else its metrics are the means over all turns of all runs, and
    a run that failed without scores fails the case.
    """
    if not all_runs:
        return CaseResult(eval_id, number, runs[0].status, runs[0].metrics, runs[0], runs[0].reason)
    metrics = mean_of_runs(runs, criteria)
    scoreless = [run for run in runs if run.status == "failed" and not run.turns]
    status, reason = status_of_case(metrics, criteria), None
    if scoreless:
        status = "failed"
        reasons = [run.reason for run in scoreless]
        reason = _count_reasons(reasons, runs, "failed and has no score", "failed and have no score")
    elif status == "not_evaluated":
        reason = runs[-1].reason
    elif not_evaluated := [run.reason for run in runs if run.status == "not_evaluated"]:
        reason = _count_reasons(not_evaluated, runs)
    return CaseResult(eval_id, number, status, metrics, runs[-1], reason, tuple(runs))


def mean_of_runs(runs: Sequence[CaseRun], criteria: Criteria) -> tuple[MetricScore, ...]:
    """The mean of each metric over all turns of all runs (`_process_metrics_and_get_failures`)."""
    names = dict.fromkeys(metric.name for run in runs for metric in run.metrics)
    return tuple(_average_metric(name, runs, criteria) for name in names)


def _average_metric(name: str, runs: Sequence[CaseRun], criteria: Criteria) -> MetricScore:
    overall = [metric for run in runs for metric in run.metrics if metric.name == name]
    turns = [metric for run in runs for turn in run.turns for metric in turn.metrics if metric.name == name]
    scored = [metric for metric in turns if metric.score is not None]
    first = overall[0]
    is_grade = first.status == "informational" and not turns and name not in criteria.informational
    if is_grade:  # graders score whole cases
        scored = [metric for metric in overall if metric.score is not None]
    if not scored:  # each run says why
        return next((metric for metric in overall if metric.status == "failed"), first)
    from statistics import mean  # noqa: PLC0415 - its fractions take a while to load

    score = float(mean(metric.score for metric in scored if metric.score is not None))
    if first.status == "informational":
        return MetricScore(name, "informational", score, reason=scored[0].reason if is_grade else None)
    status = _judge_mean(score, first.threshold, scored, criteria)
    reason = next((metric.reason for metric in scored if metric.reason), None)
    if not_evaluated := [metric.reason for metric in overall if metric.status == "not_evaluated"]:
        reason = _count_reasons(not_evaluated, runs)
    return MetricScore(name, status, score, first.threshold, reason)


def _count_reasons(
    reasons: Sequence[str | None],
    runs: Sequence[CaseRun],
    of_one: str = "is not evaluated",
    of_several: str = "are not evaluated",
) -> str:
    """`2 of 3 runs are not evaluated: ` and the last reason; the reason alone for a case with a single run."""
    fault = of_one if len(reasons) == 1 else of_several
    return f"{len(reasons)} of {len(runs)} runs {fault}: {reasons[-1]}" if len(runs) > 1 else f"{reasons[-1]}"


def _judge_mean(score: float, threshold: float | None, scored: Sequence[MetricScore], criteria: Criteria) -> Status:
    """The verdict on a mean. If all turns passed below the threshold and failed above it, low scores pass."""
    if criteria.profile == "adk-rs":
        return "passed" if all(metric.status == "passed" for metric in scored) else "failed"
    directions = {
        (metric.score > threshold) == (metric.status == "passed")
        for metric in scored
        if metric.score is not None and threshold is not None and metric.score != threshold
        if metric.status in ("passed", "failed")
    }
    if directions == {False} and threshold is not None:
        return "passed" if score <= threshold else "failed"
    return judge_score(score, threshold)
