"""Asked where the text that an editor left is no value for its place; no answer loses it unasked."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from evaltui.printable import printable
from evaltui.tui.commands import bindings, commands_at
from evaltui.tui.widgets.answer_button import answer_button


class OutsideDialog(ModalScreen[str]):
    """Gives `again`, `keep` or `drop`."""

    PLACE = "outside"
    BINDINGS = bindings("outside")

    def __init__(self, called: str, problem: str) -> None:
        """`called` is what was edited, `problem` what is wrong with it."""
        super().__init__()
        self._sentence = printable(f"{called}:\n{problem}.", keep_lines=True)

    def compose(self) -> ComposeResult:
        """What is wrong, and the answers."""
        with Vertical(classes="dialog"):
            yield Static(Content(self._sentence), markup=False)
            yield from map(answer_button, commands_at("outside"))

    def action_answer(self, answer: str) -> None:
        """Close with an answer."""
        self.dismiss(answer)
