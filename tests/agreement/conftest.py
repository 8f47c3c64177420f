"""Other tools are slow: google-adk alone takes seconds to start, and scores hundreds of cases in one test."""

import fcntl
from collections.abc import Iterator
from pathlib import Path

import pytest

LIMIT = 1200
"""Seconds of a test."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the tests of this folder more time than others have."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(LIMIT))


@pytest.fixture
def agents_cli_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One test at a time starts a server of agents-cli, which takes the first port from 18080 on that is free."""
    with (tmp_path_factory.getbasetemp().parent / "agents_cli_port.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
