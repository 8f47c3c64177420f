"""Textual's driver for Unix terminals, with an input thread that no input can crash.

The private names of Textual here have contract tests in tests/tui/test_textual_compat.py.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import re
import selectors
import sys
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

from textual import constants, events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message
from textual.messages import InBandWindowResize

from evaltui.tui.terminal.early_keys import hand_over

if TYPE_CHECKING:
    from evaltui.tui.base_app import BaseApp

PASTE_START, PASTE_END = b"\x1b[200~", b"\x1b[201~"
_unfinished = re.compile(rb"(?:\x1b(?:\[(?:20{0,2})?)?)?\Z")
"""The beginning of `PASTE_START` at the end of the input."""
_STALLED = 2.0
"""Seconds without input. If a single key follows, the end of the paste counts as lost."""
_ONE_KEY = 8
"""The most bytes of nearly all keys; a paste that continues after a pause comes in larger pieces."""

_ALT = 2
"""The bit of alt in the modifiers of a key report. The modifiers are this bit field plus 1."""
_LONGER = "[]OPX^_"
"""Characters that start a longer sequence after an escape; alone they are keys with alt."""
_other_key = re.compile(r"\x1b\[27;(\d{1,3});(\d{1,7})~")
"""A key with modifiers, in the format of xterm's modifyOtherKeys."""

_PAUSE = 0.1
"""Seconds between two checks whether the app has ended."""
_AHEAD = 200
"""Messages sent before the thread waits for the app; meanwhile, further input stays in the system's buffer."""


