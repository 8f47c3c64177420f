"""Hashes of JSON values: equal for equal values, however these are spelt, ordered and laid out."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from evaltui.document.node import Node
from evaltui.document.value_comparison import canonical_number

_DIGITS = 16  # hexadecimal: enough to distinguish all versions of a case
_MOST_DIGITS = 4000  # of a whole number; Python's own limit for reading one is a little higher


class _VastNumberError(ValueError):
    """A whole number has too many digits for Python."""


def value_hash(source: bytes) -> str:
    """The hash of the JSON value with the text `source`, in hexadecimal digits.

    Numbers count by amount (1, 1.0 and 10e-1 are equal), objects in any order; of equal keys the last counts, as for
    JSON parsers.
    """
    # The hash must be the same on each Python and in each later version, since baselines keep it.
    return sha256(_canonical(source).encode("ascii")).hexdigest()[:_DIGITS]


def _canonical(source: bytes) -> str:
    try:
        # C code reads and writes nearly every case, 20 times faster than the walk below. Both give the same text.
        return _encode(_decoder.decode(source.decode("utf-8", "surrogateescape")))
    except (ValueError, RecursionError):
        return _walked(Node(source))


def _fraction(text: str) -> float | int:
    """The number in a JSON text with a point or an exponent. A whole number is exact, as without them."""
    number = float(text)
    if not number.is_integer() and abs(number) != float("inf"):
        return number
    digits, _, power = canonical_number(text.encode()).partition("e")
    if int(power or 0) < 0:
        return number
    return _whole(digits + "0" * min(int(power or 0), _MOST_DIGITS + 1))


def _whole(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise _VastNumberError(text[:20])
    return int(text)


_decoder = json.JSONDecoder(parse_float=_fraction, parse_int=_whole, strict=False)


def _encode(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _walked(node: Node) -> str:
    """The canonical text without recursion, for values that nest deep or hold vast numbers."""
    parts: list[str] = []
    pending: list[Node | str] = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            parts.append(part)
        elif part.is_container:
            pending += reversed(_parts_of(part))
        else:
            parts.append(_scalar(part))
    return "".join(parts)


def _parts_of(node: Node) -> list[Node | str]:
    parts: list[Node | str] = []
    if node.kind == "array":
        for item in node.items:
            parts += [",", item]
        return ["[", *parts[1:], "]"]
    members = {item.name: item for item in node.items}
    for name in sorted(members):
        parts += [",", f"{json.dumps(name)}:", members[name]]
    return ["{", *parts[1:], "}"]


def _scalar(node: Node) -> str:
    source = node.source()
    try:
        return _encode(_decoder.decode(source.decode("utf-8", "surrogateescape")))
    except ValueError:
        return canonical_number(source)
