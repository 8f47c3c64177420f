"""JSON texts in any layout, and edits that fit them together with what they do to a plain Python value."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

from evaltui.document import Edit, Insert, Move, Remove, Rename, Set, json_text
from evaltui.document import pointer as pointers

from .helpers import Spelled, spelled_value

BLANKS = st.sampled_from(["", "", "", " ", "  ", "\n", "\n  ", "\r\n\t", "\n\n    ", "\t"])
NUMBERS = st.sampled_from(["0", "-0", "1", "1.0", "1e3", "1E+03", "-2.50", "123456789012345678901234567890", "0.1"])
LITERALS = st.sampled_from(["true", "false", "null"])
CHARACTERS = st.sampled_from(
    [
        "a",
        "b",
        " ",
        "/",
        "é",
        "😀",
        r"\/",
        r"\\",
        r"\"",
        r"\n",
        r"\u00e9",
        r"\u00E9",
        r"\ud83d\ude00",
        r"\ud800",
        "{",
        ",",
    ]
)
STRINGS = st.lists(CHARACTERS, max_size=6).map(lambda parts: '"' + "".join(parts) + '"')
KEYS = st.sampled_from(['"a"', '"b"', '"c"', r'"\u0064"', '"é"', '"x/y"', '"~"', '""', '"1"'])
SCALARS = NUMBERS | LITERALS | STRINGS


def _placed(texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(BLANKS, texts, BLANKS).map("".join)


def _filled(opening: str, items: st.SearchStrategy[list[str]], closing: str) -> st.SearchStrategy[str]:
    empty = BLANKS.map(lambda blanks: opening + blanks + closing)
    return st.one_of(items.map(lambda texts: opening + ",".join(texts) + closing if texts else None), empty).filter(
        bool
    )


def _containers(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    members = st.lists(
        st.tuples(_placed(KEYS), _placed(values)), max_size=4, unique_by=lambda m: spelled_value(m[0].encode())
    )
    lists = _filled("[", st.lists(_placed(values), max_size=4), "]")
    return lists | _filled("{", members.map(lambda found: [":".join(member) for member in found]), "}")


VALUES = st.recursive(SCALARS, _containers, max_leaves=12)
DOCUMENTS = _placed(_containers(VALUES)).map(str.encode)
NAMES = st.sampled_from(["a", "b", "c", "é", "x/y", "~", "", "new", "1"])


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
    for token in pointers.parse(pointer):
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value


@st.composite
def edits_for(draw: st.DrawFn, value: Any) -> Edit:
    """An edit that can be done to a document with `value`."""
    where = draw(st.sampled_from(all_pointers(value)))
    here = value_at(value, where)
    source = draw(VALUES).encode()
    kind = draw(st.sampled_from(["set", "insert", "insert", "remove", "move", "rename"]))
    if kind == "insert" and isinstance(here, dict | list):
        return _insert(draw, here, where, source)
    if kind in ("remove", "move", "rename") and where:
        if kind == "remove":
            return Remove(where)
        place, _ = pointers.parent_and_last(where)
        if kind == "rename" and isinstance(value_at(value, place), dict):
            names = value_at(value, place)
            return Rename(
                where, draw(NAMES.filter(lambda name: name not in names or name == pointers.parse(where)[-1]))
            )
        return _move(draw, value, where)
    return Set(where, source)


def _insert(draw: st.DrawFn, here: Any, where: str, source: bytes) -> Edit:
    if isinstance(here, list):
        return Insert(f"{where}/{draw(st.sampled_from(['-', *map(str, range(len(here) + 1))]))}", source)
    name = draw(NAMES.filter(lambda name: name not in here) | st.just("quite new"))
    if name in here:
        return Set(where, source)
    return Insert(f"{where}/{pointers.escape(name)}", source, before=draw(st.none() | st.sampled_from([*here, "none"])))


def _move(draw: st.DrawFn, value: Any, origin: str) -> Edit:
    rest = after(value, Remove(origin))
    goals = [at for at in all_pointers(rest) if isinstance(value_at(rest, at), dict | list)]
    goal = draw(st.sampled_from(goals))
    here = value_at(rest, goal)
    last = draw(NAMES) if isinstance(here, dict) else str(draw(st.integers(0, len(here))))
    target = f"{goal}/{pointers.escape(last)}"
    return Remove(origin) if (target + "/").startswith(origin + "/") else Move(origin, target)


def after(value: Any, edit: Edit) -> Any:
    """A plain value after `edit`, by the shortest code that does it."""
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
            _put(value, edit.pointer, spelled_value(edit.source), edit.before)
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


__all__ = ["DOCUMENTS", "SCALARS", "VALUES", "Spelled", "after", "all_pointers", "edits_for", "json_text", "value_at"]
