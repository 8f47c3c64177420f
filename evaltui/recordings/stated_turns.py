"""Turns of invocations in results and eval sets: what the file states, and keys of other programs that nobody reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from evaltui.evalset.case_data import InvocationData, get, items_in, objects_in, parts_of
from evaltui.evalset.keys import camel
from evaltui.evalset.part_descriptions import PAYLOADS
from evaltui.evalset.turn import ALL_PARTS, Turn, TurnPart, keys_of_calls, turn_in, with_read_calls, with_read_text

_LISTS = ("tool_uses", "invocation_events")
_OF_LISTS = ("tool_uses", "toolUses")
_names_response = re.compile(r"(response|answer|output|reply)s?$", re.IGNORECASE).search
_OF_RESPONSES = {"final_response", "finalResponse"}
_OF_A_PART = {"text", "thought", "thought_signature", "thoughtSignature", *PAYLOADS, *map(camel, PAYLOADS)}


def turn_of_result(invocation: Any, name: str, warnings: list[str]) -> Turn:
    """The turn in an actual invocation of a result; `warnings` gets the keys that hold a part but are not read.

    google-adk always writes the intermediate data (`EvaluationGenerator.convert_events_to_eval_invocations`). Beside
    them, a turn without a final response has none.
    """
    between, final = get(invocation, "intermediate_data"), get(invocation, "final_response")
    tells_calls = any(isinstance(get(between, each), list) for each in _LISTS)
    is_silent = final is None or any(isinstance(part.get("text"), str) for part in parts_of(final))
    stated = _StatedTurn(invocation, name, warnings, is_expected=False)
    return stated.read(tells_calls=tells_calls, tells_silence=tells_calls and is_silent)


def turn_of_case(invocation: Any, name: str, warnings: list[str]) -> Turn:
    """The turn in a case of an eval set. Without intermediate data, it expects nothing about calls.

    google-adk leaves empty lists out, so an empty object states that there are no calls.
    """
    tells_calls = isinstance(get(invocation, "intermediate_data"), dict)
    return _StatedTurn(invocation, name, warnings, is_expected=True).read(tells_calls=tells_calls, tells_silence=False)


class _StatedTurn:
    def __init__(self, invocation: Any, name: str, warnings: list[str], *, is_expected: bool) -> None:
        self._data = InvocationData(invocation)
        self._name, self._warnings = name, warnings
        self._is_expected = is_expected

    def read(self, *, tells_calls: bool, tells_silence: bool) -> Turn:
        """The turn. `tells_silence` means that it has no response where none is read."""
        turn, said = with_read_calls(turn_in(self._data), self._data.calls)
        self._warnings += [f"{self._name}: {each}" for each in said]
        unrecorded: set[TurnPart] = set()
        if not (turn.user_text or turn.user_parts):
            unrecorded.add("user_text")
        calls = list(_keys_of_calls(self._data, self._is_expected))
        self._warn(calls, "google-adk has tool calls in intermediate_data.tool_uses")
        if calls or not tells_calls:
            unrecorded.add("calls")
        if not (turn.response or turn.other_parts):
            keys = _keys_of_response(self._data.data)
            self._warn(keys, "google-adk has the response in final_response.parts")
            if keys or not tells_silence:
                unrecorded.add("response")
        turn = with_read_text(turn)
        return replace(turn, unrecorded=turn.unrecorded | unrecorded) if unrecorded else turn

    def _warn(self, keys: Iterable[str], why: str) -> None:
        if listed := ", ".join(dict.fromkeys(keys)):
            self._warnings.append(f"{self._name}: {listed} is not read: {why}")


def _keys_of_calls(data: InvocationData, is_case: bool) -> Iterator[str]:
    """The keys of an invocation, its intermediate data and its contents in which other programs keep calls."""
    if not data.calls:
        yield from keys_of_calls(data.data, expected=is_case)
        yield from keys_of_calls(get(data.data, "intermediate_data"), _OF_LISTS, expected=is_case)
        yield from keys_of_calls(get(data.data, "final_response"), expected=is_case)
    for event in data.events:
        content = get(event, "content")
        if all(get(part, "function_call") is None for part in parts_of(content)):
            yield from keys_of_calls(event)
            yield from keys_of_calls(content)


def _keys_of_response(invocation: Any) -> list[str]:
    """The keys in which other programs keep a response that google-adk does not have."""
    return list(_strange_in(invocation))


def _strange_in(invocation: Any) -> Iterator[str]:
    final = get(invocation, "final_response")
    if isinstance(final, dict):
        yield from (f"final_response.{key}" for key, value in final.items() if value and key not in ("role", "parts"))
        for part in objects_in(items_in(final, "parts")):
            yield from (f"final_response.parts.{key}" for key, value in part.items() if value and key not in _OF_A_PART)
    elif isinstance(invocation, dict):
        yield from (
            key for key, value in invocation.items() if value and key not in _OF_RESPONSES and _names_response(key)
        )


NOTHING_STATED = replace(turn_in(InvocationData({})), unrecorded=ALL_PARTS)
"""The turn of an invocation that is missing."""
