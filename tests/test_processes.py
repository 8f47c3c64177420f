"""Work in several processes: the same results in the same order, and nobody left behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path

import pytest

from evaltui.document.errors import DocumentError
from evaltui.processes import in_processes
from tests.process_tasks import divided, killed, shifted


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_the_results_are_in_the_order_of_the_tasks(jobs: int) -> None:
    others = active_children()
    found = list(in_processes(shifted, range(20), jobs))
    assert [number for number, _ in found] == list(range(100, 120))
    assert (os.getpid() in {process for _, process in found}) == (jobs == 1)
    assert set(active_children()) <= set(others)


def test_few_tasks_are_in_flight() -> None:
    given: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(100):
            given.append(number)
            yield number

    results = in_processes(shifted, tasks(), 2)
    for number in range(10):
        next(results)
        assert len(given) <= number + 4
    results.close()  # type: ignore[attr-defined]
    assert len(given) < 20


def test_no_task_needs_no_process() -> None:
    assert list(in_processes(shifted, [], 2)) == []


def test_an_error_of_the_function_is_raised() -> None:
    results = in_processes(divided, [2, 1, 0, 1], 2)
    assert [next(results), next(results)] == [0.5, 1.0]
    with pytest.raises(ZeroDivisionError):
        next(results)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill")
def test_a_process_that_is_killed_is_an_error() -> None:
    with pytest.raises(DocumentError, match="--jobs 1"):
        list(in_processes(killed, range(50), 2))


PROGRAM = """
import os, signal, sys
from contextlib import closing
from evaltui.interrupt import end_at_once
from evaltui.processes import in_processes

def slow(number):
    os.write(2, b"%d\\n" % number)  # at once: two processes write
    while number:
        signal.pause()

if __name__ == "__main__":
    if sys.argv[2] == "at once":
        end_at_once()
    with closing(in_processes(slow, [0, 1, 1, 1], 2)) as results:
        next(results)
        os.kill(os.getpid(), getattr(signal, sys.argv[1]))
        next(results)
"""


@pytest.mark.skipif(not hasattr(signal, "pause"), reason="this system has no signals")
@pytest.mark.parametrize(
    ("name", "how", "code"),
    [
        ("SIGINT", "at once", 130),
        ("SIGINT", "python", -2),
        ("SIGKILL", "at once", -9),
        ("SIGTERM", "at once", -15),
        ("SIGHUP", "python", -1),
    ],
)
def test_the_end_of_the_parent_is_the_end_of_all(tmp_path: Path, name: str, how: str, code: int) -> None:
    """The processes have our pipe as stderr: this returns when all of them have ended."""
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "program.py", name, how]
    done = subprocess.run(command, cwd=tmp_path, stderr=subprocess.PIPE, check=False, timeout=60)
    assert done.returncode == code
    assert (b"Traceback" in done.stderr) == (name == "SIGINT" and how == "python")
    assert b"0\n" in done.stderr
    assert b"leaked" not in done.stderr or name == "SIGKILL"
