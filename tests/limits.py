"""A test that hangs ends, whatever it waits for: its children are killed, an error is raised in it, its worker ends."""

import faulthandler
import os
import signal
from collections import defaultdict
from collections.abc import Callable, Generator
from contextlib import suppress
from multiprocessing import resource_tracker
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

LAST_WORDS = 20
"""Seconds that a test has beyond its limit to clean up, before its worker ends."""
_console = [2]
_limit = pytest.StashKey[float]()


def keep_console() -> None:
    """Keep a way to the console for the last words: while a test runs, pytest captures what is written."""
    _console.append(os.dup(2))


def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> bool:
    """Begin the time of a test: the hook of pytest-timeout."""
    item.stash[_limit] = settings.timeout
    _begin(settings.timeout)
    return True


def _begin(limit: float) -> None:
    def end(_number: int, _frame: FrameType | None) -> None:
        kill_children()
        raise SystemExit(f"the test took more than its {limit:g} s")  # asyncio keeps other exceptions

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, limit)
    faulthandler.dump_traceback_later(limit + LAST_WORDS, exit=True, file=_console[-1])


@pytest.hookimpl(trylast=True)
def pytest_exception_interact(node: pytest.Item | pytest.Collector) -> None:
    """Begin the time again for the end of a test that failed: pytest-timeout stops it, for people who debug."""
    if isinstance(node, pytest.Item) and _limit in node.stash:
        _begin(node.stash[_limit])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """Undo what a test patched, also if its event loop raises the end of the test once more while it closes.

    Of a fixture that ends with `SystemExit`, pytest leaves out all that was to be done after it.
    """
    try:
        yield
    except SystemExit:
        patched = getattr(item, "funcargs", {}).get("monkeypatch")
        if isinstance(patched, pytest.MonkeyPatch):
            patched.undo()
        raise


def pytest_timeout_cancel_timer() -> bool:
    """End the time of a test: the hook of pytest-timeout."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    faulthandler.cancel_dump_traceback_later()
    return True


def kill_children() -> None:
    """Kill all that this process started, and what they started: the test may wait for them.

    Only the process in which multiprocessing notes what is in use goes on: later tests need it.
    """
    for process in reversed(_descendants(os.getpid(), _children())):
        if process != resource_tracker._resource_tracker._pid:  # type: ignore[attr-defined]
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)


def _descendants(process: int, children: dict[int, list[int]]) -> list[int]:
    return [each for child in children[process] for each in (child, *_descendants(child, children))]


def _children() -> dict[int, list[int]]:
    """The children of each process, where the system has /proc."""
    children: dict[int, list[int]] = defaultdict(list)
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(status.read_text().rpartition(")")[2].split()[1])
            children[parent].append(int(status.parent.name))
    return children


def heed_signals() -> None:
    """Let children obey signals that whoever started the tests ignores, as `nohup make test &` does.

    A program that is started ignores what its parent ignores, but not what its parent has a function for.
    """
    mine: dict[str, Callable[..., object]] = {"SIGINT": signal.default_int_handler, "SIGHUP": _stay, "SIGQUIT": _stay}
    for name, function in mine.items():
        number = getattr(signal, name)
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, function)


def _stay(_number: int, _frame: FrameType | None) -> None:
    """This process goes on, as if it ignored the signal."""
