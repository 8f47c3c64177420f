"""Checks that compare the cases of a set, without keeping their facts: a set may have very many cases."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from evaltui.validation.checked_case import CaseFacts
from evaltui.validation.rule_types import Diagnostic, NumberedDiagnostic

NumberedFacts = tuple[int, CaseFacts]
"""The facts of a case with its number, from 0."""


class SetCheck:
    """A check across the cases of a set. It notes the facts of all cases in order, and keeps only a summary.

    After that, it gives the diagnostics of the set and, given the facts of a case again, those of the case.
    """

    def note(self, cases: Iterable[NumberedFacts]) -> list[int]:
        """Take in the facts of the next cases; returns the numbers of cases that may have a diagnostic."""
        raise NotImplementedError

    def of_set(self) -> Iterator[Diagnostic]:
        """The diagnostics of the set itself, with pointers relative to the file."""
        yield from ()

    @property
    def finds_in_cases(self) -> bool:
        """Whether any case can have a diagnostic, after all are noted."""
        return True

    def of_case(self, number: int, facts: CaseFacts) -> Iterator[Diagnostic]:
        """The diagnostics of a case with a number that `note` returned. Cases come in order, each once."""
        raise NotImplementedError


def check_across(checks: Iterable[SetCheck], cases: Sequence[CaseFacts]) -> Iterator[NumberedDiagnostic]:
    """The diagnostics of `checks` for a set whose facts are all in memory."""
    for check in checks:
        suspects = check.note(enumerate(cases))
        yield from ((None, diagnostic) for diagnostic in check.of_set())
        for number in suspects if check.finds_in_cases else ():
            yield from ((number, diagnostic) for diagnostic in check.of_case(number, cases[number]))


_CACHE = 8_000
"""Kilobytes in memory."""


class StoredNumbers:
    """The number of the first case with each id, like a dictionary, for as many cases as a file can have."""

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
        row = self._database.execute("SELECT 1 FROM ids WHERE id = ?", (_bytes(str(key)),)).fetchone()
        return row is not None

    def close(self) -> None:
        """Delete the database."""
        self._database.close()


FirstNumbers = dict[str, int] | StoredNumbers
"""The number of the first case with each id. A check gets an empty one and fills it."""


def _bytes(text: str) -> bytes:
    # SQLite has no place for lone surrogates in a text.
    return text.encode("utf-8", "surrogatepass")
