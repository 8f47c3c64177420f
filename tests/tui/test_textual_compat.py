"""The contract with Textual and Rich: each private name that evaltui touches is there and does what it did."""

import asyncio
import threading
from collections.abc import Iterable
from typing import Any, ClassVar, Self

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import XTermParser
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.document._document import Document, Location
from textual.document._wrapped_document import WrappedDocument
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Static
from textual.widgets.text_area import EditResult

from evaltui.printable import printable
from evaltui.tui.terminal.driver import AltKeyParser, InputDecoder, TerminalDriver
from evaltui.tui.textual_compat import (
    GuardedApp,
    WholeCompositor,
    add_bindings,
    bindings_of_key,
    compare_whole_layouts,
    forget_cut_lines,
    is_closed,
    is_ending,
    keep_copied,
    move_mouse_event,
    obey_keymap,
    pressed_widget,
    redraw_only_if_seen,
)
from evaltui.tui.widgets import text_field
from evaltui.tui.widgets.line_input import LineInput
from evaltui.tui.widgets.text_field import TextField

pytestmark = pytest.mark.drawn


class Shown(App[None]):
    """An app that shows one widget."""

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.widget = widget
        self.done: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.widget

    def action_note(self, what: str) -> None:
        self.done.append(what)


# --- bindings --------------------------------------------------------------------------------------------------


async def test_bindings_of_one_widget_act_and_replace_those_of_its_class() -> None:
    class Box(Static, can_focus=True):
        BINDINGS: ClassVar[list[BindingType]] = [Binding("a", "app.note('class')")]

    one, app = Box(), Shown(Static())
    add_bindings(one, [Binding("a,b", "app.note('one')", id="noted")])
    app.widget = one
    async with app.run_test() as pilot:
        one.focus()
        await pilot.press("a", "b")
    assert app.done == ["one", "one"]
    assert [binding.action for binding in bindings_of_key(one, "a")] == ["app.note('one')"]
    assert bindings_of_key(one, "c") == ()
    assert [binding.action for binding in bindings_of_key(Box(), "a")] == ["app.note('class')"]


async def test_the_keymap_changes_the_bindings_of_a_widget() -> None:
    one = Static()
    add_bindings(one, [Binding("a", "app.note('one')", id="noted")])
    app = Shown(one)
    app.set_keymap({"noted": "z"})
    async with app.run_test():
        obey_keymap(one)
        assert [binding.action for binding in bindings_of_key(one, "z")] == ["app.note('one')"]
        assert bindings_of_key(one, "a") == ()


# --- the app ---------------------------------------------------------------------------------------------------


class Guarded(GuardedApp[None]):
    LAST_WORDS = "no report"

    def __init__(self, said: str | None) -> None:
        super().__init__()
        self.said, self.errors, self.last_words = said, list[Exception](), list[str]()
        self.met = asyncio.Event()

    def sentence_for(self, error: Exception) -> str | None:
        self.errors.append(error)
        self.met.set()
        return self.said

    def action_fail(self) -> None:
        raise ValueError("in a handler")

    async def work(self) -> None:
        raise ValueError("in a worker")

    async def met_one(self) -> None:
        """Wait for an error."""
        async with asyncio.timeout(10):
            await self.met.wait()

    def panic(self, *renderables: Any) -> None:
        self.last_words += map(str, renderables)
        super().panic()


async def test_a_sentence_stands_in_the_place_of_a_traceback() -> None:
    app = Guarded("sorry")
    async with app.run_test():
        app.call_later(app.action_fail)
        await app.met_one()
    assert [str(error) for error in app.errors] == ["in a handler"]
    assert app.return_code == 1
    assert app.last_words == ["sorry"]


async def test_of_a_worker_the_error_itself_is_told() -> None:
    app = Guarded("sorry")
    async with app.run_test():
        app.run_worker(app.work())
        await app.met_one()
    assert [str(error) for error in app.errors] == ["in a worker"]


async def test_an_error_told_from_elsewhere_ends_the_app() -> None:
    app = Guarded("sorry")
    async with app.run_test():
        app.report_fault(ValueError("in a thread"))
    assert app.return_code == 1


async def test_without_a_sentence_the_error_is_raised_as_textual_does() -> None:
    app = Guarded(None)
    with pytest.raises(ValueError, match="in a handler"):
        async with app.run_test() as pilot:
            app.call_later(app.action_fail)
            await pilot.pause()


# --- input -----------------------------------------------------------------------------------------------------


async def test_the_pressed_widget_is_known() -> None:
    button = Button("one")
    app = Shown(button)
    async with app.run_test():
        x, y = button.region.offset
        await app.on_event(events.MouseDown(None, x, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y))
        assert pressed_widget(app) is button
        app.screen.suppress_click()
        assert pressed_widget(app) is None


