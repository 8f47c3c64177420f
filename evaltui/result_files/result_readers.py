"""Readers of results: of google-adk (`EvalSetResult`), of agents-cli, and documents of `evaltui run`.

A reader returns the cases in file order, a `JudgedCase` for each run of a case, and sentences about unusable parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, repeat
from pathlib import Path
from typing import Any, cast

from evaltui.evalset.case_data import get, items_in, number, objects, objects_in, text
from evaltui.evalset.turn import ALL_PARTS, Turn, TurnCall, turn_of
from evaltui.printable import one_line
from evaltui.recordings.adk_files import conversations_of_result
from evaltui.recordings.conversation import Conversation, StoredScore, StoredScores
from evaltui.recordings.evaluation_datasets import conversations_of_dataset, graded_cases
from evaltui.result_files.judged_results import JudgedCase, JudgedTurn, status_of_metrics
from evaltui.scoring.criteria import Criteria, criterion_of
from evaltui.scoring.results import MetricScore, Status

_ADK_STATUSES: dict[int, Status] = {1: "passed", 2: "failed", 3: "not_evaluated", 4: "informational"}
"""google-adk's `EvalStatus`."""
_LONGEST_NAME = 80
"""The most characters of a user message as name of a case."""


# --- google-adk -------------------------------------------------------------------------------------------------------


def cases_of_adk_result(result: Mapping[str, Any], path: Path) -> tuple[str | None, list[JudgedCase], list[str]]:
    """The eval_set_id of a result, else of its first case, and the case results.

    Raises `RecordingError` if there is no list of case results.
    """
    ids = (text(value, "eval_set_id") for value in (result, *objects(result, "eval_case_results")))
    conversations, warnings = conversations_of_result(result, path)
    cases = [
        _adk_case(conversation.eval_id, value, conversation)
        for value, conversation in zip(objects(result, "eval_case_results"), conversations, strict=True)
        if conversation.eval_id is not None
    ]
    if nameless := len(conversations) - len(cases):
        warnings.append(f"{nameless} case result{'s' * (nameless != 1)} without eval_id skipped")
    return next(filter(None, ids), None), cases, warnings


def _adk_case(eval_id: str, value: Any, conversation: Conversation) -> JudgedCase:
    stored = conversation.stored or StoredScores((), (), ())
    scores = [score for score in stored.overall if _ADK_STATUSES.get(score.status) != "informational"]
    metrics = tuple(map(_adk_score, scores))
    code = get(value, "final_eval_status")
    status = _ADK_STATUSES.get(code) if isinstance(code, int) and not isinstance(code, bool) else None
    if status in (None, "informational"):
        status = status_of_metrics(metrics)
    unread = f"part of the result cannot be read: {conversation.unread}" if conversation.unread else ""
    # Explanations of the scores need the criteria, which a result has only beside its scores.
    criteria = Criteria(tuple(criterion_of(score.name, score.threshold, score.criterion) for score in scores))
    # Any of the lists may be shorter: in google-adk, the expected invocation and the scores of a turn are optional.
    expected_sides, score_lists = chain(stored.expected, repeat(None)), chain(stored.turns, repeat(()))
    sides = zip(conversation.turns, expected_sides, score_lists, strict=False) if conversation.unread is None else ()
    turns = (
        JudgedTurn(actual)
        if expected is None
        else JudgedTurn(actual, turn_of(expected), tuple(map(_adk_score, turn_scores)))
        for actual, expected, turn_scores in sides
    )
    return JudgedCase(eval_id, status, metrics, tuple(turns), conversation.failure or unread, criteria)


def _adk_score(stored: StoredScore) -> MetricScore:
    return MetricScore(stored.name, _ADK_STATUSES.get(stored.status, "not_evaluated"), stored.score, stored.threshold)


# --- `agents-cli eval grade` (`EvaluationResult` of the GenAI Eval SDK): scores without thresholds and verdicts ------


