"""Shown after a paste that is too long for a field: letters that are typed on must not act on the form behind it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from evaltui.tui.commands import bindings, commands_at, key_name, key_of


class PastedDialog(ModalScreen[None]):
    """Says what was pasted and how to edit it."""

    PLACE = "pasted"
    BINDINGS = bindings("pasted")

    def __init__(self, count: int) -> None:
        """`count` is the number of characters that were pasted."""
        super().__init__()
        editor = f"{key_of('edit_outside')} edits it in $EDITOR"
        self._sentence = f"Pasted {count:,} characters. The text is too long for a field:\n{editor}."

    def compose(self) -> ComposeResult:
        """The sentence, and the way on."""
        with Vertical(classes="dialog"):
            yield Static(Content(self._sentence), markup=False)
            for command in commands_at("pasted"):
                label = f"{key_name(command.keys.split(',')[0])}  {command.title}"
                yield Button(Content(label), action=f"screen.{command.action}", compact=True)

    def action_go_on(self) -> None:
        """Close."""
        self.dismiss(None)
