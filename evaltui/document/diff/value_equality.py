"""Equality of JSON values whatever their spelling (RFC 6902 §4.6)."""

from __future__ import annotations

import re

from evaltui.document.node import Node

_number = re.compile(rb"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?\Z").match


def same_value(one: Node, other: Node, *, spelling: bool = False) -> bool:
    """Whether both are equal as JSON: numbers by amount, objects whatever their order, true is not 1.

    With `spelling`, numbers must also be spelt the same (1 and 1.0 are not).
    """
    if one.kind != other.kind:
        return False
    left, right = one.source(), other.source()
    return left == right or canonical(one, spelling=spelling) == canonical(other, spelling=spelling)


def canonical(node: Node, *, spelling: bool = False) -> str:
    """A text that is the same for equal values only. Needs no recursion."""
    parts: list[str] = []
    pending: list[Node | str] = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            parts.append(part)
        elif part.kind == "object":
            pending += _object_parts(part)
        elif part.kind == "array":
            pending.append("]")
            for item in reversed(part.items):
                pending += [",", item]
            parts.append("[")
        else:
            parts.append(_scalar(part, spelling))
    return "".join(parts)


def _object_parts(node: Node) -> list[Node | str]:
    """The parts of an object for the stack: its members by name; of equal names the last counts."""
    members = {item.name: item for item in node.items}
    parts: list[Node | str] = ["}"]
    for name in sorted(members, reverse=True):
        parts += [",", members[name], f"{name!r}:"]
    return [*parts, "{"]


def _scalar(node: Node, spelling: bool) -> str:
    if node.kind == "string":
        return repr(node.text())
    if node.kind == "number" and not spelling:
        return canonical_number(node.source())
    return node.source().decode("latin-1")


def canonical_number(raw: bytes) -> str:
    """A number's amount as digits and a power of ten, exact at any length: 1, 1.0 and 10e-1 are all `1e0`."""
    found = _number(raw)
    if found is None:  # NaN and the infinities
        return raw.decode("latin-1")
    sign, whole, fraction, exponent = (group or b"" for group in found.groups())
    digits = (whole + fraction).lstrip(b"0")
    significant = digits.rstrip(b"0")
    if not significant:
        return "0"
    if len(exponent) > 4000:
        return raw.decode("latin-1")
    power = int(exponent or b"0") - len(fraction) + len(digits) - len(significant)
    return f"{sign.decode()}{significant.decode()}e{power}"
