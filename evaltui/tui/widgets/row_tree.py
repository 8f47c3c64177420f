"""The visible rows of a tree as a flat list, which changes when rows open, close, appear or disappear."""

from __future__ import annotations

from collections.abc import Iterable

from evaltui.document.node import Node
from evaltui.tui.outlines.case_outline import Outline


class RowTree:
    """The nodes of an outline that are rows now, with their depth."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.nodes: list[Node] = [outline.root]
        self.depths: list[int] = [0]
        self.open_nodes: set[Node] = {outline.root}
        """The nodes below which rows are shown; the root stays open."""
        self.only: set[Node] | None = None
        """The first-level rows to which the tree is restricted; None for all."""
        self._open_without: set[Node] = set()
        """The open nodes from before the restriction."""
        self._make_below(0)

    def children(self, node: Node) -> list[Node]:
        """The rows that are below `node` when it is open."""
        children = self.outline.children(node)
        if self.only is None or node is not self.nodes[0]:
            return children
        return [child for child in children if child in self.only]

    def restrict(self, only: set[Node] | None, unfold: bool = False) -> None:
        """Show only these first-level rows, open or not; None shows all again, unfolded as before."""
        if self.only is None:
            self._open_without = self.open_nodes
        self.open_nodes = self._open_without if only is None else {self.nodes[0], *(only if unfold else ())}
        self.only = only
        self._make_below(0)

    def index(self, node: Node) -> int | None:
        """The row of `node`; None if it has none."""
        try:
            return self.nodes.index(node)
        except ValueError:
            return None

    def open(self, index: int) -> bool:
        """Show the rows below a row; False if that changes nothing."""
        node = self.nodes[index]
        if node in self.open_nodes or not self.outline.has_children(node):
            return False
        self.open_nodes.add(node)
        self._make_below(index)
        return True

    def close(self, index: int) -> bool:
        """Hide the rows below a row; False if that changes nothing."""
        node = self.nodes[index]
        if node not in self.open_nodes:
            return False
        self.open_nodes.discard(node)
        self._make_below(index)
        return True

    def fold_all(self, close: bool) -> None:
        """Hide or show the rows below all first-level rows."""
        root = self.nodes[0]
        self.open_nodes = {root}
        if not close:
            self.open_nodes.update(child for child in self.children(root) if self.outline.has_children(child))
        self._make_below(0)

    def parent(self, index: int) -> int | None:
        """The parent of a row."""
        depth = self.depths[index]
        return next((row for row in range(index - 1, -1, -1) if self.depths[row] < depth), None)

    def reveal(self, node: Node) -> int | None:
        """Open the parents of `node` and return its row; None if the outline has no row for it."""
        top = self.row_around(node)
        if top is None or self.nodes[top] is node:
            return top
        chain = [*node.ancestors()]
        chain = chain[: chain.index(self.nodes[top]) + 1]
        if self.only is not None and not top:
            self.only.update({node, *chain}.intersection(self.outline.children(self.nodes[0])))
        self.open_nodes.update(parent for parent in chain if self.outline.has_children(parent))
        self._make_below(top)
        return self.index(node)

    def row_around(self, node: Node) -> int | None:
        """The row of `node`, else of the nearest node around it that has a row."""
        return next((row for parent in (node, *node.ancestors()) if (row := self.index(parent)) is not None), None)

    def sync(self, nodes: Iterable[Node]) -> None:
        """Update the rows below values whose children may have changed."""
        for node in nodes:
            if (row := self.row_around(node)) is not None:
                if row and not self.outline.has_children(self.nodes[row]):
                    self.open_nodes.discard(self.nodes[row])
                self._make_below(row)

    def sync_all(self) -> None:
        """Update all rows in one pass: anything may have changed."""
        root = self.nodes[0]
        self.open_nodes = {root, *(node for node in self.open_nodes if self.outline.has_children(node))}
        self._make_below(0)

    def _make_below(self, index: int) -> None:
        node, depths, count = self.nodes[index], self.depths, len(self.depths)
        rows = range(index + 1, count) if index else ()  # all rows are below the first one
        below = slice(index + 1, next((row for row in rows if depths[row] <= depths[index]), count))
        children = self.children(node) if node in self.open_nodes else []
        self.nodes[below], self.depths[below] = self._with_rows_below(children, self.depths[index] + 1)

    def _with_rows_below(self, siblings: list[Node], depth: int) -> tuple[list[Node], list[int]]:
        """Nodes of one depth with the rows below those that are open, and their depths."""
        nodes, depths, start = list[Node](), list[int](), 0
        # In slices between the open ones: 10,000 cases are folded but for a few.
        for number in [number for number, node in enumerate(siblings, 1) if node in self.open_nodes]:
            nodes += siblings[start:number]
            depths += [depth] * (number - start)
            below, depths_below = self._with_rows_below(self.children(nodes[-1]), depth + 1)
            nodes += below
            depths += depths_below
            start = number
        return nodes + siblings[start:], depths + [depth] * (len(siblings) - start)
