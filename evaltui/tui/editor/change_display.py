"""A change on the screen: its rows, its form, and the cursor in what was added."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

from evaltui.document.document import Change
from evaltui.tui.editor.navigator import Navigator
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.editor.pane_layout import PaneLayout
from evaltui.tui.editor.panes import Panes
from evaltui.tui.editor.ports import ShownAs


class ChangeDisplay:
    """Refreshes what a change concerned, and nothing else."""

    def __init__(
        self, file: OpenFile, panes: Panes, layout: PaneLayout, navigator: Navigator, screen: Screen[str]
    ) -> None:
        """`screen` closes if the value that it shows is gone."""
        self._file = file
        self._panes = panes
        self._layout = layout
        self._navigator = navigator
        self._screen = screen

    def show(self, change: Change, how: ShownAs) -> None:
        """Refresh the rows and the form that a change concerned."""
        panes, goto_new, begin = self._panes, how.goto_new, how.begin
        if change.everywhere:
            self._file.show_text(panes.status.text)
            return
        root = self._file.session.document.root
        if root is None or not panes.outline.root.is_in(root):
            if self._screen.is_current:
                self._screen.dismiss(panes.status.text)
            return
        came_from = panes.form.node
        stays = goto_new and panes.current == "form" and panes.form.has_field_of(change)
        goes = goto_new and not stays and (begin or panes.current == "tree")
        panes.tree.apply_change(change, goto_new=goes)
        panes.title.update()
        panes.keys.update()
        if begin and panes.current == "tree":
            if self._screen.is_current:  # the new row in one frame, its form in the next
                self._in_next_frame(lambda: self._begin_in_form(change))
            else:
                self._begin_in_form(change)
            return
        if panes.tree.selected is came_from:
            panes.form.refresh_form()
        else:
            panes.form.show(panes.tree.selected)
        if goto_new and panes.current == "form":
            if panes.form.node is not came_from:
                panes.trail.append(came_from)
            self._go_to_new(change, begin=begin)

    def _in_next_frame(self, act: Callable[[], None]) -> None:
        self._file.stage.call_in_next_frame(self._screen, act)

    def _begin_in_form(self, change: Change) -> None:
        """Type in the first field of what was added in the tree."""
        panes = self._panes
        panes.form.show(panes.tree.selected)
        panes.current = "form"
        self._layout.place()
        self._go_to_new(change, begin=True)
        panes.keys.update()

    def _go_to_new(self, change: Change, *, begin: bool) -> None:
        self._panes.form.go_to_new(change, begin=begin)
        if begin and self._panes.form.edited is None:
            self._navigator.show_pane("form")
