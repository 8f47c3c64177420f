"""The screen that is shown while a large file of another format is converted to an eval set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from evaltui.document.document import Document
from evaltui.interop.fields import ConversionError
from evaltui.interop.losses import Loss
from evaltui.tui.base_app import OpenNext
from evaltui.tui.commands import bindings
from evaltui.tui.open_file.foreign_file import Reading, not_shown, show_converted
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.screens.command_screen import CommandScreen

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile


class ReadingScreen(CommandScreen[None]):
    """Converts in a thread, then gives way to the editor."""

    PLACE = "reading"
    BINDINGS = bindings("reading")
    SHARED = ()

    def __init__(self, file: OpenFile, reading: Reading, show: Callable[[str], None]) -> None:
        """`show` shows the set once it is converted."""
        super().__init__()
        self._file, self._reading, self._show = file, reading, show

    def compose(self) -> ComposeResult:
        """The name of the file, and the word that it is being converted."""
        name = Content.assemble("   ", (self._file.file_name, "bold"), (f" · {self._reading.title}", "dim"))
        yield Static(name, markup=False, id="title")
        yield Static(Content.styled("\n  Converting …", "dim"), markup=False, id="reading-mark")
        yield StatusBar()
        keys = KeysBar(lambda command: command.title)
        keys.place = "reading"
        yield keys

    def on_mount(self) -> None:
        """Convert."""
        self._file.app.start_thread("reading", self._reading.converted, self._done, self._failed)

    def _done(self, result: tuple[Document, Sequence[Loss]]) -> None:
        show_converted(self._file, result)
        self._show("")

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, ConversionError):  # an error of evaltui, not of the file
            self._file.app.note_fault(error)
        self.open_source(not_shown(self._reading, error))

    def open_source(self, message: str = "") -> None:
        """Open the file as JSON, with a message."""
        self._file.leaving.leave(OpenNext(self._reading.source.path, as_json=True, notice=message))

    def quit(self) -> None:
        """Quit, and drop the conversion."""
        self._file.leaving.leave(None)

    def back_or_quit(self) -> None:
        """Go back to the list of eval sets, else quit."""
        self._file.leaving.leave_or_go_back()
