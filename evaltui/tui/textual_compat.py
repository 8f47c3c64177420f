"""Every private name of Textual and Rich that evaltui uses, under a public name.

Private names of text boxes are in `widgets/text_field.py` and `line_input.py`: the first frame does not need them, and
Textual's text area takes long to import. Those of the driver and its parser are in `terminal/driver.py`.

Each name has a contract test in tests/tui/test_textual_compat.py, which fails if a Textual version moves the name or
uses it in another way. The classes here are small: they turn a private method to override into a public one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.cells import split_graphemes
from rich.segment import Segment
from rich.text import Text
from textual import events
from textual._compositor import Compositor, CompositorMap, ReflowResult
from textual.app import App, ReturnType
from textual.binding import Binding, BindingsMap, BindingType
from textual.dom import DOMNode
from textual.geometry import Size
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import WorkerFailed

from evaltui.tui.lines import JOINING

# --- bindings ----------------------------------------------------------------------------------------------------


def add_bindings(node: DOMNode, bindings: Iterable[BindingType]) -> None:
    """Add bindings to one widget or screen instance. A key that is bound already gets only the new binding."""
    node._bindings.key_to_bindings.update(BindingsMap(bindings).key_to_bindings)


def bindings_of_key(node: DOMNode, key: str) -> Sequence[Binding]:
    """The bindings of a key in the widget or screen itself, not in its parents."""
    return node._bindings.key_to_bindings.get(key, ())


def obey_keymap(widget: Widget) -> None:
    """Apply the app's keymap to the bindings of a widget that handles keys before Textual looks up bindings."""
    widget._bindings.apply_keymap(widget.app._keymap)


# --- the app -----------------------------------------------------------------------------------------------------


class GuardedApp(App[ReturnType]):
    """App that replaces tracebacks by a sentence."""

    LAST_WORDS = ""
    """The sentence if even `sentence_for` fails."""

    def sentence_for(self, error: Exception) -> str | None:
        """The sentence to print when `error` ends the app; None for Textual's traceback."""
        return None

    def report_fault(self, error: Exception) -> None:
        """End the app as Textual does after an error in a handler."""
        self._handle_exception(error)

    def _handle_exception(self, error: Exception) -> None:
        if isinstance(error, WorkerFailed) and isinstance(error.error, Exception):
            error = error.error  # its traceback shows the cause
        said: str | None = self.LAST_WORDS
        try:
            said = self.sentence_for(error)
        finally:
            # The app must end even if this fails: a handler that raises leaves a frozen screen.
            if said is None:
                super()._handle_exception(error)
            else:
                self._return_code = 1
                self.panic(Text(said))


# --- input -------------------------------------------------------------------------------------------------------


def pressed_widget(app: App[Any]) -> Widget | None:
    """The widget on which the mouse button was pressed last."""
    return app._mouse_down_widget


def keep_copied(app: App[Any], text: str) -> None:
    """Make `text` what the text boxes of an app paste. The terminal is not told."""
    app._clipboard = text


def move_mouse_event(event: events.MouseEvent, x: float, y: float) -> None:
    """Move a mouse event to another place on the screen."""
    event._x, event._y = event._screen_x, event._screen_y = x, y


def is_ending(app: App[Any]) -> bool:
    """Whether an app was told to exit."""
    return app._exit


def is_closed(pump: MessagePump) -> bool:
    """Whether a widget is closed or closing, so that it no longer handles messages."""
    return pump._closing or pump._closed


# --- drawing -----------------------------------------------------------------------------------------------------


class WholeCompositor(Compositor):
    """Compositor that compares each layout with the last complete layout.

    Textual 8.2 arranges all widgets again when a widget without a place changes. If a pane was shown just before that,
    the next layout finds the pane already in place and does not draw it: its lines keep their old content.
    """

    def __init__(self) -> None:
        super().__init__()
        self._laid_out: CompositorMap = {}

    def reflow(self, parent: Widget, size: Size) -> ReflowResult:
        """Lay out all widgets; everything that moved, appeared or disappeared since the last layout is drawn."""
        self._full_map = self._laid_out
        result = super().reflow(parent, size)
        self._laid_out = self._full_map
        return result

    def clear(self) -> None:
        """Forget all widgets."""
        super().clear()
        self._laid_out = {}


def compare_whole_layouts(screen: Screen[Any]) -> None:
    """Make a screen draw everything that became visible since its last layout."""
    screen._compositor = WholeCompositor()


def redraw_only_if_seen(screen: Screen[Any]) -> None:
    """Let a screen not redraw the front screen while that one hides it completely.

    Textual assumes that the screen below the front one is always visible, and redraws the whole front screen at each
    change below.
    """
    redraw = screen._compositor_refresh

    def redraw_if_seen() -> None:
        front = screen.app.screen
        if front is screen or front.styles.background.a < 1:
            redraw()
            return
        screen._compositor._dirty_regions.clear()
        screen._dirty_widgets.clear()

    screen._compositor_refresh = redraw_if_seen  # type: ignore[method-assign]


def forget_cut_lines(text: str) -> None:
    """Clear Rich's cache of cut lines after a long text has changed.

    Rich caches the last 16,384 lines with wide characters that it cut to fit, each as a whole. Without this, each key
    typed into a line of 18,000 characters adds 18 kB, up to 300 MB.
    """
    if len(text) > 500:  # 16,384 such lines take 8 MB or more
        Segment._split_cells.cache_clear()


# --- joined emoji ------------------------------------------------------------------------------------------------

_split_single = Segment.split_cells


def split_cells(segment: Segment, cut: int) -> tuple[Segment, Segment]:
    """Split a segment at a cell. A wide character there becomes spaces, also one of several code points.

    Rich cuts a joined emoji between its code points. Then a joiner at the end takes the next cell along, and the rest
    of the line moves to the left.
    """
    text, style, control = segment
    if text.isascii() or not JOINING.search(text):
        return _split_single(segment, cut)
    at = 0
    for start, end, cells in split_graphemes(text)[0]:
        if at == cut and cells:
            return Segment(text[:start], style, control), Segment(text[start:], style, control)
        if at + cells > cut:
            before, after = " " * (cut - at), " " * (at + cells - cut)
            return Segment(text[:start] + before, style, control), Segment(after + text[end:], style, control)
        at += cells
    return segment, Segment("", style, control)


Segment.split_cells = split_cells  # type: ignore[assignment, method-assign]
