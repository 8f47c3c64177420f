"""The dialogs that ask for a text: a name or a path with its completions, and a value as text or JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from textual import getters, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from evaltui.document.edits import json_text
from evaltui.document.errors import DocumentError, EditError
from evaltui.document.node import Node, parse_value
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

Checked = TypeVar("Checked")


class NameDialog(ModalScreen[Checked], CommandScreen[Checked], Generic[Checked]):
    """Returns what `check` made of the typed name; None if cancelled."""

    PLACE = "name"
    BINDINGS = bindings("name")
    OWN_WAYS = IN_NAME
    SHARED = ()

    field = getters.query_one(TextField)
    _objection = getters.query_one(Objection)

    def __init__(
        self,
        question: str,
        text: str,
        check: Callable[[str], Checked],
        suggestions: Sequence[str] = (),
        *,
        is_path: bool = False,
        folder: Path | None = None,
    ) -> None:
        """`check` raises `DocumentError`. Tab completes `suggestions`, a path from `folder` or the working one."""
        super().__init__()
        self._question = question
        self._text = text
        self._check = check
        self._suggestions = [name for name in suggestions if not is_unsafe(name)]
        self._refused: str | None = None
        """The name that the message below the box is about: completions must not replace the message."""
        self._is_path, self._folder = is_path, folder
        self._path = ""
        """The path whose completions are looked up."""
        self._completions: tuple[str, list[str]] = "", []
        """The last path that was looked up, and the rests of the names that complete it."""
        self._idle = asyncio.Event()
        """Set while no thread looks up completions: there is at most one."""
        self._idle.set()

    def compose(self) -> ComposeResult:
        """The question and its text box."""
        keys = f"{key_of('name.done')}: done, {key_of('name.cancel')}: cancel"
        question = Question(Content(f"{self._question} ({keys})"))
        yield Vertical(question, TextField(self._leave), Objection(), classes="dialog")

    def on_mount(self) -> None:
        """Begin with the whole name selected."""
        box = self.field
        box.one_line = True
        box.suggest = self._suggestion if self._suggestions or self._is_path else None
        box.placeholder = ", ".join(self._suggestions[:6])
        box.show(self._text)
        box.select_all()
        self.set_focus(box)  # now, because the next key may already follow

    def _suggestion(self, text: str) -> str:
        if not text:  # any name would begin with it
            return ""
        if self._is_path:
            path, rests = self._completions
            return next(iter(rests), "") if path == text else ""
        return next((name[len(text) :] for name in self._suggestions if name.startswith(text) and name != text), "")

    @on(TextField.Changed)
    def _typed(self) -> None:
        self._refused = None
        self._objection.say("")
        if self._is_path:
            self._look_for(self.field.value)

    def _look_for(self, path: str) -> None:
        """Start to look up the completions of a path, and show them then."""
        self._path = path
        if self._idle.is_set():
            self._idle.clear()
            self.run_worker(self._look(), group="path names", exit_on_error=False)

    async def _look(self) -> None:
        try:
            path = None
            # A folder may be slow: letters typed meanwhile are looked up once, after the thread is back.
            while path != self._path:
                path = self._path
                self._completions = path, await result_of(partial(completions, path, folder=self._folder))
            if self.is_mounted and self.field.value == path != self._refused:
                self.field.update_suggestion()
                names = [f"{path.rpartition('/')[2]}{rest}" for rest in self._completions[1]]
                self._objection.say(f"tab: {'  '.join(names)}" if names else "")
        finally:
            self._idle.set()

    @on(TextField.OneLine)
    def _joined_lines(self, event: TextField.OneLine) -> None:
        self._objection.say(event.text)

    async def complete(self) -> None:
        """Insert the completion."""
        box = self.field
        if self._is_path and box.value:
            if self._completions[0] != box.value:
                self._look_for(box.value)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._idle.wait(), _PATIENCE)
        if box.suggestion:
            box.action_cursor_right()

    def _leave(self, step: int) -> None:
        # Shift+tab has no other field to go to. An earlier enter of the same burst may have closed the dialog.
        if step < 0 or not self.is_current:
            return
        try:
            self.dismiss(self._check(self.field.value) if step else None)
        except DocumentError as error:
            self._refused = self.field.value
            self._objection.say(str(error))

    def change_nothing(self) -> None:
        """Undo or redo nothing: a name has no undo steps."""


class ValueDialog(ModalScreen[bytes]):
    """Returns the JSON text of the value; None if cancelled."""

    PLACE = "value"
    BINDINGS = bindings("value")

    field = getters.query_one(TextField)

    def __init__(self, where: str, source: bytes) -> None:
        """`where` is safe to show; `source` is the value to begin with."""
        super().__init__()
        self._where = where
        node = Node(source.strip())
        self._is_text = node.kind == "string"
        self._text = node.text() if self._is_text else source.decode("utf-8", "replace")
        self._refused = self._text
        """The text that the cancel key drops without a question: as at the start, or as at the last question."""

    def compose(self) -> ComposeResult:
        """The place, the text box, and the error in its text."""
        kind = "text" if self._is_text else "JSON"
        keys = f"{key_of('value.done')}: done, {key_of('value.cancel')}: cancel"
        question = Question(Content(f"{self._where} ({kind}; {keys})"))
        yield Vertical(question, TextField(self._leave), Objection(), classes="dialog")

    def on_mount(self) -> None:
        """Begin at the end of the text."""
        box = self.field
        box.single_line = False
        box.display = True
        box.show(self._text)
        box.focus()

    def done(self) -> None:
        """Close with the value, if it is valid."""
        if self._is_text:
            self.dismiss(json_text(self.field.value))
            return
        source = self.field.value.encode("utf-8", "surrogateescape")
        try:
            parse_value(source)
        except EditError as error:
            self.query_one(Objection).say(str(error))
        else:
            self.dismiss(source)

    def _leave(self, step: int) -> None:
        if not step:  # tab has no other field to go to
            self.cancel()

    def cancel(self) -> None:
        """Close without a value. If a text was typed, the first press only says so."""
        text = self.field.value
        if text in (self._refused, self._text):
            self.dismiss(None)
            return
        self._refused = text
        drop, done = key_of("value.cancel"), key_of("value.done")
        self.query_one(Objection).say(f"Press {drop} again to drop your changes, or {done} to use them.")
