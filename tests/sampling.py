"""The default run takes a sample of what is alike. `pytest --thorough` takes all of it.

@pytest.mark.parametrize("path", sampled(CORPUS, kind=lambda path: path.suffix))
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

from hypothesis import settings

T = TypeVar("T")


class Extent:
    """How much is tried; `tests/conftest.py` sets it before tests are collected."""

    is_thorough = False


def sampled(values: Iterable[T], most: int = 2, *, kind: Callable[[T], Hashable] = lambda _: None) -> list[T]:
    """All values in a thorough run, else `most` of each kind: the first, the last and some between."""
    every = list(values)
    if Extent.is_thorough:
        return every
    kinds: dict[Hashable, list[int]] = defaultdict(list)
    for place, value in enumerate(every):
        kinds[kind(value)].append(place)
    kept = {places[n] for places in kinds.values() for n in _spread(len(places), most)}
    return [value for place, value in enumerate(every) if place in kept]


def _spread(length: int, most: int) -> set[int]:
    if most == 1 or length < 2:
        return {0} if length else set()
    return {round(n * (length - 1) / (most - 1)) for n in range(most)}


def examples(thorough: int, **options: Any) -> settings:
    """So many examples of a property in a thorough run, else a quarter of them."""
    return settings(max_examples=thorough if Extent.is_thorough else max(thorough // 4, 5), **options)
