"""Trees of values to write, which know their place in the source.

A writer builds a tree of plain objects and lists. A source value is in it as its `Node`. So no list of written values
is needed: all nodes in the tree are written, and the rest of the source is not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from evaltui.document.node import Node
from evaltui.evalset.keys import camel
from evaltui.interop.fields import HELD, Reason


class Made(NamedTuple):
    """A plain value made of values of the source, or one that the target requires and the source lacks."""

    value: Any
    sources: tuple[Node, ...]
    """For a value that the source lacks, the nearest value of the source."""
    reason: Reason = HELD
    """`HELD`: it says the same in another spelling (a time, a wrapped text), which needs no report."""
    pointer: str = ""
    """The pointer below the nearest value where the source lacks the value: "/rubrics"; "" for all others."""


class Respelt(NamedTuple):
    """An object or list of the source that is written with the keys inside it respelt."""

    node: Node
    tree: Tree


class OwnKey(str):
    """A key chosen by the author of the file: it is never respelt."""

    __slots__ = ()


Value: TypeAlias = Node | Made
"""A value of the source, as it is or as a reader had to rewrite it."""
Tree: TypeAlias = "Node | Made | Respelt | Mapping[str, Tree] | Sequence[Tree] | str | float | bool | None"


def plain_value(tree: Tree, is_camel: bool = False) -> Any:
    """The value of a tree. Raises RecursionError if it nests too deep.

    With `is_camel`, the keys that the writer gave, which are in snake_case, become camelCase; `OwnKey`s stay.
    """
    tree = tree.tree if isinstance(tree, Respelt) else tree
    if isinstance(tree, Node):
        return tree.value()
    if isinstance(tree, Made):
        return tree.value
    if isinstance(tree, Mapping):
        return {
            camel(name) if is_camel and not isinstance(name, OwnKey) else str(name): plain_value(value, is_camel)
            for name, value in tree.items()
        }
    return [plain_value(item, is_camel) for item in tree] if isinstance(tree, list | tuple) else tree


def leaves_of(tree: Tree) -> Iterator[Value]:
    """The values in a tree that are of the source, made of it or added. Raises RecursionError if it nests too deep."""
    tree = tree.tree if isinstance(tree, Respelt) else tree
    if isinstance(tree, Node | Made):
        yield tree
    elif isinstance(tree, Mapping | list | tuple):
        for item in tree.values() if isinstance(tree, Mapping) else tree:
            yield from leaves_of(item)


# --- values --------------------------------------------------------------------------------------------------------


def value_of(value: Value | None) -> Any:
    """The plain value; None for none."""
    return value.value() if isinstance(value, Node) else value.value if value is not None else None


def text_in(value: Value | None) -> str:
    """The text of a value; "" for None and for other values."""
    plain = value_of(value)
    return plain if isinstance(plain, str) else ""


def only_text(value: Value | None) -> Value | None:
    """The value if it is a text; None for others, which targets with strict types would reject."""
    return value if isinstance(value_of(value), str) else None


def sources_of(*values: Value | None) -> tuple[Node, ...]:
    """The source values of values; empty for None."""
    sources: list[Node] = []
    for value in values:
        if value is not None:
            sources += (value,) if isinstance(value, Node) else value.sources
    return tuple(sources)


def remade(source: Value, value: Any, reason: Reason = HELD) -> Made:
    """`value` made from a value of the model. Without a `reason`, a loss that the reader noted stays."""
    # What a reader reported is not forgotten when a writer only wraps the value.
    if isinstance(source, Made) and reason is HELD:
        return source._replace(value=value)
    return Made(value, sources_of(source), reason)


def with_reason(value: Value, reason: Reason) -> Made:
    """A value that is written as it is, and reported."""
    return remade(value, value_of(value), reason)


def joined_texts(texts: Sequence[Value], reason: Reason) -> Value | None:
    """Texts joined with newlines; the only one as it is, None for none."""
    if len(texts) < 2:
        return texts[0] if texts else None
    return Made("\n".join(map(text_in, texts)), sources_of(*texts), reason)


def present(members: Mapping[str, Tree]) -> dict[str, Tree]:
    """The members of an object that there are. None is an absent value: no target requires a null."""
    return {name: value for name, value in members.items() if value is not None}


def with_own_keys(members: Mapping[str, Tree]) -> dict[str, Tree]:
    """Values under keys that the author of the file chose, which are never respelt."""
    return {OwnKey(name): value for name, value in members.items()}


def with_finite_numbers(value: Any) -> Any:
    """A plain value with NaN and Infinity as texts. Raises RecursionError if it nests too deep."""
    if is_infinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if not isinstance(value, dict | list):
        return value
    finite = value.copy()
    for place, item in value.items() if isinstance(value, dict) else enumerate(value):
        finite[place] = with_finite_numbers(item)  # a comprehension would be a second call in Python 3.11
    return finite


def is_infinite(value: Any) -> bool:
    """Whether JSON cannot represent a value; it can represent integers of any length."""
    return isinstance(value, float) and not math.isfinite(value)


# --- values that a target requires ---------------------------------------------------------------------------------

ABSENT, NO_TEXT = "missing in the source", "the source has no text there"


def missing(reader: str, value: Value | None = None) -> str:
    """Why a required value is added: the source lacks it, or has a `value` without a text."""
    return f"required by {reader}, but {ABSENT if value_of(value) is None else NO_TEXT}"


def required(
    value: Any, owner: Node, name: str, reader: str, source: Value | None = None, *, more: str = "", advice: str = ""
) -> Made:
    """A value that `reader` requires under `name`. `source` is the useless value there; `more` ends the reason."""
    return added(value, owner, f"/{name}", missing(reader, source) + more, advice)


def added(value: Any, owner: Node, pointer: str, text: str, advice: str = "") -> Made:
    """A value that the source lacks at the pointer below `owner`; `text` and `advice` say why."""
    return Made(value, (owner,), Reason("invented", text, advice), pointer)


def with_default(value: Value | None, default: Any, owner: Node, name: str, reader: str) -> Value:
    """A value that `reader` requires under `name`, or the `default` for an absent one."""
    return value if value is not None else required(default, owner, name, reader)
