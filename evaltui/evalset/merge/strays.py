"""Turns that left their case on both sides and came into another: moved from case to case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from evaltui.document import Node
from evaltui.evalset.keys import items_of
from evaltui.evalset.merge.keyed_lists import KeyedLists, key_items
from evaltui.evalset.merge.renames import Key
from evaltui.evalset.merge.resemblance import resembling

_ID = "invocation_id"


@dataclass(frozen=True, slots=True)
class Stray:
    """A turn of base that is in its case no more, and where it is now; None: nowhere."""

    base: Node
    mine: Node | None
    theirs: Node | None


@dataclass(slots=True)
class _Came:
    """The turns that are new in a case, here, on disk, and under one id on both sides."""

    mine: list[Node] = field(default_factory=list)
    theirs: list[Node] = field(default_factory=list)
    both: list[Node] = field(default_factory=list)


def stray_turns(cases: KeyedLists) -> dict[Node, Stray]:
    """The strays among the turns of `cases`, by the nodes of mine and theirs that they are now."""
    gone = [turn for key, case in cases.base.items() if _both_changed(cases, key, case) for turn in _gone(cases, key)]
    if not gone:
        return {}
    came = _came(cases)
    agreed = set(resembling(gone, came.both, _ID))
    gone = [turn for index, turn in enumerate(gone) if index not in agreed]
    return {
        node: stray
        for stray in _paired(gone, came.mine, came.theirs)
        for node in (stray.mine, stray.theirs)
        if node is not None
    }


def _both_changed(cases: KeyedLists, key: Key, case: Node) -> bool:
    sides = (cases.mine.get(key), cases.theirs.get(key))
    return all(side is None or side.source() != case.source() for side in sides)


def _turns(cases: KeyedLists, key: Key) -> KeyedLists | None:
    sides = (cases.base, cases.mine, cases.theirs)
    base, mine, theirs = (items_of(side.get(key), "conversation") for side in sides)
    return key_items(base, mine, theirs, _ID, None)


def _gone(cases: KeyedLists, key: Key) -> Iterable[Node]:
    turns = _turns(cases, key)
    if turns is None:
        return []
    return [turn for own, turn in turns.base.items() if own not in turns.mine and own not in turns.theirs]


def _came(cases: KeyedLists) -> _Came:
    came = _Came()
    for key in cases.base:
        turns = _turns(cases, key) if key in cases.mine and key in cases.theirs else None
        if turns is not None:
            _note(came, turns)
    sides = ((cases.mine, cases.theirs, came.mine), (cases.theirs, cases.mine, came.theirs))
    for own, other, found in sides:
        for key, case in own.items():
            if key not in cases.base:
                (came.both if key in other else found).extend(items_of(case, "conversation"))
    return came


def _note(came: _Came, turns: KeyedLists) -> None:
    for key, turn in turns.mine.items():
        if key not in turns.base:
            (came.both if key in turns.theirs else came.mine).append(turn)
    came.theirs += [turn for key, turn in turns.theirs.items() if key not in turns.base and key not in turns.mine]


def _paired(gone: list[Node], mine: list[Node], theirs: list[Node]) -> Iterator[Stray]:
    here, there = (dict(zip(resembling(gone, side, _ID), side, strict=True)) for side in (mine, theirs))
    for index, turn in enumerate(gone):
        if index in here or index in there:
            yield Stray(turn, here.get(index), there.get(index))
