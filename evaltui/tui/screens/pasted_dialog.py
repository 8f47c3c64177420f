"""Dialog after a paste too long for a field. It stops further typing from acting as keys of the form."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from evaltui.tui.commands import bindings, commands_at, key_of
from evaltui.tui.widgets.answer_button import answer_button


class PastedDialog(ModalScreen[None]):
    """Says how many characters were pasted and which key edits them."""

    PLACE = "pasted"
    BINDINGS = bindings("pasted")

    def __init__(self, count: int) -> None:
        """`count` is the number of characters that were pasted."""
        super().__init__()
        editor = f"{key_of('edit_outside')} edits it in $EDITOR"
        self._sentence = f"Pasted {count:,} characters. The text is too long for a field:\n{editor}."

    def compose(self) -> ComposeResult:
        """The message, and a button for each key."""
        with Vertical(classes="dialog"):
            yield Static(Content(self._sentence), markup=False)
            yield from map(answer_button, commands_at("pasted"))

    def action_go_on(self) -> None:
        """Close the dialog."""
        self.dismiss(None)
