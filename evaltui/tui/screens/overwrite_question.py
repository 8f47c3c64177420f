"""Asked before a save removes changes of others from the file: they were merged or reloaded, and that was undone."""

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

    PLACE = "overwrite"
    BINDINGS = bindings("overwrite")

    def __init__(self, file_name: str) -> None:
        """`file_name` is safe to show."""
        super().__init__()
        self._file_name = file_name

    def compose(self) -> ComposeResult:
        """The question and its answers."""
        with Vertical(classes="dialog"):
            name = self._file_name
            said = f"Saving removes changes that someone else made to {name} and you undid here."
            yield Static(Content(said), markup=False)
            yield from map(answer_button, commands_at("overwrite"))

    def action_answer(self, answer: str) -> None:
        """Close with an answer."""
        self.dismiss(answer)
