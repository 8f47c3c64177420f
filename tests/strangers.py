"""Files that seem to belong to another user. Without root's rights, no test can give a file away."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

STRANGER = 4242
"""The id of the other user."""


class Strangers:
    """Shows other owners of files to whoever asks for their status."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._owners: dict[int, int] = {}
        for name in ("stat", "lstat", "fstat"):  # `Path.lstat` calls `os.lstat` from Python 3.14 on
            monkeypatch.setattr(os, name, self._seeming(getattr(os, name)))

    def own(self, *paths: Path, user: int = STRANGER) -> None:
        """From now on, these files or links belong to the user."""
        for path in paths:
            self._owners[path.lstat().st_ino] = user

    def _seeming(self, status_of: Callable[..., os.stat_result]) -> Callable[..., os.stat_result]:
        def status(*args: Any, **options: Any) -> os.stat_result:
            true = status_of(*args, **options)
            times = {name: getattr(true, name) for name in ("st_atime_ns", "st_mtime_ns", "st_ctime_ns")}
            return os.stat_result((*true[:4], self._owners.get(true.st_ino, true.st_uid), *true[5:]), times)

        return status
