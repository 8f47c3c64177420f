"""Undo and redo: they select the changed value and say where it is."""

from __future__ import annotations

from evaltui.document.document import Change
from evaltui.document.node import Node
from evaltui.evalset.titles import STEP
from evaltui.tui.commands import key_of
from evaltui.tui.editor.navigator import Navigator
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.editor.panes import Panes
from evaltui.tui.editor.reviser import ShowChange
from evaltui.tui.session.drafts import DraftPlace

_LOOKED_AT = 20
"""The most added values searched for one that has its own row."""


class UndoSteps:
    """Undoes and redoes steps of the document."""

    def __init__(self, file: OpenFile, panes: Panes, navigator: Navigator, show: ShowChange) -> None:
        self._session = file.session
        self._stage = file.stage
        self._panes = panes
        self._navigator = navigator
        self._show = show

    def action_undo(self) -> None:
        """Undo the last step. Typing that ended in a draft is a step, too."""
        self._panes.form.write_typed()
        self._stepped(self._session.document.undo(), "undone", "Nothing to undo.")

    def action_redo(self) -> None:
        """Redo the last undone step."""
        self._panes.form.write_typed()
        self._stepped(self._session.document.redo(), "redone", "Nothing to redo.")

    def _stepped(self, change: Change | None, done: str, nothing: str) -> None:
        if change is None:
            self._panes.status.say(nothing)
            return
        if self._session.document.lacks_theirs:
            done += f", without the changes on disk · {key_of('list.merge')} merges them again, {key_of('save')} asks"
        self._show(change, goto_new=bool(change.added) and self._panes.current == "tree")
        self._panes.form.show_undone()
        where = "" if change.everywhere else self._go_to_change(change)
        # If the step deleted the value of the view in front, the view has closed and another screen is in front.
        if (view := self._stage.front) is not None:
            view.panes.status.say(f"{done}: {change.label}{where}")

    def _go_to_change(self, change: Change) -> str:
        """Select the changed value; returns where it is, or "" if the label of the step says it."""
        at = change.merge_key if isinstance(change.merge_key, DraftPlace) else None
        node = at.node if at is not None else self._node_of(change)
        if node is None or not node.is_in(change.root):
            return ""
        self._stage.lead_to(node).select_changed(node, at, change)
        path = self._session.path_to(node)
        turn = STEP.join(path.split(STEP)[:2])
        return f" · {path}" if path and turn not in change.label else ""

    def _node_of(self, change: Change) -> Node | None:
        # Values with their own row come first: a tool call before its response, a call before the list around it.
        eval_set, first = self._session.eval_set, change.added[:_LOOKED_AT]
        added = [each for node in first for each in (node, *(node.items[:_LOOKED_AT] if node.kind == "array" else ()))]
        added.sort(key=lambda node: eval_set is None or eval_set.kind(node) == "value")
        candidates = (*added, change.beside, *change.nodes)
        return next((node for node in candidates if node is not None and node.is_in(change.root)), None)

    def select_here(self, node: Node, at: DraftPlace | None, change: Change) -> None:
        """Select the row and the line of a value, which lies in this view; the focus stays in its pane."""
        form = self._panes.form
        if form.edited is not None and at == (form.node, form.edited.key):
            return
        if self._panes.current == "form" and (form.node is node or form.shows(node)):
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
        selected = self._panes.tree.selected
        if change.added and node in selected.ancestors():  # an event was added, and the new row is its call
            node = selected
        row = self._navigator.row_around(node)
        if self._panes.form.node is not row:
            self._panes.form.show(row)
            self._panes.trail.clear()
        return row
