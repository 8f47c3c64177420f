"""JSON text of reports: whole, or in pieces for documents with lists that are larger than the memory."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from evaltui.printable import json_escaped
from evaltui.scoring.results import plain


class JsonItems(NamedTuple):
    """A list of a document. Its items are made when the document is written."""

    texts: Callable[[int | None], Iterable[str]]
    """Makes the JSON texts of the items, with this indentation."""


def items_of(values: Iterable[Any]) -> JsonItems:
    """A list whose items are made one after another."""
    return JsonItems(lambda indent: (json_text(value, indent=indent) for value in values))


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """The document as JSON text that is safe to show (`json_escaped`). NaN and Infinity become strings."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    except ValueError:  # few documents have NaN, and `plain` copies the whole document
        text = json.dumps(plain(value), ensure_ascii=False, indent=indent)
    return json_escaped(text)


def json_pieces(document: Any, indent: int | None) -> Iterator[str]:
    """The text of a document with `JsonItems` in it, the same as `json_text` gives for plain lists."""
    mark = secrets.token_hex(16)  # random, so that no text of a file can hold it
    lists: list[JsonItems] = []

    def marked(value: Any) -> Any:
        if isinstance(value, JsonItems):
            lists.append(value)
            return mark
        if isinstance(value, dict):
            return {key: marked(member) for key, member in value.items()}
        return [marked(element) for element in value] if isinstance(value, list) else value

    texts = json_text(marked(document), indent=indent).split(f'"{mark}"')
    for text, items in zip_longest(texts, lists):
        yield text
        if items is not None:
            line = text[text.rfind("\n") + 1 :]
            depth = len(line) - len(line.lstrip(" "))
            breaks = ("\n" + " " * (depth + indent), "\n" + " " * depth) if indent is not None else ("", "")
            yield from _list_pieces(items.texts(indent), *breaks)


def _list_pieces(texts: Iterable[str], margin: str, closing: str) -> Iterator[str]:
    """The pieces of a list. `margin` and `closing` break the line before an item and at the end; "" for one line."""
    joint = "[" + margin
    for text in texts:
        yield joint
        # A string of JSON has no raw line break, so each of them belongs to the layout.
        yield text.replace("\n", margin) if margin else text
        joint = "," + (margin or " ")
    yield "[]" if joint.startswith("[") else closing + "]"
