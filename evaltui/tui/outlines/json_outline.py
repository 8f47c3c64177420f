"""Any JSON value as a tree of its containers and scalars, and the revisions that arrange them.

A value inside a case has the forms and new items of its format.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from evaltui.document.edits import Insert, Remove, Set
from evaltui.document.errors import EditError
from evaltui.document.layout import line_indent
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.call_edits import last_first
from evaltui.evalset.editing.case_parts import add_app_agent, add_behavior, add_rubric
from evaltui.evalset.editing.field_edits import append_part
from evaltui.evalset.editing.revision import Copy, Revision
from evaltui.evalset.editing.row_copies import value_copies
from evaltui.evalset.editing.row_moves import move_value, moves, shifted
from evaltui.evalset.editing.templates import TEMPLATES
from evaltui.evalset.titles import STEP, item_name
from evaltui.printable import one_line
from evaltui.tui.forms.form import Choice, Field, Form, Stop, Write
from evaltui.tui.forms.json_form import add_key, append, json_form, value_line
from evaltui.tui.lines import Line, preview
from evaltui.tui.outlines.case_outline import form_at
from evaltui.tui.outlines.row_texts import summary


class JsonOutline:
    """The rows of a JSON value."""

    format = None

    def __init__(self, root: Node, name: str | Callable[[], str], case_file: CaseFile | None = None) -> None:
        """`name` is the name of the outermost value; a function if edits change it."""
        self.root = root
        self._name, self._case_file = name, case_file

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

    def form(self, node: Node) -> Form:
        """The form for the place of `node`, else that with its keys, items or value."""
        named, cases, around = self.path(node), self._case_file, node.parent
        if cases is None:
            return json_form(node, named)
        # A scalar that is opened alone keeps the choices of its field in the form around it.
        items = form_at(cases, around, named).items if around is not None and not node.is_container else []
        fields = (item for item in items if isinstance(item, Field) and item.node is node and item.choices)
        field = next(fields, None)
        return Form(named, [field]) if field is not None else form_at(cases, node, named)

    def path(self, node: Node) -> str:
        """The path of `node` from the outermost value, for people."""
        steps: list[str] = []
        while node is not self.root and node.parent is not None:
            # The index of an item changes when others move: in a case, its id or name is better.
            steps.append(key_or_index(node) if node.key or self._case_file is None else item_name(node))
            node = node.parent
        return STEP.join([self.name, *reversed(steps)])

    def row(self, node: Node) -> Stop | None:
        """The row as something to rename, retype or move; None for the outermost value."""
        if node.parent is None or node is self.root:
            return None
        return value_line(node, self.path(node.parent), inline=False)

    def adds(self, node: Node, inside: bool) -> str | None:
        """No name: keys, items, or what the place of the value requires; None inside of a single value."""
        return None if inside and not node.is_container else ""

    def addition(self, node: Node, inside: bool) -> Revision | Choice | None:
        """A new item or key, inside a container or after one of its items; never beside the outermost value.

        A new key is a choice that asks for its name. None if nothing can be added.
        """
        cases = self._case_file
        # On the agents of app details, the new key is one more agent, not a key beside them.
        is_within = inside or node is self.root or (cases is not None and cases.place(node) == "app_agents")
        container = node if is_within else node.parent
        if container is None or not container.is_container:
            return None
        place = cases.place(container) if cases is not None else ""
        if container.kind == "array":
            index, owner = None if is_within else node.index() + 1, container.parent
            if cases is not None and owner is not None:
                if place in ("rubrics", "behaviors"):
                    return (add_rubric if place == "rubrics" else add_behavior)(cases, owner, index)
                if place == "parts":
                    return append_part(container, TEMPLATES["text"], "text", index)
            return append(container, self.path(container), index)
        previous = None if is_within else node
        if place == "app_agents":
            add: Write = partial(add_app_agent, container, previous=previous)
            return Choice("agent", write=add, question="Name of the new agent")
        path = self.path(container)
        add = partial(add_key, container, path, previous=previous)
        return Choice("key", write=add, question=f"Name of the new key in {path}")

    # --- arranging rows: each raises `EditError` with the reason if it cannot ------------------------------

    def deleting(self, nodes: Sequence[Node]) -> Revision:
        """Deletes any values but the outermost."""
        chosen = set(self._inside(nodes))
        # A value inside of a deleted one goes with it, so its pointer leads nowhere then.
        outermost = [node for node in nodes if not any(outer in chosen for outer in node.ancestors())]
        return Revision(f"delete {_in_words(outermost)}", [Remove(pointer) for pointer in last_first(outermost)])

    def cloning(self, nodes: Sequence[Node]) -> Revision:
        """Puts a copy after each value; the copy of a key gets a new name."""
        return Revision(f"clone {_in_words(nodes)}", value_copies(self._inside(nodes)))

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
        name = _in_words([target])
        # A list takes one more item. An object would need a name for it, so there the value is replaced.
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
