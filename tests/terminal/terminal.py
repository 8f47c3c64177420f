"""A real terminal for a test: start a program, press keys, read the screen, wait for what should appear."""

import re
import shlex
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.terminal.server import Server, environment, literal
from tests.terminal.waiting import Wanted, holds, words

EVALTUI = (sys.executable, "-m", "evaltui")

_POLL = 0.01
# Says how the program ended through the terminal itself, in a sequence that no terminal shows. So the
# status comes after the last byte of the program; and the pane lives on, because tmux may lose what it
# has not read yet when a pane dies. What sh itself would say ("Killed") is kept off the screen.
_REPORTING = (
    "trap : INT QUIT; exec 3>&2 2>/dev/null; (\"$@\") 2>&3 3>&-; printf '\\033]7770;%d\\033\\\\' $?; "
    "trap '' INT QUIT TSTP; exec sleep 100000"
)
_ENDED = re.compile(rb"\x1b\]7770;(\d+)\x1b\\\Z")


class Terminal:
    """A tmux pane of a given size. `home` and `work` are the program's own folders, empty at first."""

    def __init__(self, folder: Path, columns: int = 80, rows: int = 24) -> None:
        self.home = folder / "home"
        self.work = folder / "work"
        self.home.mkdir(parents=True)
        self.work.mkdir()
        self._records = folder / "records"
        self._records.mkdir()
        self._starts = 0
        self._rows = rows
        self._server = Server(environment(self.home))
        self._server.open(columns, rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self, argv: Sequence[str | Path], env: Mapping[str, str] | None = None) -> None:
        """Runs a program in `work`, with an empty screen; one that still runs in the pane is killed."""
        self._starts += 1
        self._transcript.touch()
        added = [word for name, value in (env or {}).items() for word in ("-e", literal(f"{name}={value}"))]
        command = shlex.join(["exec", "sh", "-c", _REPORTING, "sh", *map(str, argv)])
        record = "exec cat >> " + shlex.quote(str(self._transcript))
        # Both in one request, so that not a byte is lost.
        run = ("respawn-pane", "-k", "-c", str(self.work), *added, command, ";")
        self._server.run(*run, "pipe-pane", "-O", record)

    def keys(self, *names: str) -> None:
        """Presses keys by tmux's names: "Down", "C-s", "M-e", "F5", "a"."""
        self._server.run("send-keys", "--", *map(literal, names))

    def type(self, text: str) -> None:
        """Types the characters of a text one after another, newlines as such."""
        self._server.run("send-keys", "-l", "--", literal(text))

    def paste(self, text: str) -> None:
        """Pastes a text as terminals do, bracketed when the program asked for it."""
        self._server.run("set-buffer", "-b", "pasted", "--", literal(text))
        self._server.run("paste-buffer", "-p", "-r", "-d", "-b", "pasted")

    def send(self, data: bytes) -> None:
        """Sends bytes as they are, whether they are text or not."""
        self._server.run("send-keys", "-H", *(f"{byte:02x}" for byte in data))

    def copied(self) -> str:
        """Text that a program last copied into tmux, if any."""
        return self._server.run("show-buffer") if self._server.run("list-buffers") else ""

    def resize(self, columns: int, rows: int) -> None:
        """Gives the pane another size, as dragging the window does."""
        self._server.run("resize-window", "-x", str(columns), "-y", str(rows))
        self._rows = rows

    def colour(self, style: str) -> None:
        """Gives the pane colours of its own in tmux's words, which it tells a program that asks."""
        self._server.run("set", "-g", "window-style", style)

    def screen(self) -> list[str]:
        """All lines on screen, without the blanks at their ends."""
        return self._server.run("capture-pane", "-p").split("\n")[: self._rows]

    def raw(self) -> bytes:
        """Every byte the program has written since its start, before tmux made sense of it."""
        return _ENDED.sub(b"", self._transcript.read_bytes())

    @property
    def exit_status(self) -> int | None:
        """None while the program runs; a negative signal number when one killed it."""
        ended = _ENDED.search(self._transcript.read_bytes())
        if ended is None:
            return None
        status = int(ended[1])
        return status if status <= 128 else 128 - status

    def until(self, wanted: Wanted, timeout: float = 30) -> list[str]:
        """Waits for a substring, a pattern or a condition on the screen's lines; returns that screen."""
        deadline = time.monotonic() + timeout
        pause = threading.Event()
        while not holds(wanted, lines := self.screen()):
            if time.monotonic() > deadline:
                raise AssertionError(self._report(wanted, lines, timeout))
            pause.wait(_POLL)
        return lines

    def until_exit(self, timeout: float = 30) -> int:
        """Waits for the program to end; returns its exit status."""
        self.until(lambda _: self.exit_status is not None, timeout)
        status = self.exit_status
        assert status is not None
        return status

    def close(self) -> None:
        """Ends the terminal and the program in it."""
        self._server.close()

    @property
    def _transcript(self) -> Path:
        return self._records / f"written{self._starts}"

    def _report(self, wanted: Wanted, lines: list[str], timeout: float) -> str:
        status = self.exit_status
        state = "the program still runs" if status is None else f"the program ended with {status}"
        edge = "─" * 80
        return "\n".join([f"not seen in {timeout} s: {words(wanted)} ({state})", edge, *lines, edge])
