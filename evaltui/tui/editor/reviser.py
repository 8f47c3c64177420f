"""Revisions of the document and its drafts: the panes ask, the session changes, the screen is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from evaltui.document.document import Change
from evaltui.document.errors import DocumentError, DuplicateKeyError
from evaltui.evalset.editing.revision import Revision
from evaltui.tui.editor.panes import Panes
from evaltui.tui.messages import in_past_tense, undo_said
from evaltui.tui.panes.bars import StatusBar
from evaltui.tui.panes.requests import Revise
from evaltui.tui.session.drafts import DraftPlace
from evaltui.tui.session.session import Session


class ShowChange(Protocol):
    """Shows a change of the document on the screen."""

    def __call__(self, change: Change, *, goto_new: bool = False, begin: bool = False) -> None:
        """With `goto_new`, the cursor goes to what was added; to `begin` is to edit it at once."""


class Reviser:
    """Does revisions as undo steps."""

    def __init__(self, session: Session, status: StatusBar, show: ShowChange, is_typing: Callable[[], bool]) -> None:
        """`is_typing` tells whether a field is edited, in which another key undoes."""
        self._session = session
        self._status = status
        self._show = show
        self._is_typing = is_typing

    def revise(self, event: Revise) -> str:
        """Do what a pane asks for, and show what it changed; returns why it cannot be done, else ""."""
        status = self._status
        try:
            change = self._session.revise(event.revision, event.merge_key, event.instead_of)
        except DocumentError as error:
            status.say(reason := _reason(error))
            return reason
        if change is None:
            status.say("")
            return ""
        if event.relabel is not None and event.revision.edits:
            change = self._session.document.relabel(change, event.relabel())
        remark = f" · {event.revision.remark}" if event.revision.remark else ""
        status.say(f"{in_past_tense(change.label)}{remark}" if event.revision.edits else "")
        self._show(change, goto_new=event.goto_new, begin=event.begin)
        if event.merge_key is None:
            status.beside(undo_said(is_typing=self._is_typing()))
        return ""

    def try_to(self, make: Callable[[], Revision], *, goto_new: bool = False) -> bool:
        """Do the revision that is made; say why where it cannot be."""
        try:
            revision = make()
        except DocumentError as error:
            self._status.say(str(error))
            return False
        self.revise(Revise(revision, goto_new=goto_new))
        return True


def _reason(error: DocumentError) -> str:
    """Sentence about an edit that cannot be done, with the part that fits on a line first."""
    if isinstance(error, DuplicateKeyError):
        return f"{error.reason}: take one out in a text editor first"
    return str(error)


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
