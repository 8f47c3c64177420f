"""Trees of values to write, which know their place in the source.

A writer builds a tree of plain objects and lists. A source value is in it as its `Node`. So no list of written values
is needed: all nodes in the tree are written, and the rest of the source is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

from evaltui.document.node import Node
from evaltui.evalset.keys import camel, filled
from evaltui.interop.odd_values import with_finite_numbers

LossKind = Literal["no_place", "changed", "merged", "invented"]
"""Words of the contract (`evaltui convert --report json`)."""


class Made(NamedTuple):
    """A plain value made of values of the source."""

    value: Any
    sources: tuple[Node, ...]
    kind: LossKind | None = None
    """None: it says the same in another spelling (a time, a wrapped text), which needs no report."""
    reason: str = ""
    """"" for the reason that the target's holdings give for the field."""
    advice: str = ""


class Invented(NamedTuple):
    """A plain value that the target requires and the source lacks."""

    value: Any
    at: Node
    """The nearest value of the source."""
    member: str
    """The pointer below `at` where the source lacks the value: "/rubrics"."""
    reason: str
    advice: str = ""


_ABSENT, _NO_TEXT = "missing in the source", "the source has no text there"


def missing(by: str, value: Value | None = None) -> str:
    """Why a required value is added: the source lacks it, or has a `value` without a text."""
    absent = value is None or value_of(value) is None
    return f"required by {by}, but {_ABSENT if absent else _NO_TEXT}"


def true_reason(invented: Invented) -> str:
    """The reason of an added value. A value of the source that is no text is not called missing."""
    given = filled(invented.at, invented.member.removeprefix("/"))
    return invented.reason.replace(_ABSENT, _NO_TEXT) if given is not None else invented.reason


class LeftOutItem(NamedTuple):
    """An item of a list that the target cannot hold. It is not written, and the report says why."""

    node: Node
    reason: str
    """A clause without a full stop."""
    advice: str = ""


class Respelt(NamedTuple):
    """An object or list of the source that is written with the keys inside it respelt."""

    node: Node
    tree: Tree


class OwnKey(str):
    """A key chosen by the author of the file: it is never respelt."""

    __slots__ = ()


Value: TypeAlias = Node | Made
"""A value of the source, as it is or as a reader had to rewrite it."""
Tree: TypeAlias = (
    "Node | Made | Respelt | Invented | LeftOutItem | Mapping[str, Tree] | Sequence[Tree] | str | float | bool | None"
)


@dataclass(slots=True)
class Rendering:
    """The plain value of trees, and the source values in them."""

    is_camel: bool = False
    """Whether the keys that the writer gave, which are in snake_case, become camelCase; `OwnKey`s stay."""
    placed: set[Node] = field(default_factory=set)
    made: list[Made] = field(default_factory=list)
    invented: list[Invented] = field(default_factory=list)
    left_out: list[LeftOutItem] = field(default_factory=list)
    rejected: dict[Node, str] = field(default_factory=dict)
    """Written values for which the target's reader rejects the file, with the reasons; see `rejected_values`."""
    has_odd_values: bool = False
    """Whether the source has numbers that JSON has no words for; see `odd_values`."""

    def plain(self, tree: Tree) -> Any:
        """The value of a tree. Raises RecursionError if it nests too deep."""
        if isinstance(tree, Node):
            self.placed.add(tree)
            return self._writable(tree.value())
        if isinstance(tree, Made):
            self.made.append(tree)
            return self._writable(tree.value)
        if isinstance(tree, Respelt):
            return self.plain(tree.tree)
        if isinstance(tree, Invented):
            self.invented.append(tree)
            return tree.value
        if isinstance(tree, Mapping):
            return {self._key(name): self.plain(each) for name, each in tree.items()}
        if isinstance(tree, LeftOutItem):
            self.left_out.append(tree)
            return None
        if isinstance(tree, list | tuple):
            items = [self.plain(each) for each in tree]
            return [item for item, each in zip(items, tree, strict=True) if not isinstance(each, LeftOutItem)]
        return tree

    def _writable(self, value: Any) -> Any:
        return with_finite_numbers(value) if self.has_odd_values else value

    def _key(self, name: str) -> str:
        return camel(name) if self.is_camel and not isinstance(name, OwnKey) else str(name)


def value_of(value: Value | None) -> Any:
    """The plain value; None for none."""
    return value.value() if isinstance(value, Node) else value.value if value is not None else None


def remade(source: Value, value: Any, kind: LossKind | None = None, reason: str = "", advice: str = "") -> Made:
    """`value` made from a value of the model. Without a `kind`, a loss that the reader noted stays."""
    if isinstance(source, Node):
        return Made(value, (source,), kind, reason, advice)
    if kind is None:
        return source._replace(value=value)
    return Made(value, source.sources, kind, reason, advice)


def sources_of(value: Value | None) -> tuple[Node, ...]:
    """The source values of a value; empty for None."""
    if value is None:
        return ()
    return (value,) if isinstance(value, Node) else value.sources


def text_in(value: Value | None) -> str:
    """The text of a value; "" for None and for other values."""
    found = value_of(value)
    return found if isinstance(found, str) else ""


def only_text(value: Value | None) -> Value | None:
    """The value if it is a text; None for others, which targets with strict types would reject."""
    return value if isinstance(value_of(value), str) else None
