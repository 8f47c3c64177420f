"""Files read whole, if they fit into memory, and fingerprints that show if a file has changed."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TextIO, TypeVar

from evaltui.document.binary_files import HEAD, refuse_binary
from evaltui.document.errors import ChangedFileError, MissingFileError, ReadError, UnreachableError
from evaltui.file_access import NOT_A_FILE, is_folder, open_regular, read_regular

_T = TypeVar("_T")
Fingerprint = bytes
"""A hash of a file's content (`blake2b`). Times and sizes alone do not show every write."""
DIGEST_BYTES = 20
FileState = tuple[int, int, int, int]
"""Device, inode, size and time of the last write of a file: they differ if the file changed."""
LARGE = 8_000_000
"""Bytes from which on a set is read case by case. Below, a `Document` is as fast and takes little memory."""
_PIECE = 1 << 20
_GROWTH = 64 << 20
"""Bytes by which a file may grow while it is read. Files such as those of /proc have more than their size says."""
_MEMORY_INFO = Path("/proc/meminfo")
_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Files with the memory limit of a container, for control groups of version 2 and 1."""
_READS, _PAUSE = 4, 0.02
"""The most times that a file is read which changes meanwhile, and the seconds before it is read again."""
_FRESH = 0.05
"""Seconds in which a second write may leave the time of a file as it is: systems count time in steps."""
_SURELY_FITS = 1 << 20
"""The most bytes of a file that fits into any memory in which Python runs."""
_COPIES = 2
"""Copies of a file in memory: a document keeps the bytes, and while it opens also their text."""


def fingerprint(data: bytes) -> Fingerprint:
    """The fingerprint of a file that holds `data`."""
    return blake2b(data, digest_size=DIGEST_BYTES).digest()


def fingerprint_of_file(handle: int) -> Fingerprint:
    """The fingerprint of an open file, read from its beginning; raises `OSError`."""
    seen = blake2b(digest_size=DIGEST_BYTES)
    os.lseek(handle, 0, os.SEEK_SET)
    while piece := os.read(handle, _PIECE):
        seen.update(piece)
    return seen.digest()


def while_unchanged(path: Path, read: Callable[[], _T], changed: type[Exception]) -> _T:
    """The result of `read`, called again while the file at `path` changes meanwhile, so that it is of one state.

    Raises the errors of `read`, and `changed` with a sentence if the file keeps changing. `read` may raise it, too.
    """
    for number in range(_READS):
        old, error = file_state(path), None
        try:
            result = read()
        except changed:
            time.sleep(_PAUSE)
            continue
        except Exception as fault:
            error = fault
        new = file_state(path)
        # A deleted file was open, so it was read as it was. A file that grows again, such as a log, has its old
        # beginning.
        is_growing = number > 0 and old is not None and new is not None and old[:2] == new[:2] and old[2] < new[2]
        if new in (old, None) or is_growing:
            if error is not None:
                raise error
            return result
        time.sleep(_PAUSE)
    raise changed(f"{path}: the file changed while it was read; try again when no program writes to it")


def is_large(path: Path) -> bool:
    """Whether a path is a regular file so large that its cases are read one after another."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False  # reading the file reports it
    return stat.S_ISREG(status.st_mode) and status.st_size >= LARGE


def is_fresh(path: Path) -> bool:
    """Whether a file was written so lately that its time may hide another write."""
    state = file_state(path)
    return state is not None and abs(time.time() - state[-1] / 1e9) < _FRESH


def file_state(file: Path | int) -> FileState | None:
    """The state of the file at a path, or of an open file; None if there is no file to see."""
    try:
        status = os.stat(file)  # noqa: PTH116 - it takes the number of an open file, too
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def read_file(path: Path) -> bytes:
    """All bytes of a regular file with text, as they are at one moment.

    Raises `ReadError` with a sentence, also for a file that is no text.
    """
    return while_unchanged(path, lambda: _read(path), ChangedFileError)


def _read(path: Path) -> bytes:
    too_large = "{}: has {:,.1f} GB, too much for the memory; split the file"
    try:
        size = path.stat().st_size
    except (FileNotFoundError, NotADirectoryError):
        raise MissingFileError(f"{path}: there is no such file") from None
    except OSError as error:
        raise UnreachableError(f"{path}: cannot be read: {reason_of(error)}") from error
    if size > _SURELY_FITS and is_too_large(size):
        with suppress(OSError), open_regular(path) as file:
            if any(head := file.read(HEAD)):  # zeros say nothing about a file with holes
                refuse_binary(head, str(path))
        raise ReadError(too_large.format(path, size / 1e9))
    try:
        data = read_regular(path, 2 * size + _GROWTH)
        again = read_regular(path, 2 * size + _GROWTH) if is_fresh(path) else data
    except MemoryError:
        raise ReadError(too_large.format(path, size / 1e9)) from None
    except FileNotFoundError:
        raise MissingFileError(f"{path}: there is no such file") from None
    except OSError as error:
        if error.strerror == NOT_A_FILE:
            raise ReadError(f"{path}: this is {kind_of(path)}, not a file") from error
        raise ReadError(f"{path}: cannot be read: {reason_of(error)}") from error
    except ValueError as error:
        raise ReadError(f"{path}: cannot be read: it has more bytes than its size says") from error
    if len(again) == len(data) and again != data:
        raise ChangedFileError(f"{path}: the file changed while it was read")
    refuse_binary(data, str(path))
    return data


def read_stdin() -> bytes:
    """All bytes of standard input; raises `ReadError` if they are no text."""
    data = bytes_of_stdin()
    refuse_binary(data, "-")
    return data


def bytes_of_stdin() -> bytes:
    """All bytes of standard input, of whatever kind."""
    return _read_once(sys.stdin)


@lru_cache(maxsize=1)  # a pipe gives its bytes only once, and a watch reads its inputs again for each run
def _read_once(stream: TextIO) -> bytes:
    return stream.buffer.read()


def kind_of(path: Path) -> str:
    """The kind of a path that is not a file, as words for a sentence."""
    return "a folder" if is_folder(path) else "a device or pipe"


def reason_of(error: OSError) -> str:
    """The reason that the system gives, as a clause."""
    return (error.strerror or type(error).__name__).lower()


def is_too_large(size: int) -> bool:
    """Whether a text of `size` bytes does not fit into memory; False if the available memory is unknown."""
    available = available_memory()
    return available is not None and size * _COPIES > available


def available_memory() -> int | None:
    """Available memory in bytes, at most the limit of the container; None if unknown."""
    figures: list[int] = []
    with suppress(OSError, ValueError, IndexError):
        lines = _MEMORY_INFO.read_text().splitlines()
        figures += [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    if not figures:
        with suppress(OSError, ValueError, AttributeError):
            figures.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for path in _LIMITS:
        with suppress(OSError, ValueError):  # "max" is not a number
            figures.append(int(path.read_text()))
    return min(figures, default=None)


try:
    from _blake2 import blake2b  # the very class that hashlib exports; `random` of the standard library does the same
except ImportError:
    from hashlib import blake2b

__all__ = ["blake2b"]
