"""The losses of a conversion, shown before anything is written: kinds, reasons, advice, and each place."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Literal, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.content import Content

from evaltui.document.node import Node
from evaltui.evalset.titles import STEP
from evaltui.interop.loss_counts import WORDS, LossGroup, grouped, key_of_loss, place_in
from evaltui.interop.losses import Loss
from evaltui.printable import printable
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.lines import ERROR, INFO, PASSED, WARNING, Line, folded, preview, text_of
from evaltui.tui.screens.list_screen import ListScreen
from evaltui.tui.widgets.line_view import LineList

_FIRST = 4
"""The number of places of a group that are shown at first."""
_WIDEST = 110
"""Cells of a line of text."""
_PLACE, _LEAST_VALUE = 50, 20
"""The most cells of a place, and the least of a value, which has the rest of the line."""
_MARKS = {"no_place": ERROR, "changed": WARNING, "merged": WARNING, "invented": INFO}


class LossRow(NamedTuple):
    """One entry of the list: a group, one of its places, the number of places that are not shown, or a note."""

    group: LossGroup | None
    """None for a note."""
    lines: Sequence[Line]
    loss: Loss | None = None
    hidden: int = 0


class LossList(LineList):
    """Groups of losses with reason and advice, each with its first places; then the notes."""

    PLACE = "losses"
    BINDINGS = bindings("losses")

    def __init__(self, root: Node, losses: Sequence[Loss], notes: Sequence[str]) -> None:
        """`root` is the source, for the names of cases and turns."""
        super().__init__(id="losses")
        kinds = list(WORDS)
        self._root, self._notes = root, notes
        self._groups = sorted(grouped(losses), key=lambda group: kinds.index(group.kind))
        self._entire: list[LossGroup] = []
        """The groups whose places are all shown."""
        self._rows: list[LossRow] = []
        self._starts: list[int] = [0]
        """The first line of each row, and at the end the number of lines."""
        self._row_of_line: list[int] = []
        self._width = 0

    def on_resize(self) -> None:
        """Fold the reasons for another width."""
        if (width := self.scrollable_content_region.width) != self._width:
            self._width = width
            self.make_rows()
        super().on_resize()

    def make_rows(self) -> None:
        """Make the rows for the present width."""
        width = max(20, min(self._width, _WIDEST) - 4)
        self._rows = [row for group in self._groups for row in self._rows_of(group, width)]
        for note in self._notes:
            self._rows.append(LossRow(None, [[INFO, ("Note", "heading")], *_indented(note, "", width)]))
        self._starts = list(accumulate((len(row.lines) for row in self._rows), initial=0))
        self._row_of_line = [number for number, row in enumerate(self._rows) for _ in row.lines]
        self.refresh_size()
        self.refresh()

    def _rows_of(self, group: LossGroup, width: int) -> list[LossRow]:
        title = preview(f"{group.number:,} {WORDS[group.kind]}: {group.subject}", max(width, self._width - 4))
        lines = [[_MARKS[group.kind], (title, "heading")], *_indented(group.reason, "", width)]
        if group.advice:
            lines += _indented(group.advice, "accent", width)
        count = len(group.losses)
        # A line that counts one hidden place would take the room of this place.
        shown = count if group in self._entire or count == _FIRST + 1 else min(_FIRST, count)
        rows = [LossRow(group, lines)]
        rows += [LossRow(group, [self._place_line(loss)], loss) for loss in group.losses[:shown]]
        if hidden := count - shown:
            rows.append(LossRow(group, [[(f"     … {hidden:,} more places", "dim")]], hidden=hidden))
        return rows

    def _place_line(self, loss: Loss) -> Line:
        place, key = str(place_in(self._root, loss.pointer)), key_of_loss(loss)
        where: Line = [(f"     {preview(place, _PLACE)}", "name"), (f"{STEP}{key}  " if key else "  ", "dim")]
        room = self._width - cell_len(text_of(where)) - 1
        return [*where, (_start_of(loss.value, max(_LEAST_VALUE, room)), "dim")]

    @property
    def selected(self) -> LossRow | None:
        """The row under the cursor; None where nothing is lost."""
        return self._rows[self.cursor] if self._rows else None

    def show_all_places(self, group: LossGroup) -> None:
        """Show all places of a group."""
        self._entire.append(group)
        self.make_rows()

    def cursor_moved(self) -> None:
        """Tell the screen, whose keys depend on the row."""
        self.post_message(self.Browsed())

    def line_count(self) -> int:
        """The number of lines; one if nothing is lost."""
        return max(1, len(self._row_of_line))

    def line(self, index: int) -> Line:
        """A line of a row."""
        if not self._rows:
            return [PASSED, ("Nothing is lost.", "")]
        row = self._row_of_line[index]
        return list(self._rows[row].lines[index - self._starts[row]])

    def entry_count(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def lines_of(self, entry: int) -> range:
        """The lines of a row."""
        return range(self._starts[entry], self._starts[entry + 1]) if entry < len(self._rows) else range(0)

    def entry_at(self, line: int) -> int | None:
        """The row of a line."""
        return self._row_of_line[line] if line < len(self._row_of_line) else None

    def on_click(self, event: events.Click) -> None:
        """Select a row; go to the place of the selected one."""
        row = self.entry_under(event)
        if row is None:
            return
        if row == self.cursor and event.chain > 1:
            self.call_later(self.run_action, "app.run_command('losses.enter')")
        else:
            self.move_to(row)


class LossesScreen(ListScreen[Loss | Literal["write"]]):
    """Shows the losses. The result is a place to go to, "write" to write the file, or None to go back."""

    PLACE = "losses"
    BINDINGS = bindings("losses")

    def __init__(self, title: str, summary: str, root: Node, losses: Sequence[Loss], notes: Sequence[str] = ()) -> None:
        """`title` says what is converted to what, `summary` how much is lost; `root` is the source."""
        self.losses = LossList(root, losses, notes)
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
        self.losses.make_rows()

    def offered_title(self, command: Command) -> str:
        """The title of a command in the keys line; "" if it would do nothing now."""
        if command.id != "losses.enter":
            return command.title
        row = self.losses.selected
        return "" if row is None else "go to" if row.loss is not None else "show all" if row.hidden else ""

    def go_to_place(self) -> None:
        """Go to the place in the open file; on the line that counts hidden places, show them."""
        row = self.losses.selected
        if row is not None and row.group is not None and row.hidden:
            self.losses.show_all_places(row.group)
        elif row is not None and row.loss is not None:
            self.dismiss(row.loss)

    def write(self) -> None:
        """Go on to the name of the file."""
        self.dismiss("write")


def _indented(text: str, role: str, width: int) -> list[Line]:
    return [[("   ", ""), (part, role)] for part in folded(text, width)]


def _start_of(value: Any, width: int) -> str:
    """The start of a value: a text as it is, other values as JSON."""
    if isinstance(value, str):
        return preview(value, width)
    try:
        return printable(preview(json.dumps(value, ensure_ascii=False), width))
    except (RecursionError, ValueError):
        return "…"
