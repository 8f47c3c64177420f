"""How a view begins: where the cursor is, and whether one types at once."""

from __future__ import annotations

from typing import NamedTuple

from evaltui.document import Node
from evaltui.evalset.places import place_of
from evaltui.tui.commands import key_of
from evaltui.tui.editor.navigator import Navigator
from evaltui.tui.editor.panes import Panes
from evaltui.tui.session.session import Session


class StartsAt(NamedTuple):
    """Where a view begins."""

    node: Node | None = None
    """The node to begin at; None for the first row."""
    in_form: bool = False
    """Whether to begin in the form of the outermost value, if it has one of its own."""
    begin: bool = False
    """Whether to type in its first field at once."""


class ViewStart:
    """Brings a view to where it begins, once its panes are there."""

    def __init__(self, session: Session, panes: Panes, navigator: Navigator, at: StartsAt) -> None:
        self._session = session
        self._panes = panes
        self._navigator = navigator
        self._at = at

    def select(self) -> None:
        """Select the row, and show its form."""
        panes, navigator = self._panes, self._navigator
        navigator.came_in_form = self._at.in_form and self._has_form_of_its_own(panes.outline.root)
        panes.current = "form" if navigator.came_in_form else "tree"
        start = panes.outline.root if navigator.came_in_form else self._at.node
        if start is not None:
            panes.tree.go_to(start)
        panes.form.show(panes.tree.selected)

    def _has_form_of_its_own(self, node: Node) -> bool:
        """Whether google-adk has a model for the value, so that its form says more than its tree."""
        eval_set = self._session.eval_set
        return eval_set is not None and place_of(eval_set, node) not in ("", "rubrics", "behaviors", "events", "parts")

    def focus(self) -> None:
        """Go to the pane where the view begins, and type there if that was asked for."""
        self._navigator.show_pane(self._panes.current)
        if self._at.begin:
            self._begin_to_type()

    def _begin_to_type(self) -> None:
        """Type in the first field of a new value with a form; ask for the first name in a new object of free form."""
        panes = self._panes
        if self._navigator.came_in_form:
            panes.form.begin()
            return
        inner = panes.outline.root
        while inner.kind == "object" and len(inner.items) == 1:
            inner = inner.items[0]
        if inner.kind == "object" and not inner.items and panes.tree.go_to(inner):
            panes.form.show(inner)
            key = key_of("tree.add_inside")
            panes.tree.action_add(True, if_none=f"nothing in it yet · {key} adds a member, esc goes back")
