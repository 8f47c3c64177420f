"""The lines below the rows of the review: why the turn fails, and notes of reviewers."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

from evaltui.tui.commands import key_of
from evaltui.tui.widgets.line_view import LOW

_LEAST, _MOST = 3, 10
"""The least number of lines, whatever the rows above need, and the most."""
_BORDER = 1


class WhyLines(Widget):
    """Shows as many lines as fit; the last one names the key that shows all."""

    def __init__(self) -> None:
        super().__init__(id="review-why")
        self._lines: list[str] = []
        self._height = -1

    def show(self, words: Sequence[str], width: int, free: int, *, keeps_height: bool) -> None:
        """Show sentences in lines of `width` cells; `free` lines of the screen are needed for nothing else.

        Another height has the whole screen laid out again; with `keeps_height`, lines to spare below the last sentence
        stay as long as there is room.
        """
        is_low = self.screen.size.height < LOW  # the rows need the room, and a key shows the reasons in a page
        lines = [] if is_low else _fitting(words, width, max(_LEAST, min(_MOST, free)))
        if lines != self._lines:
            self._lines = lines
            self.refresh()
        stays = 0 < len(lines) <= self._height <= max(free, len(lines)) and keeps_height
        if len(lines) != self._height and not stays:
            self._height = len(lines)
            self.styles.height = self._height + _BORDER
            self.display = self._height > 0

    def render(self) -> Content:
        """The lines, as they are."""
        return Content("\n").join(Content(line) for line in self._lines)


def _fitting(words: Sequence[str], width: int, room: int) -> list[str]:
    lines = [line.plain for each in words for line in Content(each).wrap(width)]
    if len(lines) <= room:
        return lines
    more = f" … {key_of('review.explain')} shows all"
    return [*lines[: room - 1], f"{lines[room - 1][: width - len(more)]}{more}"]
