"""The drafts where one is, and dropping them."""

from __future__ import annotations

from evaltui.tui.editor.panes import Panes
from evaltui.tui.editor.reviser import ShowChange
from evaltui.tui.session.drafts import DraftPlace
from evaltui.tui.session.session import Session
from evaltui.tui.step_words import in_past_tense, undo_said


class DraftDrop:
    """Drops the drafts of the selected line, row or entry."""

    def __init__(self, session: Session, panes: Panes, show: ShowChange) -> None:
        self._session = session
        self._panes = panes
        self._show = show

    def drafts_here(self) -> list[DraftPlace]:
        """The drafts of the selected line or entry; in the tree those of the row and of all below it."""
        drafts, panes = self._session.drafts, self._panes
        if not drafts.kept:
            return []
        if panes.current == "problems":
            problem = panes.problems.problem
            return [problem.draft] if problem is not None and problem.draft is not None else []
        if panes.current == "form":
            stop = panes.form.edited or panes.form.stop
            at = DraftPlace(panes.form.node, stop.key) if stop is not None else None
            return [at] if at is not None and at in drafts.kept else []
        return drafts.within(panes.tree.selected)

    def action_drop_draft(self) -> None:
        """Drop the drafts one is at, as one step."""
        here = self.drafts_here()
        if not here:
            self._panes.status.say("No draft here.")
            return
        first = self._session.drafts.kept[here[0]]
        others = f" and {len(here) - 1} more" if len(here) > 1 else ""
        change = self._session.drop_drafts(here, f"draft of {first.where}{others}")
        assert change is not None
        self._panes.status.say(in_past_tense(change.label), undo_said())
        self._show(change)
        self._panes.form.show_undone()
