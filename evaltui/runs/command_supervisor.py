"""The parent of a command: a process of its own, so that every descendant of the command can be found and ended.

`CommandProcess` runs this file as a script with `-I -S`. It imports the standard library only.

On Linux, the supervisor is a *child subreaper* (prctl(2)): a process whose parent ends becomes a child of the
supervisor, whatever group or session it made. So the parents in /proc lead to all descendants. Only the supervisor
waits for them: no other child of evaltui is touched. Elsewhere, it looks at all processes twice a second, and knows a
descendant by its parent or by its session. There, it misses a process that leaves both between two looks.

stdin has the orders of evaltui, a letter each: `t` for SIGTERM, `k` for SIGKILL. The report has two lines of JSON: null
or [errno, text, file name] for the start, then [exit code, ended processes, living processes].
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from subprocess import DEVNULL, Popen, run
from typing import NamedTuple

_PROC = "/proc"
_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of linux/prctl.h."""
_TICK = 0.05
"""Seconds between two checks of the command."""
_LOOK = 0.5
"""Seconds between two looks at all processes, if orphans are not adopted."""
_LINGER = 0.5
"""Seconds for other processes, such as `tee`, to end by themselves after the first has ended."""
_HOPELESS = 1.0
"""Seconds to wait after SIGKILL. A process that hangs in a system call is then left alone."""
_LONGEST = 60
"""Characters of a command line in the report."""


class ProcessRow(NamedTuple):
    """A process of the system."""

    pid: int
    parent: int
    session: int
    start: str
    """When it started. Two processes with one number differ in it."""
    words: str = ""
    """Its command line, if it was read."""


def read_proc() -> Iterator[ProcessRow]:
    """All processes that have not ended, of /proc (proc(5))."""
    for name in os.listdir(_PROC):  # noqa: PTH208 - pathlib takes 10 ms to import
        if name.isdecimal():
            with suppress(OSError, ValueError):
                # The name of the program stands in parentheses, and may have blanks and parentheses itself.
                fields = _read_proc_file(name, "stat").rpartition(")")[2].split()
                threads, start = fields[17], fields[19]
                # A process whose first thread has ended looks like a zombie, but has more threads.
                if fields[0] not in "ZX" or int(threads) > 1:
                    yield ProcessRow(int(name), int(fields[1]), int(fields[3]), start)


def _read_proc_file(pid: int | str, name: str) -> str:
    with open(f"{_PROC}/{pid}/{name}", errors="replace") as file:  # noqa: PTH123
        return file.read()


