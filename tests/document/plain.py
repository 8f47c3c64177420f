"""What edits do, in plain Python values, by the shortest code that does it."""

from __future__ import annotations

import copy
from typing import Any

from evaltui.document import pointer as pointers
from evaltui.document.edits import Edit, Insert, Move, Remove, Rename, Set
from tests.document.helpers import spelled_value


def all_pointers(value: Any, at: str = "") -> list[str]:
    """The pointers of `value` and everything in it."""
    found = [at]
    if isinstance(value, dict):
        for name, item in value.items():
            found += all_pointers(item, f"{at}/{pointers.escape(name)}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            found += all_pointers(item, f"{at}/{number}")
    return found


def value_at(value: Any, pointer: str) -> Any:
    """What stands at `pointer` in a plain value."""
    for token in pointers.parse_pointer(pointer):
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value


def after(value: Any, edit: Edit) -> Any:
    """A plain value after `edit`."""
    value = copy.deepcopy(value)
    match edit:
        case Set("", source):
            return spelled_value(source)
        case Move(origin, pointer):
            moved = value_at(value, origin)
            value = after(value, Remove(origin))
            _put(value, pointer, moved)
            return value
    place, last = pointers.parent_and_last(edit.pointer)
    holder = value_at(value, place)
    match edit:
        case Set():
            holder[int(last) if isinstance(holder, list) else last] = spelled_value(edit.source)
        case Insert():
            _put(value, edit.pointer, spelled_value(edit.source), edit.before_key)
        case Remove():
            del holder[int(last) if isinstance(holder, list) else last]
        case Rename():
            _refill(holder, [(edit.name if name == last else name, item) for name, item in holder.items()])
    return value


def _put(value: Any, pointer: str, item: Any, before: str | None = None) -> None:
    place, last = pointers.parent_and_last(pointer)
    holder = value_at(value, place)
    if isinstance(holder, list):
        holder.insert(len(holder) if last == "-" else int(last), item)
    elif before and before in holder:
        members = list(holder.items())
        members.insert(list(holder).index(before), (last, item))
        _refill(holder, members)
    else:
        holder[last] = item


def _refill(holder: dict[str, Any], members: list[tuple[str, Any]]) -> None:
    holder.clear()
    holder.update(members)
