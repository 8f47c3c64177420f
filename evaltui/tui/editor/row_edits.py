"""Rows deleted, cloned, moved and dragged."""

from __future__ import annotations

from evaltui.document import EditError
from evaltui.tui.editor.panes import Panes
from evaltui.tui.editor.reviser import Reviser
from evaltui.tui.editor.row_marks import RowMarks
from evaltui.tui.panes.requests import Dragged, Revise
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
            status.say("It is the first of its list." if step < 0 else "It is the last of its list.")

    def drag(self, event: Dragged) -> None:
        """Move a row that was dragged with the mouse; if it is marked, all marked rows."""
        chosen = self._marks.chosen() if event.node in self._session.marked else [event.node]
        if self._reviser.try_to(lambda: self._panes.outline.dragging(chosen, event.target)):
            self._panes.tree.go_to(event.node)
