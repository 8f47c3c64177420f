"""Sentences about values that nest too deep to be converted, with their places."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from evaltui.document import pointer as pointers
from evaltui.document.scanner import MOST_LEVELS, TOO_DEEP, is_deep
from evaltui.printable import one_line

DELETE_INNER = "delete inner values"
_LONGEST_PLACE = 80


def deep_offset(body: bytes) -> int:
    """The offset of the bracket in a JSON text that opens one level more than `MOST_LEVELS`."""
    return bisect_left(range(len(body)), True, key=lambda end: is_deep(body, 0, end)) - 1


def deep_value(value: Any, most: int = MOST_LEVELS, sentence: str = TOO_DEEP) -> str:
    """The sentence about a written value with more than `most` levels: its place in the target, and what to do."""
    pending: list[tuple[Any, tuple[str, ...]]] = [(value, ())]
    while pending:
        each, path = pending.pop()
        if len(path) >= most and isinstance(each, dict | list):
            return f"{sentence}, in the written file at {_place(path)}; {DELETE_INNER} of the source"
        pending += [(item, (*path, str(key))) for key, item in _members(each)]
    return f"{sentence}; {DELETE_INNER}"


def _members(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def _place(path: tuple[str, ...]) -> str:
    return one_line("".join(f"/{pointers.escape(token)}" for token in path), _LONGEST_PLACE)
