"""Members of contents and tool calls that google-genai does not have, so nobody knows what they hold.

Its models forbid other keys. A recording that has them may hold text or tool calls that are not read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Set
from typing import Any

from evaltui.evalset.case_data import get, parts_of
from evaltui.evalset.content_parts import PAYLOADS
from evaltui.evalset.keys import camel, spelled

_NOTHING: tuple[object, ...] = (None, "", [], {})
_CONTENT = spelled("role", "parts")
_PART = spelled(
    *("text", "thought", "thought_signature", "part_metadata", "media_resolution", "media_processing"),
    *("speech_metadata", *PAYLOADS),
)
_OF_CALLS = spelled("id", "name", "args", "partial_args", "will_continue")
_OF_PAYLOADS = {
    key: (name, members)
    for name, members in (
        ("function_call", _OF_CALLS),
        ("tool_call", spelled("id", "tool_type", "args")),
        ("tool_response", spelled("id", "tool_type", "response")),
    )
    for key in spelled(name)
}
"""The members of the payloads that could be tool calls, and their name in snake_case, by their key.

A `tool_call` of google-genai calls a tool of the model.
"""


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
        if isinstance(part, dict):
            yield from _unread_in_part(part)
        else:
            yield "parts"


def _unread_in_part(part: dict[str, Any]) -> Iterator[str]:
    for key, member in part.items():
        if key == "text":
            if not isinstance(member, str | None):
                yield "parts.text"
        elif not _is_known(key, part, _PART):
            if member not in _NOTHING:
                yield f"parts.{key}"
        elif key in _OF_PAYLOADS and member is not None:
            name, known = _OF_PAYLOADS[key]
            if isinstance(member, dict):
                yield from (f"parts.{name}.{inner}" for inner in unread_in(member, known))
            else:
                yield f"parts.{name}"


def unread_in_call(call: dict[str, Any]) -> Iterator[str]:
    """The members of a tool call (`tool_uses`) that hold a value nobody reads."""
    yield from unread_in(call, _OF_CALLS)


def unread_in(value: Any, known: Set[str]) -> Iterator[str]:
    """The keys of an object, besides those that are `known`, that hold a value: not null, "", [] or {}.

    A key in snake_case beside the same key in camelCase is not read either.
    """
    if isinstance(value, dict):
        for key, member in value.items():
            if not _is_known(key, value, known) and member not in _NOTHING:
                yield key


def _is_known(key: str, value: dict[str, Any], known: Set[str]) -> bool:
    return key in known and ("_" not in key or camel(key) not in value)


def unread_beside_calls(content: Any) -> Iterator[str]:
    """As `unread_in_content`, without the members of function calls: these can only be arguments."""
    return (key for key in unread_in_content(content) if not key.startswith("parts.function_call."))


def has_read_part(content: Any) -> bool:
    """Whether a content has a text or a payload."""
    return any(map(is_read, parts_of(content)))


def is_read(part: dict[str, Any]) -> bool:
    """Whether a part has a text or a payload."""
    return isinstance(part.get("text"), str) or any(get(part, name) is not None for name in PAYLOADS)


def responses_without_calls(
    responses: Iterable[Any], calls: Iterable[Any], known: Container[str] = ()
) -> Iterator[str]:
    """The names of the tool responses whose call is not among these calls, so that a call is missing.

    They belong together by id, or by name if one of them has no id. A call may have several responses. `known` are the
    ids of calls of other turns.
    """
    named, given = ([(_text(each, "id"), _text(each, "name")) for each in side] for side in (calls, responses))
    ids, answered = {identifier for identifier, _ in named}, {identifier for identifier, _ in given}
    without_id = Counter(name for identifier, name in named if not identifier)
    others = Counter(name for identifier, name in named if identifier and identifier not in answered)
    for identifier, name in given:
        if identifier and (identifier in ids or identifier in known):
            continue
        if named and not (identifier or name):
            continue
        left = others if not identifier and others[name] > 0 else without_id
        left[name] -= 1
        if left[name] < 0:
            yield name


def why_calls_are_missing(responses: Iterable[Any], calls: Iterable[Any], known: Container[str] = ()) -> Iterator[str]:
    """A sentence for each tool, one of whose responses has no call among these; see `responses_without_calls`."""
    for name in dict.fromkeys(responses_without_calls(responses, calls, known)):
        yield f"{name or 'a tool'} has a response, but its call is not recorded"


def ids_of_calls(calls: Iterable[Any]) -> frozenset[str]:
    """The ids of tool calls."""
    return frozenset(filter(None, (_text(call, "id") for call in calls)))


def _text(value: Any, name: str) -> str:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
