"""Recordings in files of google-adk: results of evals (`.evalset_result.json`), and eval sets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaltui.document.plain_values import plain_value
from evaltui.evalset.case_data import get, items_in
from evaltui.evalset.turn import UnreadError, check_invocation, without_blanks
from evaltui.printable import as_argument
from evaltui.recordings.agent_names import AgentNames
from evaltui.recordings.conversation import Conversation, ConversationsRead, RecordingError, StoredScore, StoredScores
from evaltui.recordings.invocation_details import details_of_case, details_of_case_result
from evaltui.recordings.json_documents import ReadItem
from evaltui.recordings.json_members import moment, number, objects, text
from evaltui.recordings.recorded_invocations import recorded_invocations
from evaltui.recordings.stated_turns import StatedTurns

_FAILED, _NOT_EVALUATED = 2, 3
_FAILURE = "the agent failed; google-adk does not store the reason"
_RECORD = "record the agent as a trace or session, or leave the file out"
NO_RESULTS = "the file has no case results"
NO_CASES = "the file has no cases"
_time_at_end = re.compile(r"_([0-9]{9,11}(?:\.[0-9]+)?)$").search


def is_result_in_text(value: Any) -> bool:
    """Whether this is a text of JSON, as google-adk up to 1.21 wrote its results."""
    return isinstance(value, str) and value.lstrip().startswith("{")


def result_in_text(value: str) -> Any:
    """The JSON value in such a text; the text itself if it is not JSON."""
    try:
        return plain_value(value)
    except ValueError:
        return value


def conversations_of_result(result: Mapping[str, Any], path: Path, *, with_details: bool = False) -> ConversationsRead:
    """A conversation for each result of a case (`EvalSetResult`)."""
    cases = get(result, "eval_case_results")
    if not isinstance(cases, list):
        raise RecordingError(f"{path}: eval_case_results is not a list; record the file again")
    for case in cases:
        results = items_in(case, "eval_metric_result_per_invocation")
        if any(_is_of_trpc(get(each, "actual_invocation")) for each in results):
            raise RecordingError(f"{path}: this is a result of trpc-agent-go, which evaltui does not read; {_RECORD}")
    recorded_at = time_of_result(result)
    set_id = text(result, "eval_set_id")
    warnings: list[str] = []
    found = [_conversation(case, path, set_id, recorded_at, warnings) for case in objects(result, "eval_case_results")]
    if with_details:
        read = zip(found, objects(result, "eval_case_results"), strict=True)
        found = [
            replace(each, details=details_of_case_result(case, recorded_at).of_turns(each.turns)) for each, case in read
        ]
    if len(found) < len(cases):
        warnings.append(f"{len(cases) - len(found)} of {len(cases)} case results skipped: not an object")
    return found, warnings if cases else [NO_RESULTS]


def time_of_result(result: Mapping[str, Any]) -> float | None:
    """The time of a result file, in seconds since 1970; None if unknown."""
    return moment(get(result, "creation_timestamp")) or _time_of_id(text(result, "eval_set_result_id"))


def _conversation(
    case: Mapping[str, Any], path: Path, set_id: str | None, recorded_at: float | None, warnings: list[str]
) -> Conversation:
    invocations = items_in(case, "eval_metric_result_per_invocation")
    eval_id = text(case, "eval_id")
    name = eval_id or "case result without eval_id"
    stated = StatedTurns(warnings)
    turns = without_blanks(
        stated.of_result(case, each, f"{name}, turn {number}") for number, each in enumerate(invocations, 1)
    )
    overall = _scores(case, "overall_eval_metric_results") or _scores(case, "eval_metric_results")
    failed = get(case, "final_eval_status") == _FAILED and not overall and not turns
    return Conversation(
        path=path,
        id=text(case, "session_id") or eval_id or "",
        turns=turns,
        eval_id=eval_id,
        eval_set_id=text(case, "eval_set_id") or set_id,
        recorded_at=recorded_at,
        stored=StoredScores(
            overall,
            tuple(_scores(each, "eval_metric_results") for each in invocations),
            tuple(_object(get(each, "expected_invocation")) for each in invocations),
            tuple(get(get(each, "actual_invocation"), "rubrics") for each in invocations),
        ),
        failure=_FAILURE if failed else None,
        unread=_unread(get(case, "eval_metric_result_per_invocation")),
        agent_names=AgentNames(text(get(case, "session_details"), "app_name")),
    )


def _unread(results: Any) -> str | None:
    if results is not None and not isinstance(results, list):
        return "eval_metric_result_per_invocation is not a list"
    return _unread_turn(get(each, "actual_invocation") for each in results or ())


def _scores(value: Any, name: str) -> tuple[StoredScore, ...]:
    return tuple(_score(each) for each in _metric_results(items_in(value, name)))


def _metric_results(values: list[Any]) -> Iterator[dict[str, Any]]:
    """The metric results. google-adk 1.0 wrote pairs of metric and result, which are joined."""
    for value in values:
        if isinstance(value, list) and all(isinstance(half, dict) for half in value):
            yield {key: each for half in value for key, each in half.items()}
        elif isinstance(value, dict):
            yield value


def _score(result: Mapping[str, Any]) -> StoredScore:
    criterion, status = get(result, "criterion"), get(result, "eval_status")
    threshold = number(result, "threshold")
    return StoredScore(
        name=text(result, "metric_name") or "",
        score=number(result, "score"),
        status=status if isinstance(status, int) and not isinstance(status, bool) else _NOT_EVALUATED,
        criterion=criterion,
        threshold=number(criterion, "threshold") if threshold is None else threshold,
    )


def _object(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None


def _time_of_id(identifier: str | None) -> float | None:
    found = _time_at_end(identifier or "")
    return float(found[1]) if found else None


def conversations_of_set(eval_set: Any, path: Path, *, with_details: bool = False, first: int = 1) -> ConversationsRead:
    """A conversation for each case with turns. `first` is the number of the first case, for names of cases without id.

    The eval set id is not kept: a person who names a set as the recording of another set means it.
    """
    cases = eval_set if isinstance(eval_set, list) else get(eval_set, "eval_cases")
    found: list[Conversation] = []
    warnings: list[str] = []
    for index, case in enumerate(cases if isinstance(cases, list) else (), first):
        if isinstance(case, ReadItem):
            found.append(case.made)
            continue
        eval_id = text(case, "eval_id")
        name = eval_id or f"case {index}"
        conversation, said = _conversation_of_case(case, eval_id, name, path)
        warnings += [f"{name}{each}" for each in said]
        if conversation is not None:
            details = details_of_case(case).of_turns(conversation.turns) if with_details else None
            found.append(replace(conversation, details=details) if details is not None else conversation)
    return found, warnings or ([] if found else [NO_CASES])


def conversation_of_item(case: Any, path: Path) -> Conversation | None:
    """The conversation of one case of a set; None if it needs its place in the set, or if there are warnings."""
    eval_id = text(case, "eval_id")
    if eval_id is None:
        return None
    conversation, said = _conversation_of_case(case, eval_id, eval_id, path)
    return None if said else conversation


def _conversation_of_case(
    case: Any, eval_id: str | None, name: str, path: Path
) -> tuple[Conversation | None, Sequence[str]]:
    """The conversation of a case, and warnings about it."""
    turns, why_none = recorded_invocations(case)
    if why_none:
        return None, [f": {why_none}"]
    broken = [number for number, turn in enumerate(turns, 1) if not isinstance(turn, dict)]
    if any(map(_is_of_trpc, turns)):
        file = as_argument(str(path)) if str(path) != "-" else "FILE"
        advice = f"`evaltui convert {file} --to evalset` makes one of google-adk of it"
        raise RecordingError(f"{path}: this is an eval set of trpc-agent-go; {advice}")
    recorded_at = moment(get(case, "creation_timestamp"))
    said = [f", turn {number}: the turn is empty" for number in broken]
    stated = StatedTurns(said)
    read = tuple(stated.of_case(turn, f", turn {number}") for number, turn in enumerate(turns, 1))
    if all(turn.is_blank for turn in read):
        return None, [": no turn has a user message, a response or a tool call"]
    conversation = Conversation(
        path,
        name,
        read,
        eval_id=eval_id,
        recorded_at=recorded_at,
        unread=_unread_turn(turns),
        agent_names=AgentNames(text(get(case, "session_input"), "app_name")),
    )
    return conversation, said


def _is_of_trpc(invocation: Any) -> bool:
    """Whether an invocation has the form of trpc-agent-go: texts in `content`, and calls in `tools`."""
    contents = (get(invocation, "user_content"), get(invocation, "final_response"))
    has_texts = any(isinstance(each, dict) and "content" in each and "parts" not in each for each in contents)
    return has_texts or isinstance(get(invocation, "tools"), list)


def _unread_turn(invocations: Iterable[Any]) -> str | None:
    """The first thing in the turns of a conversation that cannot be read, with its turn; None for none."""
    for place, invocation in enumerate(invocations, 1):
        try:
            check_invocation(invocation)
        except UnreadError as error:
            return f"turn {place}: {error}"
    return None
