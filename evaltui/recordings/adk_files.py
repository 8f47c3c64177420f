"""Recordings in files of google-adk: results of evals (`.evalset_result.json`), and eval sets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaltui.document.scanner import DepthError, read_json
from evaltui.evalset.case_data import get, items_in, moment, number, objects, text
from evaltui.evalset.keys import spelled
from evaltui.evalset.turn import UnreadError, check_invocation, without_blanks
from evaltui.evalset.unread_members import unread_in
from evaltui.printable import as_argument, one_line
from evaltui.recordings.adk_turns import InvocationReader
from evaltui.recordings.agent_names import AgentNames
from evaltui.recordings.conversation import (
    Conversation,
    ConversationsRead,
    RecordingError,
    StoredScore,
    StoredTurn,
    recorded_turns,
)

_FAILED, _NOT_EVALUATED = 2, 3
_RECORD = "record the agent as a trace or session, or leave the file out"
NO_RESULTS, NO_CASES = "the file has no case results", "the file has no cases"
_time_at_end = re.compile(r"_([0-9]{9,11}(?:\.[0-9]+)?)$").search


def result_in_text(value: Any) -> Any:
    """The JSON value in a text, as google-adk up to 1.21 wrote its results; any other value itself."""
    try:
        return read_json(value) if isinstance(value, str) and value.lstrip().startswith("{") else value
    except DepthError:
        raise
    except ValueError:
        return value


def conversations_of_result(result: Mapping[str, Any], path: Path, *, for_cases: bool = False) -> ConversationsRead:
    """A conversation for each result of a case (`EvalSetResult`)."""
    cases = get(result, "eval_case_results")
    if not isinstance(cases, list):
        raise RecordingError(f"{path}: eval_case_results is not a list; record the file again")
    recorded_at, set_id = time_of_result(result), text(result, "eval_set_id")
    conversations: list[Conversation] = []
    warnings: list[str] = []
    for case in objects(result, "eval_case_results"):
        turn_results = items_in(case, "eval_metric_result_per_invocation")
        actual = [get(turn, "actual_invocation") for turn in turn_results]
        if any(map(_is_of_trpc, actual)):
            raise RecordingError(f"{path}: this is a result of trpc-agent-go, which evaltui does not read; {_RECORD}")
        session, eval_id = get(case, "session_details"), text(case, "eval_id")
        name, reader = eval_id or "case result without eval_id", InvocationReader(warnings)
        turns = without_blanks(
            reader.read_result(case, turn, f"{name}, turn {position}") for position, turn in enumerate(turn_results, 1)
        )
        overall = _scores(case, "overall_eval_metric_results") or _scores(case, "eval_metric_results")
        has_failed = get(case, "final_eval_status") == _FAILED and not overall and not turns
        is_list = isinstance(get(case, "eval_metric_result_per_invocation"), list | None)
        conversation = Conversation(
            path=path,
            id=text(case, "session_id") or eval_id or "",
            turns=turns,
            eval_id=eval_id,
            eval_set_id=text(case, "eval_set_id") or set_id,
            recorded_at=recorded_at,
            stored=(overall, tuple(map(_stored_turn, turn_results))),
            failure="the agent failed; google-adk does not store the reason" if has_failed else None,
            unread=_unread_turn(actual) if is_list else "eval_metric_result_per_invocation is not a list",
            agent_names=AgentNames(text(session, "app_name")),
        )
        if for_cases:
            user_id = text(session, "user_id") or text(case, "user_id")
            conversation = _with_invocations(conversation, actual, user_id, recorded_at)
        conversations.append(conversation)
    if len(conversations) < len(cases):
        warnings.append(f"{len(cases) - len(conversations)} of {len(cases)} case results skipped: not an object")
    return conversations, warnings if cases else [NO_RESULTS]


def time_of_result(result: Mapping[str, Any]) -> float | None:
    """The time of a result file, in seconds since 1970; None if unknown."""
    time_in_id = _time_at_end(text(result, "eval_set_result_id") or "")
    return moment(get(result, "creation_timestamp")) or (float(time_in_id[1]) if time_in_id else None)


def _stored_turn(turn: Any) -> StoredTurn:
    expected, rubrics = get(turn, "expected_invocation"), get(get(turn, "actual_invocation"), "rubrics")
    return expected if isinstance(expected, dict) else None, rubrics, _scores(turn, "eval_metric_results")


def _scores(holder: Any, name: str) -> tuple[StoredScore, ...]:
    scores = []
    for result in items_in(holder, name):
        halves = result if isinstance(result, list) else [result]  # google-adk 1.0 wrote pairs of metric and result
        if not all(isinstance(half, dict) for half in halves):
            continue
        metric = {key: value for half in halves for key, value in half.items()}
        criterion, status = get(metric, "criterion"), get(metric, "eval_status")
        threshold = number(metric, "threshold")
        scores.append(
            StoredScore(
                name=text(metric, "metric_name") or "",
                score=number(metric, "score"),
                status=status if isinstance(status, int) and not isinstance(status, bool) else _NOT_EVALUATED,
                criterion=criterion,
                threshold=number(criterion, "threshold") if threshold is None else threshold,
            )
        )
    return tuple(scores)


def conversations_of_set(eval_set: Any, path: Path, *, for_cases: bool = False, first: int = 1) -> ConversationsRead:
    """A conversation for each case with turns. `first` is the number of the first case."""
    from evaltui.recordings.recording_cache import ReadItem  # noqa: PLC0415 - few recordings are eval sets

    cases = eval_set if isinstance(eval_set, list) else get(eval_set, "eval_cases")
    conversations: list[Conversation] = []
    warnings: list[str] = []
    for position, case in enumerate(cases if isinstance(cases, list) else (), first):
        if isinstance(case, ReadItem):
            conversations.append(case.conversation)
            continue
        name = text(case, "eval_id") or f"case {position}"
        conversation, sentences = _conversation_of_case(case, name, path)
        warnings += [f"{name}{sentence}" for sentence in sentences]
        if conversation is not None and for_cases:
            user_id, created = text(get(case, "session_input"), "user_id"), moment(get(case, "creation_timestamp"))
            conversation = _with_invocations(conversation, _recorded_invocations(case)[0], user_id, created)
        conversations += [conversation] if conversation is not None else []
    return conversations, warnings or ([] if conversations else [NO_CASES])


def conversation_of_item(case: Any, path: Path) -> Conversation | None:
    """The conversation of one case of a set; None if it needs its place in the set, or if there are warnings."""
    eval_id = text(case, "eval_id")
    if eval_id is None:
        return None
    conversation, sentences = _conversation_of_case(case, eval_id, path)
    return None if sentences else conversation


def _conversation_of_case(case: Any, name: str, path: Path) -> tuple[Conversation | None, list[str]]:
    invocations, why_none = _recorded_invocations(case)
    if why_none:
        return None, [f": {why_none}"]
    if any(map(_is_of_trpc, invocations)):
        file = as_argument(str(path)) if str(path) != "-" else "FILE"
        advice = f"`evaltui convert {file} --to evalset` makes one of google-adk of it"
        raise RecordingError(f"{path}: this is an eval set of trpc-agent-go; {advice}")
    numbered = [*enumerate(invocations, 1)]
    warnings = [f", turn {number}: the turn is empty" for number, turn in numbered if not isinstance(turn, dict)]
    reader = InvocationReader(warnings)
    turns = tuple(reader.read_invocation(invocation, f", turn {number}") for number, invocation in numbered)
    if all(turn.is_blank for turn in turns):
        return None, [": no turn has a user message, a response or a tool call"]
    # The eval set id is not kept: a person who names a set as the recording of another set means it.
    conversation = Conversation(
        path,
        name,
        turns,
        eval_id=text(case, "eval_id"),
        recorded_at=moment(get(case, "creation_timestamp")),
        unread=_unread_turn(invocations),
        agent_names=AgentNames(text(get(case, "session_input"), "app_name")),
    )
    return conversation, warnings


def _recorded_invocations(case: Any) -> tuple[list[Any], str]:
    """The invocations of a case that an agent had, or the reason why there are none, as a clause."""
    for key in unread_in(case, spelled("conversation", "actual_conversation")):
        if any(get(turn, "user_content") is not None for turn in items_in(case, key)):
            return [], f"{one_line(key, 40)} has turns, too, and nobody knows which turns the agent had"
    # In a case that trpc-agent-python does not run (`eval_mode`), `conversation` has only what is expected
    # (`trpc_agent_sdk.evaluation._eval_case`).
    is_expected = get(case, "actual_conversation") is not None or get(case, "eval_mode") not in (None, "", "default")
    invocations = items_in(case, "actual_conversation" if is_expected else "conversation")
    return invocations, "" if invocations else f"the case has no turns{' in actual_conversation' * is_expected}"


def _with_invocations(
    conversation: Conversation, invocations: Iterable[Any], user_id: str | None, otherwise: float | None
) -> Conversation:
    """The conversation with its invocations. It began when its first turn was made, or else at `otherwise`."""
    objects = [invocation if isinstance(invocation, dict) else {} for invocation in invocations]
    started = moment(get(objects[0], "creation_timestamp")) if objects else None
    return replace(
        conversation,
        recorded_turns=recorded_turns(conversation.turns, objects),
        user_id=user_id,
        started=started if started is not None else otherwise,
    )


def _is_of_trpc(invocation: Any) -> bool:
    """Whether an invocation has the form of trpc-agent-go: texts in `content`, and calls in `tools`."""
    contents = (get(invocation, "user_content"), get(invocation, "final_response"))
    has_texts = any(isinstance(value, dict) and "content" in value and "parts" not in value for value in contents)
    return has_texts or isinstance(get(invocation, "tools"), list)


def _unread_turn(invocations: Iterable[Any]) -> str | None:
    """The first thing in the turns of a conversation that cannot be read, with its turn; None for none."""
    for position, invocation in enumerate(invocations, 1):
        try:
            check_invocation(invocation)
        except UnreadError as error:
            return f"turn {position}: {error}"
    return None
