"""JSON text of reports: whole, or in pieces for documents with lists that are larger than the memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from evaltui.printable import json_escaped
from evaltui.scoring.results import plain

JsonItems = Callable[["int | None"], Iterable[str]]
"""A list of a document whose items are made when it is written: it gives their JSON texts with an indentation."""


def items_of(values: Iterable[Any]) -> JsonItems:
    """A list whose items are made one after another."""
    return lambda indent: (json_text(value, indent=indent) for value in values)


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """The document as JSON text that is safe to show (`json_escaped`). NaN and Infinity become strings."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    except ValueError:  # few documents have NaN, and `plain` copies the whole document
        text = json.dumps(plain(value), ensure_ascii=False, indent=indent)
    return json_escaped(text)


def json_pieces(document: Any, indent: int | None, depth: int = 0) -> Iterator[str]:
    """The text of a document with `JsonItems` in it, the same as `json_text` gives for plain lists.

    It stands `depth` levels deep in the whole.
    """
    # The breaks before a member and at the end; a document on one line has none.
    line, end = ("", "") if indent is None else ("\n" + " " * indent * (depth + 1), "\n" + " " * indent * depth)
    if callable(document):
        # A string of JSON has no raw line break, so each of them belongs to the layout.
        items = ([text.replace("\n", line) if line else text] for text in document(indent))
        yield from _joined("[", items, "]", line, end)
    elif isinstance(document, dict):
        members = (
            chain([f"{json_text(key)}: "], json_pieces(value, indent, depth + 1)) for key, value in document.items()
        )
        yield from _joined("{", members, "}", line, end)
    elif isinstance(document, list) and any(isinstance(value, dict) for value in document):
        yield from _joined("[", (json_pieces(value, indent, depth + 1) for value in document), "]", line, end)
    else:
        text = json_text(document, indent=indent)
        yield text.replace("\n", end) if end else text


def _joined(opening: str, members: Iterable[Iterable[str]], closing: str, line: str, end: str) -> Iterator[str]:
    joint = opening + line
    for member in members:
        yield joint
        yield from member
        joint = "," + (line or " ")
    yield opening + closing if joint.startswith(opening) else end + closing
