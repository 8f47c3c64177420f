"""The stack of open brackets, and the faults of missing and wrong closing brackets."""

from __future__ import annotations

import re

from evaltui.json_repair.faults import FaultKind, FaultLog, Splice

_CLOSING = {"{": "}", "[": "]"}
_nothing_more = re.compile(r"[ \t\r\n]*+\Z").match
_MOST = 200
"""The largest number of brackets that a fix writes."""


class Brackets:
    """The stack of open brackets, by their offsets."""

    def __init__(self, text: str, faults: FaultLog) -> None:
        self._text, self._faults = text, faults
        self._open: list[int] = []
        self._counts = {"{": 0, "[": 0}

    @property
    def depth(self) -> int:
        """The number of open brackets."""
        return len(self._open)

    @property
    def is_object(self) -> bool:
        """Whether the innermost open bracket is the bracket of an object."""
        return bool(self._open) and self._text[self._open[-1]] == "{"

    def open(self, at: int) -> None:
        """Push the bracket at `at`."""
        self._open.append(at)
        self._counts[self._text[at]] += 1

    def fits(self, mark: str) -> bool:
        """Whether `mark` closes the innermost bracket."""
        return _CLOSING[self._text[self._open[-1]]] == mark

    def close(self, at: int, end: int) -> None:
        """Pop the bracket that the bracket at `at` closes; `end` is the end of the value before it.

        A bracket of the wrong kind closes an outer bracket, or it is a mistake for the right kind.
        """
        mark = self._text[at]
        if not self.fits(mark):
            if self._is_meant_for_outer(mark, at):
                self._close_inner(at, end)
            else:
                self._replace(at)
        self._pop()

    def _is_meant_for_outer(self, mark: str, at: int) -> bool:
        """Whether the closing `mark` belongs to an outer bracket.

        The outermost bracket counts only if the text ends here: otherwise the rest would lie outside the JSON.
        """
        opening = "{" if mark == "}" else "["
        if not self._counts[opening]:
            return False
        is_outermost = self._counts[opening] == 1 and self._text[self._open[0]] == opening
        return not is_outermost or _nothing_more(self._text, at + 1) is not None

    def _close_inner(self, at: int, end: int) -> None:
        mark = self._text[at]
        inner = self._open[-1]
        missing: list[str] = []
        while not self.fits(mark):
            closing = _CLOSING[self._text[self._open[-1]]]
            missing += [closing] if len(missing) <= _MOST else []
            self._pop()
        opening = self._text[inner]
        said = f"{missing[0]} is missing before {mark}: the {opening} of {self._faults.line_of(inner)} is not closed"
        splice = _written(missing, end)
        self._faults.add(FaultKind.UNCLOSED_BRACKET, said, at, at + 1, splice)

    def _replace(self, at: int) -> None:
        mark, inner = self._text[at], self._open[-1]
        opening, closing = self._text[inner], _CLOSING[self._text[inner]]
        said = f"{mark} cannot close the {opening} of {self._faults.line_of(inner)}; expected {closing}"
        splice = Splice(at, at + 1, closing.encode(), f"Write {closing}", False)
        self._faults.add(FaultKind.WRONG_BRACKET, said, at, at + 1, splice)

    def close_all(self, end: int | None) -> None:
        """Log the brackets that are open at the end of the text; a fix writes them at `end`."""
        size, inner = len(self._text), self._open[-1]
        count = len(self._open)
        missing = [_CLOSING[self._text[at]] for at in reversed(self._open[-_MOST - 1 :])]
        said = f"the file ends, but the {self._text[inner]} of {self._faults.line_of(inner)} "
        outer = f"and {count - 1:,} bracket{'s' * (count > 2)} around it are not closed"
        said += outer if count > 1 else "is not closed"
        self._faults.add(FaultKind.UNCLOSED_BRACKET, said, size, size, None if end is None else _written(missing, end))

    def _pop(self) -> None:
        self._counts[self._text[self._open.pop()]] -= 1


def _written(missing: list[str], end: int) -> Splice | None:
    if len(missing) > _MOST:
        return None
    brackets = "".join(missing)
    shown = brackets if len(brackets) < 10 else f"the {len(brackets)} brackets"
    return Splice(end, end, brackets.encode(), f"Write {shown} here", False)
