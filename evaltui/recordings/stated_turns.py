"""Turns of invocations in results and eval sets: what the file states, and keys of other programs that nobody reads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from evaltui.evalset.case_data import InvocationData, get, items_in, objects_in, parts_of
from evaltui.evalset.keys import camel
from evaltui.evalset.part_descriptions import PAYLOADS
from evaltui.evalset.turn import ALL_PARTS, Turn, TurnCall, TurnPart, UnrecordedArguments, keys_of_calls, turn_in

_LISTS = ("tool_uses", "invocation_events")
_OF_LISTS = ("tool_uses", "toolUses")
_OF_A_CALL = {"id", "name", "args", "partial_args", "partialArgs", "will_continue", "willContinue"}
_names_arguments = re.compile(r"arg|input|param", re.IGNORECASE).search
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
        turn = turn_in(self._data)
        unrecorded: set[TurnPart] = set()
        if not (turn.user_text or turn.user_parts):
            unrecorded.add("user_text")
        if not self._are_calls_read() or not tells_calls:
            unrecorded.add("calls")
            turn = replace(turn, calls=tuple(call for call in turn.calls if call.name is not None))
        calls = tuple(self._read_arguments(turn.calls))
        if not all(call.has_args for call in calls):
            unrecorded.add("arguments")
            turn = replace(turn, calls=calls)
        if not (turn.response or turn.other_parts):
            keys = _keys_of_response(self._data.data)
            self._warn(keys, "google-adk has the response in final_response.parts")
            if keys or not tells_silence:
                unrecorded.add("response")
        return replace(turn, unrecorded=frozenset(unrecorded)) if unrecorded else turn

    def _warn(self, keys: Iterable[str], why: str) -> None:
        if listed := ", ".join(dict.fromkeys(keys)):
            self._warnings.append(f"{self._name}: {listed} is not read: {why}")

    def _are_calls_read(self) -> bool:
        """Whether all calls that the file seems to have are read, each with its name."""
        keys = list(_keys_of_calls(self._data, self._is_expected))
        self._warn(keys, "google-adk has tool calls in intermediate_data.tool_uses")
        nameless = [call for call in objects_in(self._data.calls) if call.get("name") is None]
        strange = [key for call in nameless for key in call if key not in _OF_A_CALL]
        self._warn(strange, "google-adk has the name of a tool call in name, and its arguments in args")
        if nameless and not strange:
            self._warnings.append(f"{self._name}: a tool call has no name")
        return not keys and not nameless

    def _read_arguments(self, calls: Sequence[TurnCall]) -> Iterator[TurnCall]:
        """The calls; arguments under another key than `args` are not recorded."""
        every: list[str] = []
        named = (call for call in objects_in(self._data.calls) if call.get("name") is not None)
        for call, data in zip(calls, named, strict=False):
            keys = _keys_of_arguments(data)
            every += keys
            yield call._replace(args=UnrecordedArguments()) if keys else call
        self._warn(every, "google-adk has the arguments of a tool call in args")


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


def _keys_of_arguments(call: dict[str, Any]) -> list[str]:
    """The keys in which other programs keep the arguments of a call; none if it has `args`."""
    if call.get("args") is not None:
        return []
    return [key for key, value in call.items() if value and key not in _OF_A_CALL and _names_arguments(key)]


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
