"""Items of lists in two versions: which case, turn, call or rubric is the same, and the order of both."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from evaltui.document.node import Node
from evaltui.document.sequence_diff import shared_length
from evaltui.document.value_comparison import same_value
from evaltui.evalset.keys import camel, member, text_of

_ID_NAMES = {
    "eval_cases": "eval_id",
    "conversation": "invocation_id",
    "tool_uses": "id",
    "tool_responses": "id",
    "rubrics": "rubric_id",
}
"""The key with the id of an item, by the key of its list, both in snake_case."""
_ID_OF_DATASETS = "eval_case_id"


def id_name(container: Node) -> str | None:
    """The key that identifies the items of a list; None if there is none.

    Cases of an EvaluationDataset have another key than cases of an eval set; the first case decides.
    """
    found = next((own for name, own in _ID_NAMES.items() if container.name in (name, camel(name))), None)
    is_of_cases = found == "eval_id" and any(member(item, _ID_OF_DATASETS) is not None for item in container.items[:1])
    return _ID_OF_DATASETS if is_of_cases and member(container.items[0], "eval_id") is None else found


def ids_of(items: Sequence[Node], name: str) -> list[str]:
    """The id of each item; "" if it has none or shares it with another item."""
    ids = [text_of(item, name) for item in items]
    counts = Counter(ids)
    return [own if counts[own] == 1 else "" for own in ids]


def pair_items(old: Sequence[Node], new: Sequence[Node], name: str | None) -> list[int | None]:
    """For each item of `new` the index of the same item in `old`; None for an added item.

    Pairs by equal text first, which needs no parsing, then by id; the rest is paired by its place between other
    items. That last step is a guess, good enough for a cursor but not for a merge.
    """
    before, after = ([item.source() for item in items] for items in (old, new))
    head = shared_length(before, after)
    tail = shared_length(before[head:][::-1], after[head:][::-1])
    found: list[int | None] = [*range(head), *[None] * (len(new) - head - tail), *range(len(old) - tail, len(old))]
    free = set(range(head, len(old) - tail))
    middle = range(head, len(new) - tail)
    alike: defaultdict[bytes, deque[int]] = defaultdict(deque)
    for index in sorted(free):
        alike[before[index]].append(index)
    for number in middle:
        if found[number] is None and alike[after[number]]:
            _take(found, free, [number], [alike[after[number]].popleft()])
    if name is not None:
        left, came = sorted(free), [number for number in middle if found[number] is None]
        places = {own: n for n, own in zip(left, ids_of([old[n] for n in left], name), strict=True) if own}
        _take(found, free, came, [places.get(own) for own in ids_of([new[n] for n in came], name)])
    for number in middle:
        last = found[number - 1] if number else -1
        if found[number] is None and last is not None and last + 1 in free:
            _take(found, free, [number], [last + 1])
    return found


def pair_alike(old: Sequence[Node], new: Sequence[Node], name: str) -> list[int | None]:
    """For each item of `new` the index of the `old` item with the same texts and numbers without the id `name`."""
    places: defaultdict[frozenset[tuple[str, str]], deque[int]] = defaultdict(deque)
    for index, item in enumerate(old):
        if words := words_of(item, name):
            places[words].append(index)
    found = [places.get(words_of(item, name)) for item in new] if places else [None] * len(new)
    return [indexes.popleft() if indexes else None for indexes in found]


def words_of(item: Node, name: str) -> frozenset[tuple[str, str]]:
    """The texts and numbers of an item without its id, each with its key; independent of layout and order."""
    words: set[tuple[str, str]] = set()
    pending = [part for part in item.items if part.name not in (name, camel(name))]
    while pending:
        part = pending.pop()
        if part.is_container:
            pending += part.items
        elif part.kind in ("string", "number"):
            words.add((part.name, part.text() if part.kind == "string" else part.source().decode("latin-1")))
    return frozenset(words)


def _take(found: list[int | None], free: set[int], numbers: Sequence[int], indexes: Sequence[int | None]) -> None:
    for number, index in zip(numbers, indexes, strict=True):
        if index is not None and index in free:
            found[number] = index
            free.discard(index)


def paired(old: Node, new: Node) -> list[int | None]:
    """Like `pair_items`, for two versions of a container; values of an object are paired by key."""
    if old.kind == "array":
        return pair_items(old.items, new.items, id_name(old) if all(i.kind == "object" for i in new.items) else None)
    places: defaultdict[str, deque[int]] = defaultdict(deque)
    for index, item in enumerate(old.items):
        places[item.name].append(index)
    return [places[item.name].popleft() if places[item.name] else None for item in new.items]


Key = object
"""The key of an item in all three versions."""

Keys = list[list[Key | None]]
"""The keys of base, mine and theirs; None for an item without an id of its own."""

Lists = list[list[Node]]

_START = object()


Keyed = dict[Key, Node]


@dataclass(frozen=True, slots=True)
class KeyedLists:
    """The items of each version that are not the same in all three, by key; the first `head` items are the same."""

    head: int
    base: Keyed
    mine: Keyed
    theirs: Keyed
    renamed: set[Key]
    """The keys of items whose id changed, or was deleted, in mine."""
    renamed_there: set[Key]
    """The same for theirs, but only for items that changed here as well."""

    def gone(self) -> list[Node]:
        """The items of base that both sides deleted."""
        return [item for key, item in self.base.items() if key not in self.mine and key not in self.theirs]

    def came(self, *, on_both: bool) -> list[Node]:
        """The items that are not in base: either items of one side only, or items of both."""
        sides = (self.mine, self.theirs)
        new = [(key, item) for side in sides for key, item in side.items() if key not in self.base]
        return [item for key, item in new if all(key in side for side in sides) is on_both]


def key_items(
    base: list[Node], mine: list[Node], theirs: list[Node], name: str, *, by_place: bool = True
) -> KeyedLists | None:
    """Give the items keys by their ids; None if a person must say which item is which.

    Items without an id, or with a duplicate id, can be paired only if one side did not change any of them.
    Without `by_place`, a new item at the place of a deleted one counts as new.
    """
    head, tail = _shared_ends(base, mine, theirs)
    lists = [items[head : len(items) - tail] for items in (base, mine, theirs)]
    same = _same_in_all(lists)
    ids = [[same.get(item.source()) or text_of(item, name) for item in items] for items in lists]
    sound = _ids_sound_everywhere(ids)
    keys: list[list[Key | None]] = [[own if own in sound else None for own in side] for side in ids]
    renamed = _follow_renames(lists, keys, name, by_place)
    if not _key_the_anonymous(lists, keys):
        return None
    old, own, other = (
        {key: item for key, item in zip(side, items, strict=True) if key is not None}
        for side, items in zip(keys, lists, strict=True)
    )
    return KeyedLists(head, old, own, other, *renamed)


def _shared_ends(*lists: list[Node]) -> tuple[int, int]:
    sources = [[item.source() for item in items] for items in lists]
    head = min(shared_length(sources[0], other) for other in sources[1:])
    rest = [side[head:][::-1] for side in sources]
    return head, min(shared_length(rest[0], other) for other in rest[1:])


def _same_in_all(lists: list[list[Node]]) -> dict[bytes, Key]:
    """Keys for items that all versions have exactly once with the same text; they need no parsing."""
    counts = [Counter(item.source() for item in items) for items in lists]
    return {text: ("same", n) for n, text in enumerate(counts[0]) if all(side[text] == 1 for side in counts)}


def _ids_sound_everywhere(ids: list[list[Key]]) -> set[Key]:
    """The ids that no version has twice."""
    once: set[Key] = set()
    twice: set[Key] = set()
    for side in ids:
        seen: set[Key] = set()
        for own in side:
            (twice if own in seen else seen).add(own)
        once |= seen
    return once - twice - {""}


def _key_the_anonymous(lists: list[list[Node]], keys: list[list[Key | None]]) -> bool:
    """Give keys to items without one, if one side did not change them or there is only one; else return False."""
    places = [[n for n, key in enumerate(side) if key is None] for side in keys]
    base, mine, theirs = ([items[n] for n in side] for items, side in zip(lists, places, strict=True))
    pairs: tuple[Sequence[object], Sequence[object], Sequence[object]]
    if _are_same(base, theirs):
        pairs = (range(len(base)), _pairs(base, mine, "mine"), range(len(base)))
    elif _are_same(base, mine):
        pairs = (range(len(base)), range(len(base)), _pairs(base, theirs, "theirs"))
    elif _are_same(mine, theirs):
        pairs = (_pairs(mine, base, "base"), range(len(mine)), range(len(mine)))
    elif len(base) == len(mine) == len(theirs) == 1:
        pairs = ([0], [0], [0])
    else:
        return False
    for side, where, numbers in zip(keys, places, pairs, strict=True):
        for place, number in zip(where, numbers, strict=True):
            side[place] = ("anonymous", number)
    return True


def _pairs(old: list[Node], new: list[Node], side: str) -> Sequence[object]:
    return [(side, n) if index is None else index for n, index in enumerate(pair_items(old, new, None))]


def _are_same(one: list[Node], other: list[Node]) -> bool:
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(same_value(a, b, spelling=True) for a, b in pairs)


# --- items that are the same although a side gave them another id, or none -----------------------------------------


def _follow_renames(lists: Lists, keys: Keys, name: str, by_place: bool) -> tuple[set[Key], set[Key]]:
    """Let an item with a new id keep the key of a deleted one; returns the keys kept in mine and in theirs.

    Only the id may be new, or with `by_place` the item must be at the place of the deleted one. On disk this is done
    only for items that changed here as well, because nothing else depends on it.
    """
    _key_the_unnamed(lists, keys)
    return _Side(lists, keys, 1, name).follow(by_place), _Side(lists, keys, 2, name).follow(by_place)


def _key_the_unnamed(lists: Lists, keys: Keys) -> None:
    """Give keys to items of base without an id that both sides lack: deleted items, or items that got ids."""
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
    """One side compared with base; `side` is 1 for mine and 2 for theirs."""

    def __init__(self, lists: Lists, keys: Keys, side: int, name: str) -> None:
        self._old, self._items, self._others = lists[0], lists[side], lists[3 - side]
        self._base, self._own, self._other = keys[0], keys[side], keys[3 - side]
        self._is_mine, self._name = side == 1, name

    def follow(self, by_place: bool) -> set[Key]:
        """Change the keys of this side; returns the keys that were kept."""
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
        """The items that only this side has."""
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
        """The keys of deleted items, by the numbers of new items that differ only in their id."""
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
