"""The output of a command: follows its end, unless one has scrolled back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import chop_cells

from evaltui.tui.lines import Line
from evaltui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from evaltui.runs.command_output import CommandOutput


class OutputView(LineView):
    """Shows the lines that are kept, long ones folded."""

    PLACE = "agent"

    def __init__(self) -> None:
        super().__init__(id="agent-output")
        self._output: CommandOutput | None = None
        self._seen = -1
        """The state of the output that is shown."""
        self._first = 0
        """Number of the first line that is kept."""
        self._rows: list[str] = []
        self._starts: list[int] = []
        """The row at which each line begins."""
        self.follows = True
        """Whether the last line stays in sight."""
        self._is_updating = False

    def show(self, output: CommandOutput) -> None:
        """Show another output, from its end."""
        self._output, self._seen, self._first, self.follows = output, -1, 0, True
        self.update()

    def update(self) -> None:
        """Show what was written meanwhile."""
        if self._output is not None and self._output.state != self._seen:
            self._fold()

    def on_resize(self) -> None:
        """Fold the lines anew."""
        if self._output is not None:
            self._fold()
        super().on_resize()

    def _fold(self) -> None:
        assert self._output is not None
        self._seen = self._output.state
        tail = self._output.tail()
        width = max(20, self.scrollable_content_region.width - 2)
        gone = tail.first - self._first
        shift = self._starts[gone] if gone < len(self._starts) else len(self._rows)
        self._first, self._rows, self._starts = tail.first, [], []
        for line in tail.lines:
            self._starts.append(len(self._rows))
            self._rows += _pieces(line, width)
        above = self.scroll_offset.y
        self._is_updating = True
        try:
            self.refresh_size()
            if self.follows:
                self.scroll_to(y=self.line_count(), animate=False)
            elif shift:  # the same lines stay in sight while earlier ones are dropped
                self.scroll_to(y=max(0, above - shift), animate=False)
        finally:
            self._is_updating = False
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Follow the end again once one has scrolled there."""
        super().watch_scroll_y(old_value, new_value)
        if not self._is_updating:
            self.follows = new_value >= self.max_scroll_y

    def line_count(self) -> int:
        """Number of lines, folded."""
        return max(1, len(self._rows))

    def line(self, index: int) -> Line:
        """A line of the output; before the first one, a sentence."""
        if not self._rows:
            return [("No output yet.", "dim")]
        return [(self._rows[index], "")]


def _pieces(line: str, width: int) -> list[str]:
    """A line in pieces that fit."""
    if not line.isascii():
        return chop_cells(line, width) or [""]
    return [line[at : at + width] for at in range(0, len(line), width)] or [""]
