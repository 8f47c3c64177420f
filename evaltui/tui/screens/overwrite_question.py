"""Asked before a save removes changes of others from the file: they were merged or reloaded, and that was undone."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from evaltui.tui.commands import bindings, commands_at, key_name


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
            for command in commands_at("overwrite"):
                label = f"{key_name(command.keys)}  {command.title}"
                yield Button(Content(label), action=f"screen.{command.action}", compact=True)

    def action_answer(self, answer: str) -> None:
        """Close with an answer."""
        self.dismiss(answer)
