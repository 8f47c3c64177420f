"""A file to save."""

from pathlib import Path

import pytest

SOURCE = b'{"a": 1}\n'
CHANGED = b'{"a": 2}\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "set.json"
    path.write_bytes(SOURCE)
    return path
