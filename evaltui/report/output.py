"""Output of commands: JSON documents on stdout, the choice of colour, and a progress bar on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    if total < _WORTH_IT or not sys.stderr.isatty():
        yield no_tick
        return
    from rich.console import Console  # noqa: PLC0415 - few runs are so long
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    told = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    columns = (*told, TransferSpeedColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    with bar, saying_at_the_end(_show_cursor):
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


def _show_cursor() -> None:
    """The bar hides it."""
    os.write(2, b"\r\x1b[K\x1b[?25h")


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
