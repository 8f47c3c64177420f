"""A folder that becomes unreachable: each system call on a path in it raises the same error.

chmod does not stop root, and a test cannot remove a network mount. So the functions of `os` and `io.open` are replaced,
the lowest layer that Python code calls.
"""

import errno
import fcntl
import io
import os
import sys
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


_readlink = os.readlink


def path_of_handle(handle: int) -> str:
    """The path of an open folder."""
    if sys.platform == "darwin":
        return os.fsdecode(fcntl.fcntl(handle, fcntl.F_GETPATH, bytes(1024)).rstrip(b"\0"))
    return os.fspath(_readlink(f"/proc/self/fd/{handle}"))


class Unreachable:
    """Make `folder` unreachable at once; `back` makes it reachable again."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path, number: int) -> None:
        self._folder, self._number, self.is_away = os.path.realpath(folder), number, True
        for name in _CALLS:
            monkeypatch.setattr(os, name, self._guarded(getattr(os, name), lists=name in ("scandir", "listdir")))
        monkeypatch.setattr(io, "open", self._guarded(io.open))
        monkeypatch.setattr("builtins.open", self._guarded(open))
        access = os.access

        def guarded_access(path: Any, mode: int, **options: Any) -> bool:
            return not self._covers(path, folder=options.get("dir_fd")) and access(path, mode, **options)

        monkeypatch.setattr(os, "access", guarded_access)

    def back(self) -> None:
        """Make the folder reachable again."""
        self.is_away = False

    def _covers(self, path: Any, lists: bool = False, folder: int | None = None) -> bool:
        if not self.is_away or not isinstance(path, str | bytes | os.PathLike):
            return False
        above = path_of_handle(folder) if folder is not None else ""
        whole = os.path.abspath(os.path.join(above, os.fsdecode(path)))  # noqa: PTH100, PTH118 - resolve() asks the system
        # A folder without access is still visible itself; a dead mount is not.
        inside = whole.startswith(self._folder + "/")
        return inside or (whole == self._folder and (lists or self._number != errno.EACCES))

    def _guarded(self, call: Callable[..., Any], *, lists: bool = False) -> Callable[..., Any]:
        def guarded(path: Any, *arguments: Any, **options: Any) -> Any:
            if self._covers(path, lists, options.get("dir_fd", options.get("src_dir_fd"))):
                raise OSError(self._number, os.strerror(self._number), os.fspath(path))
            return call(path, *arguments, **options)

        return guarded
