"""A turn as metrics see it, expected or actual: eval sets and all kinds of recordings are read into turns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from evaltui.evalset.case_data import PlainTurn, as_number, get, text
from evaltui.evalset.content_parts import OtherPart, read_content
from evaltui.evalset.unread_members import OF_CALLS, unread_in
from evaltui.printable import one_line

TurnPart = Literal["user_text", "calls", "arguments", "response"]
"""A part of a turn that metrics compare; `arguments` are those of its calls."""
_NAME = 40
"""The most characters of a name in a sentence."""
ALL_PARTS: frozenset[TurnPart] = frozenset({"user_text", "calls", "arguments", "response"})
NOT_RECORDED = "not recorded"
"""The words in the place of a part that a recording does not hold."""


class UnrecordedArguments(dict[str, Any]):
    """The arguments of a call in a recording that does not hold them: empty, and equal to {}, as in agentevals.

    If the recorder left out only some values, the others stay, with its placeholders: equal arguments still match.
    """


class TurnCall(NamedTuple):
    """A tool call with its response."""

    name: str | None
    args: dict[str, Any] | None = None
    """The arguments; None for absent or null, which google-adk treats alike, but differently from {}."""
    id: str | None = None
    response: Any = None
    author: str = ""
    """The agent that its event names; "" if none is named."""

    @property
    def has_args(self) -> bool:
        """Whether its arguments are known, if only as absent."""
        return not isinstance(self.args, UnrecordedArguments)


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange: user message, tool calls, response."""

    user_text: str
    calls: tuple[TurnCall, ...] = ()
    response: str = ""
    """The text of the final response; "" if there is none."""
    invocation_id: str = ""
    inference_calls: int | None = None
    """The number of model calls; None if unknown."""
    tokens: int | None = None
    """The number of input and output tokens; None if nothing was counted."""
    seconds: float | None = None
    """The duration; None if it was not measured."""
    other_parts: tuple[OtherPart, ...] = ()
    """Parts of the final response other than text; metrics ignore them. Turns of traces have none."""
    user_parts: tuple[OtherPart, ...] = ()
    """Parts of the user content other than text."""
    unrecorded: frozenset[TurnPart] = frozenset()
    """The parts that the recording does not hold. They are empty here, but nobody knows what they were."""
    unstated: frozenset[TurnPart] = frozenset()
    """The parts of an expected turn for which a case of a dataset states no expectation, not even that of nothing."""
    failure: str = ""
    """The error with which the agent ended before its response; such a turn fails, but is no golden."""

    @property
    def is_blank(self) -> bool:
        """Whether nothing was read: no text, no other part and no tool call."""
        return not (self.user_text or self.response or self.calls or self.user_parts or self.other_parts)


