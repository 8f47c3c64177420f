"""Processes of the measured programs, each with a home folder of its own."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.figures import MeasurementError
from benchmarks.large_set import cache_folder

PROJECT = Path(__file__).parent.parent
_UNWANTED = re.compile(r"TEXTUAL|XDG_|TMUX|(NO_COLOR|COLORFGBG|COLUMNS|LINES|PYTHONDONTWRITEBYTECODE)$")


def evaltui(*arguments: str | Path) -> list[str]:
    """The command as people run it: the console script if it is installed."""
    script = Path(sys.executable).with_name("evaltui")
    command = [str(script)] if script.exists() else [sys.executable, "-m", "evaltui"]
    return [*command, *map(str, arguments)]


@contextmanager
def fresh_environment() -> Iterator[dict[str, str]]:
    """Environment variables with a new, empty home, so that no journal or setting of an earlier run is found.

    Compiled modules are kept, so the second start is measured, not the first after an installation.
    """
    kept = {name: value for name, value in os.environ.items() if not _UNWANTED.match(name)}
    with tempfile.TemporaryDirectory(prefix="evaltui-home-", ignore_cleanup_errors=True) as home:
        folders = {f"XDG_{kind}_HOME": f"{home}/{kind.lower()}" for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
        compiled = {"PYTHONPYCACHEPREFIX": str(cache_folder() / "compiled")}
        yield kept | folders | compiled | {"HOME": home, "TERM": "xterm-256color", "LANG": "C.UTF-8"}


def run_seconds(argv: Sequence[str], env: Mapping[str, str]) -> float:
    """Seconds from the start of a program to its end."""
    start = time.perf_counter()
    output_of(argv, env)
    return time.perf_counter() - start


def seconds_and_mb(argv: Sequence[str], env: Mapping[str, str], ends: Sequence[int] = (0,)) -> tuple[float, float]:
    """Seconds that a program runs, and its peak memory in MB. It must end with one of the given exit codes."""
    start = time.perf_counter()
    process = subprocess.Popen(argv, env=dict(env), cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in ends:
        raise MeasurementError(f"{' '.join(argv)} ended with {process.returncode}")
    return seconds, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


def output_of(argv: Sequence[str], env: Mapping[str, str]) -> str:
    """The output of a program, which must succeed."""
    done = subprocess.run(argv, env=dict(env), cwd=PROJECT, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["nothing"]
        raise MeasurementError(f"{' '.join(argv)} ended with {done.returncode} and said: {said[-1]}")
    return done.stdout


def peak_mb(pid: int | str = "self") -> float:
    """The peak memory of a process so far, in MB. Not a number on other systems than Linux."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return float("nan")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) * 1024 / 1e6 if found else float("nan")
