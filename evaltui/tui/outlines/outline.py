"""The view of a document that the tree and the form need, whatever the document holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from evaltui.document.node import Node
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.row_copies import Copy
from evaltui.tui.forms.form import Form, Stop, Write
from evaltui.tui.lines import Line


class Naming(NamedTuple):
    """An addition that needs a name first."""

    question: str
    write: Write


class Outline(Protocol):
    """A tree of nodes; all but `label` and `form` must cost next to nothing for a node nobody looked into."""

    @property
    def name(self) -> str:
        """The name of the rows, for the title of the tree."""
        ...

    @property
    def shows_cases(self) -> bool:
        """Whether the first level is the cases of a file, and not the members of any JSON."""
        ...

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

    def holder(self, node: Node) -> Node | None:
        """The node that moves with the row beside its own: a change of it is one of the row. None if there is none."""
        ...

    def numbers_its_rows(self, container: Node) -> bool:
        """Whether the labels of the items of `container` hold their place in it."""
        ...

    def form(self, node: Node) -> Form:
        """The form of `node`."""
        ...

    def addition(self, node: Node, inside: bool) -> Revision | Naming | None:
        """Adds a row behind `node`, or `inside` it; None if there is nothing to add."""
        ...

    def takes_inside(self, node: Node) -> bool:
        """Whether something can be added inside `node`; costs nothing."""
        ...

    def row(self, node: Node) -> Stop | None:
        """The row's node as something to rename, retype or move; None if none of that can be done."""
        ...

    def deleting(self, nodes: Sequence[Node]) -> Revision:
        """Deletes rows. This and all below raise `EditError` if it cannot be done, with the reason."""
        ...

    def cloning(self, nodes: Sequence[Node]) -> Revision:
        """Puts copies of rows behind them."""
        ...

    def shifting(self, nodes: Sequence[Node], step: int) -> Revision:
        """Moves rows a place up (-1) or down (1) in their list."""
        ...

    def dragging(self, nodes: Sequence[Node], target: Node) -> Revision:
        """Moves rows to the place of another."""
        ...

    def copies(self, nodes: Sequence[Node]) -> list[Copy]:
        """Rows as they go to the clipboard."""
        ...

    def pasting(self, text: str, copies: list[Copy] | None, at: Node, before: bool) -> Revision:
        """Pastes a text behind (or before) a row; `copies` are the rows copied here, if the text is that of them."""
        ...
