"""The text of a JSON file as it was read: for those who change nothing, and so need no `Document`."""

from __future__ import annotations

from typing import NamedTuple

from evaltui.document.errors import JsonSyntaxError
from evaltui.document.node import Node, read_document
from evaltui.document.strings import Encoding, read_encoding
from evaltui.garbage_collection import without_collecting


class ParsedFile(NamedTuple):
    """The value in the bytes of a file."""

    data: bytes
    encoding: Encoding
    body: bytes
    """The text in UTF-8, without a byte order mark."""
    root: Node | None
    """None if the text is not JSON."""
    fault: JsonSyntaxError | None
    """Why it is not JSON."""


def parse_file(data: bytes) -> ParsedFile:
    """Parse the bytes of a file."""
    encoding, body = read_encoding(data)
    try:
        with without_collecting():
            return ParsedFile(data, encoding, body, read_document(body), None)
    except JsonSyntaxError as error:
        return ParsedFile(data, encoding, body, None, error)
