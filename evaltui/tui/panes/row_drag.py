"""Dragging of tree rows with the mouse. A mark shows the target; esc cancels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events

from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.tui.lines import ERROR, sign, text_of

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen
    from evaltui.tui.panes.tree_pane import TreePane


class RowDrag:
    """The part of the tree pane that handles dragging."""

    def __init__(self, pane: TreePane, host: EditScreen) -> None:
        self._pane, self._host = pane, host
        self._pressed: Node | None = None
        """The node of the row on which the mouse button was pressed."""
        self._drop: tuple[int, str] | None = None
        """The target row of the drag, and its mark: ▲ (before it), ▼ (after it) or ✗ (not allowed)."""
        self._was_dragged = False
        """Whether the current or last press of the button dragged a row."""

    def mark_of(self, row: int) -> str:
        """The mark of the target row; "" for other rows."""
        return self._drop[1] if self._drop is not None and self._drop[0] == row else ""

    def press(self, event: events.MouseDown) -> None:
        """Remember the pressed row: a drag can begin there."""
        row = self._pane.entry_under(event)
        self._pressed = self._pane.rows.nodes[row] if row is not None else None
        self._was_dragged = False

    def move(self, event: events.MouseMove) -> None:
        """Mark the target of the drag, and describe it in the status line."""
        if self._pressed is None:
            return
        row = self._row_under(event)
        pressed = self._pane.rows.index(self._pressed)
        if pressed is None or not event.button:  # the button was released outside, or the row is gone
            self._end()
        elif row is not None and (row != pressed or self._drop is not None):
            self._was_dragged = True
            # Otherwise nobody would hear of a release outside of the pane.
            self._pane.capture_mouse()
            self._mark(pressed, self._row_of_its_depth(pressed, row))

    def _row_under(self, event: events.MouseEvent) -> int | None:
        """Index of the row under the mouse; None outside of the pane or below the last row."""
        is_inside = self._pane.region.contains(int(event.screen_x), int(event.screen_y))
        return self._pane.entry_under(event) if is_inside else None

    def _mark(self, pressed: int, row: int) -> None:
        pane, drop = self._pane, self._drop
        if drop is not None and drop[0] == row:
            return
        message, self._drop = "release to leave it here", None
        if row != pressed:
            nodes, marked, where = pane.rows.nodes, pane.file.marked, "after" if row > pressed else "before"
            message = f"release to move it {where} {text_of(pane.outline.label(nodes[row])).strip()} · esc: cancel"
            self._drop = row, "▼" if row > pressed else "▲"
            try:
                pane.outline.dragging([*marked] if nodes[pressed] in marked else [nodes[pressed]], nodes[row])
            except EditError as error:
                message, self._drop = str(error), (row, sign(ERROR))
        for target in filter(None, (drop, self._drop)):
            pane.refresh_line(target[0])
        self._host.say(message)

    def _row_of_its_depth(self, pressed: int, row: int) -> int:
        """The row around `row` at the depth of the pressed row: a case dropped on a turn goes beside its case."""
        rows = self._pane.rows
        while rows.depths[row] > rows.depths[pressed] and (parent := rows.parent(row)) is not None:
            row = parent
        return row

    def release(self, event: events.MouseUp) -> tuple[Node, Node] | None:
        """End the drag. Returns the pressed node and the node at whose place it was released; None for its own."""
        node, row, rows = self._pressed, self._row_under(event), self._pane.rows
        pressed = rows.index(node) if node is not None else None
        self._end()
        if row is None or pressed is None or node is None or (not self._was_dragged and row == pressed):
            return None
        # A fast hand moves without a single event: press and release tell the rows. The click that follows is no other.
        self._was_dragged = True
        row = self._row_of_its_depth(pressed, row)
        return (node, rows.nodes[row]) if row != pressed else None

    def cancel(self) -> bool:
        """End the drag and leave the row where it was; False if no row is being dragged."""
        if not self._was_dragged or self._pressed is None:
            return False
        self._end()
        self._host.say("nothing was moved")
        return True

    def _end(self) -> None:
        self._pressed, drop, self._drop = None, self._drop, None
        self._pane.release_mouse()
        if drop is not None:
            self._pane.refresh_line(drop[0])

    def ends_by_click(self) -> bool:
        """Whether the next click only ends a drag. Asking resets the answer."""
        was_dragged, self._was_dragged = self._was_dragged, False
        return was_dragged
