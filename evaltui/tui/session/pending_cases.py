"""Which cases wait to be checked: those that were edited first, then those that nobody has looked at yet."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass, field

from evaltui.document import Node

_FEW, _MANY = 50, 500
"""Up to so many cases that changed at once are checked before all others; more than so many take a while."""


@dataclass
class PendingCases:
    """Gives cases out to be checked and takes them back; one that changes in between is given out once more."""

    _edited: dict[Node, None] = field(default_factory=dict)
    _stale: dict[Node, None] = field(default_factory=dict)
    _out: set[Node] = field(default_factory=set)
    """What was given out and has not come back."""

    def begin(self, cases: Iterable[Node]) -> None:
        """All of these wait, and no others."""
        self._edited, self._stale = {}, dict.fromkeys(cases)
        self._out.clear()

    def add(self, cases: Collection[Node]) -> None:
        """These have changed, or are new."""
        (self._edited if len(cases) <= _FEW else self._stale).update(dict.fromkeys(cases))
        self._out.difference_update(cases)

    def keep(self, there: Container[Node]) -> None:
        """Only these are there any more."""
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
        """Whether cases that were edited wait."""
        return bool(self._edited)

    @property
    def left(self) -> int:
        """How many others wait."""
        return len(self._stale)

    @property
    def is_long(self) -> bool:
        """Whether so many wait that it takes a while."""
        return len(self._stale) > _MANY

    def take_edited(self) -> list[Node]:
        """The cases that were edited, to be checked now."""
        return self._give(list(self._edited))

    def take_stale(self, shown: Node | None, most: int, size: int) -> list[Node]:
        """Some of the others, up to so many cases and about so many bytes; first the one in which `shown` is."""
        for at in (shown, *shown.ancestors()) if shown is not None else ():
            if at in self._stale:
                return self._give([at])
        chosen: list[Node] = []
        for case in self._stale:
            if chosen and (len(chosen) >= most or size < 0):
                break
            size -= len(case.source())
            chosen.append(case)
        return self._give(chosen)

    def _give(self, cases: list[Node]) -> list[Node]:
        for case in cases:
            self._edited.pop(case, None)
            self._stale.pop(case, None)
        self._out.update(cases)
        return cases

    def give_back(self, cases: Iterable[Node]) -> None:
        """What was taken was not checked."""
        self._stale.update(dict.fromkeys(case for case in cases if case in self._out))
        self._out.difference_update(cases)

    def accept(self, case: Node) -> bool:
        """Take a case back that was checked; False where it has changed or gone meanwhile."""
        is_out = case in self._out
        self._out.discard(case)
        return is_out
