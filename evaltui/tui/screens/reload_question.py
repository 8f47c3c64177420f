"""Asked before the file is read again while something is unsaved."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from evaltui.tui.commands import bindings, commands_at
from evaltui.tui.widgets.answer_button import answer_button


class ReloadQuestion(ModalScreen[str]):
    """Gives `discard`, `merge` or `stay`."""

    PLACE = "reload"
    BINDINGS = bindings("reload")

    def __init__(self, file_name: str) -> None:
        """`file_name` is safe to show."""
        super().__init__()
        self._file_name = file_name

    def compose(self) -> ComposeResult:
        """The question and its answers."""
        with Vertical(classes="dialog"):
            yield Static(Content(f"{self._file_name} has unsaved changes. Reload the file?"), markup=False)
            yield from map(answer_button, commands_at("reload"))

    def action_answer(self, answer: str) -> None:
        """Close with an answer."""
        self.dismiss(answer)
