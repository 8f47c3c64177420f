"""The last messages of the status line, whole."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from evaltui.tui.lines import folded
from evaltui.tui.screens.page_screen import PageScreen

_INDENT = "  "


class MessagesScreen(PageScreen):
    """A paragraph a message, the newest first."""

    def __init__(self, messages: Sequence[str]) -> None:
        """`messages` are safe to show, the newest first."""
        super().__init__("Messages, newest first")
        self._messages = messages

    def content(self, width: int) -> Content:
        """The messages, wrapped."""
        if not self._messages:
            return Content.styled("No messages yet.", "dim")
        lines = [line for message in self._messages for line in _paragraph(message, width)]
        return Content("\n".join(lines))


def _paragraph(message: str, width: int) -> list[str]:
    """A message in lines of up to `width` cells; all but the first are indented, so that messages can be told apart."""
    first, *rest = folded(message, width - len(_INDENT))
    return [f"• {first}", *(f"{_INDENT}{line}" for line in rest)]
