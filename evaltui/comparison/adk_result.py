"""Results of google-adk (`EvalSetResult`) read as verdicts and scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from evaltui.comparison.judged_result import JudgedCase, JudgedMetric, JudgedTurn, status_of_metrics
from evaltui.evalset.case_data import get
from evaltui.evalset.turn import Turn, turn_of
from evaltui.recordings.adk_files import conversations_of_result
from evaltui.recordings.conversation import Conversation, StoredScore, StoredScores
from evaltui.recordings.json_members import objects, text
from evaltui.scoring.criteria import Criteria, criterion_of
from evaltui.scoring.eval_config import LoadedCriterion
from evaltui.scoring.metrics.registry import METRICS
from evaltui.scoring.results import MetricScore, Status, TurnScores

_STATUSES: dict[int, Status] = {1: "passed", 2: "failed", 3: "not_evaluated", 4: "informational"}
"""google-adk's `EvalStatus`."""


def set_of_adk_result(result: Mapping[str, Any]) -> str | None:
    """The eval_set_id of a result, else of its first case."""
    return text(result, "eval_set_id") or next(
        (found for case in objects(result, "eval_case_results") if (found := text(case, "eval_set_id"))), None
    )


def cases_of_adk_result(result: Mapping[str, Any], path: Path) -> tuple[list[JudgedCase], list[str]]:
    """The case results, each a run of its case, and sentences about unusable ones.

    Raises `RecordingError` if there is no list of case results.
    """
    conversations, warnings = conversations_of_result(result, path)
    values = [*objects(result, "eval_case_results")]
    cases = [
        _case(conversation.eval_id, value, conversation)
        for value, conversation in zip(values, conversations, strict=True)
        if conversation.eval_id is not None
    ]
    if nameless := len(conversations) - len(cases):
        warnings.append(f"{nameless} case result{'s' * (nameless != 1)} without eval_id skipped")
    return cases, warnings


def _case(eval_id: str, value: Any, conversation: Conversation) -> JudgedCase:
    stored = conversation.stored or StoredScores((), (), ())
    metrics = tuple(_metric(each) for each in stored.overall if each.status != 4)
    status = _STATUSES.get(_whole(get(value, "final_eval_status")))
    if status not in ("passed", "failed", "not_evaluated"):
        status = status_of_metrics(metrics)
    reason = conversation.failure or (
        f"part of the result cannot be read: {conversation.unread}" if conversation.unread else ""
    )
    turns = tuple(_turns(conversation, stored)) if conversation.unread is None else ()
    return JudgedCase(eval_id, status, metrics, turns, reason, _criteria(stored.overall))


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _metric(stored: StoredScore) -> JudgedMetric:
    return JudgedMetric(stored.name, _STATUSES.get(stored.status, "not_evaluated"), stored.score, stored.threshold)


def _turns(conversation: Conversation, stored: StoredScores) -> Iterable[JudgedTurn]:
    for number, actual in enumerate(conversation.turns, 1):
        raw = stored.expected[number - 1] if number <= len(stored.expected) else None
        if raw is None:
            yield JudgedTurn(actual)
            continue
        expected: Turn = turn_of(raw)
        metrics = tuple(map(_score, stored.turns[number - 1] if number <= len(stored.turns) else ()))
        yield JudgedTurn(actual, expected, TurnScores(number, expected, actual, metrics))


def _score(stored: StoredScore) -> MetricScore:
    return MetricScore(stored.name, _STATUSES.get(stored.status, "not_evaluated"), stored.score, stored.threshold)


def _criteria(overall: Iterable[StoredScore]) -> Criteria:
    """The criteria of the scores, which explanations need."""
    loaded = (
        LoadedCriterion(each.name, METRICS.get(each.name), each.threshold, (), each.criterion)
        for each in overall
        if each.status != 4
    )
    return Criteria(tuple(map(criterion_of, loaded)))
