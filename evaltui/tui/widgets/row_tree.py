"""The visible rows of a tree as a flat list, which is spliced when rows open, close, appear or disappear."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.document.sequence_diff import shared_length
from evaltui.tui.outlines.case_outline import Outline


class RowTree:
    """The nodes of an outline that are rows now, with their depth."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.nodes: list[Node] = [outline.root]
        self.depths: list[int] = [0]
        self._open: set[Node] = set()
        self.only: set[Node] | None = None
        """The first-level rows to which the tree is restricted; None for all."""
        self._unrestricted: tuple[list[Node], list[int], set[Node]] | None = None
        """The rows and open nodes from before a restriction; the row lists are emptied once they are outdated."""
        self.open(0)

    def children(self, node: Node) -> list[Node]:
        """The rows that are below `node` when it is open."""
        children = self.outline.children(node)
        if self.only is None or node is not self.nodes[0]:
            return children
        return [child for child in children if child in self.only]

    def restrict(self, only: set[Node] | None, unfold: bool = False) -> None:
        """Show only these first-level rows, open or not; None shows all again, unfolded as before."""
        if only is None:
            self._lift()
            return
        if self._unrestricted is None:
            self._unrestricted = self.nodes[:], self.depths[:], self._open
        self.only = only
        self._open = {self.nodes[0], *(only if unfold else ())}
        self._splice(1, len(self.nodes), *self._rows_below(self.nodes[0], 1))

    def _lift(self) -> None:
        self.only = None
        if self._unrestricted is None:
            return
        nodes, depths, self._open = self._unrestricted
        self._unrestricted = None
        if not nodes:
            nodes, depths = self._rows_below(self.nodes[0], 1)
            nodes, depths = [self.nodes[0], *nodes], [0, *depths]
        self.nodes, self.depths = nodes, depths

    def is_open(self, node: Node) -> bool:
        """Whether the rows below `node` are shown."""
        return node in self._open

    def index(self, node: Node) -> int | None:
        """The row of `node`; None if it has none."""
        try:
            return self.nodes.index(node)
        except ValueError:
            return None

    def open(self, index: int) -> bool:
        """Show the rows below a row; False if that changes nothing."""
        node = self.nodes[index]
        if node in self._open or not self.outline.has_children(node):
            return False
        self._open.add(node)
        self._splice(index + 1, index + 1, *self._rows_below(node, self.depths[index] + 1))
        return True

    def close(self, index: int) -> bool:
        """Hide the rows below a row; False if that changes nothing."""
        node = self.nodes[index]
        if node not in self._open:
            return False
        self._open.discard(node)
        self._splice(index + 1, self.end(index), [], [])
        return True

    def fold_all(self, close: bool) -> None:
        """Hide or show the rows below all first-level rows."""
        root = self.nodes[0]
        self._open = {root}
        if not close:
            self._open.update(child for child in self.children(root) if self.outline.has_children(child))
        self._splice(1, len(self.nodes), *self._rows_below(root, 1))

    def end(self, index: int) -> int:
        """The first row after those below a row."""
        depth = self.depths[index]
        if index == 0:
            return len(self.depths)
        end = index + 1
        while end < len(self.depths) and self.depths[end] > depth:
            end += 1
        return end

    def parent(self, index: int) -> int | None:
        """The parent of a row."""
        depth = self.depths[index]
        return next((at for at in range(index - 1, -1, -1) if self.depths[at] < depth), None)

    def reveal(self, node: Node) -> int | None:
        """Open the parents of `node` and return its row; None if the outline has no row for it."""
        chain = [node, *node.ancestors()]
        known = next((number for number, at in enumerate(chain) if self.index(at) is not None), None)
        if known is None:
            return None
        if self.only is not None and chain[known] is self.nodes[0]:
            first_level = self.outline.children(self.nodes[0])
            self.only.update(at for at in chain[:known] if at in first_level)
            self.sync(0)
        for at in reversed(chain[: known + 1]):
            row = self.index(at)
            if row is not None and at is not node:
                self.open(row)
        return self.index(node)

    def row_around(self, node: Node) -> int | None:
        """The row of `node`, else of the nearest node around it that has a row."""
        return next((row for at in (node, *node.ancestors()) if (row := self.index(at)) is not None), None)

    def sync(self, index: int) -> None:
        """Update the rows below a row whose children may have changed; only differences are spliced."""
        node, depth = self.nodes[index], self.depths[index]
        if self._unrestricted is not None:
            self._unrestricted = [], [], self._unrestricted[2]
        if not self.outline.has_children(node):
            self.close(index)
            return
        if node not in self._open:
            return
        now, before = self.children(node), self._children_shown(index)
        head = shared_length(before, now)
        tail = shared_length(before[head:][::-1], now[head:][::-1])
        gone = before[head : len(before) - tail]
        first = self.nodes.index(before[head]) if head < len(before) else self.end(index)
        last = self.end(self.nodes.index(gone[-1])) if gone else first
        nodes: list[Node] = []
        depths: list[int] = []
        for child in now[head : len(now) - tail]:
            below = self._rows_below(child, depth + 2) if child in self._open else ([], [])
            nodes += [child, *below[0]]
            depths += [depth + 1, *below[1]]
        self._splice(first, last, nodes, depths)

    def _children_shown(self, index: int) -> list[Node]:
        """The rows one level below a row."""
        below, end = self.depths[index] + 1, self.end(index)
        depths, nodes = self.depths[index + 1 : end], self.nodes[index + 1 : end]
        if depths.count(below) == len(depths):
            return nodes
        return [node for node, depth in zip(nodes, depths, strict=True) if depth == below]

    def sync_all(self) -> None:
        """Update all rows in one pass: anything may have changed."""
        root = self.nodes[0]
        self._open = {root, *(node for node in self._open if self.outline.has_children(node))}
        self._splice(1, len(self.nodes), *self._rows_below(root, 1))
        if self._unrestricted is not None:
            self._unrestricted = [], [], self._unrestricted[2]

    def _rows_below(self, node: Node, depth: int) -> tuple[list[Node], list[int]]:
        children = self.children(node)
        if self._open.isdisjoint(children):
            return list(children), [depth] * len(children)
        nodes: list[Node] = []
        depths: list[int] = []
        pending = [(child, depth) for child in reversed(children)]
        while pending:
            child, at = pending.pop()
            nodes.append(child)
            depths.append(at)
            if child in self._open:
                pending += [(below, at + 1) for below in reversed(self.children(child))]
        return nodes, depths

    def _splice(self, start: int, stop: int, nodes: list[Node], depths: list[int]) -> None:
        self.nodes[start:stop] = nodes
        self.depths[start:stop] = depths
