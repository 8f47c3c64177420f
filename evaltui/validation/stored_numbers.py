"""The numbers of the first cases with each id, in a temporary database: it stays in memory only while it is small."""

from __future__ import annotations

import sqlite3

_CACHE = 8_000
"""Kilobytes in memory."""


class StoredNumbers:
    """Like a dictionary of ids, for as many cases as a file can have."""

    def __init__(self) -> None:
        # The name "" is a database that SQLite moves to a temporary file if the cache is full, and deletes at the end.
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute(f"PRAGMA cache_size = -{_CACHE}")
        self._database.execute("CREATE TABLE ids (id BLOB PRIMARY KEY, first INTEGER) WITHOUT ROWID")
        self._database.execute("BEGIN")

    def setdefault(self, key: str, default: int, /) -> int:
        """The number of the first case with this id, which is `default` for a new id."""
        stored = (_bytes(key), default)
        if self._database.execute("INSERT OR IGNORE INTO ids VALUES (?, ?)", stored).rowcount:
            return default
        (number,) = self._database.execute("SELECT first FROM ids WHERE id = ?", stored[:1]).fetchone()
        return int(number)

    def __contains__(self, key: object, /) -> bool:
        """Whether a case has this id."""
        found = self._database.execute("SELECT 1 FROM ids WHERE id = ?", (_bytes(str(key)),))
        return found.fetchone() is not None

    def close(self) -> None:
        """Delete the database."""
        self._database.close()


def _bytes(text: str) -> bytes:
    """SQLite has no place for lone surrogates in a text."""
    return text.encode("utf-8", "surrogatepass")
