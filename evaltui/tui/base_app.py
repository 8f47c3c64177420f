"""The base class of all Textual apps of evaltui."""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rich.segment import Segment
from textual import events
from textual.color import Color
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.filter import LineFilter, Monochrome, NoColor
from textual.reactive import Reactive
from textual.screen import Screen
from textual.worker import Worker

from evaltui import garbage_collection
from evaltui.printable import is_unsafe, printable, without_controls
from evaltui.settings.user_settings import AUTO, Settings
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, command_of, other_keys, use_keys
from evaltui.tui.key_guards import OpenerGuard, SecondPress, lacks_room
from evaltui.tui.messages import MessageLog
from evaltui.tui.process_end import end, end_at_all_events, end_on_signals
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.terminal.early_keys import drop_typed
from evaltui.tui.terminal.input_order import InputOrder
from evaltui.tui.textual_compat import GuardedApp, bindings_of_key, is_ending, keep_copied
from evaltui.tui.themes import default_theme, environment_theme, has_light_background
from evaltui.tui.widgets.line_view import LINE_CLASSES, LOW

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile

Result = TypeVar("Result")
Work = Callable[[], Coroutine[Any, Any, None]]
"""Makes the coroutine of a task. A function, because an app that ends early would leave a coroutine unawaited."""


class OpenNext(NamedTuple):
    """The file to open next; without one, the list of eval sets."""

    path: Path | None = None
    as_json: bool = False
    """Whether a file of another format opens as editable JSON, not as the eval set it converts to."""
    notice: str = ""
    """A message for the status line of the file that opens."""


class Harmless(LineFilter):
    """Line filter that keeps control characters of any text from reaching the terminal."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Replace control characters with visible marks."""
        if not any(is_unsafe(segment.text) for segment in segments):
            return segments
        return [
            Segment(printable(text), style, control) if not control else Segment(text, style, control)
            for text, style, control in segments
        ]


# One instance of each for all frames: Textual caches filtered lines by the identity of the filter. A new filter per
# frame would filter every line again and keep four copies of it.
_HARMLESS, _NO_COLOR = Harmless(), NoColor()


