"""Values that JSON cannot represent: NaN, Infinity, numbers beyond a double, duplicate keys, and bad bytes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from evaltui.document import pointer as pointers
from evaltui.document.node import Node
from evaltui.document.scanner import refuse_deep
from evaltui.document.strings import first_invalid_utf8

_maybe_infinite = re.compile(rb"[0-9][eE]\+?[0-9]{3}|[0-9]{300}").search


class OddValue(NamedTuple):
    """A number that is not finite, a value whose key occurs again later in its object, or a text with bad bytes."""

    pointer: str
    node: Node
    is_shadowed: bool = False
    has_bad_bytes: bool = False
    """Whether its text or its key has bytes that are not UTF-8."""


def has_odd_values(root: Node) -> bool:
    """Whether a document may have such values; then all of its values must be checked. Raises RecursionError."""
    source = root.source()
    refuse_deep(source)
    if _maybe_infinite(source) or is_bad(source):
        return True
    found: list[object] = []

    def look_at(members: list[tuple[str, Any]]) -> None:
        if len(dict(members)) < len(members):
            found.append(members)

    decoder = json.JSONDecoder(object_pairs_hook=look_at, parse_constant=found.append)
    decoder.decode(source.decode("utf-8", "surrogateescape"))
    return bool(found)


def odd_values(node: Node, pointer: str) -> Iterator[OddValue]:
    """The odd values in the value at `pointer`."""
    if node.kind == "number" and _is_infinite(node.value()):
        yield OddValue(pointer, node)
    elif node.kind == "string" and is_bad(node.source()):
        yield OddValue(pointer, node, has_bad_bytes=True)
    hidden = shadowed(node)
    for index, item in enumerate(node.items):
        below = f"{pointer}/{pointers.escape(item.name if node.kind == 'object' else str(index))}"
        if item in hidden:
            yield OddValue(below, item, is_shadowed=True)
        else:
            if is_bad(item.key):
                yield OddValue(below, item, has_bad_bytes=True)
            yield from odd_values(item, below)


def is_bad(literal: bytes) -> bool:
    """Whether a text has bytes that are not UTF-8."""
    return first_invalid_utf8(literal) is not None


def shadowed(node: Node) -> Sequence[Node]:
    """The values of an object whose key occurs again later: readers use the last one."""
    if node.kind != "object":
        return ()
    last = {item.name: item for item in node.items}
    return [item for item in node.items if last[item.name] is not item] if len(last) < len(node.items) else ()


def with_finite_numbers(value: Any) -> Any:
    """A plain value with NaN and Infinity as texts. Raises RecursionError if it nests too deep."""
    if _is_infinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if not isinstance(value, dict | list):
        return value
    made = value.copy()
    for place, each in value.items() if isinstance(value, dict) else enumerate(value):
        made[place] = with_finite_numbers(each)  # a comprehension would be a second call in Python 3.11
    return made


def _is_infinite(value: Any) -> bool:
    """Whether JSON cannot represent a value; it can represent integers of any length."""
    return isinstance(value, float) and not math.isfinite(value)
