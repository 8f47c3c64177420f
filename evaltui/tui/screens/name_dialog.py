"""Asks for one name."""

from __future__ import annotations

from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from evaltui.document import DocumentError
from evaltui.printable import printable


class NameDialog(ModalScreen[str | None]):
    """Gives the name, or None where the person thought better of it."""

    BINDINGS = [Binding("escape", "cancel", "cancel", show=False)]

    def __init__(self, question: str, text: str, check: Callable[[str], object]) -> None:
        """`check` raises `DocumentError` for a name that will not do, with the reason."""
        super().__init__()
        self._question = question
        self._text = text
        self._check = check

    def compose(self) -> ComposeResult:
        """The question and its field."""
        with Vertical(classes="dialog"):
            yield Static(Content(f"{self._question} (enter: done, esc: cancel)"), markup=False)
            yield Input(self._text, compact=True, select_on_focus=True)
            yield Static(id="objection", markup=False)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if not self.is_current:  # closed already by another enter of the same burst
            return
        try:
            self._check(event.value)
        except DocumentError as error:
            self.query_one("#objection", Static).update(Content(printable(str(error))))
        else:
            self.dismiss(event.value)

    def action_cancel(self) -> None:
        """Close without a name."""
        self.dismiss(None)
