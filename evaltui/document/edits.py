"""Edits: what can be done to a document, addressed by RFC 6901 pointers.

Values are JSON text (bytes), never Python numbers, so that no number passes through a float on its way into the
file. `json_text` makes it from Python values.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from evaltui.document.strings import encode


def json_text(value: Any) -> bytes:
    """A Python value as JSON text for an edit; its layout does not matter, the document lays it out anew."""
    if isinstance(value, str):
        return encode(value)
    return json.dumps(value).encode("ascii")


class Set(NamedTuple):
    """Put another value at `pointer`, which exists. A text keeps the spelling of what it shares with the old.

    With `origin_indent` the value is copied from a line of this document that begins with these blanks: then it
    keeps its layout and spelling.
    """

    pointer: str
    source: bytes
    origin_indent: bytes | None = None


class Insert(NamedTuple):
    """Put a new value at `pointer`: a place in a list (`-` for its end), or a name not yet in its object.

    In an object it goes last, or before the member called `before`. It is laid out like its neighbours, unless
    `origin_indent` says that it is copied from a line of this document that begins with these blanks: then it
    keeps its layout and spelling.
    """

    pointer: str
    source: bytes
    before: str | None = None
    origin_indent: bytes | None = None


class Remove(NamedTuple):
    """Take the value at `pointer` out of its container.

    Where members share the name, `occurrence` says which of them is meant, counted from 0.
    """

    pointer: str
    occurrence: int | None = None


class Move(NamedTuple):
    """Take the value at `origin` out and put it at `pointer`, as RFC 6902 has it.

    It stays the same node, except where it replaces a member of that name; its spelling stays.
    """

    origin: str
    pointer: str


class Rename(NamedTuple):
    """Give the member at `pointer` another name, in its place."""

    pointer: str
    name: str


Edit = Set | Insert | Remove | Move | Rename
