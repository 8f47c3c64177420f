"""Databases whose pages are used more than once, so that a small file has a lot of data.

Offsets are those of https://sqlite.org/fileformat.html.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

PAGE = 4096
SHORT = 16_500
"""The letters of a text whose sizes take three bytes in a row."""
LONG = SHORT + 250 * (PAGE - 4)
"""The letters of a text with as many bytes beside its first page's, and sizes of three bytes."""
_TABLE_INNER, _TABLE_LEAF = 5, 13


def share_long_text(path: Path) -> None:
    """Make each text with SHORT letters as long as the one with LONG letters, and use its pages."""
    data = bytearray(path.read_bytes())
    rows = [(place, size, kept) for place, size, kept in _large_rows(data)]
    longest = max(size for _, size, _ in rows)
    (donor,) = (place + kept for place, size, kept in rows if size == longest)
    for place, size, kept in rows:
        if size < longest:
            data[place : place + 3] = _varint(longest)
            head = data.index(_varint(2 * SHORT + 13), place, place + kept)
            data[head : head + 3] = _varint(2 * LONG + 13)
            data[place + kept : place + kept + 4] = data[donor : donor + 4]
    path.write_bytes(data)


def _large_rows(data: bytearray) -> Iterator[tuple[int, int, int]]:
    """The rows whose sizes take three bytes: place, size, and the distance of the number of their next page."""
    for page in range(0, len(data), PAGE):
        start = page + (100 if page == 0 else 0)
        if data[start] != _TABLE_LEAF:
            continue
        for number in range(int.from_bytes(data[start + 3 : start + 5])):
            pointer = start + 8 + 2 * number
            place = page + int.from_bytes(data[pointer : pointer + 2])
            if data[place] >= 0x80 and data[place + 1] >= 0x80 and data[place + 2] < 0x80:
                size = (data[place] & 0x7F) << 14 | (data[place + 1] & 0x7F) << 7 | data[place + 2]
                least = (PAGE - 12) * 32 // 255 - 23
                local = least + (size - least) % (PAGE - 4)
                local = local if local <= PAGE - 35 else least
                yield place, size, 3 + (1 if data[place + 3] < 0x80 else 2) + local


def _varint(number: int) -> bytes:
    return bytes((0x80 | number >> 14, 0x80 | number >> 7 & 0x7F, number & 0x7F))


def repeat_rows(path: Path, table: str, levels: int = 18) -> None:
    """Put levels of pages above the rows of a table, each of which leads 500 times to the next."""
    with closing(sqlite3.connect(path)) as database:
        (root,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    data = bytearray(path.read_bytes())
    below = root * PAGE
    pages = len(data) // PAGE
    leaf = data[below - PAGE : below]
    chain = [root, *range(pages + 1, pages + 1 + levels)]
    data += bytes(levels * PAGE)
    for page, child in pairwise(chain):
        data[(page - 1) * PAGE : page * PAGE] = _inner(child)
    data[(chain[-1] - 1) * PAGE : chain[-1] * PAGE] = leaf
    data[28:32] = (len(data) // PAGE).to_bytes(4)
    path.write_bytes(data)


def _inner(child: int, count: int = 500) -> bytes:
    page = bytearray(PAGE)
    content = PAGE - 5 * count
    page[:12] = bytes((_TABLE_INNER, 0, 0)) + count.to_bytes(2) + content.to_bytes(2) + b"\0" + child.to_bytes(4)
    for number in range(count):
        place = content + 5 * number
        page[12 + 2 * number : 14 + 2 * number] = place.to_bytes(2)
        page[place : place + 5] = child.to_bytes(4) + b"\1"
    return bytes(page)
