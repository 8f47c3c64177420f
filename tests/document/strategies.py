"""JSON texts in any layout, and edits that fit them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from evaltui.document import pointer as pointers
from evaltui.document.edits import Edit, Insert, Move, Remove, Rename, Set
from tests.document.helpers import spelled_value
from tests.document.plain import after, all_pointers, value_at

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
                where, draw(NAMES.filter(lambda name: name not in names or name == pointers.parse_pointer(where)[-1]))
            )
        return _move(draw, value, where)
    return Set(where, source)


def _insert(draw: st.DrawFn, here: Any, where: str, source: bytes) -> Edit:
    if isinstance(here, list):
        return Insert(f"{where}/{draw(st.sampled_from(['-', *map(str, range(len(here) + 1))]))}", source)
    name = draw(NAMES.filter(lambda name: name not in here) | st.just("quite new"))
    if name in here:
        return Set(where, source)
    return Insert(
        f"{where}/{pointers.escape(name)}", source, before_key=draw(st.none() | st.sampled_from([*here, "none"]))
    )


def _move(draw: st.DrawFn, value: Any, origin: str) -> Edit:
    rest = after(value, Remove(origin))
    goals = [at for at in all_pointers(rest) if isinstance(value_at(rest, at), dict | list)]
    goal = draw(st.sampled_from(goals))
    here = value_at(rest, goal)
    last = draw(NAMES) if isinstance(here, dict) else str(draw(st.integers(0, len(here))))
    target = f"{goal}/{pointers.escape(last)}"
    return Remove(origin) if (target + "/").startswith(origin + "/") else Move(origin, target)