def without_blanks(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """The turns of a conversation. If nothing was read in any of them, all their parts count as not recorded."""
    # A recorder without message content writes turns with nothing in them. They must not pass for *no call, no answer*.
    read = tuple(turns)
    if all(turn.is_blank for turn in read):
        return tuple(replace(turn, unrecorded=ALL_PARTS) for turn in read)
    return read


def turn_of(invocation: Any) -> Turn:
    """The turn in an invocation (as plain data); a value of the wrong type counts as absent."""
    return turn_in(PlainTurn(invocation))


def turn_in(invocation: PlainTurn) -> Turn:
    """The turn in an invocation."""
    data, events = invocation.data, invocation.events
    # Of a duplicate id the last response counts, as in google-adk.
    answers = {
        response["id"]: response.get("response")
        for response in invocation.responses
        if isinstance(response, dict) and isinstance(response.get("id"), str)
    }
    # As google-adk's `_is_model_call_event` tells them.
    are_model_calls = [
        any(get(event, name) is not None for name in ("usage_metadata", "model_version")) for event in events
    ]
    authored = zip(invocation.calls, invocation.authors, strict=True)
    user_text, user_parts = read_content(get(data, "user_content"))
    response, other_parts = read_content(get(data, "final_response"))
    return Turn(
        user_text,
        tuple([_call(call, author, answers) for call, author in authored if isinstance(call, dict)]),
        response,
        text(data, "invocation_id") or "",
        sum(are_model_calls) if invocation.has_events else None,
        _count_tokens(events) if events else None,
        as_number(get(data, "duration")),
        other_parts,
        user_parts,
    )


def _call(data: dict[str, Any], author: Any, responses: Mapping[str, Any]) -> TurnCall:
    name, args, identifier = data.get("name"), data.get("args"), data.get("id")
    return TurnCall(
        name if isinstance(name, str) else None,
        args if isinstance(args, dict) else None,
        identifier if isinstance(identifier, str) else None,
        responses.get(identifier) if isinstance(identifier, str) else None,
        author if isinstance(author, str) else "",
    )


def _count_tokens(events: Iterable[Any]) -> int | None:
    """The sum of the reported usage, as in `_TokenUsageV1Evaluator`; None if nothing is reported."""
    # As in google-adk, the total is input plus output, never the total that a model reports.
    usages = [usage for event in events if (usage := get(event, "usage_metadata")) is not None]
    counts = [get(usage, f"{name}_token_count") for usage in usages for name in _COUNTED]
    # pydantic reads 12.0 for an integer, and refuses 12.5.
    numbers = [count if isinstance(count, int) else as_number(count) for count in counts]
    counted = [int(number) for number in numbers if number is not None and number % 1 == 0]
    return sum(counted) if counted else None


_COUNTED = ("prompt", "tool_use_prompt", "candidates", "thoughts")
"""The counts of `GenerateContentResponseUsageMetadata` for input and output. Cached tokens are among the prompt's."""


# --- what a recorder left out --------------------------------------------------------------------------------------

_PLACEHOLDERS = frozenset(
    {
        "<elided>",  # google-adk and the instrumentations of OpenTelemetry, without message content
        "<not serializable>",  # google-adk, for a value that is no JSON
        "<REDACTED>",  # Claude Code; agentevals reads both as absent
        "__REDACTED__",  # OpenInference
        "[redacted]",  # LangSmith's anonymizer
    }
)
_SCRUBBED = re.compile(r"\[Scrubbed due to .*\]")
"""Logfire, with the word for which it leaves out the whole value."""


def is_placeholder(value: Any) -> bool:
    """Whether a value is a text that a recorder wrote in the place of a value that it left out."""
    return isinstance(value, str) and ((text := value.strip()) in _PLACEHOLDERS or bool(_SCRUBBED.fullmatch(text)))


def placeholder_in(value: Any) -> str | None:
    """The first such text in a value of any depth; None if there is none."""
    pending = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            if is_placeholder(value):
                return value.strip()
        elif isinstance(value, dict):
            pending += value.values()
        elif isinstance(value, list):
            pending += value
    return None


# --- what cannot be read: `turn_of` counts it as absent, and a call that is lost must not pass for none ----------


class UnreadError(ValueError):
    """A value that metrics compare has the wrong type; the message says what is wrong and where."""


def check_invocation(invocation: Any) -> None:
    """Check that an invocation can be read as it is; unknown keys are allowed. Raises UnreadError."""
    check_object(invocation, "it")
    data = get(invocation, "intermediate_data")
    if data is not None:
        check_object(data, "intermediate_data")
        calls, events = get(data, "tool_uses"), get(data, "invocation_events")
        if calls and events:
            raise UnreadError("intermediate_data has both tool_uses and invocation_events")
        for number, call in enumerate(_list(calls, "intermediate_data/tool_uses")):
            _check_call(call, "intermediate_data/tool_uses/{}", number)
        for place, event in list_items(events, "intermediate_data/invocation_events"):
            check_object(event, place)
            check_content(event.get("content"), f"{place}/content")
    check_content(get(invocation, "final_response"), "final_response")


def with_read_calls(turn: Turn, calls: Sequence[Any]) -> tuple[Turn, list[str]]:
    """The turn of these calls, and sentences about names and arguments that are not read: they are not recorded."""
    listed = [call for call in calls if isinstance(call, dict)]
    unread = [[*unread_in(call, OF_CALLS), *(key for key in _STREAMED if call.get(key))] for call in listed]
    # One call without a name, and nobody knows which calls were made: the calls of the whole turn are unrecorded.
    nameless = [keys for call, keys in zip(listed, unread, strict=True) if not call.get("name")]
    if nameless:
        keys = dict.fromkeys(key for keys in nameless for key in keys)
        read = "google-adk has the name of a tool call in name, and its arguments in args"
        why = f"{', '.join(keys)} is not read: {read}" if keys else "a tool call has no name"
        named = tuple(call for call in turn.calls if call.name)
        return replace(turn, calls=named, unrecorded=turn.unrecorded | {"calls"}), [why]
    # Arguments are unrecorded beside a member that google-genai does not have, which may hold them, and with a
    # placeholder in them.
    hidden = [placeholder_in(call.args) for call in turn.calls]
    keys = dict.fromkeys(key for keys in unread for key in keys)
    names = ", ".join(keys)
    reasons = [f"{names} is not read: google-adk has the arguments of a tool call in args"] if keys else []
    if keys and set(keys) <= set(_STREAMED):
        reasons = [f"the arguments of a tool call are not finished: it has {names}"]
    reasons += (
        f"{one_line(call.name or '', _NAME)} has {text} in place of an argument that is not recorded"
        for call, text in zip(turn.calls, hidden, strict=True)
        if text
    )
    if not reasons:
        return turn, []
    marked = (
        call._replace(args=UnrecordedArguments({} if keys else call.args or {})) if keys or text else call
        for call, keys, text in zip(turn.calls, unread, hidden, strict=True)
    )
    return replace(turn, calls=tuple(marked), unrecorded=turn.unrecorded | {"arguments"}), list(dict.fromkeys(reasons))


_STREAMED = ("partial_args", "partialArgs", "will_continue", "willContinue")
"""The keys of a call whose arguments a model has not finished: what is in `args` may be a part of them."""


def with_read_text(turn: Turn) -> Turn:
    """The turn; if its response has only parts without a text, such as an image, its text is not recorded."""
    # A picture or a sound may say what the golden text says: an empty text would fail it for sure.
    if turn.response or not turn.other_parts:
        return turn
    return replace(turn, unrecorded=turn.unrecorded | {"response"})


def check_content(content: Any, place: str) -> None:
    """Check that a content, or null, can be read as it is. Raises UnreadError."""
    if content is None:
        return
    check_object(content, place)
    parts = content.get("parts")
    # `_list` is asked only for what is no list: a large recording has a million contents.
    for number, part in enumerate(parts if isinstance(parts, list) else _list(parts, f"{place}/parts")):
        if not isinstance(part, dict):
            raise UnreadError(f"{place}/parts/{number} is not an object")
        if not isinstance(part.get("text"), str | None):
            raise UnreadError(f"{place}/parts/{number}/text is not a string")
        if (call := get(part, "function_call")) is not None:
            _check_call(call, f"{place}/parts/{{}}/function_call", number)


def _check_call(call: Any, place: str, number: int) -> None:
    # `place` has {} for the index: formatting it for each call takes longer than checking the call.
    if not isinstance(call, dict):
        raise UnreadError(f"{place.format(number)} is not an object")
    # The calls of OpenAI: google-adk would read a call without a name.
    if call.get("name") is None and isinstance(call.get("function"), dict):
        raise UnreadError(f"{place.format(number)} has a function in place of a name and args")
    if not isinstance(call.get("name"), str | None):
        raise UnreadError(f"{place.format(number)}/name is not a string")
    if not isinstance(call.get("args"), dict | None):
        raise UnreadError(f"{place.format(number)}/args is not an object")


def check_object(value: Any, place: str) -> None:
    """Check that a value is an object. Raises UnreadError."""
    if not isinstance(value, dict):
        raise UnreadError(f"{place} is not an object")


def list_items(values: Any, place: str) -> Iterator[tuple[str, Any]]:
    """The items of a list, each with its place; empty for null. Raises UnreadError if it is not a list."""
    for number, value in enumerate(_list(values, place)):
        yield f"{place}/{number}", value


def _list(values: Any, place: str) -> list[Any]:
    """The items of a list; empty for null. Raises UnreadError if it is not a list."""
    if values is None:
        return []
    if not isinstance(values, list):
        raise UnreadError(f"{place} is not a list")
    return values
