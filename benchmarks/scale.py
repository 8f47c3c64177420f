"""`evaltui run` and `evaltui validate` on large sets: time with one process and with two, and memory of all processes.

The recordings are google-adk's results, 1,000 cases in each file.
"""

import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import Figure, MeasurementError, ratio
from benchmarks.large_set import large_results, large_set
from benchmarks.processes import PROJECT, evaltui, fresh_environment

SIZES = (10_000, 30_000, 100_000)
HALF_A_MILLION = (500_000,)
MOST_MB = 400.0
_LOOK, _SHARE = 0.05, 0.005
"""The least seconds between two looks at the memory, and their share of the time so far: each look takes some of it."""
_ENDS = (0, 1)


def figures(sizes: Sequence[int] = SIZES) -> Iterator[Figure]:
    """One after another, each as soon as it is measured."""
    for cases in sizes:
        eval_set, results = large_set(cases), large_results(cases)
        yield from _of_command(f"run {cases:,} cases × 2 turns", ["run", eval_set, "-r", results, "--format", "json"])
        yield from _of_command(f"validate {cases:,} cases × 2 turns", ["validate", eval_set, "--format", "json"])


def half_a_million() -> Iterator[Figure]:
    """The figures of 500,000 cases, which take some minutes."""
    return figures(HALF_A_MILLION)


def _of_command(name: str, words: Sequence[str | Path]) -> Iterator[Figure]:
    by_jobs = []
    with fresh_environment() as env:
        for jobs in (1, 2):
            used = _used(evaltui(*words, "--jobs", str(jobs)), env)
            processes = "1 process" if jobs == 1 else f"{jobs} processes"
            by_jobs.append(Figure(f"{name}, {processes}", [1000 * used.seconds]))
            yield by_jobs[-1]
            yield Figure("  most memory of all processes", [used.mb], "MB", MOST_MB)
    yield ratio("  one process / two", by_jobs[0], by_jobs[1])


class _Used(NamedTuple):
    seconds: float
    mb: float


def _used(argv: Sequence[str], env: Mapping[str, str]) -> _Used:
    """The time of a command, and the most resident memory of it and the processes that it started, added up.

    Memory that processes share counts for each of them.
    """
    start, most = time.perf_counter(), 0.0
    with subprocess.Popen(
        argv, env=dict(env), cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        while process.poll() is None:
            most = max(most, _resident_mb(process.pid))
            time.sleep(max(_LOOK, _SHARE * (time.perf_counter() - start)))
    if process.returncode not in _ENDS:
        raise MeasurementError(f"{' '.join(argv)} ended with {process.returncode}")
    return _Used(time.perf_counter() - start, most)


def _resident_mb(session: int) -> float:
    """The resident memory of all processes of a session."""
    pages = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[3]) == session:
                    pages += int((entry / "statm").read_text().split()[1])
            except OSError:  # it has ended
                continue
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
