"""A text in full that had no room in its line."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from evaltui.printable import printable
from evaltui.tui.commands import bindings


class TextScreen(ModalScreen[None]):
    """A scrolling page."""

    PLACE = "dialog"
    BINDINGS = bindings("dialog")

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        """The text, wrapped."""
        with VerticalScroll(classes="dialog help") as page:
            page.border_title = Content(printable(self._title))
            page.border_subtitle = "↑ ↓ scroll · esc closes"
            yield Static(Content(printable(self._text, keep_lines=True)), markup=False)

    def action_close(self) -> None:
        """Back to where one was."""
        self.dismiss()
