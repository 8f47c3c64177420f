"""The filter of the recordings picker: only lines with the typed words are shown."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.widgets.line_input import FilterLine


class PickerFilter:
    """The filter line, which replaces the status line while the person types."""

    def __init__(self, screen: Screen[str], status: StatusBar, filtered: Callable[[], str]) -> None:
        """`filtered` shows the matching lines, and returns their number in words."""
        self._screen, self._status, self._filtered = screen, status, filtered
        self._line: FilterLine | None = None
        self.query = ""

    async def open(self) -> None:
        """Show the line."""
        if self._line is None:
            self._line = FilterLine()
            await self._screen.mount(self._line, before="#keys")
            self._line.input.prompt("words to find")
        self._line.input.value = self.query
        self._line.display, self._status.display = True, False
        self._screen.set_focus(self._line.input, scroll_visible=False)

    def apply(self, text: str) -> None:
        """Show only lines with these words."""
        self.query = text
        said = self._filtered()
        if self._line is not None:
            self._line.say(said)

    def close(self) -> None:
        """Hide the line; the filter stays on."""
        if self._line is not None:
            self._line.display = False
        self._status.display = True

    def clear(self) -> bool:
        """Forget the query; False if there was none."""
        had, self.query = bool(self.query), ""
        if self._line is not None:
            self._line.input.value = ""
        return had
