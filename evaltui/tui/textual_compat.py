"""All private names of Textual and Rich that evaltui touches, under public names of its own.

Those of text areas are in `textual_text_area.py`: no first frame needs them, and Textual's own take long to import.

Each has a contract test in tests/tui/test_textual_compat.py, which fails on a Textual that moved the name or uses it
otherwise. The classes here are small: they turn a private method that must be overridden into a public one.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text
from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._compositor import Compositor, CompositorMap, ReflowResult
from textual._xterm_parser import XTermParser
from textual.app import App, ReturnType
from textual.binding import Binding, BindingsMap, BindingType
from textual.dom import DOMNode
from textual.driver import Driver
from textual.geometry import Size
from textual.message_pump import MessagePump
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget
from textual.widgets import Input
from textual.worker import WorkerFailed

# --- bindings ----------------------------------------------------------------------------------------------------


def add_bindings(node: DOMNode, bindings: Iterable[BindingType]) -> None:
    """Give bindings to one widget or screen, as BINDINGS does for a class. A key has its new meaning only."""
    node._bindings.key_to_bindings.update(BindingsMap(bindings).key_to_bindings)


def bindings_of_key(node: DOMNode, key: str) -> Sequence[Binding]:
    """The bindings of a key in a widget or screen itself, without those around it."""
    return node._bindings.key_to_bindings.get(key, ())


def obey_keymap(widget: Widget) -> None:
    """Apply the app's keymap to the bindings of a widget that looks a key up itself, before Textual does."""
    widget._bindings.apply_keymap(widget.app._keymap)


# --- the app -----------------------------------------------------------------------------------------------------


class GuardedApp(App[ReturnType]):
    """An app that says of an error of its own what it wants to, and that its input thread can talk to."""

    LAST_WORDS = ""
    """The sentence if even `sentence_for` fails."""

    def sentence_for(self, error: Exception) -> str | None:
        """The last words of an app that ends by `error`; None for Textual's traceback."""
        return None

    def hang_up(self) -> None:
        """The terminal is gone."""
        self.exit()

    async def caught_up(self) -> None:
        """Wait until the input so far has had its effect."""

    def take_background(self, *, is_light: bool) -> None:
        """The terminal has answered whether its background is light."""

    def report_fault(self, error: Exception) -> None:
        """End the app as an error in a handler does."""
        self._handle_exception(error)

    def _handle_exception(self, error: Exception) -> None:
        if isinstance(error, WorkerFailed) and isinstance(error.error, Exception):
            error = error.error  # whose traceback is the one that says what went wrong
        said: str | None = self.LAST_WORDS
        try:
            said = self.sentence_for(error)
        finally:
            # Whatever goes wrong here, the app must end: a handler that dies leaves a frozen screen.
            if said is None:
                super()._handle_exception(error)
            else:
                self._return_code = 1
                self.panic(Text(said))


# --- input -------------------------------------------------------------------------------------------------------


def pressed_widget(app: App[Any]) -> Widget | None:
    """The widget on which the mouse button was pressed last."""
    return app._mouse_down_widget


def move_mouse_event(event: events.MouseEvent, x: float, y: float) -> None:
    """Give an event another place on the screen."""
    event._x, event._y = event._screen_x, event._screen_y = x, y


def is_closed(pump: MessagePump) -> bool:
    """Whether a widget is gone or going: nothing in its queue is handled any more."""
    return pump._closing or pump._closed


class KeyParser(XTermParser):
    """Textual's parser of terminal input; a subclass may read a sequence of its own accord."""

    def key_events(self, sequence: str, alt: bool) -> Iterable[events.Key]:
        """The keys of an escape sequence; `alt` if an escape came before it."""
        return super()._sequence_to_key_events(sequence, alt)

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        return self.key_events(sequence, alt)

    def expect_new_sequence(self) -> None:
        """Take the next bytes as the beginning of a sequence, whatever came before."""
        self._timeout_time = 0.0

    @staticmethod
    def forget_all() -> None:
        """Let go of the parsers: Textual keeps each in a cache, with its last key and the app that key was for."""
        XTermParser._parse_extended_key.cache_clear()


def is_key_sequence(sequence: str) -> bool:
    """Whether Textual knows an escape sequence as a key."""
    return isinstance(ANSI_SEQUENCES_KEYS.get(sequence), tuple)


class InputThread:
    """Part of a driver that reads input in a way of its own; stands before Textual's driver among the bases."""

    @abstractmethod
    def run_input_thread(self) -> None:
        """Read until the app ends or suspends."""

    def _run_input_thread(self) -> None:
        self.run_input_thread()  # whose errors go to `threading.excepthook`; Textual prints a traceback

    def _query_in_band_window_resize(self) -> None:
        """Send no query for size reports: a signal announces a new size, and the system call for it can be trusted."""


def app_of(driver: Driver) -> App[Any]:
    """The app whose driver it is."""
    return driver._app


def loop_of(driver: Driver) -> asyncio.AbstractEventLoop:
    """The event loop of the app."""
    return driver._loop


def is_debugged(driver: Driver) -> bool:
    """Whether the driver logs what it reads."""
    return driver._debug


# --- drawing -----------------------------------------------------------------------------------------------------


class WholeCompositor(Compositor):
    """Compares each layout with the last one, whatever was placed in between.

    Textual 8.2 places all widgets again when one without a place changes. If a pane was shown just before, the next
    layout finds it in its place already: it counts as drawn, and its lines keep what was there before.
    """

    def __init__(self) -> None:
        super().__init__()
        self._laid_out: CompositorMap = {}

    def reflow(self, parent: Widget, size: Size) -> ReflowResult:
        """Lay out all widgets; what has moved, come or gone since the last layout is to be drawn."""
        self._full_map = self._laid_out
        result = super().reflow(parent, size)
        self._laid_out = self._full_map
        return result

    def clear(self) -> None:
        """Forget all widgets."""
        super().clear()
        self._laid_out = {}


def compare_whole_layouts(screen: Screen[Any]) -> None:
    """Have a screen draw all that has come into sight since its last layout."""
    screen._compositor = WholeCompositor()


class CoveredScreen(Screen[ScreenResultType]):
    """A screen that leaves the screen in front alone where that hides all of it.

    Textual takes the screen below the front one to be in sight at all times, and draws the front one whole at each
    change below.
    """

    def _compositor_refresh(self) -> None:
        front = self.app.screen
        if front is self or front.styles.background.a < 1:
            super()._compositor_refresh()
            return
        self._compositor._dirty_regions.clear()
        self._dirty_widgets.clear()


_LONG = 500
"""Characters from which on a line is worth forgetting: 16,384 such lines are 8 MB, more with wide characters."""


def forget_cut_lines(text: str) -> None:
    """Free the earlier states of a text that has just changed, if it is long.

    Rich keeps the last 16,384 lines with wide characters that it has cut to fit, each whole. Without this, each key
    typed into a line of 18,000 characters keeps another 18 kB, up to 300 MB.
    """
    if len(text) > _LONG:
        Segment._split_cells.cache_clear()


# --- text boxes --------------------------------------------------------------------------------------------------


class DrawnInput(Input):
    """A text box of one line in which a subclass decides how the text is drawn."""

    def drawn(self, text: str) -> str:
        """A text as it is drawn."""
        return text

    @property
    def _value(self) -> Text:
        return Text(self.drawn(self.value), no_wrap=True, overflow="ignore", end="")

    def _position_to_cell(self, position: int) -> int:
        return cell_len(self.drawn(self.value[:position]))
