"""A command in the background: its output as lines, its end in words, and no process left behind.

`command_supervisor.py` is the parent of the command. It ends all descendants, also if evaltui is killed.

On an event loop, `on_end` is called in the thread of the process and posts a message. In a command without a screen,
`with saying_at_the_end(process.kill)` (`interrupt.py`) ends it on Ctrl-C. It never reads from the keyboard.
"""

from __future__ import annotations

import atexit
import codecs
import errno
import json
import os
import re
import selectors
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen
from typing import BinaryIO

from evaltui.document.errors import DocumentError
from evaltui.printable import one_line, printable
from evaltui.runs import command_supervisor

MOST_LINES = 5_000
"""The number of output lines in memory. Earlier lines are only counted."""
LONGEST = 2_000
"""Characters kept of one line."""
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[()*+][0-~]|[0-Z\\^_`-~])")
"""An escape sequence (ECMA-48): colours, cursor moves, titles. A pane of lines does not need them."""

GRACE = 3.0
"""Seconds between SIGTERM and SIGKILL."""
_PIECE = 65_536
_MOST_PIECES = 16
"""The most pieces read after the end: a process that lives on could write forever."""
_MOST_NAMED = 3
"""The most processes that a sentence names."""
_LOST = json.dumps(
    [-signal.SIGKILL, [], ["perhaps all of it, because the process of evaltui that follows it was killed"]]
)
"""The report of a supervisor that was killed."""
_REASONS: Mapping[int, str] = {
    errno.EACCES: "it is not executable",
    errno.ENOEXEC: "it is not a program and has no #! line",
    errno.E2BIG: "its arguments are too long; run fewer cases at once",
    errno.ENOTDIR: "a part of its path is a file, not a folder",
}


class CommandError(DocumentError):
    """A command cannot be run. `str(error)` is a sentence."""


class CommandOutput:
    """The last lines that a command wrote, whatever bytes it writes. One thread feeds it; any thread may read."""

    def __init__(self, most: int = MOST_LINES) -> None:
        self._lock = threading.Lock()
        self._lines: deque[str] = deque(maxlen=most)
        self._most, self._count = most, 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begin_line()
        self.state = 0
        """A number that changes with each piece of output."""

    @property
    def count(self) -> int:
        """Number of lines so far, including an unfinished line."""
        with self._lock:
            return self._count + bool(self._open)

    def feed(self, data: bytes, *, is_last: bool = False) -> None:
        """Add the next bytes. Invalid UTF-8 becomes U+FFFD. The last line may lack a newline."""
        # Not splitlines: it also splits at form feeds and U+2028, which a line of a log may have.
        *finished, rest = self._decoder.decode(data, is_last).split("\n")
        with self._lock:
            self.state += 1
            # Lines that leave the memory in this very piece are only counted: 100 MB of line breaks took minutes.
            if (surplus := len(finished) - self._most) > 0:
                self._count += surplus
                self._begin_line()
                del finished[:surplus]
            for line in finished:
                self._extend_line(line)
                self._end_line()
            self._extend_line(rest)
            if is_last and self._open:
                self._end_line()

    def tail(self, most: int = MOST_LINES) -> list[str]:
        """The last lines, at most `most`, safe to show; the very last one may still grow."""
        return self.numbered_tail(most)[1]

    def numbered_tail(self, most: int = MOST_LINES) -> tuple[int, list[str]]:
        """The number of the first of the last lines in the whole output, from 0, and these lines."""
        with self._lock:
            unfinished = [_readable(self._open, self._cut)] if self._open and most else []
            skipped = max(0, len(self._lines) - most + len(unfinished))
            lines = list(islice(self._lines, skipped, None))
            return self._count - len(lines), lines + unfinished

    def _begin_line(self) -> None:
        """Begin a line without text; `_cut` counts the characters behind the longest kept text."""
        self._open, self._cut, self._is_returned = "", 0, False

    def _extend_line(self, text: str) -> None:
        for number, part in enumerate(text.split("\r")):
            # A carriage return deletes nothing by itself: only the next text overwrites the line (progress bars).
            self._is_returned |= number > 0
            if part:
                if self._is_returned:
                    self._begin_line()
                room = LONGEST - len(self._open)
                self._open += part[:room]
                self._cut += max(0, len(part) - room)

    def _end_line(self) -> None:
        self._lines.append(_readable(self._open, self._cut))
        self._count += 1
        self._begin_line()


def _readable(line: str, cut: int) -> str:
    """A line without escape sequences, safe to show, with the number of characters that were `cut`."""
    if not cut and line.isascii() and line.isprintable():  # nearly all lines
        return line
    plain = _SEQUENCE.sub("", line) if "\x1b" in line else line
    return printable(plain.expandtabs()) + (f" … {cut:,} more characters" if cut else "")


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
        on_end: Callable[[], object] = lambda: None,
        grace: float = GRACE,
    ) -> None:
        """`environment` is added to evaltui's. `on_end` is called once."""
        self.argv, self.folder = list(argv), folder
        self.output = CommandOutput()
        # Python fills a buffer before it writes to a pipe, so its output would come late.
        self._environment = {"PYTHONUNBUFFERED": "1", **(environment or {})}
        self._on_end, self._grace = on_end, grace
        self._supervisor: Popen[bytes] | None = None
        self._orders_lock = threading.RLock()  # not Lock: a signal handler may interrupt the thread that holds it
        self._began, self._ended_at = 0.0, float("inf")
        self._is_over = threading.Event()
        self.code: int | None = None
        """Exit code; negative for the number of the signal that ended it; None while it runs."""
        self.is_cancelled = False
        self.ended: list[str] = []
        """The other processes of the command that evaltui ended: `uvicorn app:app (pid 4711)`."""
        self.alive: list[str] = []
        """The processes of the command that still live after its end."""

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._supervisor is not None and self.code is None

    @property
    def seconds(self) -> float:
        """Seconds since the start, or from start to end."""
        return min(time.monotonic(), self._ended_at) - self._began

    @property
    def outcome(self) -> str:
        """The end in a few words: `exit code 1`, `SIGKILL`, `cancelled`. Only after the end."""
        assert self.code is not None
        if self.is_cancelled:
            return "cancelled"
        if self.code >= 0:
            return f"exit code {self.code}"
        try:
            return signal.Signals(-self.code).name
        except ValueError:  # a real-time signal has no name of its own
            return f"signal {-self.code}"

    @property
    def others(self) -> list[str]:
        """Clauses about the other processes of the command, safe to show."""
        clauses = []
        for state, names in (("ended with the command", self.ended), ("still running", self.alive)):
            listed = [one_line(name, 200) for name in names[:_MOST_NAMED]]
            listed += [f"{len(names) - _MOST_NAMED:,} more"] if len(names) > _MOST_NAMED else []
            clauses += [f"{state}: {', '.join(listed)}"] if names else []
        return clauses

    def start(self) -> None:
        """Run the command. Raises `CommandError` if there is no such program or folder."""
        try:
            supervisor, report, pipes = self._launch()
        except (OSError, ValueError) as error:
            raise CommandError(self._refusal(error)) from error
        self._began, self._supervisor = time.monotonic(), supervisor
        with _running_lock:
            _running.add(self)
        threading.Thread(target=self._follow, args=(supervisor, report, pipes), name="command", daemon=True).start()
        if self.is_cancelled:  # meanwhile, by another thread
            self.cancel()

    def _launch(self) -> tuple[Popen[bytes], BinaryIO, ExitStack]:
        """The supervisor, which has started the command, and its report. Raises the error of the start."""
        with ExitStack() as pipes:
            reading, writing = os.pipe()
            report = pipes.enter_context(os.fdopen(reading, "rb"))
            # Closed here after the start: the report has no end as long as any process can write to it.
            with os.fdopen(writing, "wb"):
                words = [command_supervisor.__file__, str(self._grace), str(writing), str(self.folder), *self.argv]
                supervisor = Popen(
                    # Without -I and -S, PYTHONPATH and .pth files of the agent would run in the supervisor.
                    [sys.executable, "-I", "-S", *words],
                    bufsize=0,
                    env={**os.environ, **self._environment},
                    stdin=PIPE,
                    stdout=PIPE,
                    stderr=STDOUT,
                    pass_fds=[writing],
                    start_new_session=True,  # Ctrl-C reaches evaltui only, which then sends an order
                )
            pipes.enter_context(supervisor)
            if (error := json.loads(report.readline() or "null")) is not None:
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
        with self._orders_lock, suppress(BrokenPipeError):
            self.is_cancelled = self.is_cancelled or self.code is None
            if self._supervisor is not None and self._supervisor.stdin is not None and self.is_running:
                self._supervisor.stdin.write(order)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end; false if it has not come after `timeout` seconds."""
        return self._is_over.wait(timeout)

    def _follow(self, supervisor: Popen[bytes], report: BinaryIO, pipes: ExitStack) -> None:
        """Read the output until the supervisor reports the end. Runs in the thread of the process."""
        output = supervisor.stdout
        assert output is not None
        with pipes, selectors.DefaultSelector() as selector:
            os.set_blocking(output.fileno(), False)
            selector.register(report, selectors.EVENT_READ)
            selector.register(output, selectors.EVENT_READ)
            while report not in (ready := [key.fileobj for key, _ in selector.select()]):
                if ready and not self._read(output.fileno()):
                    selector.unregister(output)  # the command has closed its output but still runs
            code, self.ended, self.alive = json.loads(report.readline() or _LOST)
            for _ in range(_MOST_PIECES):
                if not self._read(output.fileno()):
                    break
            self.output.feed(b"", is_last=True)
            self._ended_at = time.monotonic()
            with self._orders_lock:  # no order is written into a closed pipe
                self.code = code
        with _running_lock:
            _running.discard(self)
        try:
            self._on_end()
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
        return bool(data)

    def _refusal(self, error: OSError | ValueError) -> str:
        program = one_line(self.argv[0], 80) if self.argv else ""
        if isinstance(error, ValueError):
            return f"{program} cannot be run: an argument contains a null character."
        reason = (error.strerror or str(error)).lower()
        if str(error.filename) == str(self.folder):
            reason = "there is no such folder" if error.errno == errno.ENOENT else reason
            return f"{one_line(str(self.folder), 200)}: {reason}."
        if error.errno == errno.ENOENT:
            # Most often, the program of a virtual environment is missing because nobody activated it.
            return f"{one_line(str(error.filename), 80)}: there is no such program. Is its environment active?"
        return f"{program} cannot be run: {_REASONS.get(error.errno or 0, reason)}."


_running: set[CommandProcess] = set()
_running_lock = threading.Lock()  # not held while anything waits


def end_all_commands(patience: float = 0.5) -> None:
    """End all running commands: SIGTERM, and SIGKILL after `patience` seconds. Called when evaltui ends."""
    with _running_lock:
        running = list(_running)
    for process in running:
        process.cancel()
    deadline = time.monotonic() + patience
    for process in running:
        if not process.wait(max(0.0, deadline - time.monotonic())):
            process.kill()


atexit.register(end_all_commands)
