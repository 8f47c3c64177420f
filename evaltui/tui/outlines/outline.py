"""The tree and the forms of a document, independent of its format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from evaltui.document.node import Node
from evaltui.evalset.editing.revision import Copy, Revision
from evaltui.tui.forms.form import Form, Stop, Write
from evaltui.tui.lines import Line


class Naming(NamedTuple):
    """An addition that first asks for a name."""

    question: str
    write: Write


class Outline(Protocol):
    """A tree of nodes. All methods but `label` and `form` must be cheap for a node that is not parsed yet."""

    @property
    def name(self) -> str:
        """The name of the rows, for the title of the tree."""
        ...

    @property
    def shows_cases(self) -> bool:
        """Whether the first level has the cases of a file, not the keys of any JSON."""
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
        """The node that moves with the row of `node`; its changes mark the row as changed. None if there is none."""
        ...

    def numbers_its_rows(self, container: Node) -> bool:
        """Whether the rows below `container` show their number."""
        ...

    def form(self, node: Node) -> Form:
        """The form of `node`."""
        ...

    def addition(self, node: Node, inside: bool) -> Revision | Naming | None:
        """Adds a row after `node`, or `inside` it; None if nothing can be added."""
        ...

    def takes_inside(self, node: Node) -> bool:
        """Whether something can be added inside `node`; must be cheap."""
        ...

    def adds(self, node: Node, inside: bool) -> str:
        """The name of the row that `addition` adds; "" if it has no name of its own. Must be cheap."""
        ...

    def row(self, node: Node) -> Stop | None:
        """The row as something to rename, retype or move; None if none of these is possible."""
        ...

    def deleting(self, nodes: Sequence[Node]) -> Revision:
        """Deletes rows. This and all methods below raise `EditError` with the reason if they cannot."""
        ...

    def cloning(self, nodes: Sequence[Node]) -> Revision:
        """Clones rows; the copies come after them."""
        ...

    def shifting(self, nodes: Sequence[Node], step: int) -> Revision:
        """Moves rows up (-1) or down (1) in their list."""
        ...

    def dragging(self, nodes: Sequence[Node], target: Node) -> Revision:
        """Moves rows to the place of another."""
        ...

    def copies(self, nodes: Sequence[Node]) -> list[Copy]:
        """Rows as copies for the clipboard."""
        ...

    def pasting(self, text: str, copies: list[Copy] | None, at: Node, before: bool) -> Revision:
        """Pastes a text after (or before) a row; `copies` are the rows copied here, if the text is theirs."""
        ...


def added_row(kind: str, inside: bool) -> str:
    """The row that is added after, or inside, a row of a `kind`: a case or turn; "" for a row of a turn."""
    match kind:
        case "set":
            return "case"
        case "case":
            return "turn" if inside else "case"
        case "turn" if not inside:
            return "turn"
    return ""
