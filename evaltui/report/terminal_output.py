"""Output of commands: bytes and styled lines on stdout, the choice of colour, and a progress bar on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TextIO

from evaltui.interrupt import saying_at_the_end
from evaltui.printable import write_line

if TYPE_CHECKING:
    from rich.text import Text

Tick = Callable[[int], None]
"""Called with the number of bytes processed since the last call."""
_WORTH_A_BAR = 3_000_000
"""The least bytes whose work takes a while."""
_WIDTH = 80
"""The width in cells without a terminal."""
_LINES_AT_ONCE = 1000
"""The number of lines that are written together: a report may be larger than the memory."""


def no_tick(_bytes: int) -> None:
    """Count nothing: no progress bar is on the screen."""


def progress(total: int, action: str) -> AbstractContextManager[Tick]:
    """Show a progress bar for `total` bytes. No bar if they are few, or if stderr is not a terminal."""
    return progress_on(sys.stderr, total, action) if total >= _WORTH_A_BAR else nullcontext(lambda _: None)


@contextmanager
def progress_on(stream: TextIO, total: int | None, action: str, waiting: Callable[[], str] = str) -> Iterator[Tick]:
    """Show a progress bar on a terminal; the time so far if `total` is not known.

    If `waiting` gives words, they have the place of the bar.
    """
    if not stream.isatty():
        yield no_tick
        return
    from rich import progress as bars  # noqa: PLC0415 - few runs are so long
    from rich.console import Console, RenderableType  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    class Bar(bars.Progress):
        def get_renderables(self) -> Iterator[RenderableType]:
            words = waiting()
            line = Text(f"{action}: {words}", no_wrap=True, overflow="ellipsis")
            yield line if words else self.make_tasks_table(self.tasks)

    figures = (bars.BarColumn(), bars.DownloadColumn(), bars.TransferSpeedColumn(), bars.TimeRemainingColumn())
    columns = (bars.TimeElapsedColumn(),) if total is None else figures
    is_stderr = stream is sys.stderr  # messages are written there as well: rich moves them above the bar
    bar = Bar(
        *(bars.TextColumn(action), *columns),
        console=Console(file=stream),
        transient=True,
        redirect_stdout=is_stderr,
        redirect_stderr=is_stderr,
    )
    # Ctrl-C ends the process at once, so the line is cleared there, too.
    with bar, saying_at_the_end(partial(clear_progress, stream)):
        task = bar.add_task("", total=total)
        yield lambda count: bar.advance(task, count)


def clear_progress(stream: TextIO | None = None) -> None:
    """Clear the line of a progress bar on a terminal, by default stderr, and show the cursor, which it hides."""
    terminal = stream or sys.stderr
    if terminal.isatty():
        os.write(terminal.fileno(), b"\r\x1b[K\x1b[?25h")  # no buffer: the process may end before it is flushed


def wants_colour(stream: TextIO, choice: str = "auto") -> bool:
    """Whether output to `stream` is coloured: by `choice`, else by NO_COLOR and FORCE_COLOR, else on a terminal."""
    if choice != "auto":
        return choice == "always"
    # https://no-color.org and https://force-color.org: any value counts, and NO_COLOR goes first.
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def print_json(value: Any) -> None:
    """Write the document to stdout in UTF-8."""
    from evaltui.report.json_text import json_text  # noqa: PLC0415 - other formats need no records of scores

    print_bytes(json_text(value).encode() + b"\n")


def print_bytes(data: bytes) -> None:
    """Write a document to stdout, whatever the encoding of the terminal."""
    sys.stdout.flush()  # what was printed before must not come after these bytes
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def print_lines(lines_for: Callable[[int], Iterable[Text]], colour: str = "auto") -> None:
    """Print the lines of `lines_for` for the width of stdout. They must be printable."""
    width = terminal_width()
    if not wants_colour(sys.stdout, colour):
        lines = iter(lines_for(width))
        while block := list(islice(lines, _LINES_AT_ONCE)):
            write_line("stdout", "\n".join(line.plain.rstrip() for line in block), is_safe=True)
        return
    from rich.console import Console  # noqa: PLC0415 - JSON and plain text need no console

    console = Console(
        width=width,
        color_system="auto" if sys.stdout.isatty() else "standard",
        force_terminal=True,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,  # the lines are wrapped already; an id or a command line that is longer stays whole
        legacy_windows=False,
    )
    for line in lines_for(width):
        console.print(line)


def terminal_width() -> int:
    """The width of stdout in cells: of the terminal, else COLUMNS, else 80."""
    if not sys.stdout.isatty():
        columns = os.environ.get("COLUMNS", "")
        # COLUMNS may hold anything. More than four digits are no width.
        return max(int(columns), 40) if columns.isdecimal() and len(columns) < 5 else _WIDTH
    return max(os.get_terminal_size(sys.stdout.fileno()).columns, 20)


def wrap_text(text: str, width: int, margin: str, first_margin: str | None = None) -> Iterator[str]:
    """Wrap the text at spaces, behind a margin. A word that is longer than a line stays whole."""
    # `textwrap` counts letters, but letters of many scripts are two cells wide.
    from rich.cells import cell_len  # noqa: PLC0415 - JSON needs no widths

    line, start = "", margin if first_margin is None else first_margin
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and len(start) + cell_len(longer) > width:
            yield start + line
            line, start = word, margin
        else:
            line = longer
    yield start + line
