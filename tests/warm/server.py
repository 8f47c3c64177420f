"""A Python that has imported what commands need, and forks for each command, because imports take most of the time.

`python -P server.py SOCKET` listens at a Unix socket until its stdin is closed. A request has a length, then
(arguments, variables) in marshal's format. With it come five descriptors: stdin, stdout, stderr, the working directory,
and a pipe of the numbers of signals for the command. A command whose pipe is closed is killed. Once a command has
ended, the answer is its exit code, processor seconds and kilobytes.
"""

import array
import atexit
import gc
import io
import marshal
import os
import pkgutil
import selectors
import signal
import socket
import sys
import tempfile
import time
from contextlib import suppress
from importlib import import_module
from typing import Any

_DESCRIPTORS = 5
_LEFT_OUT = ("evaltui.tui", "evaltui.pytest", "evaltui.runs.ray")
"""Packages that import a library that most commands never need."""


def import_evaltui() -> None:
    """Import all that commands without a screen may need."""
    import evaltui

    packages = [(evaltui.__path__, "evaltui.")]
    while packages:
        for module in pkgutil.iter_modules(*packages.pop()):
            if module.name not in _LEFT_OUT and not module.name.endswith("__main__"):
                packages += [(path, f"{module.name}.")] if (path := _path_of(import_module(module.name))) else []
    gc.collect()
    gc.freeze()


def _path_of(module: Any) -> Any:
    return getattr(module, "__path__", None)


class Server:
    """The commands that run, each with the connection that waits for its end and the pipe of its signals."""

    def __init__(self, place: str) -> None:
        self._awake, self._bell = socket.socketpair()
        self._bell.setblocking(False)
        signal.set_wakeup_fd(self._bell.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(place)
        self._listening.listen(100)
        self._commands: dict[int, tuple[socket.socket, int]] = {}
        self._selector = selectors.DefaultSelector()
        for source in (sys.stdin, self._listening, self._awake):
            self._selector.register(source, selectors.EVENT_READ)

    def next_command(self) -> list[str]:
        """Serve until stdin is closed. In the process of a command, becomes that process and returns its arguments."""
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is sys.stdin:
                    self._end()
                elif key.fileobj is self._awake:
                    self._awake.recv(4096)
                    self._tell_ends()
                elif key.fileobj is not self._listening:
                    self._pass_on(key.data, key.fd)
                elif (arguments := self._begin_command()) is not None:
                    return arguments

    def _end(self) -> None:
        for process in self._commands:
            os.kill(process, signal.SIGKILL)
        os._exit(0)

    def _begin_command(self) -> list[str] | None:
        """Fork; None where the server goes on."""
        connection, _ = self._listening.accept()
        (arguments, variables), descriptors = _received(connection)
        process = os.fork()
        if not process:
            self._selector.close()
            for each in (self._awake, self._bell, self._listening, connection):
                each.close()
            for other, signals in self._commands.values():
                other.close()
                os.close(signals)
            _take_over(descriptors, variables)
            return arguments
        *others, signals = descriptors
        for descriptor in others:
            os.close(descriptor)
        self._commands[process] = connection, signals
        self._selector.register(signals, selectors.EVENT_READ, process)
        return None

    def _pass_on(self, process: int, signals: int) -> None:
        """Send signals to a command. Where its pipe is closed, nobody waits for it."""
        if process not in self._commands:
            return
        numbers = os.read(signals, 100)
        for number in numbers or [signal.SIGKILL]:
            os.kill(process, number)
        if not numbers:
            self._selector.unregister(signals)

    def _tell_ends(self) -> None:
        """Tell how commands ended."""
        while self._commands:
            process, status, usage = os.wait3(os.WNOHANG)
            if not process:
                return
            connection, signals = self._commands.pop(process)
            if signals in self._selector.get_map():
                self._selector.unregister(signals)
            os.close(signals)
            seconds = usage.ru_utime + usage.ru_stime
            with connection, suppress(OSError):  # nobody may wait for it
                connection.sendall(b"%d %f %d" % (os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss))


def _received(connection: socket.socket) -> tuple[Any, "array.array[int]"]:
    descriptors = array.array("i")
    head, ancillary, _, _ = connection.recvmsg(8, socket.CMSG_LEN(_DESCRIPTORS * descriptors.itemsize))
    for _, _, data in ancillary:
        descriptors.frombytes(data)
    text = connection.recv(int.from_bytes(head, "little"), socket.MSG_WAITALL)
    return marshal.loads(text), descriptors


def _take_over(descriptors: "array.array[int]", variables: dict[str, str]) -> None:
    """Make this process one that was started with these variables and descriptors."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for place, descriptor in enumerate(descriptors[:3]):
        os.dup2(descriptor, place)
    os.fchdir(descriptors[3])
    for descriptor in descriptors:
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(variables)
    time.tzset()
    tempfile.tempdir = None
    sys.stdin = io.TextIOWrapper(open(0, "rb", closefd=False), "utf-8")  # noqa: SIM115
    sys.stdout = io.TextIOWrapper(open(1, "wb", closefd=False), "utf-8", line_buffering=os.isatty(1))  # noqa: SIM115
    sys.stderr = io.TextIOWrapper(
        open(2, "wb", closefd=False),  # noqa: SIM115
        "utf-8",
        "backslashreplace",
        line_buffering=True,
    )


def _exit(ending: SystemExit) -> None:
    """End as Python does, but without taking all modules apart, which would take half of the time of a command."""
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        os._exit(120)
    os._exit(ending.code if isinstance(ending.code, int) else 0)


if __name__ == "__main__":
    import_evaltui()
    server = Server(sys.argv[1])
    print("listening", flush=True)
    sys.argv[1:] = server.next_command()
    from evaltui.__main__ import run

    try:
        run()
    except SystemExit as ending:
        _exit(ending)
