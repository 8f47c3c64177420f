"""Asked before quitting with unsaved changes; nothing but an answer leads on."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from evaltui.tui.commands import bindings, commands_at, key_name
from evaltui.tui.session import Session


class QuitGuard(ModalScreen[str]):
    """Gives `save`, `discard` or `stay`."""

    BINDINGS = bindings("quit")

    def __init__(self, session: Session, then: str = "quit", unsaved: str = "") -> None:
        """`then` is what follows unless one stays; `unsaved` says what is, if not the session does."""
        super().__init__()
        self.session, self._then, self._unsaved = session, then, unsaved

    def compose(self) -> ComposeResult:
        """What is unsaved, and the three answers."""
        with Vertical(classes="dialog"):
            yield Static(Content(self._sentence()), markup=False)
            for command in commands_at("quit"):
                label = f"{key_name(command.keys)}  {command.title.replace('quit', self._then)}"
                yield Button(Content(label), action=f"screen.{command.action}", compact=True)

    def _sentence(self) -> str:
        name, drafts = self.session.file_name, self.session.drafts_said()
        if self._unsaved:
            return f"{name}: {self._unsaved}."
        if not self.session.document.is_dirty:
            return f"{name}: {drafts}."
        said = f"{name} has unsaved changes."
        if drafts:
            said += f" A save leaves out what is half typed: {drafts}."
        return said

    def action_answer(self, answer: str) -> None:
        """Close with an answer."""
        self.dismiss(answer)
