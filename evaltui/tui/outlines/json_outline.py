"""Any JSON value as a tree of its containers and scalars, and the revisions that arrange them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evaltui.document.edits import Edit, Insert, Remove, Set
from evaltui.document.errors import EditError
from evaltui.document.layout import line_indent
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.editing.call_edits import last_first
from evaltui.evalset.editing.revision import Copy, Revision
from evaltui.evalset.editing.row_moves import move_value, moves, shifted
from evaltui.evalset.titles import STEP
from evaltui.printable import one_line
from evaltui.tui.forms.form import Choice, Form, Stop
from evaltui.tui.forms.json_form import add_behind, add_member, append, json_form, value_line
from evaltui.tui.forms.line_texts import summary
from evaltui.tui.lines import Line, preview


class JsonOutline:
    """The rows of a JSON value."""

    format = None

    def __init__(self, root: Node, name: str | Callable[[], str]) -> None:
        """`name` is the name of the outermost value; a function if edits change it."""
        self.root = root
        self._name = name

    @property
    def name(self) -> str:
        """The current name of the outermost value."""
        return self._name if isinstance(self._name, str) else self._name()

    def children(self, node: Node) -> list[Node]:
        """The items of a container."""
        return node.items

    def has_children(self, node: Node) -> bool:
        """Whether `node` is a container with content."""
        # The length of its text tells it for a container that is not parsed yet.
        return node.is_container and (bool(node.items) if node.is_unfolded else len(node.source()) > 2)

    def label(self, node: Node) -> Line:
        """The key or index, and the value in a few words."""
        # A view may be called `refund › turn 2 › args`: its row has only the last step.
        key = preview(self.name.rpartition(STEP)[2], 40) if node is self.root else key_or_index(node)
        return [(f"{key}  ", "name" if node.key else "dim"), *summary(node)]

    def holder(self, node: Node) -> None:
        """None: every value moves alone."""

    def numbers_its_rows(self, container: Node) -> bool:
        """Whether the rows below show their index: items of lists do."""
        return container.kind == "array"

    def form(self, node: Node) -> Form:
        """The form with the keys, items or value of `node`."""
        return json_form(node, self.path(node))

    def path(self, node: Node) -> str:
        """The path of `node` from the outermost value, for people."""
        steps: list[str] = []
        while node is not self.root and node.parent is not None:
            steps.append(self.step_name(node))
            node = node.parent
        return STEP.join([self.name, *reversed(steps)])

    def step_name(self, node: Node) -> str:
        """The name of `node` in a path."""
        return key_or_index(node)

    def row(self, node: Node) -> Stop | None:
        """The row as something to rename, retype or move; None for the outermost value."""
        if node.parent is None or node is self.root:
            return None
        return value_line(node, self.path(node.parent), inline=False)

    def takes_inside(self, node: Node) -> bool:
        """True for objects and lists."""
        return node.is_container

    def adds(self, node: Node, inside: bool) -> str:
        """No name: keys, items, or what the place of the value requires."""
        return ""

    def addition(self, node: Node, inside: bool) -> Revision | Choice | None:
        """A new item or key, inside a container or after one of its items; never beside the outermost value.

        A new key is a choice that asks for its name. None if nothing can be added.
        """
        is_within = node is self.root or inside
        container = node if is_within else node.parent
        if container is None or not container.is_container:
            return None
        path = self.path(container)
        if container.kind == "array":
            return append(container, path, None if is_within else node.index() + 1)
        add = (
            add_member(lambda: container, "key", path, lambda source: Set(container.pointer(), source))
            if is_within
            else add_behind(node, path)
        )
        return Choice("key", write=add, question=f"Name of the new key in {path}")

    # --- arranging rows: each raises `EditError` with the reason if it cannot ------------------------------

    def deleting(self, nodes: Sequence[Node]) -> Revision:
        """Deletes any values but the outermost."""
        chosen = set(self._inside(nodes))
        outermost = [node for node in nodes if not any(outer in chosen for outer in node.ancestors())]
        return Revision(f"delete {_in_words(outermost)}", [Remove(pointer) for pointer in last_first(outermost)])

    def cloning(self, nodes: Sequence[Node]) -> Revision:
        """Puts a copy after each value; the copy of a key gets a new name."""
        edits: list[Edit] = []
        # The last one first: an index before it stays valid.
        for node in reversed(self._inside(nodes)):
            container = node.parent
            assert container is not None
            place = str(node.index() + 1) if container.kind == "array" else escape(_free_name(container, node.name))
            follower = container.items[node.index() + 1 :][:1]
            before = follower[0].name if follower and follower[0].key else None
            edits.append(Insert(f"{container.pointer()}/{place}", node.source(), before, line_indent(node)))
        return Revision(f"clone {_in_words(nodes)}", edits)

    def shifting(self, nodes: Sequence[Node], step: int) -> Revision:
        """Moves an item or key, or several items of one list, up (-1) or down (1)."""
        if len(self._inside(nodes)) == 1:
            return move_value(nodes[0], step, self.path(nodes[0]))
        container, chosen = nodes[0].parent, set(nodes)
        if container is None or container.kind != "array" or any(node.parent is not container for node in nodes):
            raise EditError("only items of one list can move together")
        edits = moves(container.pointer(), container.items, shifted(container.items, chosen, step), chosen)
        return Revision(f"move {_in_words(nodes)} {'up' if step < 0 else 'down'}", edits)

    def dragging(self, nodes: Sequence[Node], target: Node) -> Revision:
        """Refuses: only rows of a file of cases can be dragged."""
        raise EditError("values cannot be dragged: move them with alt+↑ and alt+↓")

    def _inside(self, nodes: Sequence[Node]) -> Sequence[Node]:
        if any(node is self.root or node.parent is None for node in nodes):
            raise EditError("not possible for the outermost value")
        return nodes

    def copies(self, nodes: Sequence[Node]) -> list[Copy]:
        """Copies of values with the indent of their lines."""
        return [Copy("value", node.source(), line_indent(node)) for node in nodes]

    def pasting(self, text: str, copies: list[Copy] | None, target: Node, before: bool) -> Revision:
        """Pastes JSON beside an item of a list or into an empty list; elsewhere it replaces the value."""
        copy = copies[0] if copies and len(copies) == 1 else None
        source = copy.source if copy else text.strip().encode("utf-8", "surrogatepass")
        indent, container = copy.indent if copy else None, target.parent
        name = one_line(target.name, 40) if target.key else f"item {target.index()}"
        if container is not None and container.kind == "array" and target is not self.root:
            pointer = f"{container.pointer()}/{target.index() + (not before)}"
            return Revision(f"paste after {name}", [Insert(pointer, source, origin_indent=indent)])
        if target.kind == "array":
            return Revision(f"paste into {name}", [Insert(f"{target.pointer()}/-", source, origin_indent=indent)])
        return Revision(f"paste over {name}", [Set(target.pointer(), source, origin_indent=indent)])


def key_or_index(node: Node) -> str:
    """The key of a value, or its index in its list."""
    return preview(node.name, 40) if node.key else str(node.index())


def _in_words(nodes: Sequence[Node]) -> str:
    if len(nodes) > 1:
        return f"{len(nodes)} values"
    return one_line(nodes[0].name, 40) if nodes[0].key else f"item {nodes[0].index()}"


def _free_name(container: Node, name: str) -> str:
    names, number = {item.name for item in container.items}, 2
    while f"{name}_{number}" in names:
        number += 1
    return f"{name}_{number}"
