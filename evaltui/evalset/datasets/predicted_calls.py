"""Tool calls that a dataset case has outside events.

Agent evaluation of Vertex AI (`vertexai.preview.evaluation`) keeps them in `predicted_trajectory`, a list of objects
with `tool_name` and `tool_input`, beside the `reference_trajectory` that is expected.
"""

from __future__ import annotations

from typing import Any

from evaltui.evalset.case_data import get, parts_of
from evaltui.evalset.datasets.exchanges import intermediate_events, turns_of
from evaltui.evalset.keys import camel
from evaltui.evalset.turn import keys_of_calls

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
    """The keys of a case whose tool calls nobody reads, such as `tool_calls`; none if its events have calls."""
    if any(map(_has_call, intermediate_events(case))):
        return []
    read = _spellings(_PREDICTED) if _are_calls(get(case, _PREDICTED)) else frozenset[str]()
    return keys_of_calls(case, read)


def _are_calls(value: Any) -> bool:
    """Whether a value is a list of calls of Vertex AI."""
    return isinstance(value, list) and all(
        isinstance(each, dict)
        and isinstance(each.get("tool_name"), str)
        and isinstance(each.get("tool_input"), dict | None)
        for each in value
    )


def _call(name: str, args: dict[str, Any] | None) -> dict[str, Any]:
    return {"name": name, "args": args or {}}


def _has_call(event: Any) -> bool:
    return any(get(part, "function_call") is not None for part in parts_of(get(event, "content")))


def _spellings(name: str) -> frozenset[str]:
    return frozenset({name, camel(name)})
