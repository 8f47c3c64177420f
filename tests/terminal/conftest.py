"""Terminals for the tests in this folder."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.terminal.server import Server, environment
from tests.terminal.terminal import Terminal

OpenTerminal = Callable[[int, int], Terminal]


@pytest.fixture(scope="session")
def servers() -> Iterator[list[Server]]:
    """The server of this process, once there is one; it is the last, because a test that hangs ends its own."""
    opened: list[Server] = []
    yield opened
    for server in opened:
        server.close()


@pytest.fixture
def open_terminal(servers: list[Server], tmp_path: Path) -> Iterator[OpenTerminal]:
    """Opens terminals of any size (`open_terminal(140, 40)`), each with its own home and work folders."""
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed, so nothing can be tried in a real terminal")
    if not servers or not servers[-1].is_open:
        servers.append(Server(environment(Path("/nonexistent"))))
    with ExitStack() as opened:
        count = 0

        def open_one(columns: int, rows: int) -> Terminal:
            nonlocal count
            count += 1
            return opened.enter_context(Terminal(servers[-1], tmp_path / f"terminal{count}", columns, rows))

        yield open_one


@pytest.fixture
def terminal(open_terminal: OpenTerminal) -> Terminal:
    """A terminal of 80 columns and 24 rows."""
    return open_terminal(80, 24)
