"""The swap of a new file with the old one, reversed if another program had changed the old one."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from evaltui.document.disk.file_content import Fingerprint, fingerprint_of_file
from evaltui.document.disk.file_place import Entry
from evaltui.document.disk.temporary_file import TemporaryFile
from evaltui.document.errors import ChangedOnDiskError

if sys.platform != "win32":
    import fcntl

_UNSUPPORTED = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.EMLINK, errno.EXDEV}
"""Error numbers of systems and disks that cannot swap files, or have no hard links."""
_LINUX = {"exchange": 2, "no replace": 1}
_MACOS = {"exchange": 2, "no replace": 4}
_PAUSE = 0.01
_PATIENCE_WITH_WRITERS = 0.5
"""Seconds to wait for a program that is writing the file in place."""


def swap(path: Path, temporary: TemporaryFile, target: Entry, expected: Fingerprint | None) -> list[str]:
    """Put the new file in place of the old one if that has the fingerprint `expected`; returns remarks for the user.

    Raises `ChangedOnDiskError` if it has another one, and puts the old file back; else `OSError`.
    """
    try:
        if not exchange(temporary.entry, target):
            return _replace_if_unchanged(path, temporary, target, expected)
    except FileNotFoundError:  # git takes a file away before it writes the new one
        raise ChangedOnDiskError.of(path) from None
    try:
        is_as_expected, remarks = _look_at(temporary.entry, expected)
    except BaseException:
        _swap_back(temporary, target)
        raise
    if not is_as_expected:
        _swap_back(temporary, target)
        raise ChangedOnDiskError.of(path)
    return remarks


def _swap_back(temporary: TemporaryFile, target: Entry) -> None:
    """Put the old file back, unless another program has changed the new file meanwhile: that text is newer."""
    temporary.holds_foreign_text = True
    try:
        exchange(temporary.entry, target)
        is_ours, _ = _look_at(temporary.entry, temporary.fingerprint)
        if not is_ours:
            exchange(temporary.entry, target)
    except FileNotFoundError:  # deleted meanwhile
        with contextlib.suppress(FileExistsError):
            put_where_nothing_is(temporary.entry, target)
    temporary.holds_foreign_text = False


def _replace_if_unchanged(
    path: Path, temporary: TemporaryFile, target: Entry, expected: Fingerprint | None
) -> list[str]:
    """Replace a file on a disk that cannot swap. A second name keeps the old file for comparison before and after."""
    aside = temporary.entry._replace(name=temporary.entry.name.removesuffix(".tmp") + ".old")
    if not second_name(target, aside):
        if not _look_at(target, expected)[0]:
            raise ChangedOnDiskError.of(path)
        temporary.entry.move_to(target)
        return []
    try:
        if not _look_at(aside, expected)[0]:
            raise ChangedOnDiskError.of(path)
        temporary.entry.move_to(target)
        is_as_expected, remarks = _look_at(aside, expected)
        if not is_as_expected:
            aside.move_to(target)
            raise ChangedOnDiskError.of(path)
        return remarks
    finally:
        aside.delete()


def _look_at(old: Entry, expected: Fingerprint | None) -> tuple[bool, list[str]]:
    """Whether a file moved aside has the fingerprint `expected` once no program writes it; and remarks."""
    try:
        file = old.open()
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EINVAL, errno.ENXIO):  # no regular file any more
            return False, []
        raise
    with file:
        is_written = has_writers(file.fileno())
        remarks = (
            ["another program still has the old file open, so its next changes will be lost"] if is_written else []
        )
        return fingerprint_of_file(file.fileno()) == expected, remarks


# --- system calls ----------------------------------------------------------------------------------------------


def exchange(first: Entry, second: Entry) -> bool:
    """Swap two files in one move; returns False if the system or the disk cannot. Raises `OSError`."""
    return _rename(first, second, "exchange")


def put_where_nothing_is(file: Entry, name: Entry) -> None:
    """Move `file` to an unused name. Raises `FileExistsError` if the name is in use, else `OSError`."""
    if _rename(file, name, "no replace"):
        return
    if second_name(file, name):
        file.delete()
    elif name.status() is not None:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    else:
        file.move_to(name)


def second_name(file: Entry, name: Entry) -> bool:
    """Give a file a second name; returns False if the disk has no hard links. Raises `OSError`."""
    try:
        os.link(file.name, name.name, src_dir_fd=file.folder, dst_dir_fd=name.folder, follow_symlinks=False)
    except OSError as error:
        if error.errno in _UNSUPPORTED:
            return False
        raise
    return True


def _rename(first: Entry, second: Entry, how: str) -> bool:
    if (call := _system_call()) is None:
        return False
    function, working_directory, flags, last_error = call
    folders = [working_directory if entry.folder is None else entry.folder for entry in (first, second)]
    if function(folders[0], os.fsencode(first.name), folders[1], os.fsencode(second.name), flags[how]) == 0:
        return True
    number = last_error()
    if number in _UNSUPPORTED - {errno.EPERM}:
        return False
    raise OSError(number, os.strerror(number))


@cache
def _system_call() -> tuple[Any, int, dict[str, int], Callable[[], int]] | None:
    """The C library's rename with flags, the number of the working directory (`AT_FDCWD`), and the flags; else None.

    The last one returns the number of the last error.
    """
    import ctypes  # noqa: PLC0415 - takes 5 ms, and only a save needs it

    try:
        library = ctypes.CDLL(None, use_errno=True)
    except (OSError, TypeError):  # Windows
        return None
    for name, working_directory, flags in (("renameat2", -100, _LINUX), ("renameatx_np", -2, _MACOS)):
        function = getattr(library, name, None)
        if function is not None:
            function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
            return function, working_directory, flags, ctypes.get_errno
    return None


def has_writers(handle: int) -> bool:
    """Whether another program still has the file open for writing after half a second.

    Linux grants a read lease only while no program has the file open for writing (fcntl(2)). The lease is returned at
    once. If a program opens the file just then, the lease breaks with SIGURG, which is ignored by default.
    """
    if sys.platform != "linux":
        return False
    until = time.monotonic() + _PATIENCE_WITH_WRITERS
    while True:
        try:
            fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        except BlockingIOError:
            if time.monotonic() > until:
                return True
            time.sleep(_PAUSE)
        except OSError:  # a disk without leases, or a file of somebody else
            return False
        else:
            return False
