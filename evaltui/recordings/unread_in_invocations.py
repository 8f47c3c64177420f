"""Invocations of results and eval sets: members that google-adk does not have, and signs that calls are missing.

The models are `google.adk.evaluation.eval_case.Invocation` and those in it. All but `InvocationEvent` forbid other
keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

from evaltui.evalset.case_data import InvocationData, get, items_in, objects_in, parts_of
from evaltui.evalset.keys import spelled
from evaltui.evalset.unread_members import (
    has_read_part,
    is_read,
    responses_without_calls,
    unread_beside_calls,
    unread_in,
    unread_in_content,
    why_calls_are_missing,
)

_OF_CASE_RESULTS = spelled(
    *("eval_set_file", "eval_set_id", "eval_id", "final_eval_status", "eval_metric_results", "session_id", "user_id"),
    *("overall_eval_metric_results", "eval_metric_result_per_invocation", "session_details"),
)
_OF_RESULTS = spelled("actual_invocation", "expected_invocation", "eval_metric_results")
_OF_INVOCATIONS = spelled(
    *("invocation_id", "user_content", "final_response", "intermediate_data", "creation_timestamp", "rubrics"),
    *("duration", "model_duration", "tool_duration", "app_details"),
)
_LISTS = spelled("tool_uses", "tool_responses", "intermediate_responses")
_EVENTS = spelled("invocation_events")
_OF_EVENTS = spelled(
    *("author", "content", "grounding_metadata", "usage_metadata", "model_version"),
    # Members of google-adk's session events that hold neither calls nor their arguments.
    *("id", "invocation_id", "timestamp", "branch", "long_running_tool_ids", "finish_reason", "error_code"),
    *("error_message", "citation_metadata", "cache_metadata", "logprobs_result", "interaction_id"),
)


def unread_beside(case_result: Any, result: Any) -> Iterator[str]:
    """The members of a case result (`EvalCaseResult`), and of the result of one turn in it, that nobody reads."""
    yield from _unread(case_result, _OF_CASE_RESULTS)
    yield from _unread(result, _OF_RESULTS)


def unread_in_invocation(invocation: InvocationData) -> Iterator[str]:
    """The members of an invocation that nobody reads, and that may hold calls or the response: `final_response.text`.

    The user content is left out: it holds neither.
    """
    data, between = invocation.data, get(invocation.data, "intermediate_data")
    yield from _unread(data, _OF_INVOCATIONS)
    known = _EVENTS if invocation.has_events else _LISTS
    yield from (f"intermediate_data.{each}" for each in _unread(between, known))
    for each in items_in(between, "intermediate_responses") if not invocation.has_events else ():
        parts = each[1] if isinstance(each, list) and len(each) == 2 else None
        if not isinstance(parts, list) or any(unread_in_content({"parts": parts})) or _has_new_call(parts, invocation):
            yield "intermediate_data.intermediate_responses"
    for key in ("tool_responses", "intermediate_responses"):
        if not isinstance(get(between, key), list | None):
            yield f"intermediate_data.{key}"
    for event in invocation.events:
        yield from (f"invocation_events.{each}" for each in _unread(event, _OF_EVENTS))
        yield from (f"invocation_events.content.{each}" for each in unread_beside_calls(get(event, "content")))
    yield from (f"final_response.{each}" for each in unread_in_content(get(data, "final_response")))


def _unread(value: Any, known: Set[str]) -> Iterator[str]:
    """The unread members, without numbers and booleans: they hold no call and no text."""
    yield from (key for key in unread_in(value, known) if not isinstance(value[key], int | float))


def _has_new_call(parts: list[Any], invocation: InvocationData) -> bool:
    calls = (get(part, "function_call") for part in objects_in(parts))
    return any(call is not None and call not in invocation.calls for call in calls)


def why_calls_are_lost(invocation: InvocationData, earlier: Set[str] = frozenset()) -> str:
    """The reason why calls of an invocation must be missing; "" if it has them all.

    `earlier` are the ids of calls of earlier turns: a tool that a person has to confirm first answers in the next turn.
    """
    for sentence in why_calls_are_missing(invocation.responses, invocation.calls, earlier):
        return sentence
    if _lacks_contents(invocation):
        return "an event of the agent has no content"
    return ""


def _lacks_contents(invocation: InvocationData) -> bool:
    """Whether an event of the agent lacks a content, or a part of it, that google-adk would have written.

    google-adk leaves out the content of one event, the final response, and keeps events with grounding metadata alone.
    """
    silent = []
    for event in invocation.events:
        parts = [*parts_of(get(event, "content"))]
        if any(map(_is_empty, parts)):
            return True
        if not (any(map(is_read, parts)) or get(event, "grounding_metadata") is not None):
            silent.append(event)
    if not silent:
        return False
    is_left_out = len(silent) == 1 and get(silent[0], "content") is None
    if not is_left_out or not has_read_part(get(invocation.data, "final_response")):
        return True
    is_last = silent[0] is invocation.events[-1]
    is_measured = any(get(silent[0], name) is not None for name in ("usage_metadata", "model_version"))
    if is_last and is_measured:
        return False
    # An agent that went on after its calls has a response for all of them.
    return any(True for _ in responses_without_calls(invocation.calls, invocation.responses))


def _is_empty(part: dict[str, Any]) -> bool:
    return all(value is None for value in part.values())
