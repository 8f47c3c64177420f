"""Result files: their kind, which the content shows, and a reader for google-adk, agents-cli and `evaltui run`.

A reader returns the cases in file order, a `JudgedCase` for each run of a case, and sentences about unusable parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import starmap
from pathlib import Path
from typing import Any, Literal, cast

from evaltui.document.binary_files import HEAD, kind_of_binary
from evaltui.document.json_stream import JsonTextError
from evaltui.document.yaml_root import LARGEST_LOOK, is_yaml
from evaltui.evalset.case_data import get, items_in, number, objects, objects_in, text
from evaltui.evalset.file_formats import format_of, is_agents_cli_result
from evaltui.evalset.turn import ALL_PARTS, Turn, TurnCall, turn_of
from evaltui.garbage_collection import without_collecting
from evaltui.printable import one_line
from evaltui.recordings.adk_files import conversations_of_result, result_in_text
from evaltui.recordings.conversation import Conversation, RecordingError, StoredScore
from evaltui.recordings.evaluation_datasets import conversations_of_dataset, graded_cases
from evaltui.recordings.json_documents import JsonDocuments
from evaltui.recordings.recording_bytes import Progress, unpacked_head
from evaltui.result_files.compared_results import (
    NO_TURN,
    JudgedCase,
    JudgedResult,
    ResultError,
    cases_by_id,
    status_of_metrics,
)
from evaltui.scoring.criteria import Criteria, criterion_of
from evaltui.scoring.results import MetricScore, Status, TurnScores

_KNOWN = (
    "results are *.evalset_result.json of google-adk, results_*.json of agents-cli, "
    "and documents of evaltui run --format json"
)
_ResultKind = Literal["adk_result", "agents_cli_result", "run_document"]
_VERSION = 1
"""The version of documents of `evaltui run`."""
_ADK_STATUSES: dict[int, Status] = {1: "passed", 2: "failed", 3: "not_evaluated", 4: "informational"}
"""google-adk's `EvalStatus`."""
_LONGEST_NAME = 80
"""The most characters of a user message as name of a case."""


def open_result(name: str, data: bytes | None = None, progress: Progress | None = None) -> JudgedResult:
    """The result in the file `name`, packed or not, or in `data` if that is given. Raises `ResultError`.

    Several google-adk results in one file are several runs of their cases. Of other documents, only the last counts.
    """
    try:
        with without_collecting():
            return _read(name, JsonDocuments(Path(name), data, progress))
    except JsonTextError as error:
        # Only now: nearly all files are JSON, and the fault of JSON helps nobody whose file is something else.
        head = unpacked_head(Path(name), LARGEST_LOOK + 1, data)
        if kind := kind_of_binary(head[:HEAD]):
            raise ResultError(f"{name}: this is {kind}, not a result; {_KNOWN}") from error
        if is_yaml(head, name):
            raise ResultError(f"{name}: this is YAML, not a result; {_KNOWN}") from error
        raise ResultError(f"{name}:{error.line}:{error.column}: {error.sentence}") from error
    except RecordingError as error:
        raise ResultError(str(error)) from error
    except RecursionError:
        raise ResultError(f"{name}: values are nested too deeply to read") from None
    except MemoryError:
        raise ResultError(f"{name}: the file does not fit into memory") from None


def _read(name: str, documents: JsonDocuments) -> JudgedResult:
    kind: _ResultKind | None = None
    eval_set_id: str | None = None
    cases: list[JudgedCase] = []
    warnings: list[str] = []
    count = 0
    for document in documents:
        count += 1
        value = result_in_text(document)
        document_kind = _kind(value, name)
        if kind not in (None, document_kind):
            raise ResultError(f"{name}: contains results of several kinds; compare one kind at a time")
        set_id, document_cases, sentences = _read_document(value, document_kind, name)
        if document_kind != "adk_result":
            cases, warnings = [], []
        elif eval_set_id is not None and set_id not in (None, eval_set_id):
            sets = f"the sets {eval_set_id} and {set_id}"
            raise ResultError(f"{name}: contains results of {sets}; compare one set at a time")
        kind, eval_set_id = document_kind, set_id or eval_set_id
        cases += document_cases
        warnings += sentences
    if kind is None:
        raise ResultError(f"{name}: the file is empty; {_KNOWN}")
    if count > 1 and kind != "adk_result":
        warnings.append(f"the file has {count} documents; evaltui compares the last one")
    return JudgedResult(name, eval_set_id, cases_by_id(cases), (*warnings, *documents.warnings()))


def _kind(value: Any, name: str) -> _ResultKind:
    if is_run_document(value):
        return "run_document"
    if format_of(value) == "eval_set_result":
        return "adk_result"
    if is_agents_cli_result(value):
        return "agents_cli_result"
    if isinstance(value, dict) and {"version", "criteria", "cases"} <= value.keys():
        raise ResultError(f"{name}: this is a baseline; evaltui run --baseline compares with it")
    raise ResultError(f"{name}: this is not a result; {_KNOWN}")


def _read_document(value: Any, kind: _ResultKind, name: str) -> tuple[str | None, list[JudgedCase], list[str]]:
    """The eval_set_id, the cases and the warnings of one document."""
    if kind == "adk_result":
        return _cases_of_adk_result(value, Path(name))
    if kind == "agents_cli_result":
        return None, *_cases_of_agents_cli_result(value, Path(name))
    runs = value.get("runs")
    if isinstance(runs, list) and len(runs) != 1:
        raise ResultError(f"{name}: contains the runs of {len(runs)} sets; use evaltui run with one SET")
    run = runs[0] if isinstance(runs, list) else value
    version = run.get("version") if isinstance(run, dict) else None
    if version != _VERSION or isinstance(version, bool):
        raise ResultError(f"{name}: the version of the result is not {_VERSION}; make a new result with evaltui run")
    return text(run.get("set"), "eval_set_id"), *_cases_of_run_document(run)


