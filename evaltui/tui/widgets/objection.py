"""The line of a dialog that says why it cannot take an input."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from evaltui.printable import printable


class Objection(Static):
    """Takes no room while there is nothing to object."""

    def __init__(self) -> None:
        super().__init__(id="objection", markup=False)
        self.display = False

    def say(self, text: str) -> None:
        """Show a text, which may be untrusted; an empty one hides the line."""
        self.update(Content(printable(text)))
        self.display = bool(text)
