"""The rule above a pane, with its name; one line, so that another name costs one line to draw."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from evaltui.printable import printable


class PaneTitle(Widget):
    """`─ name ─────`; the stylesheet gives the rule of the focused pane the accent."""

    name_shown: reactive[str] = reactive("")

    DEFAULT_CSS = """
    PaneTitle { height: 1; color: $text-muted; }
    """

    def __init__(self) -> None:
        super().__init__(classes="pane-title")

    def render(self) -> Content:
        """The rule over the whole width."""
        width = self.size.width
        name = Content(f"─ {printable(self.name_shown)} " if self.name_shown else "").truncate(width - 1, ellipsis=True)
        return name + Content("─" * (width - name.cell_length))
