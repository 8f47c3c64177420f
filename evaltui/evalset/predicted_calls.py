"""Tool calls that a dataset case has outside events.

Agent evaluation of Vertex AI (`vertexai.preview.evaluation`) keeps them in `predicted_trajectory`, a list of objects
with `tool_name` and `tool_input`, beside the `reference_trajectory` that is expected.
"""

from __future__ import annotations

from typing import Any

from evaltui.evalset.case_data import get
from evaltui.evalset.dataset_turns import turns_of
from evaltui.evalset.keys import camel
from evaltui.evalset.turn import UnrecordedArguments
from evaltui.evalset.unread_members import unread_in

_PREDICTED = "predicted_trajectory"
_OF_A_CALL = {"tool_name", "tool_input"}


def with_predicted_calls(case: Any) -> Any:
    """The case with the calls of its `predicted_trajectory` as its `intermediate_events`; else the case itself.

    Intermediate events beside a predicted trajectory are expectations. A case with turns records its calls there.
    """
    if not reads_predicted_calls(case):
        return case
    others = {key: value for key, value in case.items() if key not in _spellings("intermediate_events")}
    events = [
        {"content": {"role": "model", "parts": [{"function_call": _call(each)}]}} for each in get(case, _PREDICTED)
    ]
    return {**others, "intermediate_events": events}


def reads_predicted_calls(case: Any) -> bool:
    """Whether the calls of a case are those of its `predicted_trajectory`."""
    calls = get(case, _PREDICTED)
    return calls is not None and not turns_of(case) and _are_calls(calls)


def _are_calls(value: Any) -> bool:
    """Whether a value is a list of calls of Vertex AI."""
    return isinstance(value, list) and all(
        isinstance(each, dict)
        and isinstance(each.get("tool_name"), str)
        and isinstance(each.get("tool_input"), dict | None)
        for each in value
    )


def _call(predicted: dict[str, Any]) -> dict[str, Any]:
    """The call; without `tool_input`, or with an empty one beside other members, its arguments are not recorded."""
    args = predicted.get("tool_input")
    is_known = args is not None and (args or not any(unread_in(predicted, _OF_A_CALL)))
    return {"name": predicted["tool_name"], "args": args if is_known else UnrecordedArguments()}


def _spellings(name: str) -> frozenset[str]:
    return frozenset({name, camel(name)})
