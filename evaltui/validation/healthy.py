"""Values that nothing is wrong with, passed at C speed."""

from __future__ import annotations

from json import JSONDecodeError

from evaltui.document.scanner import scan_value

_FROM, _TO = 2, 12
"""The levels at which whole values are tried: pieces that are short enough to leave other threads time, and so few
levels that the text is read a fixed number of times at most."""
_FAILURES = 200
"""An error counts the lines before it: so many times may the whole text be counted."""


class HealthyValues:
    """Finds the ends of healthy values."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._left = _FAILURES * len(text)

    def end(self, at: int, depth: int) -> int | None:
        """The offset behind the value at `at`; None where something is wrong with it or it was not looked at."""
        if not _FROM <= depth < _TO or self._left < 0:
            return None
        try:
            return int(scan_value(self._text, at)[1])
        except (StopIteration, RecursionError):
            self._left -= at
        except JSONDecodeError as error:
            self._left -= error.pos
        return None
