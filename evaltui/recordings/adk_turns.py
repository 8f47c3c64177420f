"""Turns of invocations in results and eval sets: what the file states, and members that nobody reads.

The models are `google.adk.evaluation.eval_case.Invocation` and those in it. All but `InvocationEvent` forbid other
keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from typing import Any

from evaltui.evalset.case_data import PlainTurn, get, items_in, objects_in, parts_of
from evaltui.evalset.keys import spelled
from evaltui.evalset.turn import ALL_PARTS, Turn, TurnPart, turn_in, with_read_calls, with_read_text
from evaltui.evalset.unread_members import (
    has_read_part,
    ids_of_calls,
    is_read,
    responses_without_calls,
    unread_beside_calls,
    unread_in,
    unread_in_content,
    why_calls_are_missing,
)

_WHERE_CALLS_ARE = "google-adk has tool calls in intermediate_data.tool_uses"
_WHERE_RESPONSES_ARE = " and the response in final_response.parts"

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


class InvocationReader:
    """Reads the turns of one conversation in order. `warnings` gets what is not read."""

    def __init__(self, warnings: list[str]) -> None:
        self._warnings = warnings
        self._earlier_ids: Set[str] = frozenset()
        """The ids of the calls of the turns so far: a tool that a person confirms first answers in the next turn."""

    def read_result(self, case_result: Any, result: Any, name: str) -> Turn:
        """The actual turn in the result of an invocation; `name` is for warnings."""
        actual = get(result, "actual_invocation")
        if not isinstance(actual, dict):
            self._warnings.append(f"{name}: actual_invocation is missing")
            return replace(turn_in(PlainTurn({})), unrecorded=ALL_PARTS)
        unread = [*_unread(case_result, _OF_CASE_RESULTS), *_unread(result, _OF_RESULTS)]
        return self.read_invocation(actual, name, unread, is_result=True)

    def read_invocation(
        self, invocation: Any, name: str, unread: Iterable[str] = (), *, is_result: bool = False
    ) -> Turn:
        """The turn in an invocation of an eval set, or of a result, in which `unread` members stand beside it."""
        data, between = PlainTurn(invocation), get(invocation, "intermediate_data")
        key, final = "invocation_events" if data.has_events else "tool_uses", get(invocation, "final_response")
        # In a result, google-adk always writes the intermediate data, and beside them, a turn without a final response
        # has none (`EvaluationGenerator.convert_events_to_eval_invocations`). In an eval set, it leaves empty lists
        # out, so an empty object states that there are no calls; without one, nothing is expected about them.
        tells_calls = isinstance(between, dict) and isinstance(
            get(between if is_result else {key: []} | between, key), list
        )
        is_silent = final is None or any(isinstance(part.get("text"), str) for part in parts_of(final))
        turn, sentences = with_read_calls(turn_in(data), data.calls)
        unrecorded: set[TurnPart] = set()
        if not (turn.user_text or turn.user_parts):
            unrecorded.add("user_text")
        unread = [*unread, *_unread_in_invocation(data)]
        has_response = bool(turn.response or turn.other_parts)
        if unread:
            where = "" if has_response else _WHERE_RESPONSES_ARE
            sentences.append(f"{', '.join(dict.fromkeys(unread))} is not read: {_WHERE_CALLS_ARE}{where}")
        elif missing := next(why_calls_are_missing(data.responses, data.calls, self._earlier_ids), ""):
            sentences.append(missing)
            unrecorded.add("calls")
        elif _lacks_content(data):
            sentences.append("an event of the agent has no content")
            unrecorded.add("calls")
        if unread or not tells_calls:
            unrecorded.add("calls")
        if not has_response and (unread or not (is_result and tells_calls and is_silent)):
            unrecorded.add("response")
        self._earlier_ids |= ids_of_calls(data.calls)
        self._warnings += [f"{name}: {sentence}" for sentence in sentences]
        turn = with_read_text(turn)
        return replace(turn, unrecorded=turn.unrecorded | unrecorded) if unrecorded else turn


def _unread_in_invocation(invocation: PlainTurn) -> Iterator[str]:
    """The members that nobody reads, and that may hold calls or the response. The user content holds neither."""
    data, between = invocation.data, get(invocation.data, "intermediate_data")
    yield from _unread(data, _OF_INVOCATIONS)
    read_keys = _EVENTS if invocation.has_events else _LISTS
    yield from (f"intermediate_data.{key}" for key in _unread(between, read_keys))
    for response in items_in(between, "intermediate_responses") if not invocation.has_events else ():
        # A pair of the author and the parts, in which calls of `tool_uses` may stand once more.
        parts = response[1] if isinstance(response, list) and len(response) == 2 else None
        calls = (get(part, "function_call") for part in (objects_in(parts) if isinstance(parts, list) else ()))
        has_new_call = any(call is not None and call not in invocation.calls for call in calls)
        if not isinstance(parts, list) or has_new_call or any(unread_in_content({"parts": parts})):
            yield "intermediate_data.intermediate_responses"
    for key in ("tool_responses", "intermediate_responses"):
        if not isinstance(get(between, key), list | None):
            yield f"intermediate_data.{key}"
    for event in invocation.events:
        yield from (f"invocation_events.{key}" for key in _unread(event, _OF_EVENTS))
        yield from (f"invocation_events.content.{key}" for key in unread_beside_calls(get(event, "content")))
    yield from (f"final_response.{key}" for key in unread_in_content(get(data, "final_response")))


def _unread(value: Any, read_keys: Set[str]) -> Iterator[str]:
    """The unread members, without numbers and booleans: they hold no call and no text."""
    yield from (key for key in unread_in(value, read_keys) if not isinstance(value[key], int | float))


def _lacks_content(invocation: PlainTurn) -> bool:
    """Whether an event of the agent lacks a content, or a part of it, that google-adk would have written."""
    silent_events = []
    for event in invocation.events:
        parts = [*parts_of(get(event, "content"))]
        if any(all(value is None for value in part.values()) for part in parts):
            return True
        # google-adk keeps events with grounding metadata alone.
        if not (any(map(is_read, parts)) or get(event, "grounding_metadata") is not None):
            silent_events.append(event)
    if not silent_events:
        return False
    # google-adk leaves out the content of one event, the final response.
    is_left_out = len(silent_events) == 1 and get(silent_events[0], "content") is None
    if not is_left_out or not has_read_part(get(invocation.data, "final_response")):
        return True
    is_last = silent_events[0] is invocation.events[-1]
    is_measured = any(get(silent_events[0], name) is not None for name in ("usage_metadata", "model_version"))
    if is_last and is_measured:
        return False
    # An agent that went on after its calls has a response for all of them.
    return any(True for _ in responses_without_calls(invocation.calls, invocation.responses))
