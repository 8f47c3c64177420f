"""A Python that has imported what commands need, and forks for each command, because imports take most of the time.

`python -P server.py SOCKET` listens at a Unix socket until its stdin is closed. A request has a length, then
(arguments, variables) in marshal's format, with stdin, stdout, stderr and the working directory as descriptors. The
answer has two lines: the process id; and once the command has ended, its status, processor seconds and kilobytes.
A command whose connection is closed is killed.
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
from importlib import import_module
from typing import Any

_DESCRIPTORS = 4
_LEFT_OUT = ("evaltui.tui", "evaltui.pytest", "evaltui.runs.cluster")
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


def next_command(place: str) -> tuple[list[str], dict[str, str]]:
    """Serve until stdin is closed. In the process of a command, returns its arguments and variables."""
    awake, wake = socket.socketpair()
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(place)
    listening.listen(100)
    print("listening", flush=True)
    commands: dict[int, socket.socket] = {}
    selector = selectors.DefaultSelector()
    for source in (sys.stdin, listening, awake):
        selector.register(source, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if key.fileobj is sys.stdin:
                for process in commands:
                    os.kill(process, signal.SIGKILL)
                os._exit(0)
            elif key.fileobj is awake:
                awake.recv(4096)
                _answer(commands, selector)
            elif key.fileobj is listening:
                connection, _ = listening.accept()
                request, descriptors = _received(connection)
                process = os.fork()
                if not process:
                    selector.close()
                    for each in (awake, wake, listening, connection, *commands.values()):
                        each.close()
                    _take_over(descriptors, request[1])
                    return request
                for descriptor in descriptors:
                    os.close(descriptor)
                connection.sendall(b"%d\n" % process)
                commands[process] = connection
                selector.register(connection, selectors.EVENT_READ, process)
            else:  # whoever wanted the command is gone
                selector.unregister(key.fileobj)
                os.kill(key.data, signal.SIGKILL)


def _received(connection: socket.socket) -> tuple[Any, "array.array[int]"]:
    descriptors = array.array("i")
    head, ancillary, _, _ = connection.recvmsg(8, socket.CMSG_LEN(_DESCRIPTORS * descriptors.itemsize))
    for _, _, data in ancillary:
        descriptors.frombytes(data)
    text = b""
    while len(text) < int.from_bytes(head, "little"):
        text += connection.recv(1 << 16)
    return marshal.loads(text), descriptors


def _answer(commands: dict[int, socket.socket], selector: selectors.BaseSelector) -> None:
    """Tell how commands ended."""
    while commands:
        process, status, usage = os.wait3(os.WNOHANG)
        if not process:
            return
        connection = commands.pop(process)
        if connection in selector.get_map():
            selector.unregister(connection)
            seconds = usage.ru_utime + usage.ru_stime
            connection.sendall(b"%d %f %d\n" % (os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss))
        connection.close()


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
    sys.argv[1:], _ = next_command(sys.argv[1])
    from evaltui.__main__ import run

    try:
        run()
    except SystemExit as ending:
        _exit(ending)
