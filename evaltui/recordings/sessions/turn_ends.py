"""Ends of turns. After the last event of a turn that was interrupted, the agent may have called more tools."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.evalset.case_data import as_bool, get, parts_of
from evaltui.printable import one_line
from evaltui.recordings.sessions.session_turns import Event, content_of, is_final, is_of_the_user, payloads

_ENDS = ("escalate", "end_of_agent")
"""Actions that end a loop or an agent. A `transfer_to_agent` is no end: the other agent goes on."""
_FINISH = "finish_task"
_FINISHED = ("Task completed.", "Task failed.")
"""The results with which this tool ends an agent (google.adk.agents.llm.task._finish_task_tool)."""
_NOTHING_SAID = "STOP"
"""The error code that google-adk once gave to a model that ended without a word, such as one that only calls tools."""
_SHOWN = 300
"""The most characters of an error that are kept."""


def has_end(events: Sequence[Event]) -> bool:
    """Whether the turn of these events ended, as far as they tell: with a response, an error, or a pause.

    Without an event of an agent, there is nothing that could have been interrupted.
    """
    acting = [event for event in events if list(parts_of(content_of(event))) or _ends(event)]
    if not any(not is_of_the_user(event) for event in acting):
        return True
    if is_of_the_user(acting[-1]):
        return False
    if _ends(acting[-1]):
        return True
    calls = [event for event in acting if not list(payloads([event], "function_response"))]
    # A call that a person answers later pauses the turn; its tool may give a first response.
    return bool(calls) and bool(get(calls[-1], "long_running_tool_ids"))


def error_in(event: Event) -> str:
    """The error in an event of an agent; "" for none."""
    found = [get(event, name) for name in ("error_code", "error_message")]
    told = [one_line(each, _SHOWN) for each in found if isinstance(each, str) and each]
    return "" if is_of_the_user(event) else ": ".join(told)


def place_of_failure(events: Sequence[Event]) -> int:
    """The index of the error with which a turn ended; -1 if an agent went on to a response after it, or for none."""
    for at in reversed(range(len(events))):
        if get(events[at], "error_code") != _NOTHING_SAID and error_in(events[at]):
            return at
        if _responds(events[at]):
            break
    return -1


def _responds(event: Event) -> bool:
    if is_of_the_user(event):
        return False
    parts = list(parts_of(content_of(event)))
    return get(event, "output") is not None or bool(parts and is_final(event, parts))


def _ends(event: Event) -> bool:
    if is_of_the_user(event):
        return False
    if _responds(event) or error_in(event):
        return True
    if any(as_bool(get(get(event, "actions"), name)) for name in _ENDS):
        return True
    finished = (each for each in payloads([event], "function_response") if get(each, "name") == _FINISH)
    return any(get(get(each, "response"), "result") in _FINISHED for each in finished)
