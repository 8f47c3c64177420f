"""A folder that becomes unreachable: each call of the system on what lies in it gives the same error.

chmod does not stop root, and a network mount cannot be taken away in a test, so the lowest layer that Python code
calls is replaced: `os` and `io.open`.
"""

import errno
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ERRORS = (errno.EACCES, errno.ESTALE, errno.EIO, errno.ENOTCONN)
"""No access, a network mount whose server forgot it, a broken disk, a FUSE mount whose process died."""

_CALLS = (
    *("stat", "lstat", "open", "scandir", "listdir", "mkdir", "rename", "replace", "unlink", "remove"),
    *("chmod", "chown", "link", "readlink", "statvfs"),
)


class Unreachable:
    """Makes `folder` unreachable from the start; `back` ends that."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path, number: int) -> None:
        self._folder, self._number, self.is_away = os.path.realpath(folder), number, True
        for name in _CALLS:
            monkeypatch.setattr(os, name, self._guarded(getattr(os, name), lists=name in ("scandir", "listdir")))
        monkeypatch.setattr(io, "open", self._guarded(io.open))
        monkeypatch.setattr("builtins.open", self._guarded(open))
        access = os.access
        monkeypatch.setattr(os, "access", lambda path, *a, **kw: not self._covers(path) and access(path, *a, **kw))

    def back(self) -> None:
        """Let the folder be reached again."""
        self.is_away = False

    def _covers(self, path: Any, lists: bool = False) -> bool:
        if not self.is_away or not isinstance(path, str | bytes | os.PathLike):
            return False
        whole = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 - resolve() asks the system
        # Of a folder without access, it can still be seen that there is one; of a dead mount nothing.
        inside = whole.startswith(self._folder + "/")
        return inside or (whole == self._folder and (lists or self._number != errno.EACCES))

    def _guarded(self, call: Callable[..., Any], *, lists: bool = False) -> Callable[..., Any]:
        def guarded(path: Any, *arguments: Any, **options: Any) -> Any:
            if self._covers(path, lists):
                raise OSError(self._number, os.strerror(self._number), os.fspath(path))
            return call(path, *arguments, **options)

        return guarded
