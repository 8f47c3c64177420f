"""The view of the output of a command. It follows the end until the person scrolls back."""

from __future__ import annotations

import time
from itertools import chain
from typing import TYPE_CHECKING

from rich.cells import chop_cells

from evaltui.tui.commands import bindings
from evaltui.tui.lines import Line
from evaltui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from evaltui.runs.command_process import CommandOutput, OutputTail


_WIDE = "\u1100"
"""The first character that takes two cells."""
_REST = 10
"""The pause before the next update, as a multiple of the duration of the last one."""


class OutputView(LineView):
    """Shows the kept lines of the output; long lines are folded."""

    PLACE = "agent"
    BINDINGS = bindings("agent")  # bindings of the screen come after Textual's own of a scrolling view

    def __init__(self) -> None:
        super().__init__(id="agent-output")
        self._output: CommandOutput | None = None
        self._seen = -1
        """The state of the output at the last update."""
        self._first = self._width = 0
        """Number of the first line that is kept, and the cells for which lines are folded."""
        self._folded: list[list[str]] = []
        """The rows of each line."""
        self._rows: list[str] = []
        self._next_look = 0.0
        """When to look again, by `time.monotonic`."""
        self.follows = True
        """Whether the last line stays in sight."""

    def show(self, output: CommandOutput) -> None:
        """Show another output, from its end."""
        self._output, self._first, self._folded, self.follows = output, 0, [], True
        self.update()

    def look(self) -> None:
        """Show new output, now or at a later look: folding a flood of wide characters takes a while."""
        began = time.monotonic()
        if self._output is None or began < self._next_look:
            return
        if self._output.state != self._seen:
            self.update()
            now = time.monotonic()
            self._next_look = now + _REST * (now - began)
        elif self.follows and self.scroll_y < self.max_scroll_y:  # the view became lower
            self._scroll_at_once(self.line_count())

    def on_resize(self) -> None:
        """Fold all lines for another width."""
        super().on_resize()
        self.update()

    def update(self) -> None:
        """Show the output so far."""
        if self._output is None:
            return
        self._seen = self._output.state
        above, shift = self.scroll_offset.y, self._fold(self._output.tail())
        self._rows = list(chain.from_iterable(self._folded))
        self.refresh_size()
        if self.follows:
            self._scroll_at_once(self.line_count())
        elif shift:  # the same lines stay in sight while earlier ones are dropped
            self._scroll_at_once(above - shift)
        self.refresh()

    def _fold(self, tail: OutputTail) -> int:
        """Fold the new lines. Returns the number of rows that are gone at the top."""
        width = max(20, self.scrollable_content_region.width - 2)
        if width != self._width:
            self._width, self._folded = width, []
        gone = tail.first - self._first
        shift = sum(map(len, self._folded[:gone]))
        known = self._folded[gone:-1]  # the last one may have grown
        self._first = tail.first
        self._folded = [*known, *(_pieces(line, width) for line in tail.lines[len(known) :])]
        return shift

    # --- scrolling -------------------------------------------------------------------------------------------

    def move(self, step: int) -> None:
        """Scroll by `step` lines."""
        self._go(self.scroll_offset.y + step, step)

    def move_page(self, direction: int) -> None:
        """Scroll by a page."""
        self._go(self.scroll_offset.y + direction * self.page(), direction)

    def move_end(self, direction: int) -> None:
        """Scroll to the first or last line."""
        self._go(0 if direction < 0 else self.line_count(), direction)

    def on_mouse_scroll_up(self) -> None:
        """Stop following the end."""
        self.follows = False

    def on_mouse_scroll_down(self) -> None:
        """Follow the end again once the wheel has reached it."""
        self.call_after_refresh(self._follow_at_end)

    def on_scroll_to(self) -> None:
        """The scrollbar was dragged."""
        self.follows = False
        self.call_after_refresh(self._follow_at_end)

    def _go(self, line: int, direction: int) -> None:
        self._scroll_at_once(line)
        # Not in a watcher of scroll_y: Textual also changes it when a scrollbar appears or the view is resized.
        self.follows = self.follows and direction > 0
        self._follow_at_end()

    def _follow_at_end(self) -> None:
        self.follows = self.follows or self.scroll_y >= self.max_scroll_y

    def _scroll_at_once(self, line: int) -> None:
        # A deferred scroll would undo a key pressed meanwhile; without `force` Textual waits for a scrollbar.
        self.scroll_to(y=max(0, line), animate=False, force=True, immediate=True)

    def line_count(self) -> int:
        """Number of lines, folded."""
        return max(1, len(self._rows))

    def line(self, index: int) -> Line:
        """A row of the folded output; without output, a sentence."""
        if not self._rows:
            return [("No output yet.", "dim")]
        return [(self._rows[index], "")]


def _pieces(line: str, width: int) -> list[str]:
    """A line in pieces of at most `width` cells."""
    if line.isascii() or max(line) < _WIDE:
        return [line[at : at + width] for at in range(0, len(line), width)] or [""]
    return chop_cells(line, width) or [""]
