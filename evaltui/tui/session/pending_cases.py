"""The cases that wait for a check: edited ones first, then those that were never checked."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass, field

from evaltui.document.node import Node

_FEW, _MANY = 50, 500
"""If at most `_FEW` cases change at once, they are checked first. More than `_MANY` take a while."""


@dataclass(eq=False, repr=False)
class PendingCases:
    """Hands out cases to check and takes them back. A case that changes in between is handed out again."""

    _edited: dict[Node, None] = field(default_factory=dict)
    _stale: dict[Node, None] = field(default_factory=dict)
    _out: set[Node] = field(default_factory=set)
    """The cases that were handed out and not returned yet."""

    def begin(self, cases: Iterable[Node]) -> None:
        """Make exactly these cases wait."""
        self._edited, self._stale = {}, dict.fromkeys(cases)
        self._out.clear()

    def add(self, cases: Collection[Node]) -> None:
        """Add changed or new cases."""
        (self._edited if len(cases) <= _FEW else self._stale).update(dict.fromkeys(cases))
        self._out.difference_update(cases)

    def keep(self, there: Container[Node]) -> None:
        """Forget all cases except these: the others were deleted."""
        self._edited, self._stale = (
            {case: None for case in waiting if case in there} for waiting in (self._edited, self._stale)
        )
        self._out = {case for case in self._out if case in there}

    def __bool__(self) -> bool:
        return bool(self._edited or self._stale or self._out)

    def __contains__(self, case: object) -> bool:
        return case in self._edited or case in self._stale or case in self._out

    @property
    def has_edited(self) -> bool:
        """Whether edited cases wait."""
        return bool(self._edited)

    @property
    def left(self) -> int:
        """The number of waiting cases that were not edited."""
        return len(self._stale)

    @property
    def is_long(self) -> bool:
        """Whether checking the waiting cases takes a while."""
        return len(self._stale) > _MANY

    def take_edited(self) -> list[Node]:
        """Hand out the edited cases, to be checked now."""
        return self._give(list(self._edited))

    def take_stale(self, shown: Node | None, most: int, size: int) -> list[Node]:
        """Hand out at most `most` other cases of about `size` bytes together; first the case around `shown`."""
        for at in (shown, *shown.ancestors()) if shown is not None else ():
            if at in self._stale:
                return self._give([at])
        chosen: list[Node] = []
        for case in self._stale:
            if chosen and (len(chosen) >= most or size < 0):
                break
            size -= len(case.source())  # may go below 0: a case larger than `size` must be checked too
            chosen.append(case)
        return self._give(chosen)

    def _give(self, cases: list[Node]) -> list[Node]:
        for case in cases:
            self._edited.pop(case, None)
            self._stale.pop(case, None)
        self._out.update(cases)
        return cases

    def give_back(self, cases: Iterable[Node]) -> None:
        """Take back cases that were handed out and not checked; they wait again."""
        self._stale.update(dict.fromkeys(case for case in cases if case in self._out))
        self._out.difference_update(cases)

    def accept(self, case: Node) -> bool:
        """Take back a checked case; False if it changed or was deleted meanwhile."""
        is_out = case in self._out
        self._out.discard(case)
        return is_out
