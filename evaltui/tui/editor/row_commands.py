"""Commands on rows of the tree: mark, delete, clone, move and drag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.document.positions import in_order
from evaltui.evalset.editing.revision import Revision

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen


class RowCommands:
    """Marks rows of the tree; deletes, clones and moves the marked rows, or the selected one."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes

    def delete_rows(self) -> None:
        """Delete the chosen rows."""
        chosen = self.chosen()
        if self._screen.reviser.try_to(lambda: self._panes.outline.deleting(chosen)):
            self._file.marked.clear()

    def clone(self) -> None:
        """Clone the chosen rows; the copies come after them."""
        chosen = self.chosen()
        self._screen.reviser.try_to(lambda: self._panes.outline.cloning(chosen), goto_new=True)

    def shift(self, step: int) -> None:
        """Move the chosen rows up or down in their list."""
        chosen = self.chosen()

        def shifted() -> Revision:
            revision = self._panes.outline.shifting(chosen, step)
            if not revision.edits:
                raise EditError(f"This row is already {'first' if step < 0 else 'last'} in its list.")
            return revision

        # A moved key becomes another node; a moved item of a list stays the same node.
        self._screen.reviser.try_to(shifted, goto_new=bool(chosen[0].key))

    def drag(self, node: Node, target: Node) -> None:
        """Move a row to the place of another one; if it is marked, move all marked rows."""
        chosen = self.chosen() if node in self._file.marked else [node]
        if self._screen.reviser.try_to(lambda: self._panes.outline.dragging(chosen, target)):
            self._panes.tree.go_to(node)

    # --- marks ---------------------------------------------------------------------------------------------

    def chosen(self) -> list[Node]:
        """The marked rows in order, or the selected row if none is marked."""
        root = self._file.document.root
        marked = in_order(self._file.marked, root) if root is not None else []
        return marked or [self._panes.tree.selected]

    def unmark(self) -> bool:
        """Remove all marks; False if there are none."""
        had = bool(self._file.marked)
        self._file.marked.clear()
        if had:
            self._panes.tree.refresh()
            self._say_marked()
        return had

    def mark(self) -> None:
        """Mark or unmark the selected row, and go to the next row."""
        tree, marked = self._panes.tree, self._file.marked
        if tree.selected in marked:
            del marked[tree.selected]
        else:
            marked[tree.selected] = None
        tree.refresh_line(tree.cursor)
        tree.move(1)  # so that several rows are marked by one key
        self._say_marked()

    def mark_range(self) -> None:
        """Mark all rows at the depth of the selected row, from the last marked row to this one."""
        tree, marked = self._panes.tree, self._file.marked
        last = tree.rows.index(next(reversed(marked), tree.selected))
        first, final = sorted((last if last is not None else tree.cursor, tree.cursor))
        depth = tree.rows.depths[tree.cursor]
        for row in range(first, final + 1):
            if tree.rows.depths[row] == depth:
                marked.setdefault(tree.rows.nodes[row])
        tree.refresh()
        self._say_marked()

    def _say_marked(self) -> None:
        count = len(self._file.marked)
        message = f"{count:,} marked" if count else "no rows marked"
        self._panes.status.say(message, "esc: unmark" if count else "")
