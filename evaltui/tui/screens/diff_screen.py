"""A screen that shows a diff: its bars, and the keys that scroll it."""

from __future__ import annotations

from textual import getters
from textual.screen import Screen, ScreenResultType

from evaltui.tui.panes.bars import StatusBar
from evaltui.tui.widgets.diff_view import DiffView


class DiffScreen(Screen[ScreenResultType]):
    """Scrolls its diff, wherever the focus is."""

    diff = getters.query_one(DiffView)
    status = getters.query_one(StatusBar)

    def action_move(self, step: int) -> None:
        """Scroll by `step` lines."""
        self.diff.action_move(step)

    def action_move_page(self, direction: int) -> None:
        """Scroll by a page."""
        self.diff.action_move_page(direction)

    def action_move_end(self, direction: int) -> None:
        """Scroll to the first or last line."""
        self.diff.action_move_end(direction)
