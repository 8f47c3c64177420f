"""Problems of JSON files that are not eval sets, for which there are no rules; found in slices of work."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.document.positions import line_and_column, text_before, text_range_of
from evaltui.document.scanner import POSSESSIVE
from evaltui.document.strings import decode, first_invalid_utf8
from evaltui.printable import quoted

_TOO_MANY = 100
"""The largest number of problems that are reported; more would tell the reader nothing new."""

_DEEP = 900
"""The deepest level that is checked.

Many parsers fail at greater depths, and each level here is parsed again for the next one.
"""

_brackets = re.compile(rf'"(?:[^"\\]++|\\.)*{POSSESSIVE}"?|[\[\]{{}}]'.encode()).finditer


@dataclass(frozen=True, slots=True)
class Oddity:
    """A problem with its place. `severity` is error, warning or info; lines and columns count from 1."""

    severity: str
    message: str
    line: int
    column: int
    node: Node | None = None


def find_oddities(document: Document) -> Iterator[Oddity | None]:
    """The problems of `document`, with a None after each slice of work, so that the caller can do other things."""
    if document.fault is not None:
        yield Oddity(
            "error", f"invalid JSON: {document.fault.message}", *document.line_and_column(document.fault.offset)
        )
    yield from _encoding_oddities(document)
    yield None
    if document.root is None:
        return
    count = 0
    for part in _parts(document.root):
        # The fast parser looks at each part first; only flagged parts are walked node by node, which is slow.
        for oddity in _walk(part) if _looks_odd(part.source()) else ():
            count += 1
            if count > _TOO_MANY:
                yield Oddity(
                    "info", "more problems of this kind are not listed", oddity.line, oddity.column, oddity.node
                )
                return
            yield oddity
        yield None


def _encoding_oddities(document: Document) -> Iterator[Oddity]:
    if document.encoding.codec != "utf-8":
        name = document.encoding.codec.upper()
        yield Oddity("warning", f"the file is {name}, which google-adk does not read; saving keeps the encoding", 1, 1)
    elif document.encoding.mark:
        yield Oddity("warning", "the file begins with a byte order mark, which google-adk rejects", 1, 1)
    if document.root is None:
        body = document.body()
        offset = first_invalid_utf8(body)
        if offset is not None:
            yield Oddity("error", _not_utf8(body[offset]), *line_and_column(body[:offset]))


def _not_utf8(byte: int) -> str:
    return f"byte 0x{byte:02X} is not UTF-8; it is shown as � and stays in the file"


def _parts(root: Node) -> Iterator[Node]:
    """Small pieces that cover the document: the items of its outer lists, and the parts of large items."""
    if not root.items or _has_odd_name(root):
        yield root
        return
    for member in root.items:
        if member.is_unfolded and member.items and not _has_odd_name(member):
            yield from member.items
        else:
            yield member


def _has_odd_name(node: Node) -> bool:
    return _has_double_name(node) or any(_is_odd_key(item.key) for item in node.items)


def _has_double_name(node: Node) -> bool:
    return node.kind == "object" and len({item.name for item in node.items}) < len(node.items)


def _is_odd_key(literal: bytes) -> bool:
    return _has_half_pair(literal) or first_invalid_utf8(literal) is not None


def _has_half_pair(literal: bytes) -> bool:
    """Whether a string has an escape of half of a surrogate pair. Invalid UTF-8 is reported elsewhere."""
    if b"\\ud" not in literal.lower():
        return False
    return any("\ud800" <= character <= "\udfff" for character in decode(literal.decode("utf-8", "replace").encode()))


def _looks_odd(source: bytes) -> bool:
    odd: list[bool] = []

    def members(pairs: list[tuple[str, Any]]) -> None:
        if len({name for name, _ in pairs}) < len(pairs):
            odd.append(True)

    decoder = json.JSONDecoder(
        object_pairs_hook=members, parse_constant=lambda _: odd.append(True), parse_int=bool, parse_float=bool
    )
    try:
        decoder.decode(source.decode("latin-1"))
    except RecursionError:
        return True
    return (
        bool(odd) or b"\\ud" in source or b"\\uD" in source or first_invalid_utf8(source) is not None or is_deep(source)
    )


def is_deep(source: bytes) -> bool:
    """Whether values are nested too deep for most programs. The limit of Python's own parser depends on its version."""
    if source.count(b"[") + source.count(b"{") <= _DEEP:
        return False
    depth = 0
    for found in _brackets(source):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(found[0], 0)
        if depth > _DEEP:
            return True
    return False


def _walk(part: Node) -> Iterator[Oddity]:
    pending = [(part, 0)]
    deepest_told = False
    while pending:
        node, depth = pending.pop()
        if depth > _DEEP:
            if not deepest_told:
                deepest_told = True
                yield _oddity(
                    "warning", f"values are nested over {_DEEP} levels deep here; most programs cannot read this", node
                )
        elif node.is_container:
            pending += [(item, depth + 1) for item in reversed(node.items)]
            yield from _odd_names(node)
            for item in node.items:
                yield from _broken_bytes(item, item.key, len(item.key) + len(item.colon))
        elif node.kind == "number" and node.source()[-1:] in b"Ny":
            yield _oddity(
                "warning", f"{node.source().decode()} is not valid JSON, though many programs accept it", node
            )
        elif node.kind == "string":
            yield from _broken_bytes(node, node.source(), 0)
            if _has_half_pair(node.source()):
                yield _oddity(
                    "warning", "the string has half of a surrogate pair, so google-adk rejects the file", node
                )


def _broken_bytes(node: Node, literal: bytes, back: int) -> Iterator[Oddity]:
    """The first byte of a string that is not UTF-8; the string begins `back` bytes before the value of `node`."""
    offset = first_invalid_utf8(literal)
    if offset is not None:
        before = text_before(node)
        place = line_and_column(before[: len(before) - back] + literal[:offset])
        yield Oddity("error", _not_utf8(literal[offset]), *place, node)


def _odd_names(node: Node) -> Iterator[Oddity]:
    seen: set[str] = set()
    for item in node.items if node.kind == "object" else ():
        if item.name in seen:
            yield _oddity("warning", f"duplicate key {quoted(item.name)}; only the last value is read", item)
        if _has_half_pair(item.key):
            yield _oddity("warning", "the key has half of a surrogate pair, so google-adk rejects the file", item)
        seen.add(item.name)


def _oddity(severity: str, message: str, node: Node) -> Oddity:
    place = text_range_of(node)
    return Oddity(severity, message, place.line, place.column, node)
