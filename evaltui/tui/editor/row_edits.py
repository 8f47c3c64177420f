"""Rows of the tree: marked, deleted, cloned, moved and dragged."""

from __future__ import annotations

from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.document.positions import in_order
from evaltui.tui.editor.pane_layout import Panes
from evaltui.tui.editor.reviser import Reviser
from evaltui.tui.panes.requests import Revise, RowDropped
from evaltui.tui.session.session import Session


class RowEdits:
    """Rearranges the chosen rows of the tree."""

    def __init__(self, session: Session, panes: Panes, marks: RowMarks, reviser: Reviser) -> None:
        self._session = session
        self._panes = panes
        self._marks = marks
        self._reviser = reviser

    def action_delete_rows(self) -> None:
        """Delete the chosen rows."""
        chosen = self._marks.chosen()
        if self._reviser.try_to(lambda: self._panes.outline.deleting(chosen)):
            self._marks.clear()

    def action_clone(self) -> None:
        """Put copies of the chosen rows behind them."""
        chosen = self._marks.chosen()
        self._reviser.try_to(lambda: self._panes.outline.cloning(chosen), goto_new=True)

    def action_shift(self, step: int) -> None:
        """Move the chosen rows up or down in their list."""
        chosen, status = self._marks.chosen(), self._panes.status
        try:
            revision = self._panes.outline.shifting(chosen, step)
        except EditError as error:
            status.say(str(error))
            return
        if revision.edits:
            # A member of an object that moves is another node then; an item of a list stays the same.
            self._reviser.revise(Revise(revision, goto_new=bool(chosen[0].key)))
        else:
            status.say(
                "This row is already first in its list." if step < 0 else "This row is already last in its list."
            )

    def drag(self, event: RowDropped) -> None:
        """Move a row that was dragged with the mouse; if it is marked, all marked rows."""
        chosen = self._marks.chosen() if event.node in self._session.marked else [event.node]
        if self._reviser.try_to(lambda: self._panes.outline.dragging(chosen, event.target)):
            self._panes.tree.go_to(event.node)


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
        said = f"{count:,} marked" if count else "no rows marked"
        self._panes.status.say(said, "esc unmarks" if count else "")
