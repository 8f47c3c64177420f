"""Tool calls that a dataset case has outside events.

Agent evaluation of Vertex AI (`vertexai.preview.evaluation`) keeps them in `predicted_trajectory`, a list of objects
with `tool_name` and `tool_input`, beside the `reference_trajectory` that is expected.
"""

from __future__ import annotations

from typing import Any

from evaltui.evalset.case_data import get, items_in, parts_of
from evaltui.evalset.datasets.exchanges import intermediate_events, turns_of
from evaltui.evalset.keys import camel
from evaltui.evalset.turn import UnrecordedArguments, keys_of_calls

_PREDICTED = "predicted_trajectory"


def with_predicted_calls(case: Any) -> Any:
    """The case with the calls of its `predicted_trajectory` as its `intermediate_events`; else the case itself.

    Intermediate events beside a predicted trajectory are expectations. A case with turns records its calls there.
    """
    calls = get(case, _PREDICTED)
    if calls is None or turns_of(case) or not _are_calls(calls):
        return case
    others = {key: value for key, value in case.items() if key not in _spellings("intermediate_events")}
    events = [
        {"content": {"role": "model", "parts": [{"function_call": _call(each["tool_name"], each.get("tool_input"))}]}}
        for each in calls
    ]
    return {**others, "intermediate_events": events}


def unread_calls(case: Any) -> list[str]:
    """The keys of a case and its events whose tool calls nobody reads, such as `tool_calls`.

    Keys of the case itself do not count if its events have calls.
    """
    events = [*intermediate_events(case), *(each for turn in turns_of(case) for each in items_in(turn, "events"))]
    keys: list[str] = []
    if not any(_has(event, "function_call") for event in events):
        is_read = _are_calls(get(case, _PREDICTED)) and not turns_of(case)
        keys += keys_of_calls(case, _spellings(_PREDICTED) if is_read else ())
    for event in events:
        if not (_has(event, "function_call") or _has(event, "function_response")):
            keys += [*keys_of_calls(event), *keys_of_calls(get(event, "content"))]
    return list(dict.fromkeys(keys))


def _are_calls(value: Any) -> bool:
    """Whether a value is a list of calls of Vertex AI."""
    return isinstance(value, list) and all(
        isinstance(each, dict)
        and isinstance(each.get("tool_name"), str)
        and isinstance(each.get("tool_input"), dict | None)
        for each in value
    )


def _call(name: str, args: dict[str, Any] | None) -> dict[str, Any]:
    return {"name": name, "args": args if args is not None else UnrecordedArguments()}


def _has(event: Any, name: str) -> bool:
    return any(get(part, name) is not None for part in parts_of(get(event, "content")))


def _spellings(name: str) -> frozenset[str]:
    return frozenset({name, camel(name)})