class BaseApp(GuardedApp[OpenNext | None], inherit_bindings=False):
    """App that has only the bindings of the registry, never renders file text as markup, and shows no tracebacks."""

    CSS_PATH = Path(__file__).with_name("evaltui.tcss")
    REST_OF_CSS = Path(__file__).with_name("other_screens.tcss")
    """The stylesheet of all screens except the editor."""
    COMPONENT_CLASSES = LINE_CLASSES
    ENABLE_COMMAND_PALETTE = False
    VERTICAL_BREAKPOINTS = [(0, "-low"), (LOW, "-high")]
    TITLE = "evaltui"
    BINDINGS = bindings("anywhere")

    LAST_WORDS = "evaltui stopped because of an internal error. The report could not be written."

    file: OpenFile | None = None
    """The open file, if the app edits one."""
    survives_faults = False
    """Whether an internal error ends with a crash report. False in tests, which get the exception itself."""
    remembers_views = False
    """Whether files open in their last view. False for tests, pictures and measurements."""
    is_first_start = False
    """Whether the person never opened a file before."""
    is_list = False
    came_from_list = False
    """Whether going back leads to the list of eval sets."""

    theme = Reactive(environment_theme() or default_theme())

    def on_ready(self) -> None:
        """Start the garbage collection after the first frame; objects made before it are never collected."""
        self.read_rest_of_css()
        garbage_collection.begin()
        self.set_interval(
            garbage_collection.INTERVAL, lambda: garbage_collection.collect_at_rest(self.input_order.last_input)
        )

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__()
        self.input_order = InputOrder(self)
        self.opener_guard = OpenerGuard(self)
        self.second_press: SecondPress | None = None
        """The key that waits for a second press."""
        self._collection: asyncio.TimerHandle | None = None
        self.animation_level = "none"
        self.messages = MessageLog()
        self.settings = settings or Settings()
        use_keys(self.settings.keys)
        self.set_keymap(other_keys(self.settings.keys))
        self.no_color = bool(os.environ.get("NO_COLOR"))
        self.theme = "ansi-dark" if self.no_color else self.theme_of(self.settings.theme)

    def theme_of(self, setting: str) -> str:
        """The theme for a setting: for `auto` the one for the colours and the background of the terminal."""
        if setting != AUTO:
            return setting
        if self.no_color:
            return "ansi-dark"  # other themes mark the cursor by colour alone
        if (named := environment_theme()) is not None:
            return named
        if self.console.color_system == "standard":
            # With 16 colours, the shades of other themes look the same.
            return "ansi-light" if has_light_background() else "ansi-dark"
        return default_theme()

    def read_rest_of_css(self) -> None:
        """Read the stylesheet of the other screens, later than the first frame, of which it would take a tenth."""
        if not self.stylesheet.has_source(str(self.REST_OF_CSS)):
            self.stylesheet.read(self.REST_OF_CSS)
            for screen in self.screen_stack[1:]:  # it has nothing for the editor
                self.stylesheet.update(screen)

    # --- input ---------------------------------------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        """Pass input on after earlier input has taken effect."""
        if not self.input_order.admits(event) or self.opener_guard.ignores(event):
            return
        if self.second_press is not None and isinstance(event, (events.Key, events.MouseDown, events.Paste)):
            self.second_press.drop_message()
            self.second_press = None
        if not lacks_room(self, event):  # the status line says why
            await super().on_event(event)
            if self._collection is not None:
                self._collection.cancel()
            self._collection = asyncio.get_running_loop().call_later(
                garbage_collection.BETWEEN_KEYS, garbage_collection.collect_young
            )

    def place_of(self, screen: Screen[Any] | None = None) -> str:
        """The place (see `PLACES`) whose keys act on a screen now, by default on the front one."""
        from evaltui.tui.panes.keys_bar import KeysBar

        screen = screen or self.screen
        with suppress(NoMatches):
            return screen.query_one(KeysBar).place
        return getattr(screen, "PLACE", "dialog")

    def ask(self, dialog: Screen[Result], answered: Callable[[Result], Any]) -> None:
        """Show a dialog; `answered` gets its answer, unless the person cancels."""
        self.push_screen(dialog, lambda answer: answered(answer) if answer is not None else None)

    def ask_what_to_do(self, question: Screen[str], ways: Mapping[str, Callable[[], object]]) -> None:
        """Ask a question, and do what its answer stands for in `ways`; nothing for any other answer."""
        self.ask(question, lambda answer: ways[answer]() if answer in ways else None)

    # --- work beside the keys ------------------------------------------------------------------------------

    def start_thread(
        self,
        group: str,
        work: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Callable[[Exception], None],
        expected: type[Exception] = Exception,
    ) -> None:
        """Run `work` in a thread; `done` or `failed` is called on the event loop. Unexpected errors are noted first."""

        async def run() -> None:
            try:
                result = await asyncio.to_thread(work)
            except Exception as error:
                if not isinstance(error, expected):  # an error of evaltui, not of the file
                    self.note_fault(error)
                failed(error)
            else:
                done(result)

        self._run(group, run)

    def run_once(self, group: str, work: Work) -> None:
        """Start a task on the event loop, unless one of its group is running."""
        if not any(worker.group == group and not worker.is_finished for worker in self.workers):
            self._run(group, work)

    def run_alone(self, group: str, work: Work) -> Worker[None]:
        """Start a task on the event loop; cancels a running one of its group."""
        return self._run(group, work, exclusive=True)

    def _run(self, group: str, work: Work, *, exclusive: bool = False) -> Worker[None]:
        worker: Worker[None] = self.run_worker(work, group=group, exclusive=exclusive)
        if is_ending(self):  # its screens close, so the task would find none; it does not start
            worker.cancel()
        return worker

    async def wait_for(self, group: str) -> None:
        """Wait until no task of a group is running."""
        running = [worker.wait() for worker in self.workers if worker.group == group and not worker.is_finished]
        await asyncio.gather(*running, return_exceptions=True)

    # --- commands ------------------------------------------------------------------------------------------

    def does(self, command: Command) -> bool:
        """Whether a command acts on the front screen now."""
        screen = self.screen
        return screen.does(command) if isinstance(screen, CommandScreen) else not command.is_shared

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action runs; if a command does not act here, its key goes on to other widgets."""
        if action == "run_command":
            return self.does(command_of(str(parameters[0])))
        return super().check_action(action, parameters)

    async def action_run_command(self, command_id: str, is_chosen: bool = False) -> None:
        """Run the code of a command on the front screen: all keys of the registry lead here.

        With `is_chosen`, it was chosen with the mouse or from the palette; the guard of openers has noted a key before.
        """
        screen, command = self.screen, command_of(command_id)
        if is_chosen:
            self.opener_guard.note(command)
        own = screen.OWN_WAYS.get(command.does) if isinstance(screen, CommandScreen) else None
        code = own or command.run
        while isinstance(code, str):  # the id of the command with the code
            code = command_of(code).run
        result = code(screen)
        if inspect.isawaitable(result):
            await result

    async def quit_from_here(self) -> None:
        """Quit from any screen: close everything in front of the file, as esc does, then ask about unsaved changes.

        The question about unsaved changes stays open: a second press must not answer it.
        """
        for _ in self.screen_stack[:]:
            screen = self.screen
            if getattr(screen, "PLACE", "") == "quit":
                return
            if isinstance(screen, CommandScreen) and not screen.is_modal:
                result = screen.quit()
                if inspect.isawaitable(result):
                    await result
                return
            for binding in bindings_of_key(screen, "escape"):
                await self.run_action(binding.action, screen)

    def show_help(self) -> None:
        """Open the help with the keys of the current place first, or close the help."""
        from evaltui.tui.screens.text_pages import HelpScreen, MessagesScreen

        screen = self.screen
        if isinstance(screen, HelpScreen):
            screen.close()
        elif isinstance(screen, MessagesScreen):  # one page replaces the other
            self.switch_screen(HelpScreen(self.place_of(self.screen_stack[-2])))
        else:
            self.push_screen(HelpScreen(self.place_of()))

    def show_messages(self) -> None:
        """Show the hint of the status line and the last messages in full, or close them."""
        from evaltui.tui.panes.title_and_status import StatusBar
        from evaltui.tui.screens.text_pages import HelpScreen, MessagesScreen

        screen = self.screen
        if isinstance(screen, MessagesScreen):
            screen.close()
            return
        bars = [bar for behind in reversed(self.screen_stack) for bar in behind.query(StatusBar)]
        hints = [bars[0].at_rest] if bars and bars[0].at_rest else []
        page = MessagesScreen([*hints, *self.messages.newest_first()])
        if isinstance(screen, HelpScreen):
            self.switch_screen(page)
        else:
            self.push_screen(page)

    def show_palette(self) -> None:
        """Choose a command by its name."""
        from evaltui.tui.screens.command_palette import CommandPalette, entries_for

        screen = self.screen
        assert isinstance(screen, CommandScreen)

        palette = CommandPalette(entries_for(screen))
        self.ask(palette, lambda command: screen.run_action(f"app.run_command({command.id!r}, True)"))

    def copy_to_clipboard(self, text: str) -> None:
        """Copy a text of a text box for the boxes of the app, and without control characters for other programs."""
        safe_text, left_out = without_controls(text)
        super().copy_to_clipboard(safe_text)
        keep_copied(self, text)
        if left_out:
            self.notify(f"The clipboard has the text without {left_out}.", markup=False)

    def get_driver_class(self) -> type[Driver]:
        """evaltui's own driver in Unix terminals, Textual's elsewhere."""
        driver_class = super().get_driver_class()
        if driver_class.__name__ != "LinuxDriver":
            return driver_class
        from evaltui.tui.terminal.driver import TerminalDriver

        return TerminalDriver

    def on_load(self) -> None:
        """Install the signal handlers and the handler for errors in threads."""
        end_on_signals(self, self.keep_work)
        if self.survives_faults:
            loop = asyncio.get_running_loop()
            threading.excepthook = lambda failed: self._thread_failed(loop, failed)

    def _thread_failed(self, loop: asyncio.AbstractEventLoop, failed: threading.ExceptHookArgs) -> None:
        """Report the error that ended a thread; called in that thread."""
        error = failed.exc_value
        if loop.is_closed() or error is None or isinstance(error, SystemExit):
            return
        if isinstance(error, OSError) and failed.thread is not None and failed.thread.name == "textual-output":
            loop.call_soon_threadsafe(self.hang_up)  # the terminal can no longer be written to
            return
        if failed.thread is not None and failed.thread.name == "textual-output":
            end_at_all_events(1)  # the app would wait for this thread forever
        reported = error if isinstance(error, Exception) else RuntimeError(f"{error!r} in a thread")
        loop.call_soon_threadsafe(self.report_fault, reported)

    def hang_up(self) -> None:
        """End as after SIGHUP: the terminal is gone."""
        end(self, self.keep_work, signal.SIGHUP)

    def keep_work(self) -> None:
        """Save unsaved work where it survives the end of the process."""
        self.keep_unsaved()

    def ended(self, code: int) -> None:
        """Called after the app has ended and the terminal is restored."""

    @contextmanager
    def suspend(self) -> Iterator[None]:
        """Leave the terminal to another program. Keys that were pressed before its end are not for the app."""
        failed: Exception | None = None
        self.keep_unsaved()  # no journal is written meanwhile
        # An error inside Textual's `suspend` would leave its driver stopped, so raise it after the terminal is back.
        with super().suspend():
            try:
                yield
            except Exception as error:
                failed = error
            drop_typed()
        self.input_order.dropped_before = time.monotonic()
        if failed is not None:
            raise failed

    def keep_unsaved(self) -> bool:
        """Save unsaved work where it survives a crash; returns whether there was any and it is saved."""
        return False

    def note_fault(self, error: Exception) -> None:
        """Log an internal error that need not end the session. In tests it is reported and fails the test."""
        if not self.survives_faults:
            self.report_fault(error)
        self.log.error(f"{type(error).__name__}: {error}")

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's line filters and the filter against control characters.

        With NO_COLOR, colours are removed. Textual's `Monochrome` would make them grey, which can be black on black.
        """
        filters = super().get_line_filters()
        usual = (line_filter for line_filter in filters if not isinstance(line_filter, Monochrome | NoColor))
        return [_HARMLESS, *usual, *([_NO_COLOR] if self.no_color else [])]

    def sentence_for(self, error: Exception) -> str | None:
        """Write a crash report and return the sentence that replaces the traceback; None in tests."""
        if not self.survives_faults:
            return None
        from evaltui.crash import write_crash_report

        sentence = write_crash_report(error, self.file.document if self.file is not None else None)
        kept = "The journal also has the unsaved changes. Open the file again to restore them."
        return f"{sentence}\n{kept}" if self.keep_unsaved() else sentence
