"""Ids of new cases: the next number of a numbered series, else a neutral name with the number of the case."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evaltui.evalset.editing.fresh_ids import fresh_id, is_random, parts_of_id


def new_case_id(near: Sequence[str], count: int, is_taken: Callable[[str], bool]) -> str:
    """The id of a new case in a set of `count` cases; `near` are the ids of the cases around it, the nearest first.

    A copied name such as `refund_2` would describe the neighbor, not the new case.
    """
    example = next(filter(None, near), "")
    if example and (is_random(example) or _is_of_series(example, near)):
        return fresh_id([example], "", is_taken)
    joint = "-" if "-" in example and "_" not in example else "_"
    name = f"case{joint}{count + 1}"
    return fresh_id([name], "", is_taken) if is_taken(name) else name


def _is_of_series(example: str, near: Sequence[str]) -> bool:
    """Whether an id is `case_N`, or ends in a number and no other case is near or one has the same prefix."""
    prefix, number = parts_of_id(example)
    others = [name for name in near if name and name != example]
    is_alike = prefix.rstrip("_-") == "case" or any(parts_of_id(name)[0] == prefix for name in others)
    return bool(number) and (not others or is_alike)
