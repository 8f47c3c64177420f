"""Marked rows, on which commands act together."""

from __future__ import annotations

from evaltui.document import Node
from evaltui.document.ordering import in_order
from evaltui.tui.editor.panes import Panes
from evaltui.tui.session.session import Session


class RowMarks:
    """Marks rows of the tree, and tells which rows a command acts on."""

    def __init__(self, session: Session, panes: Panes) -> None:
        self._session = session
        self._panes = panes

    def chosen(self) -> list[Node]:
        """The marked rows in their order, else the selected one."""
        root = self._session.document.root
        marked = in_order(self._session.marked, root) if root is not None else []
        return marked or [self._panes.tree.selected]

    def clear(self) -> None:
        """Take all marks away, and say nothing."""
        self._session.marked.clear()

    def unmark(self) -> bool:
        """Take all marks away; False where there are none."""
        had = bool(self._session.marked)
        self._session.marked.clear()
        if had:
            self._panes.tree.refresh()
            self._say_marked()
        return had

    def action_mark(self) -> None:
        """Mark the selected row or take its mark away, and go on to the next."""
        tree = self._panes.tree
        self._session.toggle_mark(tree.selected)
        tree.refresh_row(tree.cursor)
        tree.action_move(1)
        self._say_marked()

    def action_mark_range(self) -> None:
        """Mark all rows of the selected row's depth from the last marked one to here."""
        tree, marked = self._panes.tree, self._session.marked
        last = tree.rows.index(next(reversed(marked), tree.selected))
        first, final = sorted((last if last is not None else tree.cursor, tree.cursor))
        depth = tree.rows.depths[tree.cursor]
        for row in range(first, final + 1):
            if tree.rows.depths[row] == depth:
                marked.setdefault(tree.rows.nodes[row])
        tree.refresh()
        self._say_marked()

    def _say_marked(self) -> None:
        count = len(self._session.marked)
        said = f"{count:,} marked" if count else "nothing is marked"
        self._panes.status.say(said, "esc unmarks" if count else "")
