"""Items of three versions of a list that are the same although one side, or both, gave them another id or none."""

from __future__ import annotations

from collections import Counter

from evaltui.document.diff.value_comparison import same_value
from evaltui.document.node import Node
from evaltui.evalset.merge.identity import pair_alike, pair_items

Key = object
"""The name of an item in all three versions."""

Keys = list[list[Key | None]]
"""The keys of base, mine and theirs; None for an item that has no id of its own."""

Lists = list[list[Node]]

_START = object()


def follow_renames(lists: Lists, keys: Keys, name: str, by_place: bool) -> tuple[set[Key], set[Key]]:
    """Let items whose id is new, where one of base is gone, keep the old key; gives the keys followed here and there.

    An item is followed if nothing but its id is new, or `by_place` to the place of the one that is gone. On disk
    that is done only for items that were changed here as well, as nothing else hangs on it.
    """
    _key_the_unnamed(lists, keys)
    return _Side(lists, keys, 1, name).follow(by_place), _Side(lists, keys, 2, name).follow(by_place)


def _key_the_unnamed(lists: Lists, keys: Keys) -> None:
    """Give keys to the items of base without an id that both sides lack, be they deleted or given ids."""
    places = [[n for n, key in enumerate(side) if key is None] for side in keys]
    base, mine, theirs = ([items[n] for n in side] for items, side in zip(lists, places, strict=True))
    known = Counter(item.source() for item in base)
    if any(Counter(item.source() for item in side) - known for side in (mine, theirs)):
        return
    kept = {index for side in (mine, theirs) for index in pair_items(base, side, None)}
    for index, place in enumerate(places[0]):
        if index not in kept:
            keys[0][place] = ("unnamed", index)


class _Side:
    """One side against base; `side` is 1 for mine and 2 for theirs."""

    def __init__(self, lists: Lists, keys: Keys, side: int, name: str) -> None:
        self._old, self._items, self._others = lists[0], lists[side], lists[3 - side]
        self._base, self._own, self._other = keys[0], keys[side], keys[3 - side]
        self._is_mine, self._name = side == 1, name

    def follow(self, by_place: bool) -> set[Key]:
        """Change the keys of this side; gives those that were followed."""
        present = set(self._own)
        gone = {key: n for n, key in enumerate(self._base) if key is not None and key not in present}
        came = self._came() if gone else []
        if not came:
            return set()
        changed = self._changed_by_the_other(gone)
        alike = self._alike(gone, came)
        followed = {number: key for number, key in alike.items() if key in changed}
        for number, key in followed.items():
            self._own[number] = key
        if by_place:
            followed |= self._by_place(gone, changed, {n for n in came if n not in followed}, alike)
        return {*followed.values()}

    def _came(self) -> list[int]:
        """The items of this side alone."""
        known = {*self._base, *self._other}
        unnamed, old = ([n for n, key in enumerate(side) if key is None] for side in (self._own, self._base))
        pairs = pair_items([self._old[n] for n in old], [self._items[n] for n in unnamed], None)
        new = [n for n, index in zip(unnamed, pairs, strict=True) if index is None]
        return sorted([*new, *(n for n, key in enumerate(self._own) if key is not None and key not in known)])

    def _changed_by_the_other(self, gone: dict[Key, int]) -> dict[Key, int]:
        others = {key: item for key, item in zip(self._other, self._others, strict=True) if key in gone}
        return {
            key: n
            for key, n in gone.items()
            if key not in others or not same_value(self._old[n], others[key], spelling=True)
        }

    def _alike(self, gone: dict[Key, int], came: list[int]) -> dict[int, Key]:
        """The keys of those that are gone by the numbers of those that differ by their id only."""
        keys = [*gone]
        found = pair_alike([self._old[n] for n in gone.values()], [self._items[n] for n in came], self._name)
        return {number: keys[index] for number, index in zip(came, found, strict=True) if index is not None}

    def _by_place(
        self, gone: dict[Key, int], changed: dict[Key, int], came: set[int], alike: dict[int, Key]
    ) -> dict[int, Key]:
        places = {self._base[n - 1] if n else _START: key for key, n in gone.items()}
        elsewhere = {key: number for number, key in alike.items()}
        found: dict[int, Key] = {}
        before: Key | None = _START
        for number, key in enumerate(self._own):
            was = places.get(before) if before is not None else None
            wanted = was in changed or (self._is_mine and key is not None)
            fits = alike.get(number, was) == was and elsewhere.get(was, number) == number
            if was is not None and wanted and fits and number in came:
                self._own[number] = found[number] = was
            before = self._own[number]
        return found
