"""A progress bar on stderr, where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Tick = Callable[[int], None]
"""Takes how many bytes have been dealt with since the last time."""

_WORTH_IT = 3_000_000
"""Bytes that take a while."""


def no_tick(_bytes: int) -> None:
    """Where nobody looks."""


@contextmanager
def progress(total: int, what: str) -> Iterator[Tick]:
    """While in the context, the bar for `total` bytes; nothing where they are few or stderr is no terminal."""
    if total < _WORTH_IT or not sys.stderr.isatty():
        yield no_tick
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)
