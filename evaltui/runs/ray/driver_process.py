"""The driver of a run on a cluster: a child process that talks to Ray, which the command itself watches.

Ray ends its driver from C++ when the node of the driver is lost, writes to stdout, and waits without a word. A signal
handler of Python cannot run while Ray's C++ waits, and Ray takes the driver out of the process group of the terminal.
So `run_in_driver` forks: the child does all the work, and the command says how it ended.

The driver tells the command through a pipe how long Ray may be silent (`allow_silence`, `note_progress`).
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from shutil import copyfileobj
from tempfile import TemporaryFile, mkstemp
from typing import IO, TextIO

from evaltui.document.errors import DocumentError
from evaltui.interrupt import ending_on_signals
from evaltui.printable import one_line

_GRACE = 2.5
"""Seconds that the driver has to end its tasks on the cluster after Ctrl-C."""
_QUIET = 5.0
"""Seconds without progress after which the bar says what is waited for."""


class _Driver:
    """The state of the driver: where the command listens, and how long Ray may be silent."""

    def __init__(self) -> None:
        self.pipe: int | None = None
        """The pipe to the command; None if this process is no driver."""
        self.log: IO[bytes] | None = None
        """The file without a name that gets Ray's messages. The command can read it, too."""
        self.output: IO[bytes] | None = None
        """The file that has the place of stdout and stderr while Ray may write to them."""
        self.terminal: TextIO | None = None
        """The real stderr meanwhile."""
        self.allowed = b"0 \n"
        """The last line to the command: the seconds that Ray may be silent, and the sentence after that time."""
        self.last = time.monotonic()
        """When the last progress was made."""
        self.told = 0.0
        """When the command was told last."""
        self.waits_for = "the Ray cluster"


_driver = _Driver()


def is_driver() -> bool:
    """Whether this process was forked by `run_in_driver`."""
    return _driver.pipe is not None


def allow_silence(seconds: float, sentence: str) -> None:
    """From now on, the command ends with `sentence` after `seconds` without progress; with 0 seconds, never."""
    _driver.allowed = f"{seconds:g} {one_line(sentence)}\n".encode()
    _driver.last = time.monotonic()
    _tell(_driver.last)


def note_progress() -> None:
    """Ray has done something."""
    _driver.last = time_now = time.monotonic()
    # A command that Ctrl-Z stopped does not read: do not wait for it.
    if time_now - _driver.told > 1 and _driver.pipe is not None and select.select([], [_driver.pipe], [], 0)[1]:
        _tell(time_now)


def _tell(time_now: float) -> None:
    _driver.told = time_now
    if _driver.pipe is not None:
        with suppress(BrokenPipeError):  # the command has ended, and this process will
            os.write(_driver.pipe, _driver.allowed)


def silence() -> float:
    """Seconds since the last progress."""
    return time.monotonic() - _driver.last


def wait_for(what: str) -> None:
    """Name what Ray waits for."""
    _driver.waits_for = what


def waiting() -> str:
    """A clause about what Ray waits for, and how long; empty while there is progress."""
    return "" if silence() < _QUIET else f"waiting {silence():.0f} s for {_driver.waits_for}"


def terminal() -> TextIO:
    """The stderr of the command, also within `ray_output`."""
    return _driver.terminal or sys.stderr


@contextmanager
def ray_output() -> Iterator[IO[bytes]]:
    """A file in place of stdout and stderr within the context: Ray writes to both, also from C++ and its threads."""
    if _driver.output is not None:
        yield _driver.output
        return
    sys.stdout.flush()
    sys.stderr.flush()
    with nullcontext(_driver.log) if _driver.log else TemporaryFile("a+b") as output:
        handles = [os.dup(1), os.dup(2)]
        _driver.output = output
        _driver.terminal = os.fdopen(handles[1], "w", encoding="utf-8", errors="replace", closefd=False)
        try:
            for number in (1, 2):
                os.dup2(output.fileno(), number)
            yield output
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            _driver.output = _driver.terminal = None
            for number, handle in zip((1, 2), handles, strict=True):
                os.dup2(handle, number)
                os.close(handle)


def kept_log(log: IO[bytes] | None = None) -> str:
    """A clause that names a copy of Ray's messages which outlives the run; empty if there are none."""
    source = log or _driver.log
    with suppress(OSError):
        if source is not None and os.fstat(source.fileno()).st_size:
            handle, name = mkstemp(prefix="evaltui-ray-", suffix=".log")  # which only this user may read
            with os.fdopen(handle, "wb") as copy:
                source.seek(0)
                copyfileobj(source, copy)
            return f". Messages of Ray are in {name}"
    return ""


def run_in_driver(work: Callable[[], int], clear: Callable[[], object]) -> int:
    """Call `work` in a child process, and return its exit code.

    The child returns from here, too, and ends as this process would. `clear` removes a progress bar that the child
    left. Raises `DocumentError` if Ray ended the child, or was silent for too long.
    """
    if not hasattr(os, "fork"):
        return work()
    sys.stdout.flush()
    sys.stderr.flush()
    log = TemporaryFile("a+b")  # noqa: SIM115 - both processes use it until they end
    pipe_out, pipe_in = os.pipe()
    life_out, life_in = os.pipe()
    child = os.fork()
    if child:
        os.close(pipe_in)
        os.close(life_out)
        return _watch_driver(child, pipe_out, log, clear)
    os.close(pipe_out)
    os.close(life_in)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command hears Ctrl-C, and sends SIGTERM
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)  # Ray makes a process group: the terminal may stop its writers
    _driver.pipe, _driver.log = pipe_in, log
    threading.Thread(target=_end_with_command, args=(life_out,), daemon=True).start()
    return work()


def _end_with_command(life_out: int) -> None:
    """End this process when the command ends, of which it holds the other end of the pipe."""
    os.read(life_out, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE)
    os._exit(1)


def _watch_driver(child: int, pipe: int, log: IO[bytes], clear: Callable[[], object]) -> int:
    """The exit code of the driver, once it has ended. Raises `DocumentError`."""

    def end_driver() -> None:
        """End the driver, its tasks on the cluster, and the cluster that it started."""
        with suppress(ProcessLookupError, ChildProcessError):
            has_group = os.getpgid(child) == child  # Ray makes one if it starts a cluster
            os.kill(child, signal.SIGTERM)
            limit = time.monotonic() + _GRACE
            while not os.waitpid(child, os.WNOHANG)[0] and time.monotonic() < limit:
                time.sleep(0.02)
            (os.killpg if has_group else os.kill)(child, signal.SIGKILL)
        clear()

    allowed, sentence, rest, silent = 0.0, "", b"", 0
    with ending_on_signals(end_driver):
        while True:
            if select.select([pipe], [], [], 1.0)[0]:
                silent = 0
                if not (data := os.read(pipe, 65_536)):
                    break
                *lines, rest = (rest + data).split(b"\n")
                if lines:
                    seconds, _, sentence = lines[-1].decode().partition(" ")
                    allowed = float(seconds)
                continue
            silent += 1  # counted, and not measured: while Ctrl-Z stops the command, Ray is not silent
            if 0 < allowed <= silent:
                end_driver()
                raise DocumentError(f"{sentence}{kept_log(log)}")
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code < 0 or allowed:
        clear()
        how = f"by {signal.Signals(-code).name}" if code < 0 else "by Ray"
        raise DocumentError(f"the Ray cluster was lost: the run was ended {how}; run it again{kept_log(log)}")
    return code
