"""The background of the terminal: light or dark, as the terminal answers at the start.

The question is OSC 11, and behind it the primary device attributes (DA1), which every terminal answers: where that
answer comes alone, the terminal does not know OSC 11, and nobody waits any longer. The question is put once the file is
open, before the app is imported: the import takes longer than the answer. A file that cannot be opened asks nothing, so
no answer reaches the shell. Answers must never become keys: an answer that comes too late is cut out of the input by
the thread that reads it.
"""

from __future__ import annotations

import os
import re
import select
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
PATIENCE = 0.1
"""Seconds after the question; who has not answered by then does not hold up the first frame."""
_MUTE = ("dumb", "linux", "unknown", "")
"""Values of TERM of terminals that would show the question, or that have no background of their own to tell."""
_FAREWELL = 0.3
"""The most seconds to wait for a late answer before the shell gets the terminal back."""
_LATEST = 5.0
"""Seconds after the question; an answer is hardly on its way any more, and escape is the escape key at once."""
# Control characters of 8 bits: as UTF-8, or as a single byte. A single byte behind another byte of 8 bits is the rest
# of a character in UTF-8.
_OSC = rb"(?:\x1b\]|\xc2\x9d|(?<![\x80-\xff])\x9d)"
_CSI = rb"(?:\x1b\[|\xc2\x9b|(?<![\x80-\xff])\x9b)"
_SAID = rb"[ -~]{0,100}"
_NUMBERS = rb"\?[0-9;]{0,60}"
_answer = re.compile(_OSC + rb"11;(" + _SAID + rb")(?:\x07|\x1b\\|\xc2?\x9c)|" + _CSI + _NUMBERS + rb"c")
_begun = re.compile(rb"(?:%b(?:1(?:1(?:;%b[\x1b\xc2]?)?)?)?|%b(?:%b)?)\Z" % (_OSC, _SAID, _CSI, _NUMBERS))
"""The beginning of an answer at the end of what was read, except an escape alone."""
_sure = re.compile(rb"%b11;|%b\?" % (_OSC, _CSI))
"""The beginning of an answer that no key has."""
_LONGEST = 128
"""No answer and no beginning of one has more bytes."""
_opening = re.compile(rb"[\x1b\x9b\x9d]")
_color = re.compile(rb"rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})(?![0-9a-fA-F])")
_LIGHT = 0.5
"""The lightness from which on dark text is easier to read."""


class TerminalAnswer:
    """Cuts the answers out of the input; knows what they say.

    No person types an answer, so answers are cut out of all input, also when they come twice or in another order.
    """

    def __init__(self) -> None:
        self.is_light: bool | None = None
        """Answers of the terminal so far."""
        self.is_complete = False
        """Whether the last answer is there: hardly another one is on its way."""
        self._held = b""
        self._before = b""
        """The byte before the held ones: it may begin a character in UTF-8."""

    def feed(self, data: bytes, *, holds_escape: bool = False) -> bytes:
        """The input without answers. The beginning of one is held back until its rest comes, or `tick`.

        With `holds_escape`, an escape at the end is such a beginning; else it is the escape key.
        """
        text, self._held = self._held + data, b""
        if _opening.search(text) is None:
            self._before = text[-1:] or self._before
            return text
        return self._without_answers(text, holds_escape=holds_escape)

    def _without_answers(self, text: bytes, *, holds_escape: bool) -> bytes:
        whole, begin = self._before + text, len(self._before)
        kept = []
        while found := _answer.search(whole, begin):
            kept.append(whole[begin : found.start()])
            whole, begin = whole[found.end() :], 0  # the end of an answer is no beginning of a character
            self._take(found[1])
        end = len(whole)
        if begun := _begun.search(whole, max(begin, end - _LONGEST)):
            end = begun.start()
        elif holds_escape and whole.endswith(b"\x1b", begin):
            end -= 1
        self._held, self._before = whole[end:], whole[max(0, end - 1) : end]
        return b"".join([*kept, whole[begin:end]])

    def _take(self, said: bytes | None) -> None:
        """Take the answer to OSC 11; None for the device attributes."""
        if said is None:
            self.is_complete = True
        elif color := _color.match(said):
            self.is_light = _is_light(*color.groups())

    @property
    def is_under_way(self) -> bool:
        """Whether the input held back is surely the beginning of an answer."""
        return _sure.match(self._held) is not None

    def tick(self) -> bytes:
        """After a pause: the input that was held back and is no answer."""
        held, self._held = self._held, b""
        return held


