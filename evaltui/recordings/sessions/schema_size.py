"""The size of a schema, counted before SQLite reads the schema and keeps all of it in memory.

Many statements may share the pages of one long statement, so that a small file has a large schema.
"""

from __future__ import annotations

from pathlib import Path

_PAGE_SIZE = slice(16, 18)
_FILE_HEADER = 100
_LEAST_PAGE = 512
_INNER, _LEAF = 5, 13
"""The kinds of pages of a table (https://sqlite.org/fileformat.html, 1.6)."""


def schema_size(database: Path) -> int:
    """The bytes of all rows of the schema. Raises `ValueError` if its pages are damaged or used twice."""
    size = 0
    seen: set[int] = set()
    numbers = [1]
    with database.open("rb") as file:
        size_of_page = int.from_bytes(file.read(_FILE_HEADER)[_PAGE_SIZE])
        size_of_page = 1 << 16 if size_of_page == 1 else max(size_of_page, _LEAST_PAGE)
        while numbers:
            number = numbers.pop()
            file.seek((number - 1) * size_of_page)
            page = file.read(size_of_page)
            start = _FILE_HEADER if number == 1 else 0
            if number in seen or len(page) < size_of_page or page[start] not in (_INNER, _LEAF):
                raise ValueError("the pages of the schema are damaged")
            seen.add(number)
            is_inner = page[start] == _INNER
            first = start + (12 if is_inner else 8)
            count = _number(page, start + 3, 2)
            places = [_number(page, place, 2) for place in range(first, first + 2 * count, 2)]
            if is_inner:
                numbers += [_number(page, place, 4) for place in (start + 8, *places)]
            else:
                size += sum(_variable_number(page, place) for place in places)
    return size


def _number(page: bytes, start: int, size: int) -> int:
    return int.from_bytes(page[start : start + size])


def _variable_number(page: bytes, start: int) -> int:
    """An integer of one byte or more: all but the last have the highest bit set. Eight are enough for any size."""
    number = 0
    for byte in page[start : start + 8]:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return number
