"""Comparison of JSON values: whether they are equal in any spelling, the edits between them, and hashes of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from evaltui.document import pointer as pointers
from evaltui.document.edits import Edit, Insert, Remove, Set
from evaltui.document.node import Node
from evaltui.document.sequence_diff import differing_runs

_number = re.compile(rb"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?\Z").match


def same_value(first: Node, second: Node, *, spelling: bool = False) -> bool:
    """Whether both are equal as JSON (RFC 6902 §4.6): numbers by amount, objects in any order, true is not 1.

    With `spelling`, numbers must also be spelt the same (1 and 1.0 are not).
    """
    if first.kind != second.kind:
        return False
    if first.source() == second.source():
        return True
    return _comparable(first, spelling) == _comparable(second, spelling)


def _comparable(root: Node, spelling: bool) -> str:
    """A text that is the same for equal values only."""

    def scalar_text(node: Node) -> str:
        """The text by which a scalar is compared."""
        if node.kind == "string":
            return repr(node.text())
        if node.kind == "number" and not spelling:
            return canonical_number(node.source())
        return node.source().decode("latin-1")

    return _sorted_text(root, scalar_text, repr)


def _sorted_text(root: Node, scalar_text: Callable[[Node], str], name_text: Callable[[str], str]) -> str:
    """A value as JSON text with its members sorted by name; of equal names the last counts. Needs no recursion."""
    texts: list[str] = []
    pending: list[Node | str] = [root]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            texts.append(part)
        elif not part.is_container:
            texts.append(scalar_text(part))
        else:
            parts: list[Node | str] = []
            if part.kind == "array":
                for item in part.items:
                    parts += [",", item]
            else:
                members = {item.name: item for item in part.items}
                for name in sorted(members):
                    parts += [",", f"{name_text(name)}:", members[name]]
            opening, closing = "[]" if part.kind == "array" else "{}"
            pending += reversed([opening, *parts[1:], closing])
    return "".join(texts)


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
    old, new = (
        {f"{place}/{pointers.escape(item.name)}": item for item in node.items} for node in (old_object, new_object)
    )
    edits: list[Edit] = [Remove(pointer) for pointer in old if pointer not in new]
    edits += [Insert(pointer, item.source()) for pointer, item in new.items() if pointer not in old]
    return edits, [(pointer, old[pointer], item) for pointer, item in new.items() if pointer in old]


def _array_edits(place: str, old_list: Node, new_list: Node, spelling: bool) -> tuple[list[Edit], list[_Pair]]:
    old, new = old_list.items, new_list.items
    if len(old) == len(new):
        return [], [(f"{place}/{n}", *pair) for n, pair in enumerate(zip(old, new, strict=True))]
    head = _equal_run(old, new, spelling)
    tail = _equal_run(old[head:][::-1], new[head:][::-1], spelling)
    edits: list[Edit] = []
    pairs: list[_Pair] = []
    texts, new_texts = (
        [_comparable(item, spelling) for item in items[head : len(items) - tail]] for items in (old, new)
    )
    # Last first, so that an edit does not move the runs still to come.
    for place_in_list, new_place in reversed(differing_runs(texts, new_texts)):
        first, stop, new_first, new_stop = (
            head + end for run in (place_in_list, new_place) for end in (run.start, run.stop)
        )
        shared = min(stop - first, new_stop - new_first)
        pairs += [(f"{place}/{first + n}", old[first + n], new[new_first + n]) for n in range(shared)]
        behind = first + shared
        edits += [Remove(f"{place}/{behind}")] * (stop - behind)
        edits += [
            Insert(f"{place}/{behind + n}", item.source()) for n, item in enumerate(new[new_first + shared : new_stop])
        ]
    return edits, pairs


def _equal_run(old: list[Node], new: list[Node], spelling: bool) -> int:
    pairs = zip(old, new, strict=False)
    differing = (n for n, (a, b) in enumerate(pairs) if not same_value(a, b, spelling=spelling))
    return next(differing, min(len(old), len(new)))


# --- hashes ----------------------------------------------------------------------------------------------------

_DIGITS = 16  # hexadecimal: enough to distinguish all versions of a case
_MOST_DIGITS = 4000  # of a whole number; Python's own limit for reading one is a little higher


def value_hash(source: bytes) -> str:
    """The hash of the JSON value with the text `source`, in hexadecimal digits.

    Numbers count by amount (1, 1.0 and 10e-1 are equal), objects in any order; of equal keys the last counts, as for
    JSON parsers.
    """
    from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL, which the first frame of the editor does without

    try:
        # C code reads and writes nearly every case, 20 times faster than the walk below. Both give the same text.
        text = _hashed_text(source)
    except (ValueError, RecursionError):
        # Without recursion, for values that nest deep or hold vast numbers.
        text = _sorted_text(Node(source), _hashed_scalar, json.dumps)
    # The hash must be the same on each Python and in each later version, since baselines keep it.
    return sha256(text.encode("ascii")).hexdigest()[:_DIGITS]


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
        raise ValueError("a whole number has too many digits for Python")
    return int(text)


_decoder = json.JSONDecoder(parse_float=_fraction, parse_int=_whole, strict=False)


def _hashed_text(source: bytes) -> str:
    value = _decoder.decode(source.decode("utf-8", "surrogateescape"))
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _hashed_scalar(node: Node) -> str:
    try:
        return _hashed_text(node.source())
    except ValueError:
        return canonical_number(node.source())
