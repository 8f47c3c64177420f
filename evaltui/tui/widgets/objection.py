"""The sentences of a dialog: its question, and why it cannot take an input."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from evaltui.printable import printable
from evaltui.tui.widgets.line_strips import LOW


def lines_of_dialog(terminal: Size) -> int:
    """The most lines inside a dialog."""
    return terminal.height if terminal.height < LOW else terminal.height * 9 // 10 - 2


class Question(Static):
    """The question of a dialog. In a low terminal it is cut, so that the answers or the text box stay visible."""

    def __init__(self, question: Content, below: Sequence[str] = ("", "", "")) -> None:
        """`below` are the texts in the dialog that must stay visible: the answers, or room for a text box."""
        super().__init__(question, classes="question", markup=False)
        self._below = below

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines of the question, as far as there is room."""
        wraps = viewport.height >= LOW
        below = sum(len(Content(text).wrap(max(2, width))) if wraps else 1 for text in self._below)
        room = lines_of_dialog(viewport) - below
        return min(super().get_content_height(container, viewport, width), max(1, room))


class Objection(Static):
    """Takes no room while there is nothing to object."""

    def __init__(self) -> None:
        super().__init__(id="objection", markup=False)
        self.display = False

    def say(self, text: str) -> None:
        """Show a text, which may be untrusted; an empty one hides the line."""
        self.update(Content(printable(text)))
        self.display = bool(text)
