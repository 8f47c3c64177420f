"""JSON documents in pieces: long lists are made item by item, so a document is never whole in memory."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from evaltui.report.json_text import json_text


class JsonItems(NamedTuple):
    """A list of a document. Its items are made when the document is written."""

    texts: Callable[[int | None], Iterable[str]]
    """Makes the JSON texts of the items, with this indentation."""


def items_of(values: Iterable[Any]) -> JsonItems:
    """A list whose items are made one after another."""
    return JsonItems(lambda indent: (json_text(value, indent=indent) for value in values))


def json_pieces(document: Any, indent: int | None) -> Iterator[str]:
    """The text of a document with `JsonItems` in it, the same as `json_text` gives for plain lists."""
    mark = secrets.token_hex(16)  # no text of a file can hold it
    lists: list[JsonItems] = []
    pieces = json_text(_marked(document, mark, lists), indent=indent).split(f'"{mark}"')
    for piece, items in zip_longest(pieces, lists):
        yield piece
        if items is not None:
            line = piece[piece.rfind("\n") + 1 :]
            yield from _list(items.texts(indent), indent, len(line) - len(line.lstrip(" ")))


def _marked(value: Any, mark: str, lists: list[JsonItems]) -> Any:
    """The value with a mark in place of each list."""
    if isinstance(value, JsonItems):
        lists.append(value)
        return mark
    if isinstance(value, dict):
        return {key: _marked(member, mark, lists) for key, member in value.items()}
    if isinstance(value, list):
        return [_marked(element, mark, lists) for element in value]
    return value


def _list(texts: Iterable[str], indent: int | None, level: int) -> Iterator[str]:
    margin = "\n" + " " * (level + indent) if indent is not None else ""
    between = "," + (margin or " ")
    is_empty = True
    for text in texts:
        yield "[" + margin if is_empty else between
        yield text.replace("\n", margin) if indent is not None else text
        is_empty = False
    yield "[]" if is_empty else ("\n" + " " * level if indent is not None else "") + "]"
