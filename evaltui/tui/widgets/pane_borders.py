"""The title rule above a pane, and the line between two panes, which can be dragged with the mouse."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from evaltui.printable import printable
from evaltui.tui.lines import cut_in_the_middle


class PaneTitle(Widget):
    """`─ name ─────` as its own widget, so that a new name redraws one line only. The stylesheet colours it."""

    name_shown: reactive[str] = reactive("")

    DEFAULT_CSS = """
    PaneTitle { height: 1; color: $text-muted; }
    """

    def __init__(self) -> None:
        super().__init__(classes="pane-title")

    def render(self) -> Content:
        """The rule over the whole width."""
        width = self.size.width
        # The end says most: a place such as `refund › turn 1 › invocation_events › 2` is cut in the middle.
        place = cut_in_the_middle(printable(self.name_shown), max(1, width - 4))
        name = Content(f"─ {place} " if place else "").truncate(max(0, width - 1), ellipsis=True)
        return name + Content("─" * (width - name.cell_length))


class Splitter(Widget):
    """The line between two panes: a widget of one cell whose border is visible."""

    DEFAULT_CSS = """
    Splitter {
        width: 1;
        border-right: solid $foreground 20%;
        border-top: solid $foreground 30%;
        &:hover { border-right: solid $accent; }
    }
    """

    @dataclass
    class Dragged(Message):
        """The mouse dragged the line to a column of the screen."""

        column: int

    def __init__(self) -> None:
        super().__init__(id="splitter")

    def render(self) -> Content:
        """Nothing but the border."""
        return Content("")

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Start dragging."""
        event.stop()
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseEvent) -> None:
        """Follow the mouse."""
        if self.app.mouse_captured is self:
            event.stop()
            self.post_message(self.Dragged(int(event.screen_x)))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """End dragging at the mouse."""
        self.on_mouse_move(event)
        self.release_mouse()
