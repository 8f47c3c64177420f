"""Rules about JSON that parsers read in different ways: duplicate keys and NaN."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from json import JSONDecoder
from typing import Any

from evaltui.document.edits import Edit, Move, Remove
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.document.scanner import read_json
from evaltui.printable import quoted
from evaltui.validation.rule import Diagnostic, Fix, Rule, a_case, a_set

_TALK = (
    '"conversation": [{"user_content": {"parts": [{"text": "Hi"}]},\n'
    '   "final_response": {"parts": [{"text": "Hello"}]}}]'
)


def read_data(source: bytes, reader: str = "google-adk") -> tuple[Any, list[Diagnostic]]:
    """The data of a JSON text, and a diagnostic for each duplicate key and NaN; the last of duplicate keys counts.

    `reader` is the program that reads the file.

    Raises `ValueError` for invalid JSON or UTF-8, and `RecursionError` for values that are nested too deeply.
    """
    odd: list[bool] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            odd.append(True)
        return found

    def constant(name: str) -> float:
        odd.append(True)
        return float(name)

    data = read_json(source.decode(), JSONDecoder(object_pairs_hook=members, parse_constant=constant))
    return data, list(_odd_in(Node(source), reader)) if odd else []


def _odd_in(root: Node, reader: str) -> Iterator[Diagnostic]:
    pending = [(root, "")]
    while pending:
        node, pointer = pending.pop()
        if node.kind == "number" and node.source()[-1:] in b"Ny":
            yield _constant(node, pointer, reader)
        for name, times in Counter(item.name for item in node.items).items() if node.kind == "object" else ():
            if times > 1:
                yield _doubled(name, times, f"{pointer}/{escape(name)}")
        names = node.kind == "object"
        pending += [
            (item, f"{pointer}/{escape(item.name) if names else number}")
            for number, item in reversed([*enumerate(node.items)])
        ]


DUPLICATE_KEY = Rule(
    "duplicate-key",
    "An object has the same key twice.",
    "google-adk reads only the last value and gives no warning. When google-adk writes the file, the other values are "
    "lost. RFC 8259 does not define which value a parser reads.",
    a_set(
        f'{{"eval_set_id": "desk", "name": "Desk", "name": "Front desk",\n "eval_cases": [{{"eval_id": '
        f'"a", {_TALK}}}]}}'
    ),
    a_set(f'{{"eval_set_id": "desk", "name": "Front desk",\n "eval_cases": [{{"eval_id": "a", {_TALK}}}]}}'),
    "Deletes the values that google-adk ignores (not safe: a deleted value may be the intended value).",
    group="syntax",
)


def _doubled(name: str, times: int, pointer: str) -> Diagnostic:
    # Always index 0: each removal makes the next duplicate the first.
    fix = Fix("Delete the ignored keys", False, tuple(Remove(pointer, 0) for _ in range(times - 1)))
    count = "" if times == 2 else f" ({times} times)"
    said = f"duplicate key {quoted(name, 40)}{count}; only the last value is read"
    return DUPLICATE_KEY.at(pointer, said, at_key=True, fix=fix)


def with_reachable_fixes(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The diagnostics without the fixes that a document would refuse, because a duplicate key is in their way.

    No pointer reaches a value at or below a duplicate key.
    """
    every = [*found]
    doubled = {each.pointer for each in every if each.code == DUPLICATE_KEY.code}
    for each in every:
        is_unreachable = each.fix is not None and _passes(each, doubled)
        yield replace(each, fix=None) if is_unreachable else each


def _passes(found: Diagnostic, doubled: set[str]) -> bool:
    """Whether a fix edits a value at or below a duplicate key; the fix of the duplicate key itself does not count."""
    edits = found.fix.edits if found.fix is not None and doubled else ()
    own = {found.pointer} if found.code == DUPLICATE_KEY.code else set()
    return any(
        place in doubled and place not in own
        for edit in edits
        for pointer in _pointers(edit)
        for place in _way(pointer)
    )


def _pointers(edit: Edit) -> tuple[str, ...]:
    return (edit.pointer, edit.origin) if isinstance(edit, Move) else (edit.pointer,)


def _way(pointer: str) -> Iterator[str]:
    while pointer:
        yield pointer
        pointer = pointer.rpartition("/")[0]


NOT_A_NUMBER = Rule(
    "not-a-number",
    "A number is NaN or Infinity.",
    "google-adk's parser reads NaN and Infinity, but `LocalEvalSetsManager` writes null. So an argument changes "
    "without a warning, and null in a timestamp makes the whole file invalid. Other programs refuse the file.",
    a_case(
        f'{{"eval_id": "a", "session_input": {{"app_name": "desk", "user_id": "u", "state": {{"fee": '
        f"NaN}}}},\n {_TALK}}}"
    ),
    a_case(
        f'{{"eval_id": "a", "session_input": {{"app_name": "desk", "user_id": "u", "state": {{"fee": 0}}}},\n {_TALK}}}'
    ),
    group="syntax",
)


def _constant(node: Node, pointer: str, reader: str) -> Diagnostic:
    said = f"{node.source().decode()} is not valid JSON; {reader} reads it, but writes null"
    return NOT_A_NUMBER.at(pointer, said)
