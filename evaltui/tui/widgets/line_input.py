"""A text box of one line for prompts and dialogs."""

from __future__ import annotations

from textual import events
from textual.binding import Binding

from evaltui.printable import printable
from evaltui.tui.textual_compat import DrawnInput, forget_cut_lines
from evaltui.tui.widgets.box_text import on_one_line, refuse_paste

LARGEST = 10_000
"""Characters in the line: what is asked for is compared with names and texts after each key."""


class LineInput(DrawnInput):
    """Textual 8.2 deletes the word to the right on the keys that everywhere delete the one to the left."""

    BINDINGS = [Binding("ctrl+backspace,alt+backspace", "delete_left_word", show=False)]

    def __init__(
        self, value: str = "", *, id: str | None = None, placeholder: str = "", select_on_focus: bool = False
    ) -> None:
        super().__init__(value, compact=True, select_on_focus=select_on_focus, id=id, placeholder=placeholder)
        self.cursor_blink = False

    def drawn(self, text: str) -> str:
        """A text as it is drawn: what the terminal would not show has the width of the mark that stands for it."""
        return printable(text)

    def on_input_changed(self) -> None:
        """Let go of the text before."""
        forget_cut_lines(self.value)

    def on_paste(self, event: events.Paste) -> None:
        """Take in a text on one line, or refuse it."""
        event.stop()
        event.prevent_default()
        self._take(event.text)

    def action_paste(self) -> None:
        """Paste what was cut or copied in a text box."""
        self._take(self.app.clipboard)

    def _take(self, pasted: str) -> None:
        """Take in what is pasted, on one line; refuse what would keep the app busy for seconds."""
        text = on_one_line(pasted)
        if not self._has_room(text, *self.selection):
            self.refuse(pasted)
            return
        self.replace(text, *self.selection)
        if text != pasted:
            self.app.notify("Line breaks became spaces.", markup=False)

    def replace(self, text: str, start: int, end: int) -> None:
        """Replace what stands between two indexes, unless that makes the line too long."""
        if self._has_room(text, start, end):
            super().replace(text, start, end)
        else:
            self.restricted()

    def _has_room(self, text: str, start: int, end: int) -> bool:
        length = len(self.value)
        return length - abs(end - start) + len(text) <= max(length, LARGEST)

    def refuse(self, pasted: str) -> None:
        """Say that nothing was pasted."""
        refuse_paste(self, pasted, LARGEST)
