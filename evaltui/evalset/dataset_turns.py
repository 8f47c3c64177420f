"""A dataset case as plain data: its conversation split at user messages, what it states, and unreadable values.

A case need not be valid: a value of the wrong type counts as absent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from evaltui.document.scanner import read_json
from evaltui.evalset.case_data import get, items_in, objects, objects_in, parts_of, text, text_of_parts
from evaltui.evalset.keys import OWN_OF_CASES, spelled
from evaltui.evalset.turn import UnreadError, UnrecordedArguments, check_content, check_object, list_items
from evaltui.evalset.unread_members import unread_in

_Object = dict[str, Any]


@dataclass(slots=True)
class Exchange:
    """A user message and the events that follow it."""

    messages: list[Any]
    events: list[_Object] = field(default_factory=list)
    identifier: str = ""
    """The `turn_id` of the turn in which it begins; "" without one."""
    recorded: list[_Object] = field(default_factory=list)
    """All its events as they are, also messages of the user and events without a content that can be read."""

    @property
    def user_content(self) -> _Object:
        """The user message as one content."""
        return {"role": "user", "parts": [part for content in self.messages for part in parts_of(content)]}

    @property
    def final(self) -> _Object | None:
        """The event with the final response: the last text without a call or a tool response, as in google-adk."""
        for event in reversed(self.events):
            acts = any(
                get(part, name) is not None
                for part in parts_of(event["content"])
                for name in ("function_call", "function_response")
            )
            if not acts and text_of_parts(event["content"]):
                return event
        return None


def exchanges_of(case: Any, *, with_intermediate: bool) -> list[Exchange]:
    """The exchanges of a case; consecutive user messages count as one.

    The `intermediate_events` of a case without turns may be actual or expected. The caller decides whether they
    belong to the last exchange.
    """
    # For expected and for actual events, so that both are split alike.
    exchanges: list[Exchange] = []
    leading: list[_Object] = []
    for event in _events(case, with_intermediate=with_intermediate):
        content = content_in(get(event, "content"))
        if content is None:  # a state change, or the rest of a final response in google-adk
            (exchanges[-1].recorded if exchanges else leading).append(event)
            continue
        is_message = is_of_user(event)
        if not exchanges or (is_message and exchanges[-1].events):
            exchanges.append(Exchange([], identifier=text(event, "turn_id") or ""))
        if is_message:
            exchanges[-1].messages.append(content)
        else:
            exchanges[-1].events.append({"author": get(event, "author"), "content": content})
        exchanges[-1].recorded.append(event)
    if exchanges:
        exchanges[0].recorded[:0] = leading
    return exchanges


def _events(case: Any, *, with_intermediate: bool) -> Iterator[_Object]:
    """All events of a case in order; user events have the author `user`.

    Trace files of agents-cli keep the message that begins the only turn in `prompt`.
    """
    prompt = content_in(get(case, "prompt"))
    turns = turns_of(case)
    if turns:
        events = [dict(event, turn_id=get(turn, "turn_id")) for turn in turns for event in objects(turn, "events")]
        if prompt is not None and not any(is_of_user(event) for event in events):
            yield {"author": "user", "content": prompt}
        yield from events
        return
    yield from objects(case, "conversation_history")
    if prompt is not None:
        yield {"author": "user", "content": prompt}
    if with_intermediate:
        yield from intermediate_events(case)


def turns_of(case: Any) -> list[_Object]:
    """The turns of `agent_data`."""
    return list(objects(get(case, "agent_data"), "turns"))


def intermediate_events(case: Any) -> Iterator[_Object]:
    """The `intermediate_events` that are objects."""
    return objects(case, "intermediate_events")


def responses_of(case: Any) -> list[Any]:
    """The recorded responses to the last user message, contents or texts."""
    responses = (get(response, "response") for response in objects(case, "responses"))
    return [response for response in responses if response is not None]


def is_answered(case: Any) -> bool:
    """Whether a case records what an agent responded to the last user message.

    `intermediate_events` without a response do not count: they are expectations.
    """
    exchanges = exchanges_of(case, with_intermediate=True)
    if not exchanges or responses_of(case):
        return bool(exchanges)
    recorded = exchanges_of(case, with_intermediate=False)  # none if the message is one of the expectations, too
    return bool(recorded and recorded[-1].events and exchanges[-1].messages)


def is_of_user(event: Any) -> bool:
    """Whether the author is a user: a tool response has the role `user`, too."""
    content = content_in(get(event, "content"))
    if content is None or any(get(part, "function_response") is not None for part in parts_of(content)):
        return False
    author = get(event, "author")
    return author.lower() == "user" if isinstance(author, str) else content.get("role") == "user"


def content_in(value: Any) -> _Object | None:
    """A content with parts; a bare text becomes its only part, as in tables."""
    if isinstance(value, str):
        return {"parts": [{"text": value}]}
    return value if isinstance(value, dict) and any(parts_of(value)) else None


_OF_DATASETS = (
    *("eval_case_id", "prompt", "responses", "agent_data", "conversation_history", "user_scenario"),
    *("reference", "intermediate_events"),
)


def is_dataset_case(case: Any) -> bool:
    """Whether a case (as plain data) is a dataset case, judged by its keys."""
    has_own = any(get(case, name) is not None for name in _OF_DATASETS)
    return has_own and not any(get(case, name) is not None for name in OWN_OF_CASES)


# --- calls outside events --------------------------------------------------------------------------------------------

# Agent evaluation of Vertex AI (`vertexai.preview.evaluation`) keeps the calls of the agent in `predicted_trajectory`,
# a list of objects with `tool_name` and `tool_input`, beside the `reference_trajectory` that is expected.
_PREDICTED = "predicted_trajectory"


def with_predicted_calls(case: Any) -> Any:
    """The case with the calls of its `predicted_trajectory` as its `intermediate_events`; else the case itself."""
    if not reads_predicted_calls(case):
        return case
    # Intermediate events beside a predicted trajectory are expectations.
    members = {key: value for key, value in case.items() if key not in spelled("intermediate_events")}
    events = []
    for call in get(case, _PREDICTED):
        args = call.get("tool_input")
        # Without `tool_input`, or with an empty one beside other members, the arguments are not recorded.
        is_recorded = args is not None and (args or not any(unread_in(call, {"tool_name", "tool_input"})))
        function_call = {"name": call["tool_name"], "args": args if is_recorded else UnrecordedArguments()}
        events.append({"content": {"role": "model", "parts": [{"function_call": function_call}]}})
    return {**members, "intermediate_events": events}


def reads_predicted_calls(case: Any) -> bool:
    """Whether the calls of a case are those of its `predicted_trajectory`."""
    calls = get(case, _PREDICTED)
    if not isinstance(calls, list) or turns_of(case):  # a case with turns records its calls there
        return False
    names = [call.get("tool_name") for call in calls if isinstance(call, dict)]
    are_named = len(names) == len(calls) and all(isinstance(name, str) for name in names)
    return are_named and all(isinstance(call.get("tool_input"), dict | None) for call in calls)


# --- the part that a case states, without what an agent did: two runs of one case state the same ----------------------
_RECORDED = spelled(
    *("agent_data", "responses", "response", "predicted_trajectory", "agent_info"),
    *("error", "error_code", "error_message"),
)
"""Keys of a case for what an agent did, and for the agent. `agent_data` also has given turns."""
_STATED_IN_EVENT = ("author", "content", "state_delta")
"""Keys of a given event that count. Its id and its time are those of a run."""


def stated_text(source: bytes) -> bytes:
    """The JSON text of what a dataset case states; the `source` itself if it cannot be read, or is another case."""
    try:
        case = read_json(source)
    except ValueError:
        return source
    return json.dumps(stated_in(case)).encode() if is_dataset_case(case) else source


def stated_in(case: dict[str, Any]) -> dict[str, Any]:
    """The case (as plain data) without what an agent did after the last user message."""
    # `intermediate_events` stay: they are expectations, if only those of a case that has no other record of its calls.
    stated = {key: value for key, value in case.items() if key not in _RECORDED}
    turns = turns_of(case)
    if not turns and get(case, "prompt") is None:
        stated |= {key: _until_user(items_in(case, key)) for key in spelled("conversation_history") & case.keys()}
    events = _until_user([event for turn in turns for event in items_in(turn, "events")])
    # In a scenario, a simulated user wrote the messages of each run.
    if events and get(case, "user_scenario") is None:
        stated["agent_data"] = events
    return stated


def _until_user(values: list[Any]) -> list[_Object]:
    events = [*objects_in(values)]
    while events and not is_of_user(events[-1]):
        events.pop()
    return [{name: get(event, name) for name in _STATED_IN_EVENT} for event in events]


# --- unreadable values: they count as absent, so they must be reported -----------------------------------------------


def explain_unread(case: Any, *, is_answer: bool) -> str | None:
    """A sentence about the first unreadable value that tells what an agent did, or else what is asked or expected.

    None if there is none.
    """
    try:
        if is_answer:
            _check_turns(case)
        else:
            _check_text_or_content(get(case, "prompt"), "prompt")
        for name in ("conversation_history", "intermediate_events"):
            _check_contents(get(case, name), name, "content")
        if is_answer:
            _check_contents(get(case, "responses"), "responses", "response")
            return None
        if (data := get(case, "agent_data")) is not None:
            check_object(data, "agent_data")
            _check_turns(case)
        if (reference := get(case, "reference")) is not None:
            check_object(reference, "reference")
            _check_text_or_content(get(reference, "response"), "reference/response")
    except UnreadError as error:
        return str(error)
    return None


def _check_turns(case: Any) -> None:
    for place, turn in list_items(get(get(case, "agent_data"), "turns"), "agent_data/turns"):
        check_object(turn, place)
        _check_contents(get(turn, "events"), f"{place}/events", "content")


def _check_contents(values: Any, list_place: str, name: str) -> None:
    for place, value in list_items(values, list_place):
        check_object(value, place)
        _check_text_or_content(get(value, name), f"{place}/{name}")


def _check_text_or_content(content: Any, place: str) -> None:
    if not isinstance(content, str):
        check_content(content, place)
