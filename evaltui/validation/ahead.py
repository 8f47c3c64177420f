"""The next place of something in a text, looked for once however often it is asked for."""

from __future__ import annotations

from collections.abc import Callable


class Ahead:
    """Finds the next place from an offset on. Questions go forwards, so that all of them together read a text once."""

    def __init__(self, find: Callable[[int], int]) -> None:
        """`find` gives the offset of the first place at or behind an offset, or -1."""
        self._find = find
        self._asked = self._found = 0
        self._knows = False

    def __call__(self, at: int) -> int:
        """The offset of the first place at or behind `at`; -1 where there is none."""
        if not (self._knows and self._asked <= at and (self._found < 0 or at <= self._found)):
            self._asked, self._found, self._knows = at, self._find(at), True
        return self._found
