"""A text box of one line, with its binding for deleting a word put right."""

from __future__ import annotations

from textual.binding import Binding
from textual.widgets import Input


class LineInput(Input):
    """Textual 8.2 deletes the word to the right on the keys that everywhere delete the one to the left."""

    BINDINGS = [Binding("ctrl+backspace,alt+backspace", "delete_left_word", show=False)]

    def __init__(self, value: str = "", *, id: str | None = None, placeholder: str = "") -> None:
        super().__init__(value, compact=True, select_on_focus=False, id=id, placeholder=placeholder)
        self.cursor_blink = False
