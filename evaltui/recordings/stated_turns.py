"""Turns of invocations in results and eval sets: what the file states, and what nobody reads."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from typing import Any

from evaltui.evalset.case_data import InvocationData, get, parts_of
from evaltui.evalset.turn import ALL_PARTS, Turn, TurnPart, turn_in, with_read_calls, with_read_text
from evaltui.evalset.unread_members import ids_of_calls
from evaltui.recordings.unread_in_invocations import (
    unread_beside,
    unread_in_invocation,
    why_calls_are_lost,
)

_WHERE_CALLS_ARE = "google-adk has tool calls in intermediate_data.tool_uses"
_WHERE_RESPONSES_ARE = " and the response in final_response.parts"

NOTHING_STATED = replace(turn_in(InvocationData({})), unrecorded=ALL_PARTS)
"""The turn of an invocation that is missing."""


class StatedTurns:
    """Reads the turns of one conversation in order. `warnings` gets what is not read."""

    def __init__(self, warnings: list[str]) -> None:
        self._warnings = warnings
        self._earlier: Set[str] = frozenset()
        """The ids of the calls of the turns so far."""

    def of_result(self, case_result: Any, result: Any, name: str) -> Turn:
        """The actual turn in the result of an invocation; `name` is for warnings.

        google-adk always writes the intermediate data (`EvaluationGenerator.convert_events_to_eval_invocations`).
        Beside them, a turn without a final response has none.
        """
        actual = get(result, "actual_invocation")
        beside = list(unread_beside(case_result, result))
        if not isinstance(actual, dict):
            self._warnings.append(f"{name}: actual_invocation is missing")
            return NOTHING_STATED
        data, final = InvocationData(actual), get(actual, "final_response")
        between = get(actual, "intermediate_data")
        tells_calls = isinstance(get(between, _list_of(data)), list)
        is_silent = final is None or any(isinstance(part.get("text"), str) for part in parts_of(final))
        return self._read(data, name, beside, tells_calls=tells_calls, tells_silence=tells_calls and is_silent)

    def of_case(self, invocation: Any, name: str) -> Turn:
        """The turn in a case of an eval set. Without intermediate data, it expects nothing about calls.

        google-adk leaves empty lists out, so an empty object states that there are no calls.
        """
        data, between = InvocationData(invocation), get(invocation, "intermediate_data")
        tells_calls = isinstance(between, dict) and isinstance(
            get({_list_of(data): []} | between, _list_of(data)), list
        )
        return self._read(data, name, [], tells_calls=tells_calls, tells_silence=False)

    def _read(
        self, data: InvocationData, name: str, unread: list[str], *, tells_calls: bool, tells_silence: bool
    ) -> Turn:
        """The turn. `tells_silence` means that it has no response where none is read."""
        turn, said = with_read_calls(turn_in(data), data.calls)
        unrecorded: set[TurnPart] = set()
        if not (turn.user_text or turn.user_parts):
            unrecorded.add("user_text")
        unread += unread_in_invocation(data)
        has_response = bool(turn.response or turn.other_parts)
        if unread:
            keys = ", ".join(dict.fromkeys(unread))
            where = _WHERE_CALLS_ARE if has_response else f"{_WHERE_CALLS_ARE}{_WHERE_RESPONSES_ARE}"
            said.append(f"{keys} is not read: {where}")
        elif missing := why_calls_are_lost(data, self._earlier):
            said.append(missing)
            unrecorded.add("calls")
        if unread or not tells_calls:
            unrecorded.add("calls")
        if not has_response and (unread or not tells_silence):
            unrecorded.add("response")
        self._earlier |= ids_of_calls(data.calls)
        self._warnings += [f"{name}: {each}" for each in said]
        turn = with_read_text(turn)
        return replace(turn, unrecorded=turn.unrecorded | unrecorded) if unrecorded else turn


def _list_of(data: InvocationData) -> str:
    """The key of the list that has the calls."""
    return "invocation_events" if data.has_events else "tool_uses"
