"""The one text box of the interface, which stands over the field that is edited.

Textual's TextArea turns exotic line separators into newlines and lets control characters through to the
terminal. Here they are veiled: each stands for one private character while it is edited, is drawn as a visible
mark, and comes back unchanged.
"""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from evaltui.printable import is_unsafe, printable
from evaltui.tui.commands import bindings

_VEIL = 0x10E000
"""Where the private characters begin; they stand for the code points of the basic plane."""


def veiled(text: str) -> str:
    """`text` with every character that a text box would change or pass to the terminal made private."""
    return (
        "".join(chr(_VEIL + ord(c)) if is_unsafe(c) and c not in "\n\t" else c for c in text) if needs(text) else text
    )


def needs(text: str) -> bool:
    """Whether a text holds anything to veil."""
    return is_unsafe(text.replace("\n", "").replace("\t", ""))


def unveiled(text: str) -> str:
    """What `veiled` was given."""
    if not any(ord(c) >= _VEIL for c in text):
        return text
    return "".join(
        chr(ord(c) - _VEIL) if _VEIL <= ord(c) <= 0x10FFFF and is_unsafe_code(ord(c) - _VEIL) else c for c in text
    )


def is_unsafe_code(code: int) -> bool:
    """Whether the character with this code is one that `veiled` replaces."""
    return code <= 0xFFFF and is_unsafe(chr(code))


class TextField(TextArea):
    """A text area that grows with its text, leaves undo to the document, and reports what the person does."""

    PLACE = "field"
    BINDINGS = bindings("field")

    DEFAULT_CSS = """
    TextField {
        layer: above;
        position: absolute;
        display: none;
        border: none;
        padding: 0;
        background: $surface-lighten-1;
        scrollbar-size-vertical: 1;
        &:focus { border: none; }
        & .text-area--cursor-line { background: transparent; }
    }
    """

    class Typed(Message):
        """The text was changed by the person."""

    class Left(Message):
        """The person is done with this field; `step` is 1 or -1 for the next or previous field, 0 for none."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    class CaretJumped(Message):
        """The caret moved otherwise than by typing."""

    def __init__(self) -> None:
        super().__init__(soft_wrap=True, compact=True, id="field")
        self.single_line = True
        self.cursor_blink = False
        self._caret = (0, 0)

    @property
    def value(self) -> str:
        """The text as it goes into the document."""
        return unveiled(self.text)

    def show(self, text: str, caret: tuple[int, int] | None = None) -> None:
        """Show another text without reporting it as typed; the caret goes to its end unless told."""
        with self.prevent(TextArea.Changed, TextArea.SelectionChanged):
            self.load_text(veiled(text))
            self.move_cursor(caret if caret is not None else self.document.end)
        self._caret = self.cursor_location

    def get_line(self, line_index: int) -> Text:
        """Draw veiled characters as visible marks."""
        line = super().get_line(line_index)
        line.plain = printable(unveiled(line.plain)).replace("\u2409", "\t")
        return line

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter" and self.single_line:
            event.stop()
            event.prevent_default()
            self.post_message(self.Left(1))

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Report typing."""
        event.stop()
        self._caret = self.cursor_location
        self.post_message(self.Typed())

    def on_text_area_selection_changed(self, event: TextArea.SelectionChanged) -> None:
        """Report jumps of the caret, which end an undo step."""
        event.stop()
        if self.cursor_location != self._caret:
            self._caret = self.cursor_location
            self.post_message(self.CaretJumped())

    def edit(self, edit: Edit) -> EditResult:
        """Note where an edit leaves the caret: that is no jump."""
        result = super().edit(edit)
        self._caret = self.cursor_location
        return result

    def action_leave(self, step: int) -> None:
        """Be done with this field."""
        self.post_message(self.Left(step))

    def action_new_line(self) -> None:
        """Begin a new line, also where enter goes to the next field."""
        self.insert("\n")
