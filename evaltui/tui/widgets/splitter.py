"""The line between two panes, which the mouse drags."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget


class Splitter(Widget):
    """One cell wide; its border is what is seen."""

    DEFAULT_CSS = """
    Splitter {
        width: 1;
        border-right: solid $foreground 20%;
        border-top: solid $foreground 30%;
        &:hover { border-right: solid $accent; }
    }
    """

    class Dragged(Message):
        """The mouse has taken the line to a column of the screen."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    def __init__(self) -> None:
        super().__init__(id="splitter")
        self._held = False

    def render(self) -> Content:
        """Nothing but the border."""
        return Content("")

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold."""
        event.stop()
        self._held = True
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Go with the mouse."""
        if self._held:
            event.stop()
            self.post_message(self.Dragged(int(event.screen_x)))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go, where the mouse is."""
        if self._held:
            event.stop()
            self._held = False
            self.release_mouse()
            self.post_message(self.Dragged(int(event.screen_x)))
