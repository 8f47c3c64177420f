"""Which items of two versions of a list are one and the same by what they say, whatever their ids are."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence

from evaltui.document import Node
from evaltui.evalset.keys import camel

_COMMON = 5
"""What stands in more items than this tells none of them from the others."""

Words = dict[tuple[str, str], int]
"""What an item says: its scalars by their key, each with its length."""


def resembling(old: Sequence[Node], new: Sequence[Node], name: str, others: Sequence[Node] = ()) -> list[int | None]:
    """For each item of `new` the index of the one of `old` that says the same, or more than half of it; None of none.

    The id, the member `name`, does not count, nor what `others` say as well. Every item is paired at most once.
    """
    if not old or not new:
        return [None] * len(new)
    before, after = ([_words(item, name) for item in items] for items in (old, new))
    found = _equal(before, after)
    common = {word for item in others for word in _words(item, name)}
    stand_in = Counter(word for words in before for word in words)
    common |= {word for word, count in stand_in.items() if count > _COMMON}
    before, after = ([_without(words, common) for words in side] for side in (before, after))
    taken = set(found)
    for _, index, number in sorted(_alike(before, after)):
        if found[number] is None and index not in taken:
            found[number] = index
            taken.add(index)
    return found


def _equal(before: list[Words], after: list[Words]) -> list[int | None]:
    places: defaultdict[frozenset[tuple[str, str]], deque[int]] = defaultdict(deque)
    for index, words in enumerate(before):
        if words:
            places[frozenset(words)].append(index)
    found = [places.get(frozenset(words)) for words in after]
    return [indexes.popleft() if indexes else None for indexes in found]


def _alike(before: list[Words], after: list[Words]) -> Iterator[tuple[int, int, int]]:
    """The pairs that share more than half of the shorter one: how much as a negative number, and both indexes."""
    owners: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for index, words in enumerate(before):
        for word in words:
            owners[word].append(index)
    for number, words in enumerate(after):
        shared: Counter[int] = Counter()
        for word, length in words.items():
            for index in owners.get(word, ()):
                shared[index] += length
        for index, length in shared.items():
            if 2 * length > min(sum(before[index].values()), sum(words.values())):
                yield -length, index, number


def _without(words: Words, common: set[tuple[str, str]]) -> Words:
    return {word: length for word, length in words.items() if word not in common}


def _words(item: Node, name: str) -> Words:
    words: Words = {}
    pending = [part for part in item.items if part.name not in (name, camel(name))]
    while pending:
        part = pending.pop()
        if part.is_container:
            pending += part.items
        elif part.kind in ("string", "number"):
            text = part.text() if part.kind == "string" else part.source().decode("latin-1")
            words[part.name, text] = len(text)
    return words
