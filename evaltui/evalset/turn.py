"""A turn as metrics look at it, whether a set expects it or an agent did it.

`turn_of` reads google-adk's `Invocation` as plain data, in either spelling and either shape of intermediate data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from evaltui.evalset.keys import camel


class ToolCall(NamedTuple):
    """A call of a tool with its response."""

    name: str | None
    args: dict[str, Any] | None = None
    """None for absent and for null, which google-adk takes for the same, and for another thing than {}."""
    id: str | None = None
    response: Any = None


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens that models took and gave in a turn (`TokenUsageDetails`); None where nobody counted."""

    total: int | None = None
    input: int | None = None
    prompt: int | None = None
    cached: int | None = None
    tool_use: int | None = None
    output: int | None = None
    candidates: int | None = None
    reasoning: int | None = None


@dataclass(frozen=True, slots=True)
class Durations:
    """How long a turn took, in seconds (`DurationDetails`); None where nobody measured."""

    total: float | None = None
    model: float | None = None
    tool: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange: what the user says, which tools are called, what the agent answers."""

    user_text: str
    calls: tuple[ToolCall, ...] = ()
    response: str = ""
    """The text of the final response; "" where there is none."""
    invocation_id: str = ""
    inference_calls: int | None = None
    """How often a model was asked; None where that is not known."""
    tokens: Tokens | None = None
    durations: Durations | None = None
    models: tuple[str, ...] = ()
    """The models asked, each once, in order."""


def turn_of(invocation: Mapping[str, Any]) -> Turn:
    """The turn that an invocation holds; what has another type than it should counts as absent."""
    data = get(invocation, "intermediate_data")
    data = data if isinstance(data, dict) else {}
    is_events = "invocation_events" in data or "invocationEvents" in data
    parts = [part for event in _dicts(get(data, "invocation_events")) for part in parts_of(get(event, "content"))]
    listed = (get(part, "function_call") for part in parts) if is_events else get(data, "tool_uses")
    answered = (get(part, "function_response") for part in parts) if is_events else get(data, "tool_responses")
    responses = {id: get(each, "response") for each in _dicts(answered) if (id := get(each, "id")) is not None}
    identifier = get(invocation, "invocation_id")
    return Turn(
        user_text=text_of_parts(get(invocation, "user_content")),
        calls=tuple(_call(each, responses) for each in _dicts(listed)),
        response=text_of_parts(get(invocation, "final_response")),
        invocation_id=identifier if isinstance(identifier, str) else "",
    )


def get(value: Any, name: str) -> Any:
    """The member `name` (in snake_case) of an object in either spelling, the camelCase one first; None for none."""
    if not isinstance(value, dict):
        return None
    other = camel(name)
    return value[other] if other in value else value.get(name)


def text_of_parts(content: Any) -> str:
    """The texts of a content's parts, a line each, as google-adk joins them (`get_text_from_content`)."""
    texts = (part.get("text") for part in parts_of(content))
    return "\n".join(text for text in texts if isinstance(text, str) and text)


def parts_of(content: Any) -> Iterator[dict[str, Any]]:
    """The parts of a content."""
    return _dicts(get(content, "parts"))


def _call(data: dict[str, Any], responses: Mapping[Any, Any]) -> ToolCall:
    name, args, identifier = data.get("name"), data.get("args"), data.get("id")
    return ToolCall(
        name if isinstance(name, str) else None,
        args if isinstance(args, dict) else None,
        identifier if isinstance(identifier, str) else None,
        responses.get(identifier) if isinstance(identifier, str) else None,
    )


def _dicts(values: Any) -> Iterator[dict[str, Any]]:
    for value in values if values is not None and not isinstance(values, dict | str | int | float) else ():
        if isinstance(value, dict):
            yield value