# --- google-adk -------------------------------------------------------------------------------------------------------


def _cases_of_adk_result(result: Mapping[str, Any], path: Path) -> tuple[str | None, list[JudgedCase], list[str]]:
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
    overall, judged_turns = conversation.stored or ((), ())
    scores = [score for score in overall if _ADK_STATUSES.get(score.status) != "informational"]
    metrics = tuple(map(_adk_score, scores))
    code = get(value, "final_eval_status")
    status = _ADK_STATUSES.get(code) if isinstance(code, int) and not isinstance(code, bool) else None
    if status in (None, "informational"):
        status = status_of_metrics(metrics)
    unread = f"part of the result cannot be read: {conversation.unread}" if conversation.unread else ""
    # Explanations of the scores need the criteria, which a result has only beside its scores.
    criteria = Criteria(tuple(criterion_of(score.name, score.threshold, score.criterion) for score in scores))
    sides = zip(conversation.turns, judged_turns, strict=False) if conversation.unread is None else ()
    # In google-adk, the expected invocation and the scores of a turn are optional.
    turns = (
        TurnScores(number, NO_TURN, actual, ())
        if expected is None
        else TurnScores(number, turn_of(expected), actual, tuple(map(_adk_score, turn_scores)))
        for number, (actual, (expected, _, turn_scores)) in enumerate(sides, 1)
    )
    return JudgedCase(eval_id, status, metrics, tuple(turns), conversation.failure or unread, criteria)


def _adk_score(stored: StoredScore) -> MetricScore:
    return MetricScore(stored.name, _ADK_STATUSES.get(stored.status, "not_evaluated"), stored.score, stored.threshold)


# --- `agents-cli eval grade` (`EvaluationResult` of the GenAI Eval SDK): scores without thresholds and verdicts ------


def _cases_of_agents_cli_result(result: Mapping[str, Any], path: Path) -> tuple[list[JudgedCase], list[str]]:
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
            name = one_line(turns[0].actual.user_text, _LONGEST_NAME) if turns else ""
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


def _turns_of_dataset_case(case: Any, path: Path) -> tuple[TurnScores, ...]:
    """The turns of the agent; none if the dataset does not have them."""
    if not isinstance(case, dict):
        return ()
    conversations, _ = conversations_of_dataset([case], path)
    if not conversations or conversations[0].unread is not None:
        return ()
    return tuple(TurnScores(number, NO_TURN, turn, ()) for number, turn in enumerate(conversations[0].turns, 1))


# --- documents of `evaltui run --format json` -------------------------------------------------------------------------


def is_run_document(value: Any) -> bool:
    """Whether a JSON value is a document of `evaltui run`, of one set or of several."""
    if not isinstance(value, dict) or "version" not in value:
        return False
    return isinstance(value.get("runs"), list) or ("set" in value and isinstance(value.get("cases"), list))


def _cases_of_run_document(document: Mapping[str, Any]) -> tuple[list[JudgedCase], list[str]]:
    """The cases of a run."""
    values = [(text(value, "eval_id"), value) for value in objects(document, "cases")]
    counts = Counter(eval_id for eval_id, _ in values)
    cases: list[JudgedCase] = []
    for eval_id, value in values:
        # Cases with one id are different cases here: the runs of one case are one entry of the document.
        if eval_id is not None and counts[eval_id] == 1:
            metrics = tuple(score for score in _metrics_of_run(value) if score.status != "informational")
            turns = tuple(starmap(_turn_of_run, enumerate(objects(value, "turns"), 1)))
            reason = text(value, "reason") or ""
            cases.append(JudgedCase(eval_id, _status(value.get("status")), metrics, turns, reason))
    skipped = len(items_in(document, "cases")) - len(cases)
    sentence = f"{skipped} case{'s' * (skipped != 1)} skipped: eval_id is missing or a duplicate"
    return cases, [sentence] if skipped else []


def _turn_of_run(number: int, value: Mapping[str, Any]) -> TurnScores:
    expected, actual = _side(value.get("expected")), _side(value.get("actual"))
    has_both_sides = NO_TURN not in (expected, actual)
    return TurnScores(number, expected, actual, tuple(_metrics_of_run(value)) if has_both_sides else ())


def _metrics_of_run(value: Any) -> Iterator[MetricScore]:
    for metric in objects(value, "metrics"):
        if (name := text(metric, "name")) is not None:
            sentences = items_in(metric.get("explanation"), "sentences")
            reason = "; ".join(sentence for sentence in sentences if isinstance(sentence, str))
            status, threshold = _status(metric.get("status")), number(metric, "threshold")
            yield MetricScore(name, status, number(metric, "score"), threshold, reason or None)


def _status(value: Any) -> Status:
    return cast("Status", value) if value in _ADK_STATUSES.values() else "not_evaluated"


def _side(value: Any) -> Turn:
    """The calls and the response of one side."""
    if not isinstance(value, dict):
        return NO_TURN
    calls = []
    for call in objects_in(items_in(value, "calls")):
        args = call.get("args")
        calls.append(TurnCall(text(call, "name"), args if isinstance(args, dict) else None))
    unrecorded = frozenset(part for part in ALL_PARTS if part in items_in(value, "unrecorded"))
    return Turn("", tuple(calls), text(value, "response") or "", unrecorded=unrecorded)
