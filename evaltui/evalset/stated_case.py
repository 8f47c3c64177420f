"""The part of a dataset case that it states, without what an agent did. Two runs of one case state the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from evaltui.document.scanner import read_json
from evaltui.evalset.case_data import get, items_in, objects_in
from evaltui.evalset.dataset_turns import is_dataset_case, is_of_user, turns_of
from evaltui.evalset.keys import spelled

_AGENT_DATA = spelled("agent_data")
_HISTORY = spelled("conversation_history")
_RECORDED = _AGENT_DATA | spelled(
    *("responses", "response", "predicted_trajectory", "agent_info", "error", "error_code", "error_message")
)
"""Keys of a case for what an agent did, and for the agent. `agent_data` also has given turns."""
_OF_AN_EVENT = ("author", "content", "state_delta")
"""Keys of a given event that count. Its id and its time are those of a run."""


def stated_text(source: bytes) -> bytes:
    """The JSON text of what a dataset case states; the `source` itself if it cannot be read, or is another case."""
    try:
        case = read_json(source)
    except ValueError:
        return source
    return json.dumps(stated_in(case)).encode() if is_dataset_case(case) else source


def stated_in(case: dict[str, Any]) -> dict[str, Any]:
    """The case (as plain data) without what an agent did after the last user message.

    `intermediate_events` stay: they are expectations, if only those of a case that has no other record of its calls.
    """
    stated = {key: value for key, value in case.items() if key not in _RECORDED}
    if not turns_of(case) and get(case, "prompt") is None:
        stated |= {key: [*_given(items_in(case, key))] for key in _HISTORY & case.keys()}
    if get(case, "user_scenario") is None:  # else a simulated user wrote the messages of each run
        events = [event for turn in turns_of(case) for event in items_in(turn, "events")]
        if given := [*_given(events)]:
            stated["agent_data"] = given
    return stated


def _given(events: list[Any]) -> Iterator[dict[str, Any]]:
    """The events up to the last user message."""
    told = [*objects_in(events)]
    while told and not is_of_user(told[-1]):
        told.pop()
    return ({name: get(event, name) for name in _OF_AN_EVENT} for event in told)
