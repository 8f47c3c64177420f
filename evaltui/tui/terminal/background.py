"""The background of the terminal: light or dark, as the terminal answers at the start.

The question is OSC 11, and behind it the primary device attributes (DA1), which every terminal answers: where that
answer comes alone, the terminal does not know OSC 11, and nobody waits any longer. While the app is being imported the
answer is on its way, so that it costs no time. Answers must never become keys: what comes too late is cut out of the
input by the thread that reads it.
"""

from __future__ import annotations

import os
import re
import selectors
import sys
import termios
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
PATIENCE = 0.1
"""Seconds after the question; who has not answered by then does not hold up the first frame."""
_MUTE = ("dumb", "linux", "unknown", "")
"""Values of TERM of terminals that would show the question, or that have no background of their own to tell."""
_color = re.compile(
    rb"\x1b\]11;(?:rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})[^\x07\x1b]*|[^\x07\x1b]*)(?:\x07|\x1b\\)"
)
_attributes = re.compile(rb"\x1b\[\?[0-9;]*c")
_begun = re.compile(rb"\x1b(?:\](?:1(?:1(?:;[^\x07\x1b]*\x1b?)?)?)?|\[(?:\?[0-9;]*)?)\Z")
"""The beginning of an answer at the end of what was read; an escape alone is the escape key."""
_LIGHT = 0.5
"""The lightness from which on dark text is easier to read."""


class TerminalAnswer:
    """Cuts the answers out of the input; knows what they say."""

    def __init__(self) -> None:
        self.is_light: bool | None = None
        """What the terminal has answered so far."""
        self.is_complete = False
        """Whether the last answer is there: all further input is of the person."""
        self._held = b""

    def feed(self, data: bytes) -> bytes:
        """The input without answers. The beginning of one is held back until its rest comes, or `tick`."""
        if self.is_complete:
            return data
        text, self._held = self._held + data, b""
        if found := _color.search(text):
            text = text[: found.start()] + text[found.end() :]
            if found[1] is not None:
                self.is_light = _is_light(found[1], found[2], found[3])
        if found := _attributes.search(text):
            self.is_complete = True
            return text[: found.start()] + text[found.end() :]
        if begun := _begun.search(text):
            text, self._held = text[: begun.start()], begun[0]
        return text

    def tick(self) -> bytes:
        """After a pause: what was held back and is no answer."""
        held, self._held = self._held, b""
        return held


class TerminalBackground:
    """Asks the terminal once for a process, and gives what was typed meanwhile to the app."""

    def __init__(self) -> None:
        self.answer = TerminalAnswer()
        self._settings: list[Any] | None = None
        """The settings of the terminal line before the question; None while there is no question."""
        self._asked: float | None = None
        self._typed = b""

    def ask(self, environment: Mapping[str, str] = os.environ) -> None:
        """Put the question, if the terminal can be asked. Until `settle`, nothing that comes in is echoed."""
        if self._asked is not None or environment.get("NO_COLOR") or environment.get("TERM", "") in _MUTE:
            return
        with suppress(OSError, ValueError, termios.error):
            reads, writes = sys.__stdin__, sys.__stdout__
            if reads is None or writes is None or not (reads.isatty() and writes.isatty()):
                return
            fd = reads.fileno()
            if os.tcgetpgrp(fd) != os.getpgrp():
                return  # in the background, a change of the settings would stop the process
            settings, silent = termios.tcgetattr(fd), termios.tcgetattr(fd)
            silent[0] &= ~termios.ICRNL  # enter that is typed ahead is the enter key
            silent[3] &= ~(termios.ECHO | termios.ICANON)
            termios.tcsetattr(fd, termios.TCSANOW, silent)
            self._settings, self._asked = settings, time.monotonic()
            os.write(writes.fileno(), QUESTION)

    def settle(self) -> None:
        """Take the answer, waiting a moment for it if need be, and put the settings of the terminal back."""
        if self._settings is None or self._asked is None or sys.__stdin__ is None:
            return
        with suppress(OSError, ValueError), selectors.DefaultSelector() as selector:
            fd = sys.__stdin__.fileno()
            selector.register(fd, selectors.EVENT_READ)
            while not self.answer.is_complete:
                left = self._asked + PATIENCE - time.monotonic()
                if not selector.select(max(0.0, left)):
                    break
                data = os.read(fd, 65536)
                if not data:
                    break
                self._typed += self.answer.feed(data)
        self.restore()

    def restore(self) -> None:
        """Put the settings of the terminal back, if they are not."""
        settings, self._settings = self._settings, None
        if settings is not None and sys.__stdin__ is not None:
            with suppress(OSError, ValueError, termios.error):
                termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, settings)

    @property
    def awaits_answer(self) -> bool:
        """Whether an answer may still come."""
        return self._asked is not None and not self.answer.is_complete

    def typed(self) -> bytes:
        """What was typed while the question stood; once."""
        typed, self._typed = self._typed, b""
        return typed

    def is_light(self, environment: Mapping[str, str] = os.environ) -> bool:
        """Whether the background is light: by the answer, else by COLORFGBG, which some terminals set."""
        if self.answer.is_light is not None:
            return self.answer.is_light
        background = environment.get("COLORFGBG", "").rpartition(";")[2]
        return background in ("7", "9", "10", "11", "12", "13", "14", "15")


TERMINAL = TerminalBackground()
"""Of the terminal in which this process runs."""


def _is_light(*parts: bytes) -> bool:
    """Whether a colour of hexadecimal parts, each of one to four digits, is light to the eye (Rec. 601)."""
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in parts)
    lightness: float = 0.299 * red + 0.587 * green + 0.114 * blue
    return lightness > _LIGHT
