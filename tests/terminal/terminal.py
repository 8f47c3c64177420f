"""A real terminal for a test: start a program, press keys, read the screen, wait for what should appear."""

import codecs
import re
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.terminal.server import Server, folders
from tests.terminal.waiting import Wanted, holds, words

EVALTUI = (sys.executable, "-m", "evaltui")

_POLL = 0.02
"""Seconds between two looks at a condition, which may be one of files or processes."""
# Says when the program starts and how it ended through the terminal itself, in a sequence that no terminal shows. So
# the status comes after the last byte of the program; and the pane lives on, because tmux may lose what it has not read
# yet when a pane dies. What sh itself would say ("Killed") is kept off the screen.
_REPORTING = (
    "printf '\\033]7770;start %d\\033\\\\' $1; shift; "
    "trap : INT QUIT; exec 3>&2 2>/dev/null; (\"$@\") 2>&3 3>&-; printf '\\033]7770;%d\\033\\\\' $?; "
    "trap '' INT QUIT TSTP; exec sleep 100000"
)
# As tmux tells it.
_STARTED = rb"\033]7770;start %d\033\134"
_ENDED = re.compile(rb"\\033\]7770;(\d+)\\033\\134\Z")


class Terminal:
    """A tmux pane of a given size. `home` and `work` are the program's own folders, empty at first."""

    def __init__(self, server: Server, folder: Path, columns: int = 80, rows: int = 24) -> None:
        self.home = folder / "home"
        self.work = folder / "work"
        self.home.mkdir(parents=True)
        self.work.mkdir()
        self._starts = 0
        self._rows = rows
        self._server = server
        self._pane = server.open_pane(columns, rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self, argv: Sequence[str | Path], env: Mapping[str, str] | None = None) -> None:
        """Runs a program in `work`, with an empty screen; one that still runs in the pane is killed."""
        self._starts += 1
        own = folders(self.home) | dict(env or {})
        added = [word for name, value in own.items() for word in ("-e", f"{name}={value}")]
        command = shlex.join(["exec", "sh", "-c", _REPORTING, "sh", str(self._starts), *map(str, argv)])
        self._run("respawn-pane", "-k", "-c", str(self.work), *added, command)

    def keys(self, *names: str) -> None:
        """Presses keys by tmux's names: "Down", "C-s", "M-e", "F5", "a"."""
        self._run("send-keys", "--", *names)

    def type(self, text: str) -> None:
        """Types the characters of a text one after another, newlines as such."""
        self._run("send-keys", "-l", "--", text)

    def paste(self, text: str) -> None:
        """Pastes a text as terminals do, bracketed when the program asked for it."""
        self._server.run("set-buffer", "-b", "pasted", "--", text)
        self._run("paste-buffer", "-p", "-r", "-d", "-b", "pasted")

    def send(self, data: bytes) -> None:
        """Sends bytes as they are, whether they are text or not."""
        self._run("send-keys", "-H", *(f"{byte:02x}" for byte in data))

    def resize(self, columns: int, rows: int) -> None:
        """Gives the pane another size, as dragging the window does."""
        self._run("resize-window", "-x", str(columns), "-y", str(rows))
        self._rows = rows

    def screen(self) -> list[str]:
        """All lines on screen, without the blanks at their ends."""
        return self._run("capture-pane", "-p").split("\n")[: self._rows]

    def raw(self) -> bytes:
        """Every byte the program has written since its start, before tmux made sense of it."""
        written = _ENDED.sub(b"", self._written().partition(_STARTED % self._starts)[2])
        return codecs.escape_decode(written)[0]

    @property
    def exit_status(self) -> int | None:
        """None while the program runs; a negative signal number when one killed it."""
        if _STARTED % self._starts not in (written := self._written()) or not (ended := _ENDED.search(written[-64:])):
            return None
        status = int(ended[1])
        return status if status <= 128 else 128 - status

    def until(self, wanted: Wanted, timeout: float = 15) -> list[str]:
        """Waits for a substring, a pattern or a condition on the screen's lines; returns that screen.

        The screen is looked at whenever the program has written something.
        """
        deadline = time.monotonic() + timeout
        seen, lines = -1, [""]
        while True:
            if seen != len(self._written()):
                seen, lines = len(self._written()), self.screen()
            if holds(wanted, lines):
                return lines
            if (left := deadline - time.monotonic()) < 0:
                raise AssertionError(self._report(wanted, timeout))
            if seen == len(self._written()):
                self._server.listen(min(left, _POLL) if callable(wanted) else left)

    def until_exit(self, timeout: float = 15) -> int:
        """Waits for the program to end; returns its exit status."""
        deadline = time.monotonic() + timeout
        while (status := self.exit_status) is None:
            if (left := deadline - time.monotonic()) < 0:
                raise AssertionError(self._report("its end", timeout))
            self._server.listen(left)
        return status

    def close(self) -> None:
        """Ends the terminal and the program in it."""
        if self._server.is_open:
            self._server.close_pane(self._pane)

    def _run(self, command: str, *arguments: str) -> str:
        return self._server.run(command, "-t", self._pane, *arguments)

    def _written(self) -> bytearray:
        return self._server.written(self._pane)

    def _report(self, wanted: Wanted, timeout: float) -> str:
        status = self.exit_status
        state = "the program still runs" if status is None else f"the program ended with {status}"
        edge = "─" * 80
        return "\n".join([f"not seen in {timeout} s: {words(wanted)} ({state})", edge, *self.screen(), edge])
