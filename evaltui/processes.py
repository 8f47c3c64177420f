"""The results of a function over many tasks, computed in several processes and returned in the order of the tasks."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from evaltui.document.errors import DocumentError
from evaltui.interrupt import ending_on_signals

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
R = TypeVar("R")

_IN_FLIGHT = 2
"""Tasks for each process at a time: one that is worked on, and one that waits, so that no process is idle."""
_SAFE_PATH = "PYTHONSAFEPATH"
"""The variable that keeps the working directory and the folder of a script off Python's path of modules."""


def processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_processes(function: Callable[[T], R], tasks: Iterable[T], jobs: int) -> Generator[R, None, None]:
    """Call `function` for each task in `jobs` processes, and yield the results in the order of the tasks.

    Functions must be importable, and all values must be picklable. With one job, all happens in this process. `tasks`
    is read as the results are, so that only a few tasks and results are in memory. Errors of `function` are raised
    here.

    The processes end at once if the caller closes the iterator (`contextlib.closing`), or if this process ends by a
    signal. They never import from the working directory. Raises `DocumentError` if one of
    them ends before its task is done.
    """
    # Other processes must heed `_SAFE_PATH`, or get the same option as this one.
    if jobs <= 1 or (sys.flags.ignore_environment and not sys.flags.safe_path):
        yield from map(function, tasks)
        return
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - most commands need no other process
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415
    from multiprocessing import active_children, get_context  # noqa: PLC0415

    # Other processes of multiprocessing, such as a reader of recordings, are not ended with this pool.
    running = active_children()
    with _starting_processes():  # the pool starts a process that tracks its semaphores
        pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin)
    pending: deque[Future[R]] = deque()
    try:
        with ending_on_signals(_leave_nothing_behind):
            for task in tasks:
                with _starting_processes():
                    pending.append(pool.submit(function, task))
                if len(pending) >= _IN_FLIGHT * jobs:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
            pool.shutdown()
    except BrokenProcessPool as error:
        sentence = "a process of evaltui was ended from outside, perhaps for its memory; try --jobs 1"
        raise DocumentError(sentence) from error
    finally:
        processes = [child for child in active_children() if child not in running]
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()


def _leave_nothing_behind() -> None:
    """For the handler of a signal that ends this process at once: without semaphores, of which Python would warn."""
    from multiprocessing import active_children, util  # noqa: PLC0415

    for process in active_children():
        process.kill()
    util._run_finalizers(0)  # type: ignore[attr-defined] # there is no public name


@contextmanager
def _starting_processes() -> Iterator[None]:
    """Start processes of multiprocessing only within this context: none gets SIGINT, and none imports from a folder.

    multiprocessing starts `python -c`, which puts the working directory first on the path of modules. A file named
    json.py there would run as code. The variable stands in the environment only meanwhile, because commands of the user
    inherit it, too. SIGINT is delivered after the context; a process that starts within it never gets SIGINT, not even
    while it starts.
    """
    previous = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if previous is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = previous
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)  # last, because SIGINT may raise here


def _begin() -> None:
    """Prepare a process: only its parent handles Ctrl-C, and the end of the parent is its end."""
    from multiprocessing import parent_process  # noqa: PLC0415
    from threading import Thread  # noqa: PLC0415

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        # Without this, the processes of a parent that is killed would wait for tasks forever.
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: Any) -> None:
    parent.join()
    os._exit(1)
