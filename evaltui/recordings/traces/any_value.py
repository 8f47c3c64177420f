"""Attributes as OTLP's JSON writes them: lists of keys and typed values, or plain objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from evaltui.recordings.traces.attribute_values import decimal, items, members, scalar_text, whole_number
from evaltui.recordings.traces.doubts import BAD_ATTRIBUTE, TOO_DEEP, Doubts
from evaltui.recordings.traces.spans import NONE, Attributes

_DEEPEST = 64
_TYPES = ("stringValue", "boolValue", "intValue", "doubleValue", "bytesValue", "arrayValue", "kvlistValue")


def attributes(raw: Any, doubts: Doubts, is_wanted: Callable[[str], bool]) -> Attributes:
    """The attributes that are wanted; members of objects have dotted names, later ones win."""
    if isinstance(raw, dict):
        return {key: value for key, value in _flat(raw, "", 0) if is_wanted(key)} or NONE
    found: dict[str, Any] = {}
    if raw is not None and not isinstance(raw, list):
        doubts.note(BAD_ATTRIBUTE)
    for item in items(raw):
        key = item.get("key") if isinstance(item, dict) else None
        if not isinstance(key, str):
            doubts.note(BAD_ATTRIBUTE)
        elif is_wanted(key) and (value := item.get("value")) is not None:
            if is_typed(value):
                found[key] = any_value(value, doubts)
            elif value != {}:  # which is how nothing is written
                doubts.note(BAD_ATTRIBUTE)
    return found or NONE


def is_typed(value: Any) -> bool:
    """Whether a value says of which type it is (`AnyValue`)."""
    return isinstance(value, dict) and any(name in value for name in _TYPES)


def any_value(raw: Any, doubts: Doubts, depth: int = 0) -> Any:
    """The value of an `AnyValue`; bytes stay the text that encodes them; None for nothing that is known."""
    if not isinstance(raw, dict):
        return None
    if depth > _DEEPEST:
        doubts.note(TOO_DEEP)
        return None
    kind = next((name for name in _TYPES if name in raw), None)
    value = raw[kind] if kind else None
    match kind:
        case "stringValue" | "bytesValue":
            return scalar_text(value)
        case "boolValue":
            return bool(value)
        case "intValue":
            return whole_number(value) or 0
        case "doubleValue":
            return decimal(value)
        case "arrayValue":
            values = items(members(value).get("values"))
            return [any_value(each, doubts, depth + 1) for each in values if isinstance(each, dict)]
        case "kvlistValue":
            return {
                each["key"]: any_value(each.get("value"), doubts, depth + 1)
                for each in items(members(value).get("values"))
                if isinstance(each, dict) and isinstance(each.get("key"), str)
            }
    return None


def _flat(raw: dict[str, Any], prefix: str, depth: int) -> Iterator[tuple[str, Any]]:
    for key, value in raw.items():
        if isinstance(value, dict) and depth < _DEEPEST:
            yield from _flat(value, f"{prefix}{key}.", depth + 1)
        else:
            yield prefix + key, value
