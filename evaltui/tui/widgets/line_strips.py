"""Drawing of lines (runs with roles) as strips, in the styles that the stylesheet gives to roles.

Textual's own content takes three times as long: it parses and merges the styles of each run every time.
"""

from __future__ import annotations

from abc import abstractmethod

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from evaltui.tui.lines import FILL, ROLES, Line, cells_of, cut_runs

LOW = 10
"""Terminals with fewer lines show dialogs over the whole screen and without a border."""

WIDEST = 120
"""Where the right end of a line is at most in a wide pane, in cells: the eye must find it from the left end."""

LINE_CLASSES = {f"line--{role}" for role in (*ROLES, "cursor", "cursor-away", "drop")}
"""Component classes of the roles, declared once by the app. Textual computes the styles of such classes for each widget
that declares them, which would be half of all styles before the first frame."""


class LineStrips:
    """Draws the lines of one widget."""

    def __init__(self, widget: Widget, widest: int | None = None) -> None:
        """`widest`: where the right end of a line is at most; None for the edge of the widget."""
        self._widget = widget
        self.widest = widest
        self._styles: dict[tuple[str, str], Style] = {}

    def forget(self) -> None:
        """Drop cached styles: the theme or a class of the widget changed."""
        self._styles.clear()

    def style(self, role: str = "", cursor: str = "") -> Style:
        """The style of a role, on the cursor line or elsewhere; cached until the stylesheet changes."""
        style = self._styles.get((role, cursor))
        if style is None:
            widget = self._widget
            style = widget.rich_style
            for part in [f"line--{name}" for name in (cursor, role) if name]:
                looks = widget.app.get_component_styles(part)
                style += looks.partial_rich_style
                tint = looks.background
                if 0 < tint.a < 1:  # partial styles ignore the alpha of a colour
                    style += Style(bgcolor=(widget.background_colors[1] + tint).rich_color)
            if style.reverse:  # the colours of roles would be patches in it, on which text is hard to read
                style += Style(color="default", bgcolor="default")
            self._styles[role, cursor] = style
        return style

    def drawn(self, line: Line, width: int, mark: str = "", cursor: str = "") -> Strip:
        """A line with a mark, in `width` cells. A long text is cut, before the `FILL` run if there is one."""
        room = width - len(mark)
        runs = self._filled(line, room)
        if (length := cells_of(runs)) > room:
            runs = cut_runs(runs, room)
            length = cells_of(runs)
        segments = [Segment(mark, self.style("accent", cursor))] if mark else []
        segments += [Segment(text, self.style(role, cursor)) for text, role in runs]
        return Strip([*segments, Segment(" " * (room - length), self.style("", cursor))], width)

    def _filled(self, line: Line, width: int) -> Line:
        """The runs of a line with spaces in place of its `FILL` run, before which a long line is cut."""
        place = next((number for number, (_, role) in enumerate(line) if role == FILL), None)
        if place is None:
            return line
        front, behind = line[:place], line[place + 1 :]
        taken = cells_of(front) + cells_of(behind)
        end = min(width, self.widest or width)
        room = min(width, max(taken + 2, end)) - taken
        if room < 1:  # what is cut anyway ends where the lines around end
            kept = max(2, end - cells_of(behind))
            front = cut_runs(front, kept)
            room = kept - cells_of(front)
        return [*front, (" " * room, ""), *behind]


class LineBar(Widget):
    """Widget of a few lines that its subclass makes. Their text must be printable already."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._strips = LineStrips(self)

    @abstractmethod
    def line(self, index: int) -> Line:
        """The runs of a line; the bar has as many lines as its height."""

    def notify_style_update(self) -> None:
        """Redraw after a change of the theme or a class."""
        self._strips.forget()
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        return self._strips.drawn(self.line(y), self.size.width)
