"""Problems of JSON files that are not eval sets, for which there are no rules; found in slices of work."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.document.positions import TextRange, line_and_column
from evaltui.document.scanner import is_deep
from evaltui.document.strings import decode, invalid_utf8
from evaltui.printable import quoted
from evaltui.validation.rule_types import Diagnostic, Severity
from evaltui.validation.rules.json_syntax import VERY_DEEP, may_be_bad

_MOST = 100
"""The largest number of problems that are reported."""
# More would tell the reader nothing new, and a screen of thousands takes long to draw.


Oddity = tuple[Diagnostic, Node | None]
"""A problem that no rule has found (its code is ""), and the value that has it."""


def _oddity(severity: Severity, message: str, place: tuple[int, int], node: Node | None = None) -> Oddity:
    return Diagnostic("", severity, message, "", place=TextRange(*place, *place)), node


def find_oddities(document: Document) -> Iterator[Oddity | None]:
    """The problems of `document`, with a None after each slice of work, so that the caller can do other things."""
    root, fault, encoding = document.root, document.fault, document.encoding
    if fault is not None:
        yield _oddity("error", f"invalid JSON: {fault.message}", document.line_and_column(fault.offset))
    if encoding == "utf-8-sig":
        yield _oddity("warning", "the file begins with a byte order mark, which google-adk rejects", (1, 1))
    elif encoding != "utf-8":
        message = f"the file is {encoding.upper()}, which google-adk does not read; saving keeps the encoding"
        yield _oddity("warning", message, (1, 1))
    if root is None:
        body = document.body()
        if (place := invalid_utf8(body)) is not None:
            yield _oddity("error", _not_utf8(body[place[0]]), line_and_column(body[: place[0]]))
        yield None
        return
    yield None
    count = 0
    for part in _parts(root):
        # The fast parser looks at each part first; only flagged parts are walked node by node, which is slow.
        for oddity in _walk(part) if _looks_odd(part.source()) else ():
            count += 1
            if count > _MOST:
                diagnostic, node = oddity
                yield replace(diagnostic, severity="info", message="more problems of this kind are not listed"), node
                return
            yield oddity
        yield None


def _not_utf8(byte: int) -> str:
    return f"byte 0x{byte:02X} is not UTF-8; it is shown as � and stays in the file"


def _parts(root: Node) -> Iterator[Node]:
    """Small pieces that cover the document: the items of its outer lists, and the parts of large items."""
    # A problem of a key is seen only from the object around it, so that such an object is one piece.
    if not root.items or _has_odd_name(root):
        yield root
        return
    for member in root.items:
        if member.is_unfolded and member.items and not _has_odd_name(member):
            yield from member.items
        else:
            yield member


def _has_odd_name(node: Node) -> bool:
    has_duplicate = node.kind == "object" and len({item.name for item in node.items}) < len(node.items)
    return has_duplicate or any(_has_half_pair(item.key) or invalid_utf8(item.key) is not None for item in node.items)


def _has_half_pair(literal: bytes) -> bool:
    if b"\\ud" not in literal.lower():
        return False
    # Bytes that are not UTF-8 would be surrogates, too; they are problems of another kind.
    return any("\ud800" <= character <= "\udfff" for character in decode(literal.decode("utf-8", "replace").encode()))


def _looks_odd(source: bytes) -> bool:
    is_odd = False

    def members(pairs: list[tuple[str, Any]]) -> None:
        nonlocal is_odd
        is_odd = is_odd or len({name for name, _ in pairs}) < len(pairs)

    def constant(_name: str) -> None:
        nonlocal is_odd
        is_odd = True

    decoder = json.JSONDecoder(object_pairs_hook=members, parse_constant=constant, parse_int=bool, parse_float=bool)
    try:
        # Latin-1 reads any bytes, and of texts only the names matter here.
        decoder.decode(source.decode("latin-1"))
    except RecursionError:
        return True
    return is_odd or may_be_bad(source) or is_deep(source, most=VERY_DEEP)


def _walk(part: Node) -> Iterator[Oddity]:
    pending = [(part, 0)]
    is_too_deep = False
    while pending:
        node, depth = pending.pop()
        message = ""
        if depth > VERY_DEEP:  # each level is parsed again for the next one
            if not is_too_deep:
                is_too_deep = True
                message = f"values are nested over {VERY_DEEP} levels deep here; most programs cannot read this"
        elif node.is_container:
            pending += [(item, depth + 1) for item in reversed(node.items)]
            yield from _odd_names(node)
        elif node.kind == "number" and node.source()[-1:] in b"Ny":
            message = f"{node.source().decode()} is not valid JSON, though many programs accept it"
        elif node.kind == "string":
            yield from _broken_bytes(node, node.source(), 0)
            if _has_half_pair(node.source()):
                message = "the string has half of a surrogate pair, so google-adk rejects the file"
        if message:
            yield _oddity("warning", message, line_and_column(node.text_before()), node)


def _odd_names(node: Node) -> Iterator[Oddity]:
    names: set[str] = set()
    for item in node.items if node.kind == "object" else ():
        for is_odd, message in (
            (item.name in names, f"duplicate key {quoted(item.name)}; only the last value is read"),
            (_has_half_pair(item.key), "the key has half of a surrogate pair, so google-adk rejects the file"),
        ):
            if is_odd:
                yield _oddity("warning", message, line_and_column(item.text_before()), item)
        names.add(item.name)
    for item in node.items:
        yield from _broken_bytes(item, item.key, len(item.key) + len(item.colon))


def _broken_bytes(node: Node, literal: bytes, distance: int) -> Iterator[Oddity]:
    """The first byte of a string that is not UTF-8; the string begins `distance` bytes before the value of `node`."""
    if (bad := invalid_utf8(literal)) is not None:
        text = node.text_before()
        place = line_and_column(text[: len(text) - distance] + literal[: bad[0]])
        yield _oddity("error", _not_utf8(literal[bad[0]]), place, node)