def test_a_mouse_event_is_moved() -> None:
    event = events.MouseMove(None, 90, 1, 0, 0, 1, False, False, False, screen_x=90, screen_y=1)
    move_mouse_event(event, 79, 2)
    assert (event.x, event.y, event.screen_x, event.screen_y) == (79, 2, 79, 2)


async def test_an_app_that_was_told_to_exit_is_ending() -> None:
    app = App[None]()
    async with app.run_test():
        assert not is_ending(app)
        app.exit()
        assert is_ending(app)


async def test_a_removed_widget_is_closed() -> None:
    one = Static()
    app = Shown(one)
    async with app.run_test():
        assert not is_closed(one)
        await one.remove()
        assert is_closed(one)


class Loud(XTermParser):
    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        for event in super()._sequence_to_key_events(sequence, alt):
            yield events.Key(f"loud+{event.key}", event.character)


def fed(parser: XTermParser, text: str) -> list[str]:
    return [event.key for event in parser.feed(text) if isinstance(event, events.Key)]


def test_a_parser_reads_sequences_in_its_own_way() -> None:
    assert fed(AltKeyParser(False), "\x1b[A") == ["up"]
    assert fed(Loud(False), "\x1b[A") == ["loud+up"]
    assert fed(Loud(False), "a") == ["loud+a"]


def test_a_parser_that_expects_a_new_sequence_gives_the_escape_key() -> None:
    parser = XTermParser(False)
    assert fed(parser, "\x1b") == []
    parser._timeout_time = 0.0
    assert [event.key for event in parser.tick() if isinstance(event, events.Key)] == ["escape"]
    assert fed(parser, "[") == ["left_square_bracket"]


def test_parsers_are_forgotten() -> None:
    decoder = InputDecoder()
    assert [*decoder.feed(b"\x1b[97;5u")]
    assert XTermParser._parse_extended_key.cache_info().currsize
    decoder.close()
    assert not XTermParser._parse_extended_key.cache_info().currsize


def test_sequences_that_are_keys() -> None:
    assert isinstance(ANSI_SEQUENCES_KEYS["\x1b[A"], tuple)
    assert not isinstance(ANSI_SEQUENCES_KEYS.get("\x1b1"), tuple)


async def test_a_driver_of_our_own_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Shown(Static())
    async with app.run_test():
        driver = TerminalDriver(app, debug=True, mouse=False)
        written: list[str] = []
        monkeypatch.setattr(driver, "write", written.append)
        driver._query_in_band_window_resize()
        assert written == []
    for name in ("_run_input_thread", "_query_in_band_window_resize"):
        assert callable(getattr(LinuxDriver, name)), "Textual calls it otherwise now"
    assert "_run_input_thread" in LinuxDriver.start_application_mode.__code__.co_names
    assert "_query_in_band_window_resize" in LinuxDriver.start_application_mode.__code__.co_names + tuple(
        name for each in LinuxDriver.__dict__.values() if hasattr(each, "__code__") for name in each.__code__.co_names
    )


# --- drawing ---------------------------------------------------------------------------------------------------


class Compared(Screen[None]):
    def __init__(self) -> None:
        super().__init__()
        compare_whole_layouts(self)

    def compose(self) -> ComposeResult:
        yield Static("one", id="one")


async def test_a_layout_is_compared_with_the_last_one() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        screen = Compared()
        await app.push_screen(screen)
        await pilot.pause()
        compositor: Any = screen._compositor
        assert isinstance(compositor, WholeCompositor)
        one = screen.query_one("#one")
        assert one in compositor._full_map
        again = compositor.reflow(screen, Size(80, 24))
        assert not again.shown
        compositor._full_map = {}  # as after a widget without a place was placed
        assert not compositor.reflow(screen, Size(80, 24)).shown
        compositor.clear()
        assert one in compositor.reflow(screen, Size(80, 24)).shown


class Behind(Screen[None]):
    def __init__(self) -> None:
        super().__init__()
        redraw_only_if_seen(self)

    def compose(self) -> ComposeResult:
        yield Static("behind", id="behind")


class Front(Screen[None]):
    """Counts how often it is to be drawn."""

    asked = 0

    def refresh(self, *regions: Region, **options: Any) -> Self:
        self.asked += 1
        return super().refresh(*regions, **options)


