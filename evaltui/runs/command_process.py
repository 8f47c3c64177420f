"""A command in the background: its output as lines, its end in words, and no process left behind.

Usage, in a thread that may wait:

    process = CommandProcess(["sh", "-c", command], folder)
    process.start()                          # raises CommandError: no such program, no such folder
    end = process.wait()                     # CommandEnd: code, seconds, words
    print(process.output.tail(20).lines)     # safe to show

On an event loop, `heard` and `ended` are called in the thread of the process and post a message. In a command without a
screen, `with saying_at_the_end(process.kill)` (`interrupt.py`) ends it on Ctrl-C. It never reads from the keyboard.
"""

from __future__ import annotations

import atexit
import errno
import os
import selectors
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, STDOUT, Popen
from typing import NamedTuple

from evaltui.document.errors import DocumentError
from evaltui.printable import one_line
from evaltui.runs.command_output import CommandOutput

GRACE = 3.0
"""Seconds between SIGTERM and SIGKILL."""
_LEFT = 0.5
"""Seconds for other processes of the group, such as `tee`, to end by themselves after the first has ended."""
_HOPELESS = 1.0
"""Seconds to wait after SIGKILL. A process that hangs in a system call is then left alone."""
_TICK = 0.05
"""Seconds between two checks of the process while it writes nothing."""
_PIECE = 65_536
_MOST_PIECES = 16
"""The most pieces read after the end: a process that left the group could write forever."""

_WHY: Mapping[int, str] = {
    errno.EACCES: "it is not executable",
    errno.ENOEXEC: "it is not a program and has no #! line",
    errno.E2BIG: "its arguments are too long; run fewer cases at once",
    errno.ENOTDIR: "a part of its path is a file, not a folder",
}


class CommandError(DocumentError):
    """A command cannot be run. `str(error)` is a sentence."""


class CommandEnd(NamedTuple):
    """How a command ended."""

    code: int
    """Exit code; negative for the number of the signal that ended it."""
    is_cancelled: bool
    seconds: float

    @property
    def brief(self) -> str:
        """The end in a few words: `exit code 1`, `SIGKILL`, `cancelled`."""
        if self.is_cancelled:
            return "cancelled"
        if self.code >= 0:
            return f"exit code {self.code}"
        try:
            return signal.Signals(-self.code).name
        except ValueError:
            return f"signal {-self.code}"