class AltKeyParser(XTermParser):
    """Textual's parser, but an escape with a character is always that key with alt."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        """The keys of an escape sequence; `alt` if an escape came before it."""
        # Textual does so only for some letters. It reads alt+1 as ¡, which option types on a Mac, alt+. as a full stop,
        # and a held alt+j as ^ and j. Characters typed with option or AltGr come without an escape.
        if reported := _other_key.fullmatch(sequence):
            modifiers, codepoint = reported.groups()
            if (int(modifiers) - 1) & _ALT:
                sequence = f"\x1b[{codepoint};{modifiers}u"  # Textual reads it with its modifiers
        elif (
            len(sequence) == 2
            and sequence[1] not in _LONGER
            and sequence[1].isprintable()
            and not isinstance(ANSI_SEQUENCES_KEYS.get(sequence), tuple)
        ):
            sequence, alt = sequence[1], True
        for event in super()._sequence_to_key_events(sequence, alt):
            if alt and event.is_printable and not event.key.startswith("alt+"):
                yield events.Key(f"alt+{event.key}", None)
            else:
                yield event


class InputDecoder:
    """Turns bytes that arrive in pieces, cut anywhere, into keys, clicks and pastes; never raises.

    Textual's parser reads keys and the mouse. Pastes are cut out first: the parser is slow for long texts, and would
    read key sequences inside a pasted text.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._parser = AltKeyParser(constants.DEBUG)
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._begun = b""
        """The beginning of `PASTE_START` at the end of the input. The parser has it too, to time out a lone escape."""
        self._pasted: bytearray | None = None
        """The bytes of the paste that is being received."""
        self._came = clock()

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages of the next bytes."""
        is_late = self._clock() - self._came > _STALLED and len(data) <= _ONE_KEY
        if self._pasted is not None and is_late and PASTE_END not in self._pasted[1 - len(PASTE_END) :] + data:
            yield from self._end_paste(bytes(self._pasted))  # its end was lost
        while data:
            data = yield from (self._read_keys(data) if self._pasted is None else self._read_paste(self._pasted, data))
        self._came = self._clock()

    def tick(self) -> Iterator[Message]:
        """The messages after a pause: an escape byte followed by a pause is the escape key."""
        if self._begun and self._clock() - self._came > constants.ESCAPE_DELAY:
            self._begun = b""
            self._parser._timeout_time = 0.0  # the next bytes start a sequence, whatever came before
        yield from self._parsed(self._parser.tick)

    def close(self) -> None:
        """Free the parsers."""
        self._parser = AltKeyParser(constants.DEBUG)
        # Textual caches each parser with its last key, and the key refers to the app.
        XTermParser._parse_extended_key.cache_clear()

    def _read_keys(self, data: bytes) -> Generator[Message, None, bytes]:
        """Read up to the start of a paste; returns the bytes of the paste."""
        number_parsed, text = len(self._begun), self._begun + data
        begin, end, pasted = text.partition(PASTE_START)
        if not end:
            unfinished = _unfinished.search(text)
            self._begun = unfinished[0] if unfinished else b""
            yield from self._parse(data)
            return b""
        self._begun, self._pasted = b"", bytearray()
        # The parser gets an end of paste at once, so that it is never inside a paste.
        yield from self._parse((begin + PASTE_START + PASTE_END)[number_parsed:])
        return pasted

    def _read_paste(self, pasted: bytearray, data: bytes) -> Generator[Message, None, bytes]:
        """Add to the paste, up to whose end all bytes are text; returns the bytes behind it."""
        searched = max(0, len(pasted) - len(PASTE_END) + 1)  # once over a long paste, also if its end never comes
        pasted += data
        end = pasted.find(PASTE_END, searched)
        if end < 0:
            return b""
        rest = bytes(pasted[end + len(PASTE_END) :])
        yield from self._end_paste(bytes(pasted[:end]))
        return rest

    def _end_paste(self, data: bytes) -> Iterator[Message]:
        self._pasted = None
        # Without NUL, as in Textual: some terminals insert it, and no path can contain it.
        text = data.decode("utf-8", "replace").replace("\0", "")
        if text:
            yield events.Paste(text)

    def _parse(self, data: bytes) -> Iterator[Message]:
        """The messages of bytes without a paste; invalid bytes become U+FFFD."""
        for character in self._decode(data):
            # One by one: an error of the parser must not lose the characters that follow.
            yield from self._parsed(self._parser.feed, character)

    def _parsed(self, read: Callable[..., Iterable[Message]], *arguments: str) -> Iterator[Message]:
        try:
            for message in read(*arguments):
                if isinstance(message, events.Resize):
                    self._parser.mouse_pixels = False  # a forged size report must not switch the mouse to pixels
                elif isinstance(message, events.Key):
                    if message.character is None or not "\ud800" <= message.character <= "\udfff":
                        yield message
                # The size comes from the system, because any program can write a report into the input.
                elif not isinstance(message, (InBandWindowResize, events.Paste)):
                    yield message
        except Exception:  # the parser raises for many inputs: key numbers beyond Unicode, sizes of 0 …
            self._parser = AltKeyParser(constants.DEBUG)


class TerminalDriver(LinuxDriver):
    """Driver with its own input thread. `BaseApp` handles errors of the thread like any other error."""

    _app: BaseApp
    _sent = 0
    """Messages sent since the thread last waited for the app."""

    def __init__(self, app: BaseApp, **options: Any) -> None:
        super().__init__(app, **options)
        if sys.__stderr__ is None or not sys.__stderr__.isatty():  # closed by the shell (2>&-), or a file
            self._file = sys.__stdout__  # Textual draws on stderr

    def start_application_mode(self) -> None:
        """Take the terminal. At the end it gets the settings from before `early_keys` changed them."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if self.attrs_before is not None and (settings := hand_over()) is not None:
            self.attrs_before = settings

    def _run_input_thread(self) -> None:
        """Read until the app ends or suspends, or the terminal closes."""
        # Errors go to `threading.excepthook`; Textual would print a traceback.
        decoder = InputDecoder()
        with closing(decoder), selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            is_early = bool(selector.select(0))
            while not self.exit_event.is_set():
                if selector.select(_PAUSE):
                    data = self._read()
                    if data is None:
                        return
                    # Enter that was pressed before `early_keys` changed the settings came through as a line feed.
                    self._send(decoder.feed(data.replace(b"\n", b"\r") if is_early else data))
                    is_early = False
                self._send(decoder.tick())

    def _read(self) -> bytes | None:
        """The next bytes; None if the terminal is closed."""
        try:
            data = os.read(self.fileno, 65536)
        except BlockingIOError:  # another program made the terminal non-blocking and consumed the input
            return b""
        except OSError:
            data = b""
        if not data:
            self._loop.call_soon_threadsafe(self._app.hang_up)
            return None
        return data

    def _send(self, messages: Iterator[Message]) -> None:
        for message in messages:
            if self.exit_event.is_set():
                return  # keys typed ahead are not for this app any more; Textual drops unread input too
            self.process_message(message)
            self._sent += 1
            if self._sent < _AHEAD:
                continue
            self._sent = 0
            caught_up = asyncio.run_coroutine_threadsafe(self._app.input_order.caught_up(), self._loop)
            while not self.exit_event.is_set() and not concurrent.futures.wait([caught_up], _PAUSE).done:
                pass

    # --- signals and sizes ---------------------------------------------------------------------------------

    def _sigtstp_application(self, *_given: Any) -> None:
        self._when_idle(super()._sigtstp_application)

    def _sigcont_application(self, *_given: Any) -> None:
        self._when_idle(self._go_on)

    def _when_idle(self, act: Callable[[], None]) -> None:
        """Suspend or resume between two tasks of the app.

        A signal can come while the app passes text to the thread that writes. Textual would pass on more at once and
        wait for ever for the lock that it holds itself. While another program has the terminal, Textual only stops.
        """
        if not self._auto_restart:
            act()
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(act)

    def _go_on(self) -> None:
        """Take the terminal again. After SIGSTOP, which no handler sees, Textual would start a second time."""
        if self._auto_restart and not self._must_signal_resume:
            if self._key_thread is None or not self._key_thread.is_alive():
                return  # it has not started, or has ended
            self.suspend_application_mode()
            self._must_signal_resume = True
        super()._sigcont_application()

    def _get_terminal_size(self) -> tuple[int, int]:
        """The size of the terminal; COLUMNS and LINES, which a shell may export, count only where it has none."""
        with suppress(OSError, ValueError):
            size = os.get_terminal_size(self.fileno)
            if size.columns and size.lines:
                return size
        return super()._get_terminal_size()

    def _query_in_band_window_resize(self) -> None:
        """Send no query for size reports: SIGWINCH announces a new size, and the system call for it is reliable."""
