"""A folder that becomes unreachable: each system call on a path in it raises the same error.

chmod does not stop root, and a test cannot remove a network mount. So the functions of `os` and `io.open` are replaced,
the lowest layer that Python code calls.
"""

import errno
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ERRORS = (errno.EACCES, errno.ESTALE, errno.EIO, errno.ENOTCONN)
"""Errors of a folder without access, a stale network mount, a broken disk, and a FUSE mount without a process."""

_CALLS = (
    *("stat", "lstat", "open", "scandir", "listdir", "mkdir", "rename", "replace", "unlink", "remove"),
    *("chmod", "chown", "link", "readlink", "statvfs"),
)


class Unreachable:
    """Make `folder` unreachable at once; `back` makes it reachable again."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path, number: int) -> None:
        self._folder, self._number, self.is_away = os.path.realpath(folder), number, True
        for name in _CALLS:
            monkeypatch.setattr(os, name, self._guarded(getattr(os, name), lists=name in ("scandir", "listdir")))
        monkeypatch.setattr(io, "open", self._guarded(io.open))
        monkeypatch.setattr("builtins.open", self._guarded(open))
        access = os.access
        monkeypatch.setattr(os, "access", lambda path, *a, **kw: not self._covers(path) and access(path, *a, **kw))

    def back(self) -> None:
        """Make the folder reachable again."""
        self.is_away = False

    def _covers(self, path: Any, lists: bool = False) -> bool:
        if not self.is_away or not isinstance(path, str | bytes | os.PathLike):
            return False
        whole = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 - resolve() asks the system
        # A folder without access is still visible itself; a dead mount is not.
        inside = whole.startswith(self._folder + "/")
        return inside or (whole == self._folder and (lists or self._number != errno.EACCES))

    def _guarded(self, call: Callable[..., Any], *, lists: bool = False) -> Callable[..., Any]:
        def guarded(path: Any, *arguments: Any, **options: Any) -> Any:
            if self._covers(path, lists):
                raise OSError(self._number, os.strerror(self._number), os.fspath(path))
            return call(path, *arguments, **options)

        return guarded
