"""Documents with something wrong in them."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

_WRONG = [None, "", "wrong text", 7001, 0.5, True, [], {}, ["wrong"], {"wrong": "member"}, [[]], [{}], "user"]
_NAMES = ["content", "parts", "text", "role", "author", "name", "args", "turns", "rubrics", "eval_id", "state"]


def mutated(document: Any, dice: random.Random) -> Any:
    """A copy with one to three values replaced, removed, doubled, or moved to another name."""
    found = copy.deepcopy(document)
    for _ in range(dice.randrange(1, 4)):
        places = [each for each in _places(found) if each[0] is not found]
        if places:
            _mutate(*dice.choice(places), dice)
    return found


def _mutate(owner: Any, key: Any, dice: random.Random) -> None:
    kind = dice.randrange(4)
    if kind == 0:
        owner[key] = copy.deepcopy(dice.choice(_WRONG))
    elif kind == 1:
        del owner[key]
    elif isinstance(owner, list):
        owner.append(copy.deepcopy(owner[key]))
    elif kind == 2:
        owner[dice.choice(_NAMES)] = owner.pop(key)
    else:
        owner[key] = [owner[key]]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])
