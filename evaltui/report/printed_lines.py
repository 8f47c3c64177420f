"""Styled lines on stdout: with colours on a terminal that supports them, else as plain text."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from itertools import islice

from rich.console import Console
from rich.text import Text

from evaltui.printable import write_line
from evaltui.report.output import wants_colour

_WIDTH = 80
"""The width in cells without a terminal."""
_TOGETHER = 1000
"""The number of lines that are written together: a report may be larger than the memory."""


def print_lines(lines_for: Callable[[int], Iterable[Text]], colour: str = "auto") -> None:
    """Print the lines of `lines_for` for the width of stdout. They must be printable."""
    width = terminal_width()
    if not wants_colour(sys.stdout, colour):
        lines = iter(lines_for(width))
        while some := list(islice(lines, _TOGETHER)):
            write_line("stdout", plain_text(some), is_safe=True)
        return
    console = Console(
        width=width,
        color_system="auto" if sys.stdout.isatty() else "standard",
        force_terminal=True,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
        legacy_windows=False,
    )
    for line in lines_for(width):
        console.print(line)


def plain_text(lines: Iterable[Text]) -> str:
    """The lines without styles and trailing spaces."""
    return "\n".join(line.plain.rstrip() for line in lines)


def terminal_width() -> int:
    """The width of stdout in cells: of the terminal, else COLUMNS, else 80."""
    if not sys.stdout.isatty():
        given = os.environ.get("COLUMNS", "")
        return max(int(given), 40) if given.isdecimal() and len(given) < 5 else _WIDTH
    return max(os.get_terminal_size(sys.stdout.fileno()).columns, 20)
