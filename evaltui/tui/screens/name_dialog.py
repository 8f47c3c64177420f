"""Asks for one name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from evaltui.document import DocumentError
from evaltui.path_completion import completions
from evaltui.printable import is_unsafe, printable
from evaltui.tui.widgets.text_field import TextField


class NameDialog(ModalScreen[str | None]):
    """Gives the name, or None where the person thought better of it."""

    BINDINGS = [
        Binding("escape", "cancel", "cancel", show=False),
        Binding("tab", "complete", "complete", show=False, priority=True),
    ]

    def __init__(
        self,
        question: str,
        text: str,
        check: Callable[[str], object],
        suggestions: Sequence[str] = (),
        *,
        is_path: bool = False,
    ) -> None:
        """`suggestions` are names that the right arrow and tab complete; of a path, what is in the folders.

        `check` raises `DocumentError` for a name that will not do, with the reason.
        """
        super().__init__()
        self._question = question
        self._text = text
        self._check = check
        self._suggestions = [name for name in suggestions if not is_unsafe(name)]
        self._is_path = is_path

    def compose(self) -> ComposeResult:
        """The question and its field."""
        with Vertical(classes="dialog"):
            yield Static(Content(f"{self._question} (enter: done, esc: cancel)"), markup=False)
            yield TextField(self._leave)
            yield Static(id="objection", markup=False)

    def on_mount(self) -> None:
        """Begin with the whole name selected."""
        box = self.query_one(TextField)
        box.suggest = self._follows if self._suggestions or self._is_path else None
        box.placeholder = ", ".join(self._suggestions[:6])
        box.show(self._text)
        box.select_all()
        self.set_focus(box)  # at once, for what is typed next

    def _follows(self, text: str) -> str:
        """What follows of the first name that begins like `text`, once something is typed."""
        return next(iter(self._completions(text)), "") if text else ""

    def _completions(self, text: str) -> list[str]:
        if self._is_path:
            return completions(text)
        return [name[len(text) :] for name in self._suggestions if name.startswith(text) and name != text]

    @on(TextField.Typed)
    def _typed(self) -> None:
        """An objection to what was there has had its time; of a path, show how it may go on."""
        text = self.query_one(TextField).value
        names = [f"{text.rpartition('/')[2]}{rest}" for rest in self._completions(text)] if self._is_path else []
        self._below(f"tab: {'  '.join(names)}" if names else "")

    def _below(self, said: str) -> None:
        self.query_one("#objection", Static).update(Content(printable(said)))

    def action_complete(self) -> None:
        """Take what may follow; enter alone is the end."""
        box = self.query_one(TextField)
        if box.suggestion:
            box.action_cursor_right()

    def _leave(self, step: int) -> None:
        """Enter gives the name, esc none; there is no other field to go to."""
        if not self.is_current:  # closed already by another enter of the same burst
            return
        if not step:
            self.dismiss(None)
            return
        name = self.query_one(TextField).value
        try:
            self._check(name)
        except (DocumentError, OSError, ValueError, RuntimeError) as error:  # a path that the system refuses
            self._below(str(error))
        else:
            self.dismiss(name)

    def action_cancel(self) -> None:
        """Close without a name."""
        self.dismiss(None)

    def action_undo(self) -> None:
        """There are no steps in here."""

    def action_redo(self) -> None:
        """There are no steps in here."""
