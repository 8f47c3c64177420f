"""What a test can wait for on a screen."""

import inspect
import os
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path

Wanted = str | re.Pattern[str] | Callable[[list[str]], bool]


def holds(wanted: Wanted, lines: list[str]) -> bool:
    """Whether the screen has the substring, matches the pattern or meets the condition."""
    if callable(wanted):
        return wanted(lines)
    text = "\n".join(lines)
    return wanted in text if isinstance(wanted, str) else wanted.search(text) is not None


def words(wanted: Wanted | Callable[[], bool]) -> str:
    """How to name it in a failure: a condition by its source."""
    if not callable(wanted):
        return repr(wanted)
    try:
        return inspect.getsource(wanted).strip()
    except (OSError, TypeError):
        return repr(wanted)


def until(condition: Callable[[], bool]) -> None:
    """Waits for what nothing tells of, such as a process that ends."""
    deadline = time.monotonic() + 15
    while not condition():
        assert time.monotonic() < deadline, words(condition)
        threading.Event().wait(0.01)


def is_there(process: int) -> bool:
    """Whether a process runs and is no zombie, as far as the system tells."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self").exists()


def evaltui_of(pid: int) -> int:
    """The evaltui that runs a command, given the first process of the command: the parent of its supervisor."""
    for _ in range(2):
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return pid
