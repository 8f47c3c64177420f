"""Comparison of two JSON values: whether they are equal in any spelling, and the edits that turn one into the other."""

from __future__ import annotations

import re

from evaltui.document import pointer as pointers
from evaltui.document.edits import Edit, Insert, Remove, Set
from evaltui.document.node import Node
from evaltui.document.sequence_diff import DifferingRun, differing_runs

_number = re.compile(rb"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?\Z").match


def same_value(first: Node, second: Node, *, spelling: bool = False) -> bool:
    """Whether both are equal as JSON (RFC 6902 §4.6): numbers by amount, objects in any order, true is not 1.

    With `spelling`, numbers must also be spelt the same (1 and 1.0 are not).
    """
    if first.kind != second.kind:
        return False
    if first.source() == second.source():
        return True
    return canonical(first, spelling=spelling) == canonical(second, spelling=spelling)


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
    match = _number(raw)
    if match is None:  # NaN and the infinities
        return raw.decode("latin-1")
    sign, integer, fraction, exponent = (group or b"" for group in match.groups())
    digits = (integer + fraction).lstrip(b"0")
    significant = digits.rstrip(b"0")
    if not significant:
        return "0"
    if len(exponent) > 4000:  # Python refuses to read so many digits
        return raw.decode("latin-1")
    power = int(exponent or b"0") - len(fraction) + len(digits) - len(significant)
    return f"{sign.decode()}{significant.decode()}e{power}"


_Pair = tuple[str, Node, Node]


def edits_between(old: Node, new: Node, pointer: str, *, spelling: bool = False) -> list[Edit]:
    """Edits that give the value at `pointer`, now `old`, the value of `new`.

    Values that are equal as JSON are not edited. With `spelling`, scalars in another spelling (1 and 1.0) are edited
    too. Apply the edits in order. Needs no recursion.
    """
    groups: list[list[Edit]] = []
    pending: list[_Pair] = [(pointer, old, new)]
    while pending:
        place, old, new = pending.pop()
        both_unfolded = old.is_unfolded and new.is_unfolded  # then joining each level would cost more
        if not both_unfolded and old.source() == new.source():
            continue
        edits: list[Edit]
        if old.kind == new.kind == "object" and names_are_unique(old) and names_are_unique(new):
            edits, pairs = _object_edits(place, old, new)
        elif old.kind == new.kind == "array":
            edits, pairs = _array_edits(place, old, new, spelling)
        elif same_value(old, new, spelling=spelling):
            continue
        else:
            edits, pairs = [Set(place, new.source())], []
        groups.append(edits)
        pending += pairs
    # Deeper changes go first: their pointers are valid only while the containers around them are unchanged.
    return [edit for group in reversed(groups) for edit in group]


def names_are_unique(node: Node) -> bool:
    """Whether no member of an object shares its name."""
    return len({item.name for item in node.items}) == len(node.items)


def _object_edits(place: str, old_object: Node, new_object: Node) -> tuple[list[Edit], list[_Pair]]:
    old = {item.name: item for item in old_object.items}
    new = {item.name: item for item in new_object.items}
    edits: list[Edit] = [Remove(f"{place}/{pointers.escape(name)}") for name in old if name not in new]
    edits += [Insert(f"{place}/{pointers.escape(n)}", item.source()) for n, item in new.items() if n not in old]
    pairs = [(f"{place}/{pointers.escape(name)}", old[name], new[name]) for name in new if name in old]
    return edits, pairs


def _array_edits(place: str, old_list: Node, new_list: Node, spelling: bool) -> tuple[list[Edit], list[_Pair]]:
    old, new = old_list.items, new_list.items
    if len(old) == len(new):
        return [], [
            (f"{place}/{n}", old_item, new_item) for n, (old_item, new_item) in enumerate(zip(old, new, strict=True))
        ]
    head = _equal_run(old, new, spelling)
    tail = _equal_run(old[head:][::-1], new[head:][::-1], spelling)
    edits: list[Edit] = []
    pairs: list[_Pair] = []
    for start, stop, new_start, new_stop in _runs(old[head : len(old) - tail], new[head : len(new) - tail], spelling):
        shared = min(stop - start, new_stop - new_start)
        first, new_first = head + start, head + new_start
        pairs += [(f"{place}/{first + n}", old[first + n], new[new_first + n]) for n in range(shared)]
        behind = first + shared
        edits += [Remove(f"{place}/{behind}")] * (head + stop - behind)
        edits += [
            Insert(f"{place}/{behind + n}", item.source())
            for n, item in enumerate(new[new_first + shared : head + new_stop])
        ]
    return edits, pairs


def _equal_run(old: list[Node], new: list[Node], spelling: bool) -> int:
    """The number of equal items at the start of both lists."""
    pairs = zip(old, new, strict=False)
    differing = (n for n, (a, b) in enumerate(pairs) if not same_value(a, b, spelling=spelling))
    return next(differing, min(len(old), len(new)))


def _runs(old: list[Node], new: list[Node], spelling: bool) -> list[DifferingRun]:
    """The runs in which both lists differ, last first, so that an edit does not move the runs still to come."""
    old_texts, new_texts = ([canonical(item, spelling=spelling) for item in items] for items in (old, new))
    return differing_runs(old_texts, new_texts)[::-1]
