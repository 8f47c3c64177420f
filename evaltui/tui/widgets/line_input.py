"""A text box of one line for prompts and dialogs."""

from __future__ import annotations

from textual import events
from textual.binding import Binding

from evaltui.printable import printable
from evaltui.tui.textual_compat import DrawnInput, forget_cut_lines
from evaltui.tui.widgets.box_text import on_one_line, refuse_paste

LARGEST = 10_000
"""Most characters in the line: after each key, the line is compared with names and texts."""


class LineInput(DrawnInput):
    """Text box of one line. Its keys delete the word to the left, where Textual 8.2 deletes the one to the right."""

    BINDINGS = [Binding("ctrl+backspace,alt+backspace", "delete_left_word", show=False)]

    def __init__(
        self, value: str = "", *, id: str | None = None, placeholder: str = "", select_on_focus: bool = False
    ) -> None:
        super().__init__(value, compact=True, select_on_focus=select_on_focus, id=id, placeholder=placeholder)
        self.cursor_blink = False

    def drawn(self, text: str) -> str:
        """The drawn form of a text: control characters become visible marks."""
        return printable(text)

    def on_input_changed(self) -> None:
        """Free the cached lines of the earlier text."""
        forget_cut_lines(self.value)

    def on_paste(self, event: events.Paste) -> None:
        """Insert a pasted text on one line, or refuse it."""
        event.stop()
        event.prevent_default()
        self._take(event.text)

    def action_paste(self) -> None:
        """Paste the text that was cut or copied in a text box."""
        self._take(self.app.clipboard)

    def _take(self, pasted: str) -> None:
        """Insert a pasted text on one line; refuse a text that would block the app for seconds."""
        text = on_one_line(pasted)
        if not self._has_room(text, *self.selection):
            self.refuse(pasted)
            return
        self.replace(text, *self.selection)
        if text != pasted:
            self.app.notify("Line breaks became spaces.", markup=False)

    def replace(self, text: str, start: int, end: int) -> None:
        """Replace the text between two indexes, unless that makes the line too long."""
        if self._has_room(text, start, end):
            super().replace(text, start, end)
        else:
            self.restricted()

    def _has_room(self, text: str, start: int, end: int) -> bool:
        length = len(self.value)
        return length - abs(end - start) + len(text) <= max(length, LARGEST)

    def refuse(self, pasted: str) -> None:
        """Show that nothing was pasted."""
        refuse_paste(self, pasted, LARGEST)
