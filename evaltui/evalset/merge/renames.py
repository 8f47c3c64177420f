"""Which items of three versions of a list are the same although one side, or both, gave them another id or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

from evaltui.document import Node
from evaltui.document.comparing import same_value
from evaltui.evalset.merge.identity import pair_items
from evaltui.evalset.merge.resemblance import resembling

Key = object
"""What an item is known by in all three versions."""

Keys = list[list[Key | None]]
"""The keys of base, mine and theirs; None for an item that has no id of its own."""

Lists = list[list[Node]]

_START = object()
_LOOKED_AT = 20
"""So many items that stayed are asked what all say."""


def follow_renames(lists: Lists, keys: Keys, name: str, strays: Container[Node] | None) -> tuple[set[Key], set[Key]]:
    """Let items whose id is new, where one of base is gone, keep the old key; gives the keys followed here and there.

    An item is followed by what it says, or to the place of the one that is gone: not so with `strays`, which come
    from other lists, and none with None. On disk that is done only for items that were changed here as well, as
    nothing else hangs on it.
    """
    _key_the_unnamed(lists, keys)
    return _Side(lists, keys, 1, name).follow(strays), _Side(lists, keys, 2, name).follow(strays)


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

    def follow(self, strays: Container[Node] | None) -> set[Key]:
        """Change the keys of this side; gives those that were followed."""
        present = set(self._own)
        gone = {key: n for n, key in enumerate(self._base) if key is not None and key not in present}
        came = self._came() if gone else []
        if not came:
            return set()
        agreed = self._agreed([*gone.values()])
        gone = {key: n for key, n in gone.items() if n not in agreed}
        changed = self._changed_by_the_other(gone)
        alike = self._alike(gone, came, present)
        followed = {number: key for number, key in alike.items() if key in changed}
        for number, key in followed.items():
            self._own[number] = key
        if strays is not None:
            new = {n for n in came if n not in followed and self._items[n] not in strays}
            followed |= self._by_place(gone, changed, new, alike)
        return {*followed.values()}

    def _came(self) -> list[int]:
        """The items of this side alone."""
        known = {*self._base, *self._other}
        unnamed, old = ([n for n, key in enumerate(side) if key is None] for side in (self._own, self._base))
        pairs = pair_items([self._old[n] for n in old], [self._items[n] for n in unnamed], None)
        new = [n for n, index in zip(unnamed, pairs, strict=True) if index is None]
        return sorted([*new, *(n for n, key in enumerate(self._own) if key is not None and key not in known)])

    def _agreed(self, gone: list[int]) -> set[int]:
        """Which of those that are gone both sides gave one new id."""
        known, other = set(self._base), {*self._other} - {None}
        both = [self._items[n] for n, key in enumerate(self._own) if key in other and key not in known]
        return {gone[n] for n in resembling([self._old[n] for n in gone], both, self._name) if n is not None}

    def _changed_by_the_other(self, gone: dict[Key, int]) -> dict[Key, int]:
        others = {key: item for key, item in zip(self._other, self._others, strict=True) if key in gone}
        return {
            key: n
            for key, n in gone.items()
            if key not in others or not same_value(self._old[n], others[key], spelling=True)
        }

    def _alike(self, gone: dict[Key, int], came: list[int], present: set[Key | None]) -> dict[int, Key]:
        """The keys of those that are gone by the numbers of those that say the same."""
        keys = [*gone]
        stayed = [item for item, key in zip(self._old, self._base, strict=True) if key in present][:_LOOKED_AT]
        old, new = [self._old[n] for n in gone.values()], [self._items[n] for n in came]
        found = resembling(old, new, self._name, stayed)
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
