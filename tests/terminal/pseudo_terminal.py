"""A pseudo-terminal for bytes that tmux would not pass on: what goes in is arbitrary, of what comes out the modes."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_mode = re.compile(rb"\x1b\[\?(\d+)([hl])|\x1b\[([<>])[0-9]*u")
_LAST = 20_000
"""Bytes of what was written last that are kept."""
_END = b"\x1b]7770;end\x1b\\"
"""Written behind what the program has written."""
_LONGEST = 32
"""Bytes at the end of what was read that may be the beginning of a mode."""


class PseudoTerminal:
    """Runs a program. Its output is read all the time, so that it never waits for this side."""

    def __init__(
        self, argv: Sequence[str], env: Mapping[str, str], work: Path, *, with_flow_control: bool = False
    ) -> None:
        self._master, self._slave = os.openpty()
        self.resize(80, 24)
        self._make_all_keys_plain()
        if with_flow_control:
            self._control_flow()
        self.modes: dict[bytes, bool] = {}
        """The private modes that the program has set or reset; `b"u"`: whether the keyboard is kitty's."""
        self.written = 0
        """How many bytes the program has written."""
        self.settings_before = self.settings()
        self._tail = b""
        self._is_all_read = False
        self.last = b""
        """The end of what the program has written."""
        self._more = threading.Condition()
        self.process = subprocess.Popen(
            argv,
            cwd=work,
            env=dict(env),
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 (one call into the system)
        )
        self._is_gone = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._slave)
        self.hang_up()

    def _make_all_keys_plain(self) -> None:
        """What is still being typed when the program has put the settings back must neither end nor stop it."""
        settings = self.settings()
        settings[0] &= ~termios.IXON
        for key in (termios.VINTR, termios.VQUIT, termios.VSUSP):
            settings[6][key] = b"\0"
        termios.tcsetattr(self._slave, termios.TCSANOW, settings)

    def _control_flow(self) -> None:
        """Give ctrl+q and ctrl+s the meaning that they have in most shells."""
        settings = self.settings()
        settings[0] |= termios.IXON
        termios.tcsetattr(self._slave, termios.TCSANOW, settings)

    def settings(self) -> list[Any]:
        """Those of the terminal line, as `stty` shows them."""
        return termios.tcgetattr(self._slave)

    def interrupt(self) -> None:
        """Does what Ctrl-C does at a terminal: the processes of the group in front get the signal."""
        os.killpg(os.tcgetpgrp(self._master), signal.SIGINT)

    def unread(self) -> bytes:
        """What was typed and nobody has read: it would go to the shell."""
        settings = self.settings()
        settings[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(self._slave, termios.TCSANOW, settings)
        return os.read(self._slave, 65536) if select.select([self._slave], [], [], 0)[0] else b""

    def resize(self, columns: int, rows: int) -> None:
        """Gives the terminal another size; the program gets a signal."""
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def send(self, data: bytes, patience: float = 300) -> bool:
        """Writes as fast as the program reads; False where it has ended. Raises where it no longer reads."""
        deadline = time.monotonic() + patience
        while data:
            if self.process.poll() is not None:
                return False
            if select.select([], [self._master], [], 0.1)[1]:
                data = data[os.write(self._master, data[:512]) :]
                deadline = time.monotonic() + patience
            assert time.monotonic() < deadline, "the program does not read what is typed"
        return self.process.poll() is None

    def until_written(self, count: int, patience: float = 300) -> bool:
        """Waits until the program has written so many bytes in all; False where it has ended before."""
        deadline = time.monotonic() + patience
        with self._more:
            while self.written < count and self.process.poll() is None:
                self._more.wait(0.1)
                assert time.monotonic() < deadline, "the program does not draw"
        return self.written >= count

    def until(self, holds: Callable[[], bool], patience: float = 60) -> None:
        """Waits for a condition, looked at again after each piece of output and now and then."""
        deadline = time.monotonic() + patience
        with self._more:
            while not holds():
                self._more.wait(0.1)
                assert time.monotonic() < deadline, self.last[-2000:]

    def hang_up(self) -> None:
        """The terminal goes away, as when its window is closed."""
        self._is_gone.set()
        self._reader.join()

    def ends_within(self, seconds: float) -> bool:
        """Whether the program ends by then, with all of its output read."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        if not self._is_gone.is_set():
            os.write(self._slave, _END)
            self.until(lambda: self._is_all_read)
        return True

    def peak_mb(self) -> float:
        """The most memory the program has held so far; 0 where the system does not tell."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return 0
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        return int(found[1]) / 1024 if found else 0

    def _read(self) -> None:
        while not self._is_gone.is_set():
            if not select.select([self._master], [], [], 0.1)[0]:
                continue
            try:
                data = os.read(self._master, 65536)
            except OSError:  # the program led the session, so that its end closes the terminal
                break
            with self._more:
                self._note_modes(data)
                self.last = (self.last + data)[-_LAST:]
                self._is_all_read = self.last.endswith(_END)
                self.last = self.last.removesuffix(_END)
                self.written += len(data)
                self._more.notify_all()
        os.close(self._master)

    def _note_modes(self, data: bytes) -> None:
        text, end = self._tail + data, 0
        for found in _mode.finditer(text):
            end = found.end()
            self.modes[found[1] or b"u"] = found[2] == b"h" or found[3] == b">"
        self._tail = text[max(end, len(text) - _LONGEST) :]
