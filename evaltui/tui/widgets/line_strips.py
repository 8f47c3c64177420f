"""Drawing of lines (runs with roles) as strips, in the styles that the stylesheet gives to roles.

Textual's own content takes three times as long: it parses and merges the styles of each run every time.
"""

from __future__ import annotations

from abc import abstractmethod

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from evaltui.tui.lines import FILL, ROLES, Line

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
        segments = [Segment(mark, self.style("accent", cursor))] if mark else []
        segments += self._segments(line, width - len(mark), cursor)
        length = sum(segment.cell_length for segment in segments)
        if length > width:
            return Strip([*Strip(segments).crop(0, width - 1), Segment("…", self.style("dim", cursor))], width)
        return Strip([*segments, Segment(" " * (width - length), self.style("", cursor))], width)

    def _segments(self, line: Line, width: int, cursor: str) -> list[Segment]:
        segments = [Segment(text, self.style(role, cursor)) for text, role in line if role != FILL]
        place = next((number for number, (_, role) in enumerate(line) if role == FILL), None)
        if place is not None:
            taken = sum(segment.cell_length for segment in segments)
            end = min(width, self.widest or width)
            room = min(width, max(taken + 2, end)) - taken
            if room < 1:  # what is cut anyway ends where the lines around end
                behind = segments[place:]
                kept = max(1, end - 1 - sum(segment.cell_length for segment in behind))
                front = Strip(segments[:place]).crop(0, kept)
                return [*front, Segment("…", self.style("dim", cursor)), *behind]
            segments.insert(place, Segment(" " * room, self.style("", cursor)))
        return segments


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
