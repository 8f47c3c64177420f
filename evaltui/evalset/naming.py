"""Fresh ids in the manner of those a file already has."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Sequence

_UUID = re.compile(r"(?is)(?P<prefix>.*?)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
_NUMBERED = re.compile(r"(?P<prefix>.*?)(?P<number>[0-9]{1,15})\Z", re.DOTALL)
_RANDOM = re.compile(r"(?P<prefix>[A-Za-z]+[_-])(?=[A-Za-z0-9]*[0-9][A-Za-z])(?P<body>[A-Za-z0-9]{12,})\Z")


def fresh_id(examples: Sequence[str], default: str, is_taken: Callable[[str], bool]) -> str:
    """An id like the last of `examples`: its prefix with a new UUID, a random tail, or the next free number.

    `default` (such as `call_1`) is the example where there is none.
    """
    example = examples[-1] if examples else None
    if example is None:
        return default if not is_taken(default) else fresh_id([default], default, is_taken)
    if found := _UUID.match(example):
        return f"{found['prefix']}{uuid.uuid4()}"
    if found := _RANDOM.match(example):
        return found["prefix"] + uuid.uuid4().hex[: len(found["body"])]
    found = _NUMBERED.match(example)
    prefix, last = (found["prefix"], found["number"]) if found else (f"{example}_", "1")
    number = _free_after(int(last), lambda number: is_taken(f"{prefix}{number:0{len(last)}d}"))
    return f"{prefix}{number:0{len(last)}d}"


def _free_after(last: int, is_taken: Callable[[int], bool]) -> int:
    """A free number behind a taken one, near `last`; where thousands in a row are taken, found by halving."""
    for number in range(last + 1, last + 20):
        if not is_taken(number):
            return number
    taken, step = last + 19, 20
    while is_taken(taken + step):
        taken, step = taken + step, step * 2
    free = taken + step
    while free - taken > 1:
        middle = (free + taken) // 2
        taken, free = (middle, free) if is_taken(middle) else (taken, middle)
    return free


def is_universal(text: str) -> bool:
    """Whether an id is meant to be the only one of its kind in the world: a UUID, with or without a prefix."""
    return _UUID.match(text) is not None
