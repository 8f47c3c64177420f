"""The temporary folder of a run: an index, and files of records that are found by their place."""

from __future__ import annotations

import os
import pickle
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import IO, Any, NamedTuple, Protocol

from evaltui.document.disk.locks import lock
from evaltui.document.errors import DocumentError
from evaltui.file_access import read_regular
from evaltui.interrupt import ending_on_signals

_CACHE_KB = 16_000
"""The memory of the index; more of it lies on disk."""
_PREFIX = "evaltui-run-"
_MARK = "mark"
_FRESH = 86_400.0
"""Seconds after which a folder that nobody has locked is a leftover."""
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


class RecordPlace(NamedTuple):
    """The place of bytes in a file."""

    file: str
    offset: int
    length: int


class WorkFolder:
    """The files of one run. They are deleted when it ends, also by a signal."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle = os.open(path, os.O_RDONLY) if os.name == "posix" else -1
        """Locked while this process lives, however it ends."""
        with suppress(OSError, DocumentError):
            lock(self._handle)
        if self._handle >= 0:
            (path / _MARK).write_text(_mark_of(os.fstat(self._handle)))
        # Without a name, SQLite keeps a database in memory while it is small, and deletes its file.
        self.index = sqlite3.connect("", isolation_level=None)
        for setting in ("journal_mode=OFF", "synchronous=OFF", f"cache_size=-{_CACHE_KB}"):
            self.index.execute(f"PRAGMA {setting}")

    def unlock(self) -> None:
        """Let other processes delete the folder."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _remove_leftovers(own: Path) -> None:
    """Delete the folders of runs of this user that were killed: older ones that nobody has locked."""
    with suppress(OSError):
        for path in own.parent.glob(f"{_PREFIX}*"):
            if path != own:
                _remove_leftover(path)


def _remove_leftover(path: Path) -> None:
    with suppress(OSError, DocumentError, ValueError):
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            status = os.fstat(handle)
            is_old = time.time() - status.st_mtime > _FRESH
            if not is_old or status.st_uid != os.geteuid() or not _is_marked(path, status) or not lock(handle):
                return
            rmtree(path, ignore_errors=True)
        finally:
            os.close(handle)


def _is_marked(path: Path, status: os.stat_result) -> bool:
    """Whether a run made the folder. The mark names the folder itself, so that no copied file can be one."""
    mark = _mark_of(status)
    return read_regular(path / _MARK, len(mark), follow=False) == mark.encode()


def _mark_of(status: os.stat_result) -> str:
    return f"evaltui {status.st_dev} {status.st_ino}\n"


@contextmanager
def work_folder() -> Iterator[WorkFolder]:
    """A new folder for one run. Raises `DocumentError` if there is no place for it."""
    try:
        path = Path(mkdtemp(prefix=_PREFIX))
        folder = WorkFolder(path)
    except OSError as error:
        raise _unusable(error.strerror or str(error)) from error
    _remove_leftovers(path)
    try:
        with ending_on_signals(lambda: rmtree(path, ignore_errors=True)):
            yield folder
    except sqlite3.Error as error:
        raise _unusable(str(error)) from error
    finally:
        folder.index.close()
        folder.unlock()
        while _opened:
            _opened.pop().close()
        rmtree(path, ignore_errors=True)


def _unusable(reason: str) -> DocumentError:
    return DocumentError(f"the temporary folder cannot be used: {reason.lower()}; set TMPDIR to another folder")


class _Closable(Protocol):
    def close(self) -> None:
        """Close the files."""


_opened: list[_Closable] = []
"""The files that this process opened for its run."""


class RecordFile:
    """A file to which one process appends records."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)
        self._file: IO[bytes] = path.open("ab")
        self._at = self._file.tell()
        _opened.append(self)

    def add(self, data: bytes) -> RecordPlace:
        """Append bytes. Raises `DocumentError` if the disk is full."""
        try:
            self._file.write(data)
        except OSError as error:
            raise _unusable(error.strerror or str(error)) from error
        place = RecordPlace(self._path, self._at, len(data))
        self._at += len(data)
        return place

    def flush(self) -> None:
        """Make the records readable for other processes. Raises `DocumentError` if the disk is full."""
        try:
            self._file.flush()
        except OSError as error:
            raise _unusable(error.strerror or str(error)) from error

    def close(self) -> None:
        """Close the file; what is not on disk is lost."""
        with suppress(OSError):
            self._file.close()


class RecordReader:
    """Reads records by their place. Files stay open."""

    def __init__(self) -> None:
        self._handles: dict[str, int] = {}
        _opened.append(self)

    def bytes_at(self, place: RecordPlace) -> bytes:
        """The bytes at a place. Raises `OSError`."""
        handle = self._handles.get(place.file)
        if handle is None:
            handle = self._handles[place.file] = os.open(place.file, _FLAGS)
        if hasattr(os, "pread"):
            return os.pread(handle, place.length, place.offset)
        os.lseek(handle, place.offset, os.SEEK_SET)
        return os.read(handle, place.length)

    def record_at(self, place: RecordPlace) -> Any:
        """The value that was packed at a place."""
        return unpacked(self.bytes_at(place))

    def close(self) -> None:
        """Close the files."""
        while self._handles:
            os.close(self._handles.popitem()[1])


def packed(value: Any) -> bytes:
    """The bytes of a record."""
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def unpacked(data: bytes) -> Any:
    """The value of a record."""
    return pickle.loads(data)  # safe: this run packed it, and keeps it in a folder or a cluster of its own
