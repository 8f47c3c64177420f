"""The losses of a conversion, shown before anything is written: kinds, reasons, advice, and each place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from evaltui.document.node import Node
from evaltui.interop.loss_counts import grouped
from evaltui.interop.losses import Loss
from evaltui.printable import printable
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.conversion.loss_list import LossList
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar


class LossAnswer(NamedTuple):
    """The answer of the losses screen: a place to go to, or else the wish to write the file."""

    place: Loss | None = None


class LossesScreen(Screen[LossAnswer]):
    """Shows the losses. The result is a `LossAnswer`, or None to go back."""

    PLACE = "losses"
    BINDINGS = bindings("losses")
    AUTO_FOCUS = ""

    def __init__(self, title: str, summary: str, root: Node, losses: Sequence[Loss], notes: Sequence[str] = ()) -> None:
        """`title` says what is converted to what, `summary` how much is lost; `root` is the source."""
        super().__init__()
        self._title_text, self._summary = title, summary
        self.losses = LossList(root, grouped(losses), notes)
        self._status = StatusBar()
        self._keys = KeysBar(self._title_of)
        self._keys.place = "losses"

    def compose(self) -> ComposeResult:
        """Two lines of facts, the losses, and the bars."""
        facts = Content.assemble((f" {printable(self._title_text)}\n", "bold"), (f" {printable(self._summary)}", "dim"))
        yield Static(facts, markup=False, id="losses-head")
        yield self.losses
        yield self._status
        yield self._keys

    def on_mount(self) -> None:
        """Begin with the first group."""
        self.losses.make_rows()
        self.losses.focus()
        self._status.hint(f"Nothing is written yet. Press {key_of('losses.write')} to enter a file name.")

    def _title_of(self, command: Command) -> str:
        row = self.losses.selected
        if command.id == "losses.enter":
            if row is None:
                return ""
            return "go to" if row.loss is not None else "show all" if row.hidden else ""
        return command.title

    @on(LossList.LossSelected)
    def _loss_selected(self) -> None:
        """Other keys may be of use."""
        self._keys.update()

    def go_to_place(self) -> None:
        """Go to the place in the open file; on the line that counts hidden places, show them."""
        row = self.losses.selected
        if row is not None and row.hidden:
            self.losses.show_all_places()
        elif row is not None and row.loss is not None:
            self.dismiss(LossAnswer(row.loss))

    def write(self) -> None:
        """Go on to the name of the file."""
        self.dismiss(LossAnswer())

    def leave(self) -> None:
        """Close; nothing is written."""
        self.dismiss(None)
