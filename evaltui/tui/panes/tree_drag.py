"""Tree rows dragged with the mouse. A mark shows where the row would go; esc leaves it where it was."""

from __future__ import annotations

from typing import NamedTuple

from textual import events

from evaltui.document import EditError, Node
from evaltui.tui.lines import text_of
from evaltui.tui.marks import ERROR, sign
from evaltui.tui.panes.requests import Dragged, Say
from evaltui.tui.panes.tree_acting import TreeActing
from evaltui.tui.widgets.row_tree import RowTree


class Drop(NamedTuple):
    """The target of a dragged row: before or behind `row`."""

    row: int
    is_behind: bool
    refusal: str
    """Why the dragged row cannot go there, as a sentence; "" if it can."""


class TreeDrag(TreeActing):
    """The part of the tree pane that handles dragging; needs `rows`."""

    rows: RowTree
    _pressed: Node | None = None
    """The node of the row on which the mouse button was pressed."""
    _drop: Drop | None = None
    _was_dragged = False
    """Whether the present or last press of the button has dragged a row."""

    def emphasis(self, index: int) -> tuple[str, str]:
        """Style and mark of a row. The target of a drag has ▲ (before it), ▼ (behind it) or ✗ (not allowed)."""
        if self._drop is None or self._drop.row != index:
            return super().emphasis(index)
        return "drop", sign(ERROR) if self._drop.refusal else "▼" if self._drop.is_behind else "▲"

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Remember the pressed row: a drag begins there."""
        row = self.line_at(event.get_content_offset_capture(self).y)
        self._pressed = self.rows.nodes[row] if row is not None else None
        self._was_dragged = False

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Mark the place where the dragged row would go, and say it in the status line."""
        if self._pressed is None:
            return
        row = self._row_under(event)
        pressed = self.rows.index(self._pressed)
        if pressed is None or not event.button:  # the button was released outside, or the row is gone
            self._end()
        elif row is not None and (row != pressed or self._drop is not None):
            self._was_dragged = True
            self.capture_mouse()
            self._mark(pressed, row)

    def _row_under(self, event: events.MouseEvent) -> int | None:
        """Index of the row under the mouse; None outside of the pane or below the last row."""
        is_inside = self.region.contains(int(event.screen_x), int(event.screen_y))
        return self.line_at(event.get_content_offset_capture(self).y) if is_inside else None

    def _mark(self, pressed: int, row: int) -> None:
        row = self._row_of_its_depth(pressed, row)
        before = self._drop
        if before is not None and before.row == row:
            return
        self._drop = Drop(row, row > pressed, self._refusal(pressed, row)) if row != pressed else None
        for drawn in {each.row for each in (before, self._drop) if each is not None}:
            self.refresh_row(drawn)
        if self._drop is None:
            self.post_message(Say("it stays where it is"))
        else:
            where = "behind" if self._drop.is_behind else "before"
            label = text_of(self.outline.label(self.rows.nodes[row])).strip()
            self.post_message(Say(self._drop.refusal or f"let go to move it {where} {label} · esc leaves it"))

    def _row_of_its_depth(self, pressed: int, row: int) -> int:
        """The parent of `row` at the depth of the pressed row: a case dropped on a turn goes beside the turn's case."""
        depths = self.rows.depths
        while depths[row] > depths[pressed] and (parent := self.rows.parent(row)) is not None:
            row = parent
        return row

    def _refusal(self, pressed: int, row: int) -> str:
        nodes = self.rows.nodes
        marked = list(self.session.marked) if nodes[pressed] in self.session.marked else [nodes[pressed]]
        try:
            self.outline.dragging(marked, nodes[row])
        except EditError as error:
            return str(error)
        return ""

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Drop the pressed row if the button is released on another row."""
        pressed, row = self._pressed, self._row_under(event)
        at = self.rows.index(pressed) if pressed is not None else None
        self._end()
        if row is None or at is None or pressed is None:
            return
        if not self._was_dragged and row == at:
            return
        self._was_dragged = True
        if (row := self._row_of_its_depth(at, row)) != at:
            self.post_message(Dragged(pressed, self.rows.nodes[row]))

    async def _on_key(self, event: events.Key) -> None:
        """On esc, end the drag and leave the row where it was."""
        if event.key == "escape" and self._was_dragged and self._pressed is not None:
            event.stop()
            event.prevent_default()
            self._end()
            self.post_message(Say("nothing was moved"))
            return
        await super()._on_key(event)

    def _end(self) -> None:
        self._pressed, before, self._drop = None, self._drop, None
        self.release_mouse()
        if before is not None:
            self.refresh_row(before.row)

    def ends_drag(self) -> bool:
        """Whether the next click only ends a drag. Asking resets the answer."""
        was_dragged, self._was_dragged = self._was_dragged, False
        return was_dragged
