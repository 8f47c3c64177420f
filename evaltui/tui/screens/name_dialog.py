"""Asks for one name."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static


class NameDialog(ModalScreen[str | None]):
    """Gives the name, or None where the person thought better of it."""

    BINDINGS = [Binding("escape", "cancel", "cancel", show=False)]

    def __init__(self, question: str, text: str = "") -> None:
        super().__init__()
        self._question = question
        self._text = text

    def compose(self) -> ComposeResult:
        """The question and its field."""
        with Vertical(classes="dialog"):
            yield Static(Content(f"{self._question} (enter: done, esc: cancel)"), markup=False)
            yield Input(self._text, compact=True, select_on_focus=True)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if self.is_current:  # and not closed already by another enter of the same burst
            self.dismiss(event.value or None)

    def action_cancel(self) -> None:
        """Close without a name."""
        self.dismiss(None)
