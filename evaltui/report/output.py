"""Output of commands: JSON documents on stdout, the choice of colour, and a progress bar on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TextIO

from evaltui.interrupt import saying_at_the_end
from evaltui.report.json_text import json_text

Tick = Callable[[int], None]
"""Called with the number of bytes processed since the last call."""

_WORTH_IT = 3_000_000
"""Bytes that take a while."""


def no_tick(_bytes: int) -> None:
    """Where nobody looks."""


@contextmanager
def progress(total: int, what: str) -> Iterator[Tick]:
    """Show a progress bar for `total` bytes. No bar if they are few, or if stderr is not a terminal."""
    if total < _WORTH_IT:
        yield no_tick
        return
    with progress_on(sys.stderr, total, what) as tick:
        yield tick


@contextmanager
def progress_on(stream: TextIO, total: int | None, what: str, waiting: Callable[[], str] = str) -> Iterator[Tick]:
    """Show a progress bar on a terminal; the time so far if `total` is not known.

    If `waiting` gives words, they have the place of the bar.
    """
    if not stream.isatty():
        yield no_tick
        return
    from rich.console import Console, RenderableType  # noqa: PLC0415 - few runs are so long
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )
    from rich.text import Text  # noqa: PLC0415

    class Bar(Progress):
        def get_renderables(self) -> Iterator[RenderableType]:
            words = waiting()
            line = Text(f"{what}: {words}", no_wrap=True, overflow="ellipsis")
            yield line if words else self.make_tasks_table(self.tasks)

    figures = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    columns = (TimeElapsedColumn(),) if total is None else figures
    is_shared = stream is sys.stderr  # then other messages have their place above the bar
    bar = Bar(
        *(TextColumn(what), *columns),
        console=Console(file=stream),
        transient=True,
        redirect_stdout=is_shared,
        redirect_stderr=is_shared,
    )
    with bar, saying_at_the_end(partial(clear_progress, stream)):
        task = bar.add_task("", total=total)
        yield lambda done: bar.advance(task, done)


def clear_progress(stream: TextIO | None = None) -> None:
    """Clear the line of a progress bar on a terminal, by default stderr, and show the cursor, which it hides."""
    shown = stream or sys.stderr
    if shown.isatty():
        os.write(shown.fileno(), b"\r\x1b[K\x1b[?25h")


def wants_colour(stream: TextIO, choice: str = "auto") -> bool:
    """Whether output to `stream` is coloured: by `choice`, else by NO_COLOR and FORCE_COLOR, else on a terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def print_json(value: Any) -> None:
    """Write the document to stdout in UTF-8, whatever the encoding of the terminal."""
    sys.stdout.flush()
    sys.stdout.buffer.write(json_text(value).encode() + b"\n")
    sys.stdout.buffer.flush()
