"""Members of a dataset case that nobody reads, though they may hold tool calls or texts; lost contents, and errors.

The known members are those of `EvalCase` and its models (vertexai._genai.types.evals), which forbid others. Only a case
may have columns of its own. They count if they can hold calls.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from evaltui.document.scanner import read_json
from evaltui.evalset.case_data import get, items_in, objects_in, parts_of
from evaltui.evalset.dataset_turns import Exchange, intermediate_events, is_of_user, reads_predicted_calls, turns_of
from evaltui.evalset.keys import snake, spelled
from evaltui.evalset.unread_members import has_read_part, unread_beside_calls, unread_in
from evaltui.printable import one_line

_Object = dict[str, Any]
_ERRORS = ("error", "error_code", "error_message")
"""Keys for an error. No model of a dataset has them, but other tools write them beside what an agent did."""
_SHOWN = 200

_OF_A_CASE = spelled(
    *_ERRORS,
    *("prompt", "responses", "system_instruction", "conversation_history", "rubric_groups", "eval_case_id", "eval_id"),
    *("intermediate_events", "agent_info", "agent_data", "user_scenario", "rubrics", "metadata", "labels", "tags"),
)
_EXPECTED = ("reference", "expected", "golden")
"""The first words of columns that hold expectations."""
_OF_AN_EVENT = spelled(
    *_ERRORS,
    *("author", "content", "event_time", "state_delta", "active_tools"),
    *("event_id", "creation_timestamp", "turn_id"),
)


def unread_in_case(case: Any) -> Iterator[str]:
    """The members of a case, outside its events, that may hold tool calls that nobody reads."""
    turns = turns_of(case)
    events = [*intermediate_events(case)]
    events += (event for turn in turns for event in objects_in(items_in(turn, "events")))
    parts = (part for event in events for part in parts_of(get(event, "content")))
    if all(get(part, "function_call") is None for part in parts):
        is_predicted = reads_predicted_calls(case)
        for key in unread_in(case, _OF_A_CASE):
            name, value = snake(key), case[key]
            holds = isinstance(value, dict | list) or (isinstance(value, str) and _json_in(value) is not None)
            if holds and not name.startswith(_EXPECTED) and not (is_predicted and name == "predicted_trajectory"):
                yield key
    of_data, of_a_turn = spelled("agents", "turns", *_ERRORS), spelled("turn_index", "turn_id", "events", *_ERRORS)
    yield from (f"agent_data.{key}" for key in unread_in(get(case, "agent_data"), of_data))
    for turn in turns:
        yield from (f"turns.{key}" for key in unread_in(turn, of_a_turn))
    for answer in objects_in(items_in(case, "responses")):
        yield from (f"responses.{key}" for key in unread_in(answer, spelled("response", *_ERRORS)))
        response = get(answer, "response")
        if isinstance(response, dict):
            yield from (f"responses.response.{key}" for key in unread_beside_calls(response))
            # A response is the text of a last turn, whose calls are in intermediate_events.
            if any(get(part, "function_call") is not None for part in parts_of(response)):
                yield "responses.response.parts.function_call"


def doubts_about(event: Any) -> Iterator[str]:
    """A sentence for each thing in an event that may be a call or a text that nobody reads."""
    content = get(event, "content")
    keys = [*unread_in(event, _OF_AN_EVENT)]
    keys += (f"content.{key}" for key in unread_beside_calls(content if isinstance(content, dict) else None))
    if keys:
        yield f"{', '.join(keys)} is not read: texts and tool calls of an event are in content.parts"
    if error := error_beside(event):
        yield f"an event has an error, so a text beside it or before it may be only a beginning: {error}"
    elif not keys and _lacks_content(event):
        yield "an event has no content that can be read"


def lacks_turns(case: Any) -> bool:
    """Whether the turns of a case may be more than those that can be read."""
    agent_data = get(case, "agent_data")
    unread_turns = (all(map(_lacks_content, items_in(turn, "events"))) for turn in items_in(agent_data, "turns"))
    return any(unread_in(agent_data, spelled("agents", "turns"))) or any(unread_turns)


def unread_message(case: Any) -> str | None:
    """A sentence about a message of the user that cannot be read, so that nobody knows where its turn begins."""
    turns = [[*objects_in(items_in(turn, "events"))] for turn in turns_of(case)]
    events = [event for turn in turns for event in turn]
    if any(_may_be_of_user(event) and _lacks_content(event) for event in events):
        return "a message of the user has no content that can be read"
    if any(_is_text_of_user(event) and not is_of_user(event) for event in events):
        return "a content has the role user, but its author is another"
    if any(turn and not any(map(_may_be_of_user, turn)) for turn in turns[1:]):
        return "a turn has no message of the user"
    return None


def _lacks_content(event: Any) -> bool:
    """Whether no part of an event can be read, though it is no change of state alone."""
    return not has_read_part(get(event, "content")) and get(event, "state_delta") is None


def _may_be_of_user(event: _Object) -> bool:
    author = get(event, "author")
    return author.lower() == "user" if isinstance(author, str) and author else True


def _is_text_of_user(event: _Object) -> bool:
    content = get(event, "content")
    parts = [*parts_of(content)]
    # A tool response has the role user, too.
    is_answer = any(get(part, "function_response") is not None for part in parts)
    return get(content, "role") == "user" and not is_answer and any(part.get("text") for part in parts)


def index_of_final(exchange: Exchange) -> int:
    """The index of the final response among all events of an exchange; -1 for none."""
    content = get(exchange.final, "content")
    indexes = (index for index, recorded in enumerate(exchange.recorded) if get(recorded, "content") is content)
    return next(indexes, -1) if content is not None else -1


# --- contents that are texts, as in tables ---------------------------------------------------------------------------


def with_read_contents(case: Any) -> Any:
    """The case; a JSON text in the place of a content, as in tables, is the content that it holds, or none."""
    if not isinstance(case, dict):
        return case
    # A bare text is a content, but JSON is not what an agent said: an error of a run, or events.
    return {key: _READERS[snake(key)](value) if snake(key) in _READERS else value for key, value in case.items()}


def _read_agent_data(data: Any) -> Any:
    turns = get(data, "turns")
    if not isinstance(turns, list):
        return data
    read = [
        {**turn, "events": _read_events(turn["events"])} if isinstance(turn, dict) and "events" in turn else turn
        for turn in turns
    ]
    return {**data, "turns": read}


def _read_events(events: Any) -> Any:
    return [_with_content(event, "content") for event in events] if isinstance(events, list) else events


def _read_responses(responses: Any) -> Any:
    if not isinstance(responses, list):
        return responses
    read = []
    for response in responses:
        if error := error_beside(response, "response"):
            # As the Vertex AI SDK writes it after an error: a text beside the error is only a beginning.
            read.append({"response": json.dumps({"error": error})})
        elif isinstance(words := get(response, "response"), str) and error_in(words) is not None:
            read.append(response)  # an error in the place of a response stays a text
        else:
            read.append(_with_content(response, "response"))
    return read


def _with_content(value: Any, name: str) -> Any:
    if not isinstance(value, dict) or not isinstance(value.get(name), str):
        return value
    return {**value, name: _content_in(value[name])}


def _content_in(words: str) -> _Object:
    """The content that a text is; {} for JSON that is not a content."""
    value = _json_in(words)
    if value is None:
        return {"parts": [{"text": words}]}
    return value if isinstance(value, dict) and value.keys() <= {"role", "parts"} else {}


def _json_in(words: str) -> Any:
    """The object or list of which a text is the JSON; None for other texts."""
    with suppress(ValueError):
        return read_json(words) if words.lstrip().startswith(("{", "[")) else None
    return None


_READERS: dict[str, Callable[[Any], Any]] = {
    "prompt": lambda prompt: (_content_in(prompt) or prompt) if isinstance(prompt, str) else prompt,
    "conversation_history": _read_events,
    "intermediate_events": _read_events,
    "agent_data": _read_agent_data,
    "responses": _read_responses,
}


# --- errors ----------------------------------------------------------------------------------------------------------


def error_in(words: str) -> str | None:
    """The error of a failed inference, which the Vertex AI SDK writes as JSON in the place of a response."""
    # As in `_run_inference_internal` and `_process_single_turn_agent_response` (vertexai._genai._evals_common).
    value = _json_in(words)
    if not isinstance(value, dict) or not value.keys() <= {"error", "response_type", "details"}:
        return None
    error = value.get("error")
    return one_line(error, _SHOWN) if isinstance(error, str) else None


def ends_with_error(exchange: Exchange) -> bool:
    """Whether the event with the final response of an exchange, or a later one, has an error."""
    return any(map(error_beside, exchange.recorded[max(index_of_final(exchange), 0) :]))


def error_beside(value: Any, name: str = "content") -> str:
    """The error in an object, or in its content `name`; "" for none."""
    errors = [get(holder, key) for holder in (value, get(value, name)) for key in _ERRORS]
    texts = (error if isinstance(error, str) else json.dumps(error) for error in errors if error)
    return ": ".join(one_line(error, _SHOWN) for error in texts)