def read_ps() -> Iterator[ProcessRow]:
    """All processes that have not ended, of ps(1) in the form of POSIX and with the starts of BSD and Linux."""
    command = ["/bin/ps", "-A", "-o", "pid=,ppid=,stat=,lstart=,command="]
    # In the C locale, `lstart` is five words everywhere.
    listing = run(command, stdin=DEVNULL, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"})
    for line in listing.stdout.decode(errors="replace").splitlines():
        with suppress(OSError, ValueError):  # OSError: it has ended meanwhile
            pid, parent, state, *start, words = line.split(None, 8)
            if not state.startswith("Z"):
                yield ProcessRow(int(pid), int(parent), os.getsid(int(pid)), " ".join(start), words)


def read_group(leader: int) -> Iterator[ProcessRow]:
    """The process group of a command as one row, with the number by which kill(2) knows it."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(-leader, 0)
        yield ProcessRow(-leader, os.getpid(), leader, "", "its process group")


class Family:
    """The descendants of this process."""

    def __init__(self, rows: Callable[[], Iterable[ProcessRow]], *, adopts: bool) -> None:
        """`adopts` says that orphans become children of this process."""
        self._rows, self.adopts = rows, adopts
        self._last: dict[int, ProcessRow] = {}
        """The descendants at the last look; empty if parents alone lead to all of them."""

    def living(self) -> dict[int, ProcessRow]:
        """The descendants that have not ended, by number."""
        own = os.getsid(0)  # `ps` runs in it, but no descendant: the command has a session of its own
        rows = {row.pid: row for row in self._rows() if row.session != own}
        # A session of a descendant has descendants only: a process can make a session, but not join one.
        sessions = {row.session for row in self._last.values()}
        living = {pid: row for pid, row in rows.items() if pid in self._last and self._last[pid].start == row.start}
        count = -1
        while count < len(living):  # rows are in any order, so each round may find children of the round before
            count = len(living)
            for row in rows.values():
                if row.parent == os.getpid() or row.parent in living or row.session in sessions:
                    living[row.pid] = row
                    if not self.adopts:
                        sessions.add(row.session)
        self._last = living if not self.adopts else {}
        return living


class Supervisor:
    """Follows one command to its end."""

    def __init__(self, family: Family, grace: float) -> None:
        self._family, self._grace = family, grace
        self._is_ordered = False
        self._term_at = self._kill_at = float("inf")
        """When signals are due, by `time.monotonic`."""
        self._signalled: dict[tuple[int, str], str] = {}
        """Processes that got a signal, by number and start, as the report names them."""
        self._code: int | None = None

    def order(self, order: str = "t") -> None:
        """Take an order: `t` or `k`."""
        self._is_ordered = True
        self._end_all(time.monotonic(), 0.0 if "k" in order else self._grace)

    def follow(self, first: Popen[bytes]) -> tuple[int, list[str], list[str]]:
        """Wait for the end: the exit code of the first process, the others that were ended, and all that live."""
        next_look = float("inf") if self._family.adopts else 0.0
        with selectors.DefaultSelector() as selector:
            selector.register(0, selectors.EVENT_READ)
            while True:
                if selector.select(_TICK):
                    orders = os.read(0, 100)
                    self.order(orders.decode())  # no orders: evaltui has ended, perhaps by SIGKILL
                    if not orders:
                        selector.unregister(0)
                # All children are waited for, adopted ones too: else they would stay as zombies until the end.
                with suppress(ChildProcessError):
                    while (child := os.waitpid(-1, os.WNOHANG))[0]:
                        if child[0] == first.pid:
                            self._code = first.returncode = os.waitstatus_to_exitcode(child[1])
                            self._end_all(time.monotonic() + _LINGER, self._grace)
                time_now = time.monotonic()
                # While there is nothing to end, nobody reads all of /proc 20 times a second.
                if self._code is None and not self._is_ordered and time_now < next_look:
                    continue
                living = self._family.living()
                next_look = min(next_look, time_now + _LOOK)
                if self._is_over(living, first.pid, time_now):
                    break
        keys = {(row.pid, row.start) for row in living.values()}
        ended = [name for key, name in self._signalled.items() if key not in keys and key[0] != first.pid]
        alive = [_process_name(row) for row in living.values()]
        return self._code if self._code is not None else -signal.SIGKILL, ended, alive

    def _end_all(self, term_at: float, grace: float) -> None:
        """Let the signals be due at a time, or at an earlier one that was set before."""
        self._term_at = min(self._term_at, term_at)
        self._kill_at = min(self._kill_at, term_at + grace)

    def _is_over(self, living: dict[int, ProcessRow], first: int, time_now: float) -> bool:
        """Send the signals that are due. Returns whether nothing is left to end."""
        if self._code is None and not self._is_ordered:
            return False
        # A command that ended by itself may have started a server on purpose, in a session of its own.
        may_leave = not self._is_ordered and self._code is not None and self._code >= 0
        due = [row for row in living.values() if row.session == first or not may_leave]
        is_done = self._code is not None and not due and (not living or time_now >= self._term_at)
        if is_done or time_now > self._kill_at + _HOPELESS:
            return True
        for row in due if time_now >= self._term_at else ():
            has_signal = (row.pid, row.start) in self._signalled
            self._signalled.setdefault((row.pid, row.start), _process_name(row))
            with suppress(ProcessLookupError, PermissionError):
                if time_now >= self._kill_at:
                    os.kill(row.pid, signal.SIGKILL)
                elif not has_signal:
                    os.kill(row.pid, signal.SIGTERM)
        return False


def _process_name(row: ProcessRow) -> str:
    """A process as people know it: `uvicorn app:app (pid 4711)`."""
    words = row.words
    if not words:
        with suppress(OSError):
            words = _read_proc_file(row.pid, "cmdline").replace("\0", " ").strip()
    name = f"{words[:_LONGEST]}…" if len(words) > _LONGEST else words or "process"
    return f"{name} (pid {row.pid})"


def _adopt_orphans() -> bool:
    """Become the parent of descendants whose parent ends. Returns whether this system can do that."""
    with suppress(ImportError, AttributeError, OSError):
        from ctypes import CDLL  # noqa: PLC0415 - a Python may lack it

        return sys.platform == "linux" and not int(CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0))
    return False


def supervise(grace: float, report: int, folder: str, argv: list[str]) -> None:
    """Run the command in its folder, and report its end."""

    def rows() -> Iterable[ProcessRow]:
        if not os.path.exists(f"{_PROC}/self/stat"):  # noqa: PTH110
            return read_ps()
        # In a PID namespace without a /proc of its own, the numbers there are those of other processes.
        is_own = os.readlink(f"{_PROC}/self") == str(os.getpid())  # noqa: PTH115
        return read_proc() if is_own else read_group(first.pid)

    supervisor = Supervisor(Family(rows, adopts=_adopt_orphans()), grace)

    def report_value(value: object) -> None:
        with suppress(BrokenPipeError):  # evaltui has ended
            os.write(report, f"{json.dumps(value)}\n".encode())

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # who starts evaltui may ignore it: then nobody learns exit codes
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: supervisor.order())
    try:
        first = Popen(argv, cwd=folder, stdin=DEVNULL, start_new_session=True)
    except OSError as error:
        report_value([error.errno, error.strerror, error.filename])
        return
    report_value(None)
    report_value(supervisor.follow(first))


if __name__ == "__main__":
    supervise(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:])
