"""Asked before quitting with unsaved changes; nothing but an answer leads on."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from evaltui.tui.commands import bindings, commands_at
from evaltui.tui.session.session import Session
from evaltui.tui.widgets.answer_button import answer_button


class QuitGuard(ModalScreen[str]):
    """Gives `save`, `discard` or `stay`."""

    PLACE = "quit"
    BINDINGS = bindings("quit")

    def __init__(
        self,
        session: Session,
        show_unsaved: Callable[[], Screen[None]],
        then: str = "quit",
        unsaved: str = "",
        *,
        journalled: bool = False,
    ) -> None:
        """`then` is what follows unless one stays; `unsaved` says what is, if not the session does.

        `journalled` is whether drafts can outlive the session.
        """
        super().__init__()
        self.session, self._then, self._unsaved = session, then, unsaved
        self._show, self._journalled = show_unsaved, journalled

    def compose(self) -> ComposeResult:
        """What is unsaved, and the answers."""
        with Vertical(classes="dialog"):
            yield Static(Content(self._sentence()), markup=False)
            for command in commands_at("quit"):
                title = command.title.replace("quit", self._then)
                yield answer_button(command, f"{title}{self._fate(command.id)}")

    def _sentence(self) -> str:
        name, drafts = self.session.file_name, self.session.drafts.said()
        if self._unsaved:
            return f"{name}: {self._unsaved}."
        if self.session.disk.is_lost:
            return f"{name}: {self.session.disk.trouble}. Its text is in memory only."
        if drafts and not self.session.document.is_dirty:
            return f"{name}: {drafts}."
        return f"{name} has unsaved changes. {drafts}".rstrip() + "." * bool(drafts)

    def _fate(self, command: str) -> str:
        """What becomes of the drafts."""
        drafts = self.session.drafts.counted()
        if not drafts or command not in ("quit.save", "quit.discard"):
            return ""
        if command == "quit.discard":
            return f" ({drafts} lost, too)" if self.session.document.is_dirty else f" ({drafts} lost)"
        return f" ({drafts} kept for next time)" if self._journalled else f" ({drafts} lost: no journal)"

    def action_answer(self, answer: str) -> None:
        """Close with an answer."""
        self.dismiss(answer)

    def action_show_unsaved(self) -> None:
        """Show what is unsaved, in front of the question."""
        self.app.push_screen(self._show())