@pytest.mark.parametrize("background", ["black", "black 50%"])
async def test_a_hidden_screen_does_not_draw_the_one_in_front(background: str) -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        behind, front = Behind(), Front()
        await app.push_screen(behind)
        front.styles.background = background
        await app.push_screen(front)
        await pilot.pause()
        text, before = behind.query_one("#behind", Static), front.asked
        text.update("changed")
        behind._compositor.update_widgets({text})
        behind._compositor_refresh()
        assert (front.asked > before) == (background != "black")
        await app.pop_screen()
        await pilot.pause()
        assert "changed" in app.export_screenshot()


def test_cut_lines_are_forgotten() -> None:
    Segment("東" * 600).split_cells(7)
    assert Segment._split_cells.cache_info().currsize
    forget_cut_lines("short")
    assert Segment._split_cells.cache_info().currsize
    forget_cut_lines("x" * 600)
    assert not Segment._split_cells.cache_info().currsize


# --- text boxes ------------------------------------------------------------------------------------------------


def test_a_wrapped_document_knows_its_height() -> None:
    document = WrappedDocument(Document("short\n" + "words of a long line " * 10))
    document.wrap(40)
    assert document.height == sum(len(document.get_sections(line)) for line in range(2))


def test_short_lines_are_not_cut_to_find_out_that_they_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    cut = text_field.compute_wrap_offsets

    def noted(text: str, *more: Any, **options: Any) -> list[int]:
        asked.append(text)
        return cut(text, *more, **options)

    monkeypatch.setattr(text_field, "compute_wrap_offsets", noted)
    WrappedDocument(Document("short\n" + "x" * 90)).wrap(40)
    assert asked == ["x" * 90]


class Noted(TextField):
    def __init__(self) -> None:
        super().__init__(leave=lambda _: None)
        self.typed: list[str] = []

    def _replace_via_keyboard(self, insert: str, start: Location, end: Location) -> EditResult | None:
        self.typed.append(insert)
        return super()._replace_via_keyboard(insert.upper(), start, end)


async def test_typing_and_pasting_go_through_one_method() -> None:
    box = Noted()
    async with Shown(box).run_test() as pilot:
        box.focus()
        await pilot.press("a", "b")
        await box.on_paste(events.Paste("cd"))
        assert box.typed == ["a", "b", "cd"]
        assert box.text == "ABCD"
        assert box.cursor_location == (0, 4)
        await pilot.press("home", "delete")
        assert box.text == "BCD"


async def test_a_line_is_drawn_with_visible_marks_of_control_characters() -> None:
    box, shown = LineInput(), printable("a\u202eb")
    async with Shown(box).run_test() as pilot:
        box.value = "a\u202eb"
        await pilot.pause()
        assert any(shown in box.render_line(y).text for y in range(box.size.height))
        assert box.content_width == cell_len(shown) + 1  # with the cursor behind it
        box.cursor_position = 2
        assert box._cursor_offset == cell_len(shown) - 1


async def test_a_text_that_is_kept_is_what_boxes_paste() -> None:
    app = Shown(Static())
    async with app.run_test():
        app.copy_to_clipboard("sent")
        assert app.clipboard == "sent"
        keep_copied(app, "kept")
        assert app.clipboard == "kept"


class ContinuedDriver(TerminalDriver):
    """A driver without an app; notes what Textual's driver would do after SIGTSTP and SIGCONT."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.done: list[str] = []
        self._loop = asyncio.get_running_loop()
        self._auto_restart, self._must_signal_resume = True, False
        self._key_thread = None
        monkeypatch.setattr(LinuxDriver, "_sigtstp_application", lambda _: self.done.append("stopped"))
        monkeypatch.setattr(LinuxDriver, "_sigcont_application", lambda _: self.done.append("started"))

    def suspend_application_mode(self) -> None:
        self.done.append("suspended")


async def test_going_on_after_sigstop_starts_no_app_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = ContinuedDriver(monkeypatch)
    driver._sigcont_application()
    await asyncio.sleep(0)
    assert driver.done == []
    driver._key_thread = threading.current_thread()
    driver._sigcont_application()
    await asyncio.sleep(0)
    assert driver.done == ["suspended", "started"]


async def test_a_signal_while_text_is_passed_on_waits_until_that_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = ContinuedDriver(monkeypatch)
    driver._key_thread = threading.current_thread()
    lock = threading.Lock()
    driver.suspend_application_mode = lambda: driver.done.append(f"locked: {lock.locked()}")  # type: ignore[method-assign]
    with lock:
        driver._sigtstp_application()
        driver._sigcont_application()
        assert driver.done == []
    await asyncio.sleep(0)
    assert driver.done == ["stopped", "locked: False", "started"]


async def test_the_app_stops_at_once_while_another_program_has_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = ContinuedDriver(monkeypatch)
    driver._auto_restart = False
    driver._sigtstp_application()
    assert driver.done == ["stopped"]
