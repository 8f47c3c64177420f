"""Undo and redo in the edit screen: they select the changed value and say where it is."""

from __future__ import annotations

from typing import cast

from evaltui.document import Change, Node
from evaltui.evalset.titles import STEP
from evaltui.tui.commands import key_of
from evaltui.tui.editor.problem_guide import Checking
from evaltui.tui.session.drafts import DraftPlace

_LOOKED_AT = 20
"""The most added values searched for one that has its own row."""


class UndoSteps(Checking):
    """The part of the edit screen that undoes and redoes steps."""

    def action_undo(self) -> None:
        """Undo the last step. Typing that ended in a draft is a step, too."""
        self.form_pane.write_typed()
        self._stepped(self.session.document.undo(), "undone", "Nothing to undo.")

    def action_redo(self) -> None:
        """Redo the last undone step."""
        self.form_pane.write_typed()
        self._stepped(self.session.document.redo(), "redone", "Nothing to redo.")

    def _stepped(self, change: Change | None, done: str, nothing: str) -> None:
        if change is None:
            self.status.say(nothing)
            return
        if self.session.document.lacks_theirs:
            done += f", without the changes on disk · {key_of('list.merge')} merges them again, {key_of('save')} asks"
        self.apply_change(change, goto_new=bool(change.added) and self.pane == "tree")
        self.form_pane.show_undone()
        where = "" if change.everywhere else self._go_to_change(change)
        # If the step deleted the value of the view in front, the view has closed and another screen is in front.
        cast(UndoSteps, self.app.screen).status.say(f"{done}: {change.label}{where}")

    def _go_to_change(self, change: Change) -> str:
        """Select the changed value; returns where it is, or "" if the label of the step says it."""
        at = change.merge_key if isinstance(change.merge_key, DraftPlace) else None
        node = at.node if at is not None else self._node_of(change)
        if node is None or not node.is_in(change.root):
            return ""
        screen = cast(UndoSteps, self.app.screen)
        while screen is not self.outermost and screen._is_outside(node):
            self.app.pop_screen()
            screen = cast(UndoSteps, self.app.screen)
            screen.refresh_all()
        screen._select(node, at, change)
        path = self.session.path_to(node)
        turn = STEP.join(path.split(STEP)[:2])
        return f" · {path}" if path and turn not in change.label else ""

    def _node_of(self, change: Change) -> Node | None:
        # Values with their own row come first: a tool call before its response, a call before the list around it.
        first = change.added[:_LOOKED_AT]
        added = [each for node in first for each in (node, *(node.items[:_LOOKED_AT] if node.kind == "array" else ()))]
        added.sort(key=lambda node: self.session.eval_set is None or self.session.eval_set.kind(node) == "value")
        candidates = (*added, change.beside, *change.nodes)
        return next((node for node in candidates if node is not None and node.is_in(change.root)), None)

    def _select(self, node: Node, at: DraftPlace | None, change: Change) -> None:
        """Select the row and the line of a value; the focus stays in its pane."""
        form = self.form_pane
        if form.edited is not None and at == (form.node, form.edited.key):
            return
        if self.pane == "form" and (form.node is node or form.shows(node)):
            row = form.node
        else:
            row = self._go_to_row(node, change)
        if at is not None and row is at.node:
            form.lines.go_to(at.key)
        elif row is not node:
            form.go_to_place(node, "")
        if form.edited is not None and form.stop is not None and form.stop.key != form.edited.key:
            form.stop_editing()

    def _go_to_row(self, node: Node, change: Change) -> Node:
        """Select the row of a value, or of the nearest value around it with a row, and show its form."""
        selected = self.tree_pane.selected
        if change.added and node in selected.ancestors():  # an event was added, and the new row is its call
            node = selected
        row = next((each for each in (node, *node.ancestors()) if self.tree_pane.go_to(each)), self.outline.root)
        if self.form_pane.node is not row:
            self.form_pane.show(row)
            self.trail.clear()
        return row
