"""Changing the document from the edit screen: the panes ask, the session changes, the panes refresh what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on

from evaltui.document import Change, DocumentError, DuplicateKeyError
from evaltui.tui.editor.panes import PanesScreen
from evaltui.tui.panes.requests import Ask, Revise
from evaltui.tui.session.drafts import DraftPlace
from evaltui.tui.session.session import READ_ONLY
from evaltui.tui.step_words import in_past_tense, undo_said

if TYPE_CHECKING:
    from evaltui.tui.input_order import InputInOrder


class Revising(PanesScreen):
    """The part of the edit screen that does revisions, and drops drafts."""

    @on(Revise)
    def revise(self, event: Revise) -> str:
        """Do what a pane asks for, and refresh what it changed; returns why it cannot be done, else ""."""
        try:
            change = self.session.revise(event.revision, event.merge_key, event.instead_of)
        except DocumentError as error:
            self.status.say(reason := _reason(error))
            return reason
        if change is None:
            self.status.say("")
            return ""
        if event.relabel is not None and event.revision.edits:
            change = self.session.document.relabel(change, event.relabel())
        remark = f" · {event.revision.remark}" if event.revision.remark else ""
        self.status.say(f"{in_past_tense(change.label)}{remark}" if event.revision.edits else "")
        self.apply_change(change, goto_new=event.goto_new, begin=event.begin)
        if event.merge_key is None:
            self.status.beside(undo_said(is_typing=self.form_pane.edited is not None))
        return ""

    def apply_change(self, change: Change, *, goto_new: bool = False, begin: bool = False) -> None:
        """Refresh the rows and the form that a change concerned."""
        if change.everywhere:
            self.outermost.show_new_text(self.status.text)
            return
        root = self.session.document.root
        if root is None or not self.outline.root.is_in(root):
            if self.is_current:
                self.dismiss(self.status.text)
            return
        came_from = self.form_pane.node
        stays = goto_new and self.pane == "form" and self.form_pane.has_field_of(change)
        goes = goto_new and not stays and (begin or self.pane == "tree")
        self.tree_pane.apply_change(change, goto_new=goes)
        self.title_bar.update()
        self.keys.update()
        if begin and self.pane == "tree":
            if self.is_current:  # the new row in one frame, its form in the next
                cast("InputInOrder", self.app).call_in_next_frame(self, lambda: self._begin_in_form(change))
            else:
                self._begin_in_form(change)
            return
        if self.tree_pane.selected is came_from:
            self.form_pane.refresh_form()
        else:
            self.form_pane.show(self.tree_pane.selected)
        if goto_new and self.pane == "form":
            if self.form_pane.node is not came_from:
                self.trail.append(came_from)
            self._go_to_new(change, begin=begin)

    def _begin_in_form(self, change: Change) -> None:
        """Type in the first field of what was added in the tree."""
        self.form_pane.show(self.tree_pane.selected)
        self.pane = "form"
        self.place_panes()
        self._go_to_new(change, begin=True)
        self.keys.update()

    def _go_to_new(self, change: Change, *, begin: bool) -> None:
        self.form_pane.go_to_new(change, begin=begin)
        if begin and self.form_pane.edited is None:
            self.show_pane("form")

    # --- drafts --------------------------------------------------------------------------------------------

    def drafts_here(self) -> list[DraftPlace]:
        """The drafts of the selected line or entry; in the tree those of the row and of all below it."""
        drafts = self.session.drafts
        if not drafts.kept:
            return []
        if self.pane == "problems":
            problem = self.problems_pane.problem
            return [problem.draft] if problem is not None and problem.draft is not None else []
        if self.pane == "form":
            stop = self.form_pane.edited or self.form_pane.stop
            at = DraftPlace(self.form_pane.node, stop.key) if stop is not None else None
            return [at] if at is not None and at in drafts.kept else []
        return drafts.within(self.tree_pane.selected)

    def action_drop_draft(self) -> None:
        """Drop the drafts one is at, as one step."""
        here = self.drafts_here()
        if not here:
            self.status.say("No draft here.")
            return
        first = self.session.drafts.kept[here[0]]
        others = f" and {len(here) - 1} more" if len(here) > 1 else ""
        change = self.session.drop_drafts(here, f"draft of {first.where}{others}")
        assert change is not None
        self.status.say(in_past_tense(change.label), undo_said())
        self.apply_change(change)
        self.form_pane.show_undone()

    # --- panes ---------------------------------------------------------------------------------------------

    def refresh_all(self, said: str = "") -> None:
        """Something may have changed while another screen was in front, which has `said` why it closed."""
        self.status.say(said)
        self.tree_pane.rebuild()
        self.form_pane.show(self.tree_pane.selected)
        self.title_bar.update()

    @on(Ask)
    def _ask(self, event: Ask) -> None:
        if self.session.readonly:
            self.status.say(READ_ONLY)
            return

        from evaltui.tui.screens.name_dialog import NameDialog

        def answered(name: str | None) -> None:
            if name is None:
                if event.if_none:
                    self.status.say(event.if_none)
                return
            try:
                revision = event.then(name)
            except DocumentError as error:  # a file may be gone since the dialog looked at it
                self.status.say(str(error))
            else:
                self.revise(Revise(revision, goto_new=event.goto_new, begin=event.goto_new))

        dialog = NameDialog(event.question, event.text, event.then, event.suggestions, is_path=event.is_path)
        self.app.push_screen(dialog, answered)


def _reason(error: DocumentError) -> str:
    """What to say of an edit that cannot be done: what fits on a line first."""
    if isinstance(error, DuplicateKeyError):
        return f"{error.reason}: take one out in a text editor first"
    return str(error)
