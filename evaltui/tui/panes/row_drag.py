"""Dragging of tree rows with the mouse. A mark shows the target; esc cancels."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from textual import events

from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.tui.lines import ERROR, sign, text_of
from evaltui.tui.panes.requests import RowDropped, Say
from evaltui.tui.widgets.line_view import LineList
from evaltui.tui.widgets.row_tree import RowTree


class Drop(NamedTuple):
    """The target of a dragged row: before or after `row`."""

    row: int
    is_behind: bool
    refusal: str
    """Why the dragged row cannot go there, as a sentence; "" if it can."""


class RowDrag:
    """The part of the tree pane that handles dragging."""

    def __init__(self, view: LineList, rows: Callable[[], RowTree], marked: Collection[Node]) -> None:
        """`rows` gives the rows of the view; `marked` are nodes that move together with a marked row."""
        self._view, self._rows, self._marked = view, rows, marked
        self._pressed: Node | None = None
        """The node of the row on which the mouse button was pressed."""
        self._drop: Drop | None = None
        self._was_dragged = False
        """Whether the current or last press of the button dragged a row."""

    def mark_of(self, row: int) -> str:
        """The mark of the target row: ▲ (before it), ▼ (after it) or ✗ (not allowed); "" for other rows."""
        if self._drop is None or self._drop.row != row:
            return ""
        return sign(ERROR) if self._drop.refusal else "▼" if self._drop.is_behind else "▲"

    def press(self, event: events.MouseDown) -> None:
        """Remember the pressed row: a drag can begin there."""
        row = self._view.entry_under(event)
        self._pressed = self._rows().nodes[row] if row is not None else None
        self._was_dragged = False

    def move(self, event: events.MouseMove) -> None:
        """Mark the target of the drag, and describe it in the status line."""
        if self._pressed is None:
            return
        row = self._row_under(event)
        pressed = self._rows().index(self._pressed)
        if pressed is None or not event.button:  # the button was released outside, or the row is gone
            self._end()
        elif row is not None and (row != pressed or self._drop is not None):
            self._was_dragged = True
            self._view.capture_mouse()
            self._mark(pressed, row)

    def _row_under(self, event: events.MouseEvent) -> int | None:
        """Index of the row under the mouse; None outside of the pane or below the last row."""
        is_inside = self._view.region.contains(int(event.screen_x), int(event.screen_y))
        return self._view.entry_under(event) if is_inside else None

    def _mark(self, pressed: int, row: int) -> None:
        view, row, before = self._view, self._row_of_its_depth(pressed, row), self._drop
        if before is not None and before.row == row:
            return
        self._drop = Drop(row, row > pressed, self._refusal(pressed, row)) if row != pressed else None
        for drawn in {each.row for each in (before, self._drop) if each is not None}:
            view.refresh_line(drawn)
        if self._drop is None:
            view.post_message(Say("release to leave it here"))
        else:
            where = "after" if self._drop.is_behind else "before"
            rows = self._rows()
            label = text_of(rows.outline.label(rows.nodes[row])).strip()
            view.post_message(Say(self._drop.refusal or f"release to move it {where} {label} · esc: cancel"))

    def _row_of_its_depth(self, pressed: int, row: int) -> int:
        """The row around `row` at the depth of the pressed row: a case dropped on a turn goes beside its case."""
        rows = self._rows()
        while rows.depths[row] > rows.depths[pressed] and (parent := rows.parent(row)) is not None:
            row = parent
        return row

    def _refusal(self, pressed: int, row: int) -> str:
        nodes, marked = self._rows().nodes, self._marked
        try:
            self._rows().outline.dragging(list(marked) if nodes[pressed] in marked else [nodes[pressed]], nodes[row])
        except EditError as error:
            return str(error)
        return ""

    def release(self, event: events.MouseUp) -> None:
        """Drop the pressed row if the button is released on another row."""
        pressed, row, rows = self._pressed, self._row_under(event), self._rows()
        at = rows.index(pressed) if pressed is not None else None
        self._end()
        if row is None or at is None or pressed is None:
            return
        if not self._was_dragged and row == at:
            return
        self._was_dragged = True
        if (row := self._row_of_its_depth(at, row)) != at:
            self._view.post_message(RowDropped(pressed, rows.nodes[row]))

    def cancel(self) -> bool:
        """End the drag and leave the row where it was; False if no row is being dragged."""
        if not self._was_dragged or self._pressed is None:
            return False
        self._end()
        self._view.post_message(Say("nothing was moved"))
        return True

    def _end(self) -> None:
        self._pressed, before, self._drop = None, self._drop, None
        self._view.release_mouse()
        if before is not None:
            self._view.refresh_line(before.row)

    def ends_by_click(self) -> bool:
        """Whether the next click only ends a drag. Asking resets the answer."""
        was_dragged, self._was_dragged = self._was_dragged, False
        return was_dragged
