"""Asks for a value: a text as it is, anything else as JSON."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from evaltui.document.edits import json_text
from evaltui.document.errors import EditError
from evaltui.document.node import Node, parse_value
from evaltui.printable import printable
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.widgets.text_field import TextField


class ValueDialog(ModalScreen[bytes]):
    """Gives the JSON text of the value, or None where the person thought better of it."""

    PLACE = "value"
    BINDINGS = bindings("value")

    def __init__(self, where: str, source: bytes) -> None:
        """`where` is safe to show; `source` is the value to begin with."""
        super().__init__()
        self._where = where
        node = Node(source.strip())
        self._is_text = node.kind == "string"
        self._text = node.text() if self._is_text else source.decode("utf-8", "replace")

    def compose(self) -> ComposeResult:
        """The place, the box, and what is wrong with what is in it."""
        with Vertical(classes="dialog"):
            kind = "text" if self._is_text else "JSON"
            keys = f"{key_of('value.done')}: done, {key_of('value.cancel')}: cancel"
            yield Static(Content(f"{self._where} ({kind}; {keys})"), markup=False)
            yield TextField(lambda _: self.action_cancel())
            yield Static(id="objection", markup=False)

    def on_mount(self) -> None:
        """Begin at the end of the text."""
        box = self.query_one(TextField)
        box.single_line = False
        box.display = True
        box.show(self._text)
        box.focus()

    def action_done(self) -> None:
        """Close with the value, where it is one."""
        text = self.query_one(TextField).value
        if self._is_text:
            self.dismiss(json_text(text))
            return
        try:
            parse_value(text.encode("utf-8", "surrogateescape"))
        except EditError as error:
            self.query_one("#objection", Static).update(Content(printable(str(error))))
        else:
            self.dismiss(text.encode("utf-8", "surrogateescape"))

    def action_cancel(self) -> None:
        """Close without a value."""
        self.dismiss(None)