class TerminalBackground:
    """Asks the terminal once for a process, and gives what was typed meanwhile to the app."""

    def __init__(self) -> None:
        self.answer = TerminalAnswer()
        self._settings: list[Any] | None = None
        """The settings of the terminal line to put back; None if they are as they were found."""
        self._is_begun = False
        self._asked: float | None = None
        self._has_left = False
        self._typed = b""

    def ask(self, environment: Mapping[str, str] = os.environ) -> None:
        """Take the keys typed so far, and put the question if the terminal can be asked. Later calls do nothing."""
        if self._is_begun:
            return
        self._is_begun = True
        with suppress(OSError, ValueError, termios.error):
            if (fd := self.keep_keys()) is None or sys.__stdout__ is None:
                return
            if select.select([fd], [], [], 0)[0]:
                self._typed = os.read(fd, 65536).replace(b"\n", b"\r")  # enter that was typed ahead is the enter key
            if environment.get("NO_COLOR") or environment.get("TERM", "") in _MUTE:
                return
            self._asked = time.monotonic()
            os.write(sys.__stdout__.fileno(), QUESTION)

    def begin(self) -> None:
        """Keep input for the app, if there is a terminal."""
        with suppress(OSError, ValueError, termios.error):
            self.keep_keys()

    def keep_keys(self) -> int | None:
        """Keep input for the app: without echo, and each byte as it was typed. Reads nothing.

        Returns the terminal; None if input or output is not a terminal, or belongs to another process.
        """
        reads, writes = sys.__stdin__, sys.__stdout__
        if reads is None or writes is None or not (reads.isatty() and writes.isatty()):
            return None
        fd = reads.fileno()
        if os.tcgetpgrp(fd) != os.getpgrp():
            return None  # in the background, a change of the settings would stop the process
        settings, silent = termios.tcgetattr(fd), termios.tcgetattr(fd)
        silent[0] &= ~(termios.ICRNL | termios.IXON)  # with IXON, ctrl+q and ctrl+s are not keys
        silent[3] &= ~(termios.ECHO | termios.ICANON)
        self._settings = self._settings or settings  # first: a signal may end the process at any point
        termios.tcsetattr(fd, termios.TCSANOW, silent)
        return fd

    def settle(self) -> None:
        """Take the answer, waiting a moment for it if need be."""
        if self._settings is None or self._asked is None or sys.__stdin__ is None:
            return
        with suppress(OSError, ValueError):
            for data in self._input_until(sys.__stdin__.fileno(), self._asked + PATIENCE):
                self._typed += data

    def hand_over(self) -> list[Any] | None:
        """Leave the terminal to a driver. Returns the settings that it must put back; None if it found them itself."""
        settings, self._settings = self._settings, None
        return settings

    def leave(self) -> None:
        """Leave the terminal as it was found: with its settings, and without a late answer that the shell would read.

        Keys that are typed while a late answer is awaited are lost, as unread keys are at the end of an app.
        """
        try:
            if self.awaits_answer and not self._has_left:
                self._has_left = True
                with suppress(OSError, ValueError, termios.error):
                    if (fd := self.keep_keys()) is not None:
                        for _ in self._input_until(fd, time.monotonic() + _FAREWELL):
                            pass
        finally:
            self.restore()

    def _input_until(self, fd: int, deadline: float) -> Iterator[bytes]:
        """Input that comes in until the last answer or the deadline, without answers."""
        while not self.answer.is_complete:
            left = deadline - time.monotonic()
            if not select.select([fd], [], [], max(0.0, left))[0]:
                return
            data = os.read(fd, 65536)
            if not data:
                return
            yield self.feed(data)
            if left <= 0:
                return  # however much comes in

    def restore(self) -> None:
        """Put the settings of the terminal back, if they are not."""
        settings = self.hand_over()
        if settings is not None and sys.__stdin__ is not None:
            with suppress(OSError, ValueError, termios.error):
                termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, settings)

    def feed(self, data: bytes) -> bytes:
        """Input without answers of the terminal, if it was asked."""
        return data if self._asked is None else self.answer.feed(data, holds_escape=self.awaits_answer)

    def tick(self) -> bytes:
        """After a pause: the input that was held back, unless the rest of an answer is on its way."""
        return b"" if self.awaits_answer and self.answer.is_under_way else self.answer.tick()

    @property
    def awaits_answer(self) -> bool:
        """Whether an answer may well be on its way."""
        return self._asked is not None and not self.answer.is_complete and time.monotonic() < self._asked + _LATEST

    def typed(self) -> bytes:
        """Keys typed while the question stood; given once."""
        typed, self._typed = self._typed, b""
        return typed

    def is_light(self, environment: Mapping[str, str] = os.environ) -> bool:
        """Whether the background is light: by the answer, else by COLORFGBG, which some terminals set."""
        if self.answer.is_light is not None:
            return self.answer.is_light
        background = environment.get("COLORFGBG", "").rpartition(";")[2]
        return background in ("7", "9", "10", "11", "12", "13", "14", "15")


TERMINAL = TerminalBackground()
"""The question to the terminal in which this process runs."""


def _is_light(*parts: bytes) -> bool:
    """Whether a colour of hexadecimal parts, each of one to four digits, is light to the eye (Rec. 601)."""
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in parts)
    lightness: float = 0.299 * red + 0.587 * green + 0.114 * blue
    return lightness > _LIGHT
