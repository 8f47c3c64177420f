"""Members of contents and tool calls that google-genai does not have, and tool calls that are missing.

Its models forbid other keys. A recording that has them may hold text or tool calls that are not read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Set
from typing import Any

from evaltui.evalset.case_data import get, parts_of, text
from evaltui.evalset.content_parts import PAYLOADS
from evaltui.evalset.keys import camel, spelled

_NOTHING: tuple[object, ...] = (None, "", [], {})
_CONTENT = spelled("role", "parts")
_PART = spelled(
    *("text", "thought", "thought_signature", "part_metadata", "media_resolution", "media_processing"),
    *("speech_metadata", *PAYLOADS),
)
OF_CALLS = spelled("id", "name", "args", "partial_args", "will_continue")
"""The members of a tool call (`tool_uses`)."""
_CALLS = {
    key: (name, members)
    for name, members in (
        ("function_call", OF_CALLS),
        ("tool_call", spelled("id", "tool_type", "args")),  # google-genai's call of a tool of the model
        ("tool_response", spelled("id", "tool_type", "response")),
    )
    for key in spelled(name)
}
"""The members of the payloads that could be tool calls, and their name in snake_case, by their key."""


def unread_in_content(content: Any) -> Iterator[str]:
    """The members of a content that hold a value nobody reads: `parts.tool_calls`; the content is null or an object."""
    if content is None:
        return
    if not isinstance(content, dict):
        yield "content"
        return
    yield from unread_in(content, _CONTENT)
    parts = content.get("parts")
    if not isinstance(parts, list | None):
        yield "parts"
        return
    for part in parts or ():
        # A part that is no object may be a text, or anything else.
        if isinstance(part, dict):
            yield from _unread_in_part(part)
        else:
            yield "parts"


def _unread_in_part(part: dict[str, Any]) -> Iterator[str]:
    for key, member in part.items():
        if key == "text":
            if not isinstance(member, str | None):
                yield "parts.text"
        elif not _is_read_key(key, part, _PART):
            if member not in _NOTHING:
                yield f"parts.{key}"
        elif key in _CALLS and member is not None:
            name, read_keys = _CALLS[key]
            if isinstance(member, dict):
                yield from (f"parts.{name}.{unread}" for unread in unread_in(member, read_keys))
            else:
                yield f"parts.{name}"


def unread_in(value: Any, read_keys: Set[str]) -> Iterator[str]:
    """The keys of an object, besides the `read_keys`, that hold a value: not null, "", [] or {}."""
    if isinstance(value, dict):
        for key, member in value.items():
            if not _is_read_key(key, value, read_keys) and member not in _NOTHING:
                yield key


def _is_read_key(key: str, value: dict[str, Any], read_keys: Set[str]) -> bool:
    # google-adk reads the camelCase key of two spellings, so that the other one holds what nobody reads.
    return key in read_keys and ("_" not in key or camel(key) not in value)


def unread_beside_calls(content: Any) -> Iterator[str]:
    """As `unread_in_content`, without the members of function calls."""
    # Those can only be arguments, so that no call and no text is missing.
    return (key for key in unread_in_content(content) if not key.startswith("parts.function_call."))


def has_read_part(content: Any) -> bool:
    """Whether a content has a text or a payload."""
    return any(map(is_read, parts_of(content)))


def is_read(part: dict[str, Any]) -> bool:
    """Whether a part has a text or a payload."""
    return isinstance(part.get("text"), str) or any(get(part, name) is not None for name in PAYLOADS)


def is_read_whole(content: Any) -> bool:
    """Whether no part of a content may be a text that nobody reads."""
    return all(is_read(part) or not any(unread_beside_calls({"parts": [part]})) for part in parts_of(content))


def responses_without_calls(
    responses: Iterable[Any], calls: Iterable[Any], other_ids: Container[str] = ()
) -> Iterator[str]:
    """The names of the tool responses whose call is not among these calls, so that a call is missing.

    They belong together by id, or by name if one of them has no id. `other_ids` are those of calls of other turns.
    """
    call_keys, response_keys = (
        [(text(value, "id") or "", text(value, "name") or "") for value in values] for values in (calls, responses)
    )
    call_ids, response_ids = ({identifier for identifier, _ in keys} for keys in (call_keys, response_keys))
    without_id = Counter(name for identifier, name in call_keys if not identifier)
    unanswered = Counter(name for identifier, name in call_keys if identifier and identifier not in response_ids)
    for identifier, name in response_keys:
        # A call may have several responses, such as those of a long-running tool.
        if identifier and (identifier in call_ids or identifier in other_ids):
            continue
        if call_keys and not (identifier or name):
            continue
        counts = unanswered if not identifier and unanswered[name] > 0 else without_id
        counts[name] -= 1
        if counts[name] < 0:
            yield name


def why_calls_are_missing(
    responses: Iterable[Any], calls: Iterable[Any], other_ids: Container[str] = ()
) -> Iterator[str]:
    """A sentence for each tool, one of whose responses has no call among these; see `responses_without_calls`."""
    for name in dict.fromkeys(responses_without_calls(responses, calls, other_ids)):
        yield f"{name or 'a tool'} has a response, but its call is not recorded"


def ids_of_calls(calls: Iterable[Any]) -> frozenset[str]:
    """The ids of tool calls."""
    return frozenset(filter(None, (text(call, "id") for call in calls)))
