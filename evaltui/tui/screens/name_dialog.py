"""The dialog that asks for a name or a path, and the completions of a path."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from textual import getters, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen

from evaltui.document.errors import DocumentError
from evaltui.files.typed_paths import completions
from evaltui.printable import is_unsafe
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.dialog_commands import IN_NAME
from evaltui.tui.process_end import result_of
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.screens.questions import Objection, Question
from evaltui.tui.widgets.text_field import TextField

_PATIENCE = 1.0
"""The most seconds that tab waits for a slow folder."""


class NameDialog(ModalScreen[str | None], CommandScreen[str | None]):
    """Returns the name; None if cancelled."""

    PLACE = "name"
    BINDINGS = bindings("name")
    OWN_WAYS = IN_NAME
    SHARED = ()

    field = getters.query_one(TextField)

    def __init__(
        self,
        question: str,
        text: str,
        check: Callable[[str], object],
        suggestions: Sequence[str] = (),
        *,
        is_path: bool = False,
        folder: Path | None = None,
    ) -> None:
        """`suggestions` are names that the right arrow and tab complete; a path completes from its folder instead.

        A path is relative to `folder`, else to the working directory.

        `check` raises `DocumentError` with the reason for an invalid name.
        """
        super().__init__()
        self._question = question
        self._text = text
        self._check = check
        self._suggestions = [name for name in suggestions if not is_unsafe(name)]
        self._refused: str | None = None
        """The name that the message below the box is about."""
        self._paths = PathNames(self, folder, self._found) if is_path else None

    def compose(self) -> ComposeResult:
        """The question and its text box."""
        with Vertical(classes="dialog"):
            keys = f"{key_of('name.done')}: done, {key_of('name.cancel')}: cancel"
            yield Question(Content(f"{self._question} ({keys})"))
            yield TextField(self._leave)
            yield Objection()

    def on_mount(self) -> None:
        """Begin with the whole name selected."""
        box = self.field
        box.one_line = True
        box.suggest = self._follows if self._suggestions or self._paths is not None else None
        box.placeholder = ", ".join(self._suggestions[:6])
        box.show(self._text)
        box.select_all()
        self.set_focus(box)  # now, because the next key may already follow

    def _follows(self, text: str) -> str:
        """The rest of the first name that begins with `text`; "" for an empty text."""
        return next(iter(self._completions(text)), "") if text else ""

    def _completions(self, text: str) -> list[str]:
        if self._paths is not None:
            return self._paths.known(text)
        return [name[len(text) :] for name in self._suggestions if name.startswith(text) and name != text]

    @on(TextField.Typed)
    def _typed(self) -> None:
        """Clear the message about an earlier name, and look up completions of a path."""
        self._refused = None
        self._below("")
        if self._paths is not None:
            self._paths.look_for(self.field.value)

    def _found(self, text: str, rests: list[str]) -> None:
        """Show the completions of the path, if it is still the same."""
        box = self.field
        if self.is_mounted and box.value == text != self._refused:
            box.update_suggestion()
            names = [f"{text.rpartition('/')[2]}{rest}" for rest in rests]
            self._below(f"tab: {'  '.join(names)}" if names else "")

    @on(TextField.OneLine)
    def _kept_on_one_line(self, event: TextField.OneLine) -> None:
        self._below(event.text)

    def _below(self, said: str) -> None:
        self.query_one(Objection).say(said)

    async def complete(self) -> None:
        """Insert the completion; only enter closes the dialog."""
        box = self.field
        if self._paths is not None and box.value:
            await self._paths.wait_for(box.value)
        if box.suggestion:
            box.action_cursor_right()

    def _leave(self, step: int) -> None:
        """Close with the name on enter, without one on esc; shift+tab has no other field to go to."""
        if step < 0 or not self.is_current:  # an earlier enter of the same burst closed it
            return
        if not step:
            self.dismiss(None)
            return
        name = self.field.value
        try:
            self._check(name)
        except DocumentError as error:
            self._refused = name
            self._below(str(error))
        else:
            self.dismiss(name)

    def done(self) -> None:
        """Close with the name, if it is valid."""
        self._leave(1)

    def cancel(self) -> None:
        """Close without a name."""
        self.dismiss(None)

    def undo(self) -> None:
        """Do nothing: a name has no undo steps."""

    def redo(self) -> None:
        """Do nothing: a name has no undo steps."""


class PathNames:
    """Looks up the completions of the last path asked for, with at most one thread at a time."""

    def __init__(
        self, screen: Screen[str | None], folder: Path | None, found: Callable[[str, list[str]], None]
    ) -> None:
        """`found` is called with each path and the rests of the names that complete it."""
        self._screen, self._folder, self._tell = screen, folder, found
        self._wanted = ""
        self._known: tuple[str, list[str]] = ("", [])
        self._idle = asyncio.Event()
        self._idle.set()

    def known(self, text: str) -> list[str]:
        """The rests of names that complete `text`; empty if they are not known yet."""
        return self._known[1] if self._known[0] == text else []

    def look_for(self, text: str) -> None:
        """Start to look up the completions of `text`; `found` gets them."""
        self._wanted = text
        if self._idle.is_set():
            self._idle.clear()
            self._screen.run_worker(self._look(), group="path names", exit_on_error=False)

    async def _look(self) -> None:
        try:
            looked = None
            while looked != self._wanted:
                looked = self._wanted
                names = await result_of(partial(completions, looked, folder=self._folder))
                self._known = looked, names
            self._tell(*self._known)
        finally:
            self._idle.set()

    async def wait_for(self, text: str) -> None:
        """Wait until the completions of `text` are known, at most `_PATIENCE` seconds."""
        if self._known[0] != text:
            self.look_for(text)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), _PATIENCE)
