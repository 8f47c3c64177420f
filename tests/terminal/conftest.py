"""Terminals for the tests in this folder."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.terminal.terminal import Terminal

OpenTerminal = Callable[[int, int], Terminal]


@pytest.fixture
def open_terminal(tmp_path: Path) -> Iterator[OpenTerminal]:
    """Opens terminals of any size (`open_terminal(140, 40)`), each with its own home and work folders."""
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed, so nothing can be tried in a real terminal")
    with ExitStack() as opened:
        count = 0

        def open_one(columns: int, rows: int) -> Terminal:
            nonlocal count
            count += 1
            return opened.enter_context(Terminal(tmp_path / f"terminal{count}", columns, rows))

        yield open_one


@pytest.fixture
def terminal(open_terminal: OpenTerminal) -> Terminal:
    """A terminal of 80 columns and 24 rows."""
    return open_terminal(80, 24)
