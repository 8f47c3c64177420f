"""Asked before a save takes out of the file what others wrote: it was taken over, and that was undone."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from evaltui.tui.commands import bindings, commands_at
from evaltui.tui.widgets.answer_button import answer_button


class OverwriteQuestion(ModalScreen[str]):
    """Gives `save`, `merge` or `stay`."""

    BINDINGS = bindings("overwrite")

    def __init__(self, file_name: str) -> None:
        """`file_name` is safe to show."""
        super().__init__()
        self._file_name = file_name

    def compose(self) -> ComposeResult:
        """The question and its answers."""
        with Vertical(classes="dialog"):
            said = f"The text is without what others wrote to the file; that was undone here: {self._file_name}"
            yield Static(Content(said), markup=False)
            yield from map(answer_button, commands_at("overwrite"))

    def action_answer(self, answer: str) -> None:
        """Close with an answer."""
        self.dismiss(answer)
