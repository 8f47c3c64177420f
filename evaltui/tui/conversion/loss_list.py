"""The list of losses of a conversion: groups with reason and advice, and the places of each group."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.message import Message

from evaltui.document.node import Node
from evaltui.evalset.titles import STEP
from evaltui.interop.loss_counts import WORDS, LossGroup, key_of_loss, place_in
from evaltui.interop.losses import Loss
from evaltui.printable import printable
from evaltui.tui.commands import bindings
from evaltui.tui.lines import ERROR, INFO, PASSED, WARNING, Line, folded, preview, text_of
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
    loss: Loss | None = None
    hidden: int = 0
    lines: Sequence[Line] = ()


class LossList(LineList):
    """Groups of losses, each with its first places."""

    PLACE = "losses"
    BINDINGS = bindings("losses")

    class LossSelected(Message):
        """Another entry is selected."""

    def __init__(self, root: Node, groups: Sequence[LossGroup], notes: Sequence[str] = ()) -> None:
        """`root` is the source, for the names of cases and turns; `notes` follow the groups."""
        super().__init__(id="losses")
        self._root, self._notes = root, notes
        kinds = list(WORDS)
        self._groups = sorted(groups, key=lambda group: kinds.index(group.kind))
        self._whole: set[int] = set()
        """The groups whose places are all shown, by their number."""
        self._rows: list[LossRow] = []
        self._starts: list[int] = [0]
        """The first line of each entry, and at the end the number of lines."""
        self._entries: list[int] = []
        """The entry of each line."""
        self._width = 0

    def on_resize(self) -> None:
        """Fold the reasons for another width."""
        if (width := self.scrollable_content_region.width) != self._width:
            self._width = width
            self.make_rows()
        super().on_resize()

    def make_rows(self) -> None:
        """Make the entries for the present width."""
        width = max(20, min(self._width, _WIDEST) - 4)
        self._rows = [
            row
            for number, group in enumerate(self._groups)
            for row in self._rows_of(group, number in self._whole, width)
        ]
        self._rows += [LossRow(None, lines=_note_lines(note, width)) for note in self._notes]
        self._starts = list(accumulate((len(row.lines) for row in self._rows), initial=0))
        self._entries = [entry for entry, row in enumerate(self._rows) for _ in row.lines]
        self.refresh_size()
        self.refresh()

    def _rows_of(self, group: LossGroup, is_whole: bool, width: int) -> list[LossRow]:
        lines: list[Line] = [[_MARKS[group.kind], (preview(_title(group), max(width, self._width - 4)), "heading")]]
        lines += [[("   ", ""), (part, "")] for part in folded(group.reason, width)]
        if group.advice:
            lines += [[("   ", ""), (part, "accent")] for part in folded(group.advice, width)]
        count = len(group.losses)
        shown = count if is_whole or count == _FIRST + 1 else min(_FIRST, count)
        rows = [LossRow(group, lines=lines)]
        rows += [LossRow(group, loss, lines=[self._place_line(loss)]) for loss in group.losses[:shown]]
        if hidden := count - shown:
            more: Line = [(f"     … {hidden:,} more places", "dim")]
            rows.append(LossRow(group, hidden=hidden, lines=[more]))
        return rows

    def cursor_moved(self) -> None:
        """Tell the screen, whose keys depend on it."""
        self.post_message(self.LossSelected())

    def _place_line(self, loss: Loss) -> Line:
        place, key = str(place_in(self._root, loss.pointer)), key_of_loss(loss)
        where: Line = [(f"     {preview(place, _PLACE)}", "name"), (f"{STEP}{key}  " if key else "  ", "dim")]
        room = self._width - cell_len(text_of(where)) - 1
        return [*where, (_shown(loss.value, max(_LEAST_VALUE, room)), "dim")]

    @property
    def selected(self) -> LossRow | None:
        """The entry under the cursor; None where nothing is lost."""
        return self._rows[self.cursor] if self._rows else None

    def show_all_places(self) -> bool:
        """Show all places of the group under the cursor; whether some were hidden."""
        row = self.selected
        number = next((n for n, each in enumerate(self._groups) if row is not None and each is row.group), None)
        if number is None or number in self._whole:
            return False
        self._whole.add(number)
        self.make_rows()
        return True

    # --- entries of several lines ----------------------------------------------------------------------------

    def line_count(self) -> int:
        """The number of lines; one if nothing is lost."""
        return max(1, len(self._entries))

    def line(self, index: int) -> Line:
        """A line of a group, or a place."""
        if not self._rows:
            return [PASSED, ("Nothing is lost.", "")]
        entry = self._entries[index]
        return list(self._rows[entry].lines[index - self._starts[entry]])

    def entry_count(self) -> int:
        """The number of entries: groups, places, and lines that count hidden places."""
        return len(self._rows)

    def lines_of(self, entry: int) -> range:
        """The lines of an entry."""
        return range(self._starts[entry], self._starts[entry + 1]) if entry < len(self._rows) else range(0)

    def entry_at(self, line: int) -> int | None:
        """The entry that a line belongs to."""
        return self._entries[line] if line < len(self._entries) else None

    def on_click(self, event: events.Click) -> None:
        """Select an entry; go to the place of the selected one."""
        entry = self.entry_under(event)
        if entry is None:
            return
        if entry == self.cursor and event.chain > 1:
            self.call_later(self.run_action, "app.run_command('losses.enter')")
        else:
            self.move_to(entry)


def _note_lines(note: str, width: int) -> list[Line]:
    return [[INFO, ("Note", "heading")], *([("   ", ""), (part, "")] for part in folded(note, width))]


def _title(group: LossGroup) -> str:
    return f"{group.number:,} {WORDS[group.kind]}: {group.subject}"


def _shown(value: Any, width: int) -> str:
    """The start of a value: a text as it is, other values as JSON."""
    if isinstance(value, str):
        return preview(value, width)
    try:
        return printable(preview(json.dumps(value, ensure_ascii=False), width))
    except (RecursionError, ValueError):
        return "…"
