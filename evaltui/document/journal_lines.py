"""The lines of a journal: a checksum and a JSON object each, so that a torn or altered line is known as such.

Bytes travel as text in which what is not UTF-8 is escaped (PEP 383), so a journal can be read by people.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

from evaltui.document.errors import DocumentError

_ESCAPES = "surrogateescape"


class DamagedLineError(DocumentError):
    """A line that is not what was written."""


def write_line(record: dict[str, Any]) -> bytes:
    """A record, whose values may hold bytes, as a line with its end."""
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"), default=_text_of)
    body = text.encode("utf-8", _ESCAPES)
    return b"%08x %b\n" % (zlib.crc32(body), body)


def read_line(line: bytes) -> dict[str, Any]:
    """The record of a line, entries of swaps with their bytes; raises `DamagedLineError`."""
    checksum, _, body = line.removesuffix(b"\n").partition(b" ")
    try:
        if not line.endswith(b"\n") or int(checksum, 16) != zlib.crc32(body):
            raise DamagedLineError("the checksum of a line is wrong")
        record = json.loads(body.decode("utf-8", _ESCAPES))
    except ValueError as error:
        raise DamagedLineError("a line is not one of a journal") from error
    if not isinstance(record, dict):
        raise DamagedLineError("a line is not one of a journal")
    if "do" in record:
        record["do"] = [_entry(*entry) for entry in record["do"]]
    return record


def _text_of(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", _ESCAPES)
    raise TypeError(f"{type(value).__name__} cannot stand in a journal")


def bytes_of(text: str) -> bytes:
    """The bytes that stand in a line as `text`."""
    return text.encode("utf-8", _ESCAPES)


def _entry(kind: str, path: list[int], *rest: Any) -> tuple[Any, ...]:
    where = tuple(path)
    if kind != "run":
        return kind, where, *map(bytes_of, rest)
    index, removed, added, around = rest
    items = tuple(tuple(map(bytes_of, parts)) for parts in added)
    beside = tuple((number, bytes_of(lead), bytes_of(trail)) for number, lead, trail in around)
    return kind, where, index, removed, items, beside
