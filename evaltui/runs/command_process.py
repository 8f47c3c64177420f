"""A command in the background: its output as lines, its end in words, and no process left behind.

`command_supervisor.py` is the parent of the command. It ends all descendants, also if evaltui is killed.

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
import json
import os
import selectors
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen
from typing import BinaryIO, NamedTuple

from evaltui.document.errors import DocumentError
from evaltui.printable import one_line
from evaltui.runs import command_supervisor
from evaltui.runs.command_output import CommandOutput

GRACE = 3.0
"""Seconds between SIGTERM and SIGKILL."""
_PIECE = 65_536
_MOST_PIECES = 16
"""The most pieces read after the end: a process that lives on could write forever."""
_MOST_NAMED = 3
"""The most processes that a sentence names."""
_STARTED = "null"
_LOST = json.dumps(
    [-signal.SIGKILL, [], ["perhaps all of it, because the process of evaltui that follows it was killed"]]
)
"""The report of a supervisor that was killed."""

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
    ended: tuple[str, ...] = ()
    """The other processes of the command that evaltui ended: `uvicorn app:app (pid 4711)`."""
    left: tuple[str, ...] = ()
    """The processes of the command that still live."""

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

    @property
    def others(self) -> list[str]:
        """Clauses about the other processes of the command, safe to show."""
        clauses = (("ended with the command", self.ended), ("still running", self.left))
        return [f"{said}: {_listed(names)}" for said, names in clauses if names]


def _listed(names: Sequence[str]) -> str:
    more = [f"{len(names) - _MOST_NAMED:,} more"] if len(names) > _MOST_NAMED else []
    return ", ".join([*(one_line(name, 200) for name in names[:_MOST_NAMED]), *more])


class CommandProcess:
    """One command in a session of its own, with stdout and stderr as one output.

    The command has ended when its first process and all others of the session have ended. If it is cancelled or killed,
    all its descendants end.
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
        self._supervisor: Popen[bytes] | None = None
        self._orders_lock = threading.RLock()  # not Lock: a signal handler may interrupt the thread that holds it
        self._began = 0.0
        self._end: CommandEnd | None = None
        self._is_over = threading.Event()
        self._is_cancelled = False

    @property
    def end(self) -> CommandEnd | None:
        """How it ended; None while it runs."""
        return self._end

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._supervisor is not None and self._end is None

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
            supervisor, report, pipes = self._launched()
        except (OSError, ValueError) as error:
            raise CommandError(self._why_not(error)) from error
        self._began, self._supervisor = time.monotonic(), supervisor
        with _running_lock:
            _running.add(self)
        threading.Thread(target=self._follow, args=(supervisor, report, pipes), name="command", daemon=True).start()
        if self._is_cancelled:  # meanwhile, by another thread
            self.cancel()

    def _launched(self) -> tuple[Popen[bytes], BinaryIO, ExitStack]:
        """The supervisor, which has started the command, and its report. Raises the error of the start."""
        with ExitStack() as pipes:
            reading, writing = os.pipe()
            report = pipes.enter_context(os.fdopen(reading, "rb"))
            with os.fdopen(writing, "wb"):
                words = [command_supervisor.__file__, str(self._grace), str(writing), str(self.folder), *self.argv]
                supervisor = Popen(
                    [sys.executable, "-I", "-S", *words],
                    bufsize=0,
                    env={**os.environ, **self._environment},
                    stdin=PIPE,
                    stdout=PIPE,
                    stderr=STDOUT,
                    pass_fds=[writing],
                    start_new_session=True,
                )
            pipes.enter_context(supervisor)
            if (error := json.loads(report.readline() or _STARTED)) is not None:
                number, text, path = error
                raise OSError(number, text, path)
            return supervisor, report, pipes.pop_all()

    def cancel(self) -> None:
        """Send SIGTERM to all processes of the command, and SIGKILL after the grace period."""
        self._order(b"t")

    def kill(self) -> None:
        """Kill all processes of the command now; also from a signal handler."""
        self._order(b"k")

    def _order(self, order: bytes) -> None:
        self._is_cancelled = True
        with self._orders_lock, suppress(BrokenPipeError):
            if self._supervisor is not None and self._supervisor.stdin is not None and self.is_running:
                self._supervisor.stdin.write(order)

    def wait(self, timeout: float | None = None) -> CommandEnd | None:
        """Wait for the end; None if it has not come after `timeout` seconds."""
        self._is_over.wait(timeout)
        return self._end

    # --- the thread of the process -----------------------------------------------------------------------------

    def _follow(self, supervisor: Popen[bytes], report: BinaryIO, pipes: ExitStack) -> None:
        output = supervisor.stdout
        assert output is not None
        with pipes, selectors.DefaultSelector() as selector:
            os.set_blocking(output.fileno(), False)
            selector.register(report, selectors.EVENT_READ)
            selector.register(output, selectors.EVENT_READ)
            while report not in (ready := [key.fileobj for key, _ in selector.select()]):
                if ready and not self._read(output.fileno()):
                    selector.unregister(output)  # the command has closed its output but still runs
            code, ended, left = json.loads(report.readline() or _LOST)
            for _ in range(_MOST_PIECES):
                if not self._read(output.fileno()):
                    break
            self.output.close()
            end = CommandEnd(code, self._is_cancelled, time.monotonic() - self._began, tuple(ended), tuple(left))
            with self._orders_lock:  # no order is written into a closed pipe
                self._end = end
        with _running_lock:
            _running.discard(self)
        try:
            self._ended(end)
        finally:
            self._is_over.set()

    def _read(self, pipe: int) -> bool:
        """Read a piece. Returns False at the end of the output, or if there is nothing to read now."""
        try:
            data = os.read(pipe, _PIECE)
        except OSError:  # BlockingIOError
            return False
        if data:
            self.output.feed(data)
            self._heard()
        return bool(data)

    def _why_not(self, error: OSError | ValueError) -> str:
        program = one_line(self.argv[0], 80) if self.argv else ""
        if isinstance(error, ValueError):
            return f"{program} cannot be run: an argument contains a null character."
        if str(error.filename) == str(self.folder):
            why = "there is no such folder" if error.errno == errno.ENOENT else (error.strerror or str(error)).lower()
            return f"{one_line(str(self.folder), 200)}: {why}."
        if error.errno == errno.ENOENT:
            return f"{one_line(str(error.filename), 80)}: there is no such program. Is its environment active?"
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
