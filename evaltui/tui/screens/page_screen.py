"""A page of text to scroll and close, in front of the screen."""

from __future__ import annotations

from abc import abstractmethod

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from evaltui.printable import printable
from evaltui.tui.commands import bindings, key_of

_WIDTH = 92


class PageScreen(ModalScreen[None]):
    """Shows what its subclass writes."""

    PLACE = "dialog"
    BINDINGS = bindings("dialog")

    def __init__(self, title: str) -> None:
        super().__init__()
        self._page_title = title

    @abstractmethod
    def content(self, width: int) -> Content:
        """The text of the page, whose lines have up to `width` cells."""

    def compose(self) -> ComposeResult:
        """The frame and the text in it."""
        with VerticalScroll(classes="dialog help") as page:
            page.border_title = Content(printable(self._page_title))
            page.border_subtitle = f"↑ ↓ scroll · {key_of('dialog.close')} closes"
            yield Static(self.content(min(_WIDTH, self.app.size.width * 9 // 10) - 7), markup=False)

    def action_close(self) -> None:
        """Close the page."""
        self.dismiss()


class TextScreen(PageScreen):
    """A text in full that had no room in its line."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__(title)
        self._text = text

    def content(self, width: int) -> Content:
        """The text, wrapped by the page."""
        return Content(printable(self._text, keep_lines=True))
