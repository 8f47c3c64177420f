"""The last messages of the status line, whole."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from evaltui.tui.commands import bindings, key_of
from evaltui.tui.lines import folded

_WIDTH = 92
_INDENT = "  "


class MessagesScreen(ModalScreen[None]):
    """A scrolling page of messages, the newest first."""

    PLACE = "dialog"
    BINDINGS = bindings("dialog")

    def __init__(self, messages: Sequence[str]) -> None:
        """`messages` are safe to show, the newest first."""
        super().__init__()
        self._messages = messages

    def compose(self) -> ComposeResult:
        """A paragraph a message."""
        with VerticalScroll(classes="dialog help") as page:
            page.border_title = "Messages, newest first"
            page.border_subtitle = f"↑ ↓ scroll · {key_of('dialog.close')} closes"
            yield Static(self._content(min(_WIDTH, self.app.size.width * 9 // 10) - 7), markup=False)

    def _content(self, width: int) -> Content:
        if not self._messages:
            return Content.styled("No messages yet.", "dim")
        lines = [line for message in self._messages for line in _paragraph(message, width)]
        return Content("\n".join(lines))

    def action_close(self) -> None:
        """Back to where one was."""
        self.dismiss()


def _paragraph(message: str, width: int) -> list[str]:
    """A message in lines of up to `width` cells; all but the first are indented, so that messages can be told apart."""
    first, *rest = folded(message, width - len(_INDENT))
    return [f"• {first}", *(f"{_INDENT}{line}" for line in rest)]
