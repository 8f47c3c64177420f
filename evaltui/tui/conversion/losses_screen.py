"""The losses of a conversion, shown before anything is written: kinds, reasons, advice, and each place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from textual import on
from textual.content import Content

from evaltui.document.node import Node
from evaltui.evalset.titles import STEP
from evaltui.interop.loss_counts import WORDS, count_items, grouped, key_of_loss, place_text, subject_of
from evaltui.interop.losses import Loss
from evaltui.printable import printable
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.comparison.row_list import ListDrawing, RowList
from evaltui.tui.lines import ERROR, INFO, WARNING, Line, cells_of, folded, preview, value_text
from evaltui.tui.screens.list_screen import ListScreen

_FIRST = 4
"""The number of places of a group that are shown at first."""
_WIDEST = 110
"""Cells of a line of text."""
_PLACE, _LEAST_VALUE = 50, 20
"""The most cells of a place, and the least of a value, which has the rest of the line."""
_MARKS = {"no_place": ERROR, "changed": WARNING, "merged": WARNING, "invented": INFO}


class LossRow(NamedTuple):
    """A group of losses, one of its places, the number of places that are not shown, or a note."""

    key: str
    text: str = ""
    """A note."""
    group: Sequence[Loss] = ()
    loss: Loss | None = None
    hidden: int = 0


class LossDrawing(ListDrawing[LossRow]):
    """Draws groups with reason and advice, each with its first places; then the notes."""

    def __init__(self, root: Node) -> None:
        """`root` is the source, for the names of cases and turns."""
        super().__init__()
        self._root = root

    def lines(self, row: LossRow, width: int) -> list[Line]:
        """The lines of a row in a view of a width."""
        # The title has the whole width; text is easier to read in narrow lines.
        narrow = max(20, min(width, _WIDEST) - 4)
        group = row.group
        if row.loss is not None:
            place, key = place_text(self._root, row.loss.pointer), key_of_loss(row.loss)
            where: Line = [(f"     {preview(place, _PLACE)}", "name"), (f"{STEP}{key}  " if key else "  ", "dim")]
            value, room = row.loss.value, max(_LEAST_VALUE, width - cells_of(where) - 1)
            return [[*where, (preview(value, room) if isinstance(value, str) else value_text(value, room), "dim")]]
        if row.hidden:
            return [[(f"     … {row.hidden:,} more places", "dim")]]
        if not group:
            return [[INFO, ("Note", "heading")], *_indented(row.text, "", narrow)]
        first, words = group[0], f"{count_items(group):,} {WORDS[group[0].kind]}: {subject_of(group)}"
        title = preview(words, max(narrow, width - 4))
        advice = _indented(first.advice, "accent", narrow) if first.advice else ()
        return [[_MARKS[first.kind], (title, "heading")], *_indented(first.reason, "", narrow), *advice]


class LossesScreen(ListScreen[Loss | Literal["write"]]):
    """Shows the losses. The result is a place to go to, "write" to write the file, or None to go back."""

    PLACE = "losses"
    BINDINGS = bindings("losses")

    def __init__(self, title: str, summary: str, root: Node, losses: Sequence[Loss], notes: Sequence[str] = ()) -> None:
        """`title` says what is converted to what, `summary` how much is lost; `root` is the source."""
        kinds = list(WORDS)
        self._groups = sorted(grouped(losses), key=lambda group: kinds.index(group[0].kind))
        self._notes = notes
        self.losses: RowList[LossRow] = RowList(LossDrawing(root), "losses", "losses")
        super().__init__([self.losses])
        self._facts = Content.assemble((f" {printable(title)}\n", "bold"), (f" {printable(summary)}", "dim"))

    def on_mount(self) -> None:
        """Say that nothing is written yet."""
        self.status.hint(f"Nothing is written yet. Press {key_of('losses.write')} to enter a file name.")

    def show_title(self) -> None:
        """Two lines of facts."""
        self.head.update(self._facts)

    def fill(self) -> None:
        """Show the first places of each group."""
        selected = self.losses.row
        rows = [row for number, group in enumerate(self._groups) for row in self._rows_of(f"{number}", group)]
        rows += [LossRow(f"note {number}", note) for number, note in enumerate(self._notes)]
        self.losses.show(rows, selected.key if selected is not None else None)

    def _rows_of(self, key: str, group: Sequence[Loss]) -> Iterator[LossRow]:
        yield LossRow(key, group=group)
        count = len(group)
        # A line that counts one hidden place would take the room of this place.
        visible = count if key in self.losses.drawing.toggled or count == _FIRST + 1 else min(_FIRST, count)
        for number, loss in enumerate(group[:visible]):
            yield LossRow(f"{key} {number}", loss=loss)
        # The key of the first hidden place, on which the cursor stays when all are shown.
        if hidden := count - visible:
            yield LossRow(f"{key} {visible}", hidden=hidden)

    def offered_title(self, command: Command) -> str:
        """The title of a command in the keys line; "" if it would do nothing now."""
        if command.id != "losses.enter":
            return command.title
        row = self.losses.row
        return "" if row is None else "go to" if row.loss is not None else "show all" if row.hidden else ""

    @on(RowList.RowDoubleClicked)
    def go_to_place(self) -> None:
        """Go to the place in the open file; on the line that counts hidden places, show them."""
        row = self.losses.row
        if row is not None and row.hidden:
            self.losses.drawing.toggled.add(row.key.partition(" ")[0])
            self.fill()
        elif row is not None and row.loss is not None:
            self.dismiss(row.loss)

    def write(self) -> None:
        """Go on to the name of the file."""
        self.dismiss("write")


def _indented(text: str, role: str, width: int) -> list[Line]:
    return [[("   ", ""), (part, role)] for part in folded(text, width)]
