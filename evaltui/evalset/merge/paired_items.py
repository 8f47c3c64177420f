"""Items of lists in two versions: which case, turn, call or rubric is the same, and the order of both."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from evaltui.document.node import Node
from evaltui.document.sequence_diff import shared_length
from evaltui.document.value_comparison import same_value
from evaltui.evalset.keys import camel, items_of, member, text_of

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
    """The key that identifies the items of a list; None if there is none."""
    key = next((key for name, key in _ID_NAMES.items() if container.name in (name, camel(name))), None)
    # Cases of an EvaluationDataset have another key than cases of an eval set; the first case decides.
    first = next(iter(container.items), None) if key == "eval_id" else None
    is_of_dataset = member(first, _ID_OF_DATASETS) is not None and member(first, "eval_id") is None
    return _ID_OF_DATASETS if is_of_dataset else key


def ids_of(items: Sequence[Node], name: str) -> list[str]:
    """The id of each item; "" if it has none or shares it with another item."""
    ids = [text_of(item, name) for item in items]
    counts = Counter(ids)
    return [identifier if counts[identifier] == 1 else "" for identifier in ids]


def pair_items(old: Sequence[Node], new: Sequence[Node], name: str | None) -> list[int | None]:
    """For each item of `new` the index of the same item in `old`; None for an added item.

    Pairs by equal text, then by id (key `name`), then by the place between paired items.
    """
    # Equal texts come first, because they need no parsing: most cases of a large set did not change.
    old_texts, new_texts = ([item.source() for item in items] for items in (old, new))
    head = shared_length(old_texts, new_texts)
    tail = shared_length(old_texts[head:][::-1], new_texts[head:][::-1])
    pairs: list[int | None] = [*range(head), *[None] * (len(new) - head - tail), *range(len(old) - tail, len(old))]
    free, middle = set(range(head, len(old) - tail)), range(head, len(new) - tail)

    def pair(number: int, index: int | None) -> None:
        if index is not None and index in free:
            pairs[number] = index
            free.discard(index)

    alike: defaultdict[bytes, deque[int]] = defaultdict(deque)
    for index in sorted(free):
        alike[old_texts[index]].append(index)
    for number in middle:
        if alike[new_texts[number]]:
            pair(number, alike[new_texts[number]].popleft())
    if name is not None:
        indexes, numbers = sorted(free), [number for number in middle if pairs[number] is None]
        places = dict(zip(ids_of([old[index] for index in indexes], name), indexes, strict=True))
        for number, identifier in zip(numbers, ids_of([new[number] for number in numbers], name), strict=True):
            pair(number, places.get(identifier) if identifier else None)
    # A guess, good enough for a cursor but not for a merge.
    for number in middle:
        previous = pairs[number - 1] if number else -1
        if pairs[number] is None and previous is not None:
            pair(number, previous + 1)
    return pairs


def _pair_alike(old: Sequence[Node], new: Sequence[Node], name: str) -> list[int | None]:
    """For each item of `new` the index of the `old` item with the same texts and numbers without the id `name`."""
    places: defaultdict[frozenset[tuple[str, str]], deque[int]] = defaultdict(deque)
    for index, item in enumerate(old):
        if words := _texts_and_numbers(item, name):
            places[words].append(index)
    queues = [places.get(_texts_and_numbers(item, name)) for item in new] if places else [None] * len(new)
    return [indexes.popleft() if indexes else None for indexes in queues]


def _texts_and_numbers(item: Node, name: str) -> frozenset[tuple[str, str]]:
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


def paired(old: Node, new: Node) -> list[int | None]:
    """Like `pair_items`, for two versions of a container; values of an object are paired by key."""
    if old.kind == "array":
        are_objects = all(item.kind == "object" for item in new.items)
        return pair_items(old.items, new.items, id_name(old) if are_objects else None)
    # A key may stand twice in a file that is open to be mended.
    places: defaultdict[str, deque[int]] = defaultdict(deque)
    for index, item in enumerate(old.items):
        places[item.name].append(index)
    return [places[item.name].popleft() if places[item.name] else None for item in new.items]


# --- three versions --------------------------------------------------------------------------------------------------

Key = object
"""The key of an item in all three versions."""
Keys = list[list[Key | None]]
"""The keys of base, mine and theirs; None for an item without an id of its own."""
Lists = list[list[Node]]
"""The items of base, mine and theirs."""
_START = object()


@dataclass(frozen=True, slots=True)
class KeyedLists:
    """The items of each version that are not the same in all three, by key; the first `head` items are the same."""

    head: int
    base: dict[Key, Node]
    mine: dict[Key, Node]
    theirs: dict[Key, Node]
    renamed: set[Key]
    """The keys of items whose id changed, or was deleted, in mine."""
    renamed_there: set[Key]
    """The same for theirs, but only for items that changed here as well."""


def key_items(
    base: list[Node], mine: list[Node], theirs: list[Node], name: str, *, by_place: bool = True
) -> KeyedLists | None:
    """Give the items keys by their ids; None if a person must say which item is which.

    Items without an id, or with a duplicate id, can be paired only if one side did not change any of them.
    Without `by_place`, a new item at the place of a deleted one counts as new.
    """
    versions = (base, mine, theirs)
    texts = [[item.source() for item in items] for items in versions]
    head = min(shared_length(texts[0], side) for side in texts[1:])
    ends = [side[head:][::-1] for side in texts]
    tail = min(shared_length(ends[0], side) for side in ends[1:])
    lists = [items[head : len(items) - tail] for items in versions]
    # Items that all versions have once with the same text get keys without parsing.
    counts = [Counter(item.source() for item in items) for items in lists]
    same = {text: ("same", number) for number, text in enumerate(counts[0]) if all(side[text] == 1 for side in counts)}
    ids: list[list[Key]] = [[same.get(item.source()) or text_of(item, name) for item in items] for items in lists]
    repetitions = [Counter(side) for side in ids]
    keys: Keys = [
        [key if key != "" and all(side[key] < 2 for side in repetitions) else None for key in side] for side in ids
    ]
    _key_the_unnamed(lists, keys)
    renamed, renamed_there = (_follow_renames(lists, keys, side, name, by_place) for side in (1, 2))
    if not _key_the_anonymous(lists, keys):
        return None
    old, own, rivals = (
        {key: item for key, item in zip(side, items, strict=True) if key is not None}
        for side, items in zip(keys, lists, strict=True)
    )
    return KeyedLists(head, old, own, rivals, renamed, renamed_there)


def _without_keys(lists: Lists, keys: Keys) -> tuple[list[list[int]], Lists]:
    """The places of the items without keys in each version, and these items."""
    places = [[place for place, key in enumerate(side) if key is None] for side in keys]
    return places, [[items[place] for place in side] for items, side in zip(lists, places, strict=True)]


def _key_the_anonymous(lists: Lists, keys: Keys) -> bool:
    """Give keys to items without one, if one side did not change them or there is only one; else return False."""
    places, (base, mine, theirs) = _without_keys(lists, keys)
    pairs: tuple[Iterable[object], Iterable[object], Iterable[object]]
    if _are_same(base, theirs):
        pairs = (range(len(base)), _anonymous_keys(base, mine, "mine"), range(len(base)))
    elif _are_same(base, mine):
        pairs = (range(len(base)), range(len(base)), _anonymous_keys(base, theirs, "theirs"))
    elif _are_same(mine, theirs):
        pairs = (_anonymous_keys(mine, base, "base"), range(len(mine)), range(len(mine)))
    elif len(base) == len(mine) == len(theirs) == 1:
        pairs = ([0], [0], [0])
    else:
        return False
    for side, side_places, numbers in zip(keys, places, pairs, strict=True):
        for place, number in zip(side_places, numbers, strict=True):
            side[place] = ("anonymous", number)
    return True


def _anonymous_keys(old: list[Node], new: list[Node], side: str) -> list[object]:
    return [(side, number) if index is None else index for number, index in enumerate(pair_items(old, new, None))]


def _are_same(items: list[Node], twins: list[Node]) -> bool:
    pairs = zip(items, twins, strict=False)
    return len(items) == len(twins) and all(same_value(item, twin, spelling=True) for item, twin in pairs)


# --- items that are the same although a side gave them another id, or none -------------------------------------------


def _key_the_unnamed(lists: Lists, keys: Keys) -> None:
    """Give keys to items of base without an id that both sides lack: deleted items, or items that got ids."""
    places, (base, mine, theirs) = _without_keys(lists, keys)
    known_texts = Counter(item.source() for item in base)
    if any(Counter(item.source() for item in side) - known_texts for side in (mine, theirs)):
        return
    present = {index for side in (mine, theirs) for index in pair_items(base, side, None)}
    for index, place in enumerate(places[0]):
        if index not in present:
            keys[0][place] = ("unnamed", index)


def _follow_renames(lists: Lists, keys: Keys, side: int, name: str, by_place: bool) -> set[Key]:
    """Let an item with a new id keep the key of a deleted one; returns these keys. `side` is 1 for mine, 2 for theirs.

    Only the id may be new, or with `by_place` the item must be at the place of the deleted one.
    """
    base, items, rivals = lists[0], lists[side], lists[3 - side]
    base_keys, own, rival_keys = keys[0], keys[side], keys[3 - side]
    present = set(own)
    deleted = {key: index for index, key in enumerate(base_keys) if key is not None and key not in present}
    if not deleted:
        return set()
    # The items that only this side has: with an id that is new, or without one and unlike any of base.
    places, (unnamed_base, *unnamed) = _without_keys(lists, keys)
    pairs = pair_items(unnamed_base, unnamed[side - 1], None)
    unpaired = [number for number, index in zip(places[side], pairs, strict=True) if index is None]
    known_keys = {*base_keys, *rival_keys, None}
    added = sorted([*unpaired, *(number for number, key in enumerate(own) if key not in known_keys)])
    if not added:
        return set()
    # Nothing depends on the renaming of an item that the other side left as it was.
    twins = {key: item for key, item in zip(rival_keys, rivals, strict=True) if key in deleted}
    changed = {key for key, index in deleted.items() if key not in twins or not _are_same([base[index]], [twins[key]])}
    keys_in_order = [*deleted]
    numbers = _pair_alike([base[index] for index in deleted.values()], [items[number] for number in added], name)
    alike = {number: keys_in_order[index] for number, index in zip(added, numbers, strict=True) if index is not None}
    followed = {number: key for number, key in alike.items() if key in changed}
    for number, key in followed.items():
        own[number] = key
    if by_place:
        deleted_behind = {base_keys[index - 1] if index else _START: key for key, index in deleted.items()}
        numbers_alike = {key: number for number, key in alike.items()}
        candidates = {number for number in added if number not in followed}
        previous: Key | None = _START
        for number, key in enumerate(own):
            doomed = deleted_behind.get(previous) if previous is not None else None
            # Mine must be followed even without a change there: an id of mine is never undone without a question.
            is_needed = doomed in changed or (side == 1 and key is not None)
            fits = alike.get(number, doomed) == doomed and numbers_alike.get(doomed, number) == number
            if doomed is not None and is_needed and fits and number in candidates:
                own[number] = followed[number] = doomed
            previous = own[number]
    return {*followed.values()}


# --- items that cannot be paired -------------------------------------------------------------------------------------

_LOOKED_AT = 20
"""The most unchanged items whose words count as common to all items."""


def why_unknown(lists: KeyedLists | None, base: list[Node], name: str) -> str:
    """A clause about why the items of a list cannot be paired; "" if the keys pair them."""
    if lists is None:
        return f"both sides changed this list, and some {name} values are missing or duplicate"
    # If both sides deleted an item, a new item of either side may be the same one with another id, or a moved one. A
    # wrong guess would duplicate the item or silently undo a deletion, so a person is asked.
    if _may_have_stayed([lists], base, name):
        return f"both sides deleted an item; a new item may be the deleted item with a new {name}"
    if name != "eval_id":
        return ""
    turns_of_changed: list[KeyedLists | None] = []
    for key in {**lists.base, **lists.mine, **lists.theirs}:
        versions = [side.get(key) for side in (lists.base, lists.mine, lists.theirs)]
        if None in versions or len({case.source() for case in versions if case is not None}) > 1:
            old, own, rivals = (items_of(case, "conversation") for case in versions)
            turns_of_changed.append(key_items(old, own, rivals, "invocation_id", by_place=False))
    keyed = [turns for turns in turns_of_changed if turns is not None]
    turns = (turn for case in base for turn in items_of(case, "conversation"))
    may_have_stayed = _may_have_stayed(keyed, turns, "invocation_id")
    return "both sides deleted a turn; a new turn in another case may be the deleted turn" if may_have_stayed else ""


def _may_have_stayed(lists: list[KeyedLists], base: Iterable[Node], name: str) -> bool:
    """Whether an item deleted on both sides shares rare words with a new item, so that it may be the same item."""
    deleted, added, twins = list[Node](), list[Node](), list[Node]()
    for keyed in lists:
        sides = (keyed.mine, keyed.theirs)
        deleted += [item for key, item in keyed.base.items() if not any(key in side for side in sides)]
        for key, item in chain.from_iterable(side.items() for side in sides):
            if key not in keyed.base:
                (twins if all(key in side for side in sides) else added).append(item)
    if not deleted or not added:
        return False
    unchanged = islice((item for item in base if item not in deleted), _LOOKED_AT)
    common = {word for item in unchanged for word in _texts_and_numbers(item, name)}
    new = {word for item in added for word in _texts_and_numbers(item, name)} - common
    accounted = {*_pair_alike(deleted, twins, name)}
    return any(_texts_and_numbers(item, name) & new for index, item in enumerate(deleted) if index not in accounted)
