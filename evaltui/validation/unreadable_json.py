"""JSON that evaltui reads and google-adk's parser does not."""

from __future__ import annotations

import pydantic_core

from evaltui.document import Document, Node
from evaltui.document.inspection import is_deep
from evaltui.validation.broken_bytes import not_utf_8
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.rules import syntax as rules

_LEVELS = 190
"""Nodes as deep as this may be too deep: pydantic's parser stops at about 200 levels."""
_FEW = 3
"""So many levels are looked into where there are so many that each takes its time."""


def unreadable(node: Node, said: str) -> Diagnostic:
    """The diagnostic at the innermost value that cannot be read; `said` is what the parser has against it."""
    levels = _LEVELS if not is_deep(node.source()) else _FEW
    at, depth = node, 0
    while depth < levels and (below := next(filter(_fails, at.items), None)) is not None:
        at, depth = below, depth + 1
    bad_bytes = not_utf_8(at.key + at.colon + at.source(), 1)
    if bad_bytes:
        return rules.NOT_UTF_8.at(at.pointer(), bad_bytes[0].message)
    if "recursion" in said:
        return rules.TOO_DEEP.at(at.pointer(), "nested deeper than google-adk reads (about 200 levels)")
    if "surrogate" in said or "hex escape" in said or "code point" in said:
        return rules.BAD_CHARACTER.at(at.pointer(), "holds half a character, which google-adk rejects")
    return rules.NOT_JSON.at(at.pointer(), f"google-adk cannot read this: {said}")


def _fails(node: Node) -> bool:
    try:
        pydantic_core.from_json(node.source())
    except ValueError:
        return True
    return False


def of_encoding(document: Document) -> list[Diagnostic]:
    """What google-adk has against the encoding of a file."""
    encoding = document.encoding
    if encoding.codec != "utf-8":
        said = f"the file is {encoding.codec.upper()}; google-adk reads UTF-8 only"
        return [rules.WRONG_ENCODING.at("", said)]
    if encoding.mark:
        said = "the file begins with a byte order mark, which google-adk rejects"
        return [rules.BYTE_ORDER_MARK.at("", said, fix=Fix("Take the mark out", True, ()))]
    return []
