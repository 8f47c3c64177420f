"""What the tree and the form need to know of a document, whatever it holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from evaltui.document import Node
from evaltui.evalset.revision import Revision
from evaltui.tui.forms.form import Form, Stop, Write
from evaltui.tui.lines import Line


@dataclass(frozen=True, slots=True)
class Naming:
    """An addition that needs a name first."""

    question: str
    write: Write


class Outline(Protocol):
    """A tree of nodes; all but `label` and `form` must cost next to nothing for a node nobody looked into."""

    name: str
    """What the rows are, for the title of the tree."""

    @property
    def root(self) -> Node:
        """The first row."""
        ...

    def children(self, node: Node) -> list[Node]:
        """The rows below `node`, in order."""
        ...

    def has_children(self, node: Node) -> bool:
        """Whether there are rows below `node`."""
        ...

    def label(self, node: Node) -> Line:
        """The row of `node`."""
        ...

    def numbers_its_rows(self, container: Node) -> bool:
        """Whether the labels of the items of `container` hold their place in it."""
        ...

    def form(self, node: Node) -> Form:
        """The form of `node`."""
        ...

    def deletion(self, node: Node) -> Revision | None:
        """What takes the row's node out; None where it cannot go."""
        ...

    def addition(self, node: Node, inside: bool) -> Revision | Naming | None:
        """What adds a row behind `node`, or `inside` it; None where there is nothing to add."""
        ...

    def row(self, node: Node) -> Stop | None:
        """What else can be done to the row's node: rename, another type, another place; None for nothing."""
        ...