class CommandProcess:
    """One command in a process group of its own, with stdout and stderr as one output.

    The command ends when its first process and all others of the group have ended. Background processes are killed.
    """

    def __init__(
        self,
        argv: Sequence[str],
        folder: Path,
        environment: Mapping[str, str] | None = None,
        *,
        heard: Callable[[], object] = lambda: None,
        ended: Callable[[CommandEnd], object] = lambda _: None,
        grace: float = GRACE,
    ) -> None:
        """`environment` is added to evaltui's. `heard` is called after each piece of output, `ended` once."""
        self.argv, self.folder = list(argv), folder
        self.output = CommandOutput()
        self._environment = {"PYTHONUNBUFFERED": "1", **(environment or {})}  # Python writes to a pipe late
        self._heard, self._ended, self._grace = heard, ended, grace
        self._popen: Popen[bytes] | None = None
        self._began = 0.0
        self._end: CommandEnd | None = None
        self._is_over = threading.Event()
        self._is_cancelled = False
        self._signalled: signal.Signals | None = None
        """The last signal that was sent to the group."""
        self._due = 0.0
        """When the next signal is sent, by `time.monotonic`."""

    @property
    def end(self) -> CommandEnd | None:
        """How it ended; None while it runs."""
        return self._end

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._popen is not None and self._end is None

    @property
    def is_cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self._is_cancelled

    @property
    def seconds(self) -> float:
        """Seconds since the start, or from start to end."""
        return self._end.seconds if self._end is not None else time.monotonic() - self._began

    def start(self) -> None:
        """Run the command. Raises `CommandError` if there is no such program or folder."""
        try:
            self._popen = Popen(
                self.argv,
                cwd=self.folder,
                env={**os.environ, **self._environment},
                stdin=DEVNULL,
                stdout=PIPE,
                stderr=STDOUT,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise CommandError(self._why_not(error)) from error
        self._began = time.monotonic()
        with _running_lock:
            _running.add(self)
        threading.Thread(target=self._follow, name="command", daemon=True).start()

    def cancel(self) -> None:
        """Send SIGTERM to all processes of the group, and SIGKILL after the grace period."""
        self._is_cancelled = True

    def kill(self) -> None:
        """Kill all processes of the group now; also from a signal handler."""
        self._is_cancelled = True
        if self.is_running:
            self._send(signal.SIGKILL)
            self._due = time.monotonic() + _HOPELESS

    def wait(self, timeout: float | None = None) -> CommandEnd | None:
        """Wait for the end; None if it has not come after `timeout` seconds."""
        self._is_over.wait(timeout)
        return self._end

    # --- the thread of the process -----------------------------------------------------------------------------

    def _follow(self) -> None:
        popen = self._popen
        assert popen is not None
        assert popen.stdout is not None
        with popen.stdout as pipe, selectors.DefaultSelector() as selector:
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, selectors.EVENT_READ)
            while self._is_there(popen):
                if not selector.get_map():  # it has closed its output but still runs
                    self._is_over.wait(_TICK)
                elif selector.select(_TICK) and not self._read(pipe.fileno()):
                    selector.unregister(pipe)
            for _ in range(_MOST_PIECES):
                if not self._read(pipe.fileno()):
                    break
        self.output.close()
        self._finish(popen.returncode)

    def _finish(self, code: int) -> None:
        self._end = CommandEnd(code, self._is_cancelled, time.monotonic() - self._began)
        with _running_lock:
            _running.discard(self)
        try:
            self._ended(self._end)
        finally:
            self._is_over.set()

    def _read(self, pipe: int) -> bool:
        """Read a piece. Returns False at the end of the output, or if there is nothing to read now."""
        try:
            data = os.read(pipe, _PIECE)
        except OSError:  # BlockingIOError, or a pseudo-terminal that is gone
            return False
        if data:
            self.output.feed(data)
            self._heard()
        return bool(data)

    def _is_there(self, popen: Popen[bytes]) -> bool:
        """Whether any process of the group still runs. Sends the signals that are due."""
        now, code = time.monotonic(), popen.poll()
        if code is not None and not self._is_group_there():
            return False
        if self._signalled is None and not self._due:
            if self._is_cancelled:
                self._due = now
            elif code is not None:
                self._due = now + _LEFT
        elif self._signalled is None and self._is_cancelled:
            self._due = min(self._due, now)
        if self._due and now >= self._due:
            if self._signalled == signal.SIGKILL:
                return code is None  # the other processes hang in system calls; nothing more can be done
            self._send(signal.SIGKILL if self._signalled else signal.SIGTERM)
            self._due = now + (self._grace if self._signalled == signal.SIGTERM else _HOPELESS)
        return True

    def _send(self, number: signal.Signals) -> None:
        assert self._popen is not None
        self._signalled = number
        # The group has the id of its first process. The system does not reuse this id while a process of the group
        # lives, even after the first has ended.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, number)

    def _is_group_there(self) -> bool:
        assert self._popen is not None
        try:
            os.killpg(self._popen.pid, 0)
        except (ProcessLookupError, PermissionError):  # macOS raises PermissionError for processes that have ended
            return False
        return True

    def _why_not(self, error: OSError | ValueError) -> str:
        program = one_line(self.argv[0], 80) if self.argv else ""
        if isinstance(error, ValueError):
            return f"{program} cannot be run: an argument contains a null character."
        if error.errno == errno.ENOENT:
            if str(error.filename) == str(self.folder):
                return f"{one_line(str(self.folder), 200)}: there is no such folder."
            return f"{program}: there is no such program. Is its environment active?"
        why = _WHY.get(error.errno or 0, (error.strerror or str(error)).lower())
        return f"{program} cannot be run: {why}."


_running: set[CommandProcess] = set()
_running_lock = threading.Lock()  # not held while anything waits


def end_all_commands(patience: float = 0.5) -> None:
    """End all running commands: SIGTERM, and SIGKILL after `patience` seconds. Called when evaltui ends."""
    with _running_lock:
        there = list(_running)
    for process in there:
        process.cancel()
    until = time.monotonic() + patience
    for process in there:
        if process.wait(max(0.0, until - time.monotonic())) is None:
            process.kill()


atexit.register(end_all_commands)
