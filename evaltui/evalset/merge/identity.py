"""Identity of items in two versions of a list: which case, turn, call or rubric is the same."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Sequence

from evaltui.document.diff.sequence_diff import shared_length
from evaltui.document.node import Node
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
