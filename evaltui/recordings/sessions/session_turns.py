"""Turns of a session: its events, grouped as in google-adk's own conversion.

The rules come from `EvaluationGenerator.convert_events_to_eval_invocations` (google.adk.evaluation) and
`Event.is_final_response` (google.adk.events.event). Events are plain data in either spelling; values stay unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from evaltui.evalset.case_data import as_bool, as_number, get, items_in, parts_of, text

Event = Mapping[str, Any]
_KEPT = ("function_call", "function_response", "inline_data")
"""The parts that keep an event in a turn, in addition to text."""
_OF_AN_EVENT = ("grounding_metadata", "usage_metadata", "model_version")
_REQUESTS = {
    "adk_request_confirmation": "to confirm a call",
    "adk_request_credential": "for credentials",
    "adk_request_input": "for input",
}
"""The calls by which google-adk asks its user (google.adk.flows.llm_flows.functions), and what for."""


def is_of_the_user(event: Event) -> bool:
    """Whether a user speaks."""
    return (text(event, "author") or "").lower() == "user"


def content_of(event: Event) -> dict[str, Any] | None:
    """The content of an event; None if there is none."""
    content = get(event, "content")
    return content if isinstance(content, dict) else None


def payloads(events: Iterable[Event], name: str) -> Iterator[Any]:
    """The values of one kind of part in events: their tool calls, or their tool responses."""
    values = (get(part, name) for event in events for part in parts_of(content_of(event)))
    return (value for value in values if value is not None)


def is_final(event: Event, parts: Sequence[dict[str, Any]]) -> bool:
    """`Event.is_final_response` for an event with parts."""
    if as_bool(get(get(event, "actions"), "skip_summarization")) or get(event, "long_running_tool_ids"):
        return True
    if as_bool(get(event, "partial")) or any(_has(part, "function_call") for part in parts):
        return False
    if get(event, "error_code"):
        return True
    return not any(_has(part, "function_response") for part in parts) and not _has(parts[-1], "code_execution_result")


def _has(part: dict[str, Any], name: str) -> bool:
    return get(part, name) is not None


# --- invocations -----------------------------------------------------------------------------------------------------


def group_events(events: Iterable[Event]) -> dict[str, list[Event]]:
    """Events by the id of their invocation, in the order in which the ids first appear; without rewinds alone."""
    groups: dict[str, list[Event]] = {}
    for event in (event for event in events if _rewound_to(event) is None or content_of(event) is not None):
        groups.setdefault(text(event, "invocation_id") or "", []).append(event)
    return groups


def invocation_of(identifier: str, events: Sequence[Event]) -> dict[str, Any]:
    """The invocation of this id, made of its events."""
    user_content: dict[str, Any] = {"parts": []}
    timestamp = 0.0
    final: Event | None = None
    final_has_text = False
    steps: list[Event] = []
    for event in events:
        content = content_of(event)
        if is_of_the_user(event):
            if content is not None:
                user_content, timestamp = content, as_number(get(event, "timestamp")) or 0.0
            continue
        parts = list(parts_of(content))
        if parts and is_final(event, parts):
            has_text = any(part.get("text") for part in parts)
            # A live response is sound and its text; the text can be graded.
            if has_text or not final_has_text:
                final, final_has_text = event, has_text
        if get(event, "grounding_metadata") is not None or any(
            part.get("text") or any(_has(part, name) for name in _KEPT) for part in parts
        ):
            steps.append(event)
    invocation: dict[str, Any] = {"invocation_id": identifier, "user_content": user_content}
    if final is not None:
        invocation["final_response"] = content_of(final)
    invocation["intermediate_data"] = {"invocation_events": [_invocation_event(event, final) for event in steps]}
    invocation["creation_timestamp"] = timestamp
    return invocation


def _invocation_event(event: Event, final: Event | None) -> dict[str, Any]:
    step: dict[str, Any] = {"author": text(event, "author") or ""}
    content = content_of(event)
    # google-adk does not repeat the text of the final response, but reads its calls from here (`get_all_tool_calls`).
    if content is not None and (event is not final or any(_has(part, "function_call") for part in parts_of(content))):
        step["content"] = content
    return step | {name: value for name in _OF_AN_EVENT if (value := get(event, name)) is not None}


# --- rewinds (`rewind_async` of google-adk's runner) -----------------------------------------------------------------


def live_events(events: Sequence[Event]) -> list[Event]:
    """The events that no rewind took back, without the rewinds themselves.

    As in google-adk (`google.adk.events._rewind_events`), a rewind takes back all from the first event of its
    invocation on. A rewind to an invocation that is not there takes back nothing.
    """
    first: dict[str, int] = {}
    for index, event in enumerate(events):
        if identifier := text(event, "invocation_id"):
            first.setdefault(identifier, index)
    live: list[Event] = []
    index = len(events) - 1
    # From the last on, because a rewind may itself be taken back by a later one.
    while index >= 0:
        target = _rewound_to(events[index])
        if target is None:
            live.append(events[index])
        else:
            index = min(index, first.get(target, index))
        index -= 1
    return live[::-1]


def _rewound_to(event: Event) -> str | None:
    return text(get(event, "actions"), "rewind_before_invocation_id")


# --- requests to the user --------------------------------------------------------------------------------------------


def ids_of_requests(events: Iterable[Event]) -> frozenset[str]:
    """The ids of calls by which google-adk asks its user, such as for a confirmation."""
    requests = (call for call in payloads(events, "function_call") if text(call, "name") in _REQUESTS)
    return frozenset(identifier for call in requests if (identifier := text(call, "id")) is not None)


def without_requests(events: Sequence[Event], ids: Container[str]) -> tuple[list[Event], tuple[str, ...]]:
    """The events of a turn without requests to the user and responses to these, and a sentence for each request."""
    # No case should expect such calls. They go before events become an invocation: google-adk continues the same
    # invocation after a person confirmed a call, and its conversion would read the confirmation as the user message.
    counts: Counter[str] = Counter()
    events_left: list[Event] = []
    for event in events:
        content = content_of(event)
        parts = items_in(content, "parts")
        parts_left = [part for part in parts if not _is_of_request(part, ids)]
        if content is None or len(parts_left) == len(parts):
            events_left.append(event)
            continue
        counts.update(name for call in payloads([event], "function_call") if (name := text(call, "name")) in _REQUESTS)
        if parts_left:
            events_left.append({**event, "content": {**content, "parts": parts_left}})
        else:
            events_left.append({key: value for key, value in event.items() if key != "content"})
    times = {name: f" ({count} times)" if count > 1 else "" for name, count in counts.items()}
    return events_left, tuple(f"{name}{times[name]}: google-adk asks the user {_REQUESTS[name]}" for name in counts)


def _is_of_request(part: Any, ids: Container[str]) -> bool:
    acts = (get(part, "function_call"), get(part, "function_response"))
    # A response may lack the name of its call.
    return any(text(act, "name") in _REQUESTS or text(act, "id") in ids for act in acts)


# --- turns in several invocations ------------------------------------------------------------------------------------


def continued_turns(groups: Mapping[str, Sequence[Event]]) -> dict[str, str]:
    """By the id of an invocation, the id of the invocation that continues its turn. `groups` are in order.

    A turn pauses and goes on after a person answered one of its calls. google-adk before its resumable invocations,
    adk-go and adk-java give such an answer an invocation of its own.
    """
    continued: dict[str, str] = {}
    called_in: dict[tuple[str, str], str] = {}
    """The last invocation so far with a call of this id or name."""
    previous: str | None = None
    for identifier, group in groups.items():
        own_keys = {key for call in payloads(group, "function_call") for key in _keys_of_act(call)}
        of_user = [event for event in group if is_of_the_user(event)]
        for response in payloads(of_user or group, "function_response"):
            key = next(_keys_of_act(response), None)
            if key is None or key in own_keys:
                continue
            # A response of the user always continues a turn: if no call has its id, the call itself is lost.
            paused = called_in.get(key, previous if of_user else None)
            if paused is not None:
                continued[paused] = identifier
        called_in |= dict.fromkeys(own_keys, identifier)
        previous = identifier
    return continued


def _keys_of_act(act: Any) -> Iterator[tuple[str, str]]:
    """The id and the name of a call or response, as far as it has them. The id counts first."""
    return ((name, value) for name in ("id", "name") if (value := text(act, name)) is not None)
