"""The plain data of JSON text, and what is odd about the text that data does not show."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from evaltui.document.edits import Remove
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.printable import one_line
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.rules.values import DUPLICATE_KEY, NOT_A_NUMBER


def read_plain(source: bytes) -> tuple[Any, list[Diagnostic]]:
    """The data of a JSON text, the last of equal keys as everywhere, and a finding for each equal key and NaN.

    Raises `ValueError` or `RecursionError` for what Python's parser does not read, and for what is no UTF-8.
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

    data = json.loads(source.decode(), object_pairs_hook=members, parse_constant=constant)
    return data, list(_odd_in(Node(source))) if odd else []


def _odd_in(root: Node) -> Iterator[Diagnostic]:
    pending = [(root, "")]
    while pending:
        node, pointer = pending.pop()
        if node.kind == "number" and node.source()[-1:] in b"Ny":
            said = f"{node.source().decode()} is no JSON; google-adk reads it, and writes null"
            yield NOT_A_NUMBER.at(pointer, said)
        for name, times in Counter(item.name for item in node.items).items() if node.kind == "object" else ():
            if times > 1:
                yield _doubled(name, times, f"{pointer}/{escape(name)}")
        names = node.kind == "object"
        pending += [
            (item, f"{pointer}/{escape(item.name) if names else number}")
            for number, item in reversed([*enumerate(node.items)])
        ]


def _doubled(name: str, times: int, pointer: str) -> Diagnostic:
    # From the first: the ones behind it move up.
    fix = Fix("Take out what is not read", False, tuple(Remove(pointer, 0) for _ in range(times - 1)))
    said = f"the key {one_line(name, 40)!r} stands {'twice' if times == 2 else f'{times} times'}; the last one is read"
    return DUPLICATE_KEY.at(pointer, said, at_key=True, fix=fix)
