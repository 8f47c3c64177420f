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
from evaltui.tui.forms.form import Form, Stop
from evaltui.tui.forms.json_form import add_behind, add_member, append, json_form, value_line
from evaltui.tui.forms.values import summary
from evaltui.tui.lines import Line, preview
from evaltui.tui.outlines.outline import Naming


class JsonOutline:
    """The rows of a JSON value. `name` is shown if it has no key; a function, if edits change the name."""

    shows_cases = False

    def __init__(self, root: Node, name: str | Callable[[], str]) -> None:
        self._root = root
        self._name = name

    @property
    def name(self) -> str:
        """The current name of the outermost value."""
        return self._name if isinstance(self._name, str) else self._name()

    @property
    def root(self) -> Node:
        """The outermost value shown."""
        return self._root

    def children(self, node: Node) -> list[Node]:
        """The items of a container."""
        return node.items

    def has_children(self, node: Node) -> bool:
        """Whether `node` is a container with content; found without parsing it."""
        return node.is_container and (bool(node.items) if node.is_unfolded else len(node.source()) > 2)

    def label(self, node: Node) -> Line:
        """The key or index, and the value in a few words."""
        key = self._named(node)
        return [(f"{key}  ", "name" if node.key else "dim"), *summary(node)]

    def _named(self, node: Node) -> str:
        if node is self._root:
            return preview(self.name.rpartition(STEP)[2], 40)
        return preview(node.name, 40) if node.key else str(node.index())

    def holder(self, node: Node) -> Node | None:
        """None: every value moves alone."""
        return None

    def numbers_its_rows(self, container: Node) -> bool:
        """Whether the rows below show their index: items of lists do."""
        return container.kind == "array"

    def form(self, node: Node) -> Form:
        """The form with the keys, items or value of `node`."""
        return json_form(node, self.path(node))

    def path(self, node: Node) -> str:
        """The path of `node` from the outermost value, for people."""
        steps: list[str] = []
        at = node
        while at is not self._root and at.parent is not None:
            steps.append(self._step(at))
            at = at.parent
        return STEP.join([self.name, *reversed(steps)])

    def _step(self, node: Node) -> str:
        """The name of `node` in a path."""
        return self._named(node)

    def row(self, node: Node) -> Stop | None:
        """The row as something to rename, retype or move; None for the outermost value."""
        if node.parent is None or node is self._root:
            return None
        return value_line(node, self.path(node.parent), inline=False)

    def takes_inside(self, node: Node) -> bool:
        """True for objects and lists."""
        return node.is_container

    def adds(self, node: Node, inside: bool) -> str:
        """No name: keys, items, or what the place of the value requires."""
        return ""

    def addition(self, node: Node, inside: bool) -> Revision | Naming | None:
        """A new item or key, inside a container or after one of its items; never beside the outermost value."""
        if node is self._root or inside:
            return self._addition_inside(node)
        container = node.parent
        if container is None:
            return None
        of = self.path(container)
        if container.kind == "array":
            return append(container, of, node.index() + 1)
        return Naming(f"Name of the new key in {of}", add_behind(node, of))

    def _addition_inside(self, node: Node) -> Revision | Naming | None:
        of = self.path(node)
        if node.kind == "array":
            return append(node, of)
        if node.kind != "object":
            return None
        add = add_member(lambda: node, "key", of, lambda source: Set(node.pointer(), source))
        return Naming(f"Name of the new key in {of}", add)

    # --- arranging rows ------------------------------------------------------------------------------------

    def deleting(self, nodes: Sequence[Node]) -> Revision:
        """Deletes any values but the outermost."""
        return delete_values(self._inside(nodes))

    def cloning(self, nodes: Sequence[Node]) -> Revision:
        """Clones items and keys."""
        return clone_values(self._inside(nodes))

    def shifting(self, nodes: Sequence[Node], step: int) -> Revision:
        """Moves an item or key, or several items of one list, up or down."""
        return shift_values(self._inside(nodes), step, self.path(nodes[0]))

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

    def pasting(self, text: str, copies: list[Copy] | None, at: Node, before: bool) -> Revision:
        """Pastes JSON beside an item of a list, or in place of the value of a key."""
        copy = copies[0] if copies and len(copies) == 1 else None
        source = copy.source if copy else text.strip().encode("utf-8", "surrogatepass")
        return paste_value(source, copy.indent if copy else None, at, before, at is self.root)


def named(node: Node) -> str:
    """The name of a value: its key, or its index in a list."""
    return one_line(node.name, 40) if node.key else f"item {node.index()}"


def _said(nodes: Sequence[Node]) -> str:
    return named(nodes[0]) if len(nodes) == 1 else f"{len(nodes)} values"


def clone_values(nodes: Sequence[Node]) -> Revision:
    """A copy of each value after it; the copy of a key gets a new name."""
    edits: list[Edit] = []
    for node in reversed(nodes):
        container = node.parent
        if container is None:
            raise EditError("the outermost value cannot be cloned")
        if container.kind == "array":
            edits.append(_copied(f"{container.pointer()}/{node.index() + 1}", node))
        else:
            edits.append(_copied(f"{container.pointer()}/{escape(_free_name(container, node.name))}", node))
    return Revision(f"clone {_said(nodes)}", edits)


def _copied(pointer: str, node: Node) -> Insert:
    following = node.parent.items[node.index() + 1 :] if node.parent is not None else []
    before = following[0].name if following and following[0].key else None
    return Insert(pointer, node.source(), before=before, origin_indent=line_indent(node))


def _free_name(container: Node, name: str) -> str:
    taken, number = {item.name for item in container.items}, 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def shift_values(nodes: Sequence[Node], step: int, path: str) -> Revision:
    """Move a value called `path`, or several items of one list, up or down among their siblings."""
    if len(nodes) == 1:
        return move_value(nodes[0], step, path)
    container, chosen = nodes[0].parent, set(nodes)
    if container is None or container.kind != "array" or any(node.parent is not container for node in nodes):
        raise EditError("only items of one list can move together")
    edits = moves(container.pointer(), container.items, shifted(container.items, chosen, step), chosen)
    return Revision(f"move {_said(nodes)} {'up' if step < 0 else 'down'}", edits)


def delete_values(nodes: Sequence[Node]) -> Revision:
    """Delete values as one step."""
    chosen = set(nodes)
    outermost = [node for node in nodes if not any(at in chosen for at in node.ancestors())]
    return Revision(f"delete {_said(outermost)}", [Remove(pointer) for pointer in last_first(outermost)])


def paste_value(source: bytes, indent: bytes | None, at: Node, before: bool, is_root: bool) -> Revision:
    """Insert JSON beside an item of a list or into an empty list; elsewhere it replaces the value."""
    container = at.parent
    if container is not None and container.kind == "array" and not is_root:
        pointer = f"{container.pointer()}/{at.index() + (not before)}"
        return Revision(f"paste after {named(at)}", [Insert(pointer, source, origin_indent=indent)])
    if at.kind == "array":
        return Revision(f"paste into {named(at)}", [Insert(f"{at.pointer()}/-", source, origin_indent=indent)])
    return Revision(f"paste over {named(at)}", [Set(at.pointer(), source, origin_indent=indent)])
