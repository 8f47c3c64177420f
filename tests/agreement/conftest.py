"""Other tools are slow: google-adk alone takes seconds to start, and scores hundreds of cases in one test."""

from pathlib import Path

import pytest

LIMIT = 1200
"""Seconds of a test."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the tests of this folder more time than others have."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(LIMIT))
