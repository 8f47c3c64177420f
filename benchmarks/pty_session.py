"""A program in a pseudo-terminal, and the times of its frames after the start and after each key."""

import errno
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from benchmarks.figures import MeasurementError
from benchmarks.processes import peak_mb

FRAME_GAP = 0.012
"""Seconds without output after which a frame is complete."""
CTRL_Q = b"\x11"
DISCARD = b"d"
_ESCAPES = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[P^_X][^\x1b]*\x1b\\|[ -/]*[0-~])|[\x00-\x09\x0b-\x1a]"
)


@dataclass(frozen=True)
class Frame:
    """The frame after a key: seconds until its first and last byte, and its text."""

    first: float
    last: float
    text: str


class PtySession:
    """A program that runs in a pseudo-terminal of a given size."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], size: tuple[int, int] = (80, 24)) -> None:
        self._argv = list(argv)
        self._written = bytearray()
        self._status: int | None = None
        self._start = time.perf_counter()
        self._pid, self._fd = pty.fork()
        if self._pid == 0:
            _become(self._argv, env, size)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.quit()

    def wait_for(self, text: str, timeout: float = 30) -> float:
        """Seconds from the start until the text had been written."""
        deadline = time.perf_counter() + timeout
        while text not in visible(self._written):
            if self._read(deadline - time.perf_counter()) is None:
                raise MeasurementError(f"{' '.join(self._argv)} did not show {text!r}; {self._last_words()}")
        return time.perf_counter() - self._start

    def settle(self, quiet: float = 0.3, timeout: float = 60) -> None:
        """Wait until nothing was written for a while."""
        deadline = time.perf_counter() + timeout
        while self._read(quiet) is not None:
            if time.perf_counter() > deadline:
                raise MeasurementError(f"{' '.join(self._argv)} never came to rest")

    def press(self, key: bytes, patience: float = 2) -> Frame | None:
        """Send a key and time its frame; None if no frame came."""
        os.write(self._fd, key)
        sent = time.perf_counter()
        frame = bytearray()
        first = last = 0.0
        while (chunk := self._read(FRAME_GAP if frame else patience)) and last < patience:
            last = time.perf_counter() - sent
            first = first or last
            frame += chunk
        return Frame(first, last, visible(frame)) if frame else None

    def press_until(self, key: bytes, text: str, patience: float = 2) -> float:
        """Send a key; seconds until the text is written after it."""
        return self.do_until(lambda: os.write(self._fd, key), text, patience)

    def do_until(self, act: Callable[[], object], text: str, patience: float = 2) -> float:
        """Call `act`; seconds from its end until the output since its start contains the text."""
        before = len(self._written)
        act()
        done = time.perf_counter()
        while text not in visible(self._written[before:]):
            if self._read(done + patience - time.perf_counter()) is None:
                raise MeasurementError(f"nothing brought {text!r}; {self._last_words()}")
        return time.perf_counter() - done

    def drain(self) -> None:
        """Read the output that was written meanwhile."""
        while self._read(0) is not None:
            pass

    def mark(self) -> int:
        """This moment, for `says_since`."""
        return len(self._written)

    def says_since(self, mark: int, text: str, patience: float) -> bool:
        """Whether the text was written since `mark`, or is written soon."""
        deadline = time.perf_counter() + patience
        while text not in visible(self._written[mark:]):
            if self._read(deadline - time.perf_counter()) is None:
                return False
        return True

    def still_says(self, text: str, patience: float = 1) -> bool:
        """Whether the text is written soon."""
        return self.says_since(self.mark(), text, patience)

    @property
    def pid(self) -> int:
        """The process id of the program."""
        return self._pid

    def peak_mb(self) -> float:
        """The peak memory of the program so far."""
        return peak_mb(self._pid)

    def quit(self) -> None:
        """End the program: ctrl+q, then `d` if it asks about changes, then a signal."""
        for key in (CTRL_Q, DISCARD):
            if not self._ended(0):
                os.write(self._fd, key)
            if self._ended(1):
                break
        else:
            os.kill(self._pid, signal.SIGKILL)
            self._ended(5)
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _read(self, timeout: float) -> bytes | None:
        """The next bytes; None if none came in time, or at the end of the output."""
        if not select.select([self._fd], [], [], max(0, timeout))[0]:
            return None
        try:
            chunk = os.read(self._fd, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return None
        self._written += chunk
        return chunk or None

    def _ended(self, timeout: float) -> bool:
        deadline = time.perf_counter() + timeout
        while self._status is None:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                self._status = status
            elif time.perf_counter() > deadline:
                return False
            elif self._read(0.01) is None:
                select.select([], [], [], 0.002)
        return True

    def _last_words(self) -> str:
        lines = [line.rstrip() for line in visible(self._written).splitlines() if line.strip()]
        return "it wrote: " + " | ".join(lines[-6:]) if lines else "it wrote nothing"


def visible(written: bytes | bytearray) -> str:
    """The text without escape sequences and control characters other than newlines."""
    return _ESCAPES.sub(b"", bytes(written)).decode(errors="replace")


def _become(argv: list[str], env: Mapping[str, str], size: tuple[int, int]) -> None:
    """Run the program in the child process, after setting the size of the window."""
    columns, rows = size
    try:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.execvpe(argv[0], argv, dict(env))
    finally:
        os._exit(127)