def cases_of_agents_cli_result(result: Mapping[str, Any], path: Path) -> tuple[list[JudgedCase], list[str]]:
    """The cases, with a run for each graded response."""
    dataset = next(graded_cases(result), [])
    cases: list[JudgedCase] = []
    warnings: list[str] = []
    indexes: dict[str, int] = {}
    for position, value in enumerate(items_in(result, "eval_case_results")):
        if not isinstance(value, dict):
            warnings.append(f"/eval_case_results/{position} is not an object; skipped")
            continue
        # A result names its case by index in the dataset of the same file.
        index = get(value, "eval_case_index")
        if not isinstance(index, int) or isinstance(index, bool) or index < 0:
            index = position
        case = dataset[index] if index < len(dataset) else None
        turns = _turns_of_dataset_case(case, path)
        eval_id = text(case, "eval_case_id") or text(value, "eval_case_id")
        if eval_id is None:
            # By the first user message, because indexes change when a dataset is sorted or extended.
            message = turns[0].actual.user_text if turns and turns[0].actual is not None else ""
            name = one_line(message, _LONGEST_NAME)
            eval_id = name if name and indexes.setdefault(name, index) == index else f"case {index + 1}"
        for response in objects(value, "response_candidate_results"):
            scores = get(response, "metric_results")
            scored = scores.items() if isinstance(scores, dict) else ()
            metrics = tuple(_agents_cli_metric(name, score) for name, score in scored)
            cases.append(JudgedCase(eval_id, None, metrics, turns))
        if not items_in(value, "response_candidate_results"):
            cases.append(JudgedCase(eval_id, "not_evaluated", reason="there is no graded response"))
    several = sum(count > 1 for count in Counter(case.eval_id for case in cases).values())
    if several:
        subject = "1 case has" if several == 1 else f"{several} cases have"
        warnings.append(f"{subject} several graded responses; evaltui compares their mean")
    return cases, warnings


def _agents_cli_metric(name: str, result: Any) -> MetricScore:
    score, error = number(result, "score"), text(result, "error_message")
    if score is None:
        return MetricScore(name, "not_evaluated", reason=error or "there is no score")
    return MetricScore(name, "informational", score, reason=text(result, "explanation"))


def _turns_of_dataset_case(case: Any, path: Path) -> tuple[JudgedTurn, ...]:
    """The turns of the agent; none if the dataset does not have them."""
    if not isinstance(case, dict):
        return ()
    conversations, _ = conversations_of_dataset([case], path)
    if not conversations or conversations[0].unread is not None:
        return ()
    return tuple(JudgedTurn(turn) for turn in conversations[0].turns)


# --- documents of `evaltui run --format json` -------------------------------------------------------------------------


def is_run_document(value: Any) -> bool:
    """Whether a JSON value is a document of `evaltui run`, of one set or of several."""
    if not isinstance(value, dict) or "version" not in value:
        return False
    return isinstance(value.get("runs"), list) or ("set" in value and isinstance(value.get("cases"), list))


def cases_of_run_document(document: Mapping[str, Any]) -> tuple[list[JudgedCase], list[str]]:
    """The cases of a run."""
    values = [(text(value, "eval_id"), value) for value in objects(document, "cases")]
    counts = Counter(eval_id for eval_id, _ in values)
    cases: list[JudgedCase] = []
    for eval_id, value in values:
        # Cases with one id are different cases here: the runs of one case are one entry of the document.
        if eval_id is not None and counts[eval_id] == 1:
            scores = (score for _, score in _scored_metrics(value))
            metrics = tuple(score for score in scores if score.status != "informational")
            turns = tuple(map(_turn_of_run, objects(value, "turns")))
            reason = text(value, "reason") or ""
            cases.append(JudgedCase(eval_id, _status(value.get("status")), metrics, turns, reason))
    skipped = len(items_in(document, "cases")) - len(cases)
    sentence = f"{skipped} case{'s' * (skipped != 1)} skipped: eval_id is missing or a duplicate"
    return cases, [sentence] if skipped else []


def _turn_of_run(value: Mapping[str, Any]) -> JudgedTurn:
    expected, actual = _side(value.get("expected")), _side(value.get("actual"))
    metrics = list(_scored_metrics(value))
    sentences = {
        score.name: tuple(
            sentence for sentence in items_in(metric.get("explanation"), "sentences") if isinstance(sentence, str)
        )
        for metric, score in metrics
    }
    has_both_sides = expected is not None and actual is not None
    return JudgedTurn(actual, expected, tuple(score for _, score in metrics) if has_both_sides else (), sentences)


def _scored_metrics(value: Any) -> Iterator[tuple[dict[str, Any], MetricScore]]:
    for metric in objects(value, "metrics"):
        if (name := text(metric, "name")) is not None:
            status = _status(metric.get("status"))
            yield metric, MetricScore(name, status, number(metric, "score"), number(metric, "threshold"))


def _status(value: Any) -> Status:
    return cast("Status", value) if value in _ADK_STATUSES.values() else "not_evaluated"


def _side(value: Any) -> Turn | None:
    """The calls and the response of one side; None if the document does not have it."""
    if not isinstance(value, dict):
        return None
    calls = []
    for call in objects_in(items_in(value, "calls")):
        args = call.get("args")
        calls.append(TurnCall(text(call, "name"), args if isinstance(args, dict) else None))
    unrecorded = frozenset(part for part in ALL_PARTS if part in items_in(value, "unrecorded"))
    return Turn("", tuple(calls), text(value, "response") or "", unrecorded=unrecorded)
