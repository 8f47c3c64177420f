"""Files opened without trust in what lies there, and checks that return False if the system cannot tell.

Up to Python 3.13, `Path.exists`, `is_file` and `is_dir` raise `OSError` for a folder without access, a lost network
mount or a name that is too long. The functions of `os.path` do not.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

_PIECE = 1 << 18
NOT_A_FILE = "not a regular file"
"""The reason why a pipe, device, socket or folder is not read."""


def exists(path: Path) -> bool:
    """Whether anything that can be reached exists at `path`."""
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: Path) -> bool:
    """Whether `path` leads to a regular file that can be reached."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """Whether `path` leads to a folder that can be reached."""
    return os.path.isdir(path)  # noqa: PTH112


def size_of(path: Path) -> int:
    """The bytes of the file at `path`; 0 if it cannot be reached."""
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


def has_working_directory() -> bool:
    """Whether the working directory still exists, so that relative names lead somewhere."""
    try:
        os.getcwd()  # noqa: PTH109 - it need not become a path
    except OSError:
        return False
    return True


def is_link(path: Path) -> bool:
    """Whether `path` is a symbolic link, wherever it leads."""
    return os.path.islink(path)  # noqa: PTH114


def owners_near(folder: Path) -> frozenset[int]:
    """The users whose files above `folder` count: this user, root, and the owner of the folder.

    In a folder such as /tmp, anybody can create a file. In a container, a repository often belongs to another user.
    """
    try:
        return frozenset((os.geteuid(), 0, folder.stat().st_uid))
    except OSError:
        return frozenset((os.geteuid(), 0))


def is_of(owners: frozenset[int], path: Path) -> bool:
    """Whether something exists at `path` that one of the `owners` made. A link counts as itself."""
    try:
        return path.lstat().st_uid in owners
    except OSError:
        return False


def is_shared(folder: Path) -> bool:
    """Whether anybody can create files in a folder, such as /tmp. A folder without access counts as one."""
    try:
        return bool(folder.stat().st_mode & stat.S_IWOTH)
    except OSError:
        return True


def why_unreadable(error: Exception) -> str:
    """A clause for an error raised while reading or parsing a file."""
    if isinstance(error, RecursionError):
        return "values are nested too deeply to read"
    if isinstance(error, UnicodeDecodeError):
        return "the file is not UTF-8"
    if isinstance(error, OSError):
        return f"cannot be read: {(error.strerror or str(error)).lower()}"
    if "int_max_str_digits" in str(error):
        return "a number has too many digits"
    return " ".join(str(error).split()) or type(error).__name__


def flags(*names: str) -> int:
    """Flags of `os.open` by their names; those that this system lacks count nothing."""
    return sum(getattr(os, name, 0) for name in names)


def open_regular(path: Path, *, follow: bool = True, folder: int | None = None) -> BinaryIO:
    """Open a regular file for reading; raises `OSError` at once for a pipe, device or socket.

    The open file itself is examined, because another program can exchange the file between a look and the opening.
    Without `follow`, a symbolic link is refused, too. `folder` is an open folder that the path begins at.
    """
    # Without O_NONBLOCK, opening a pipe waits for a writer, and reading a file such as /proc/kmsg waits for a message.
    wary = flags("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY", *(() if follow else ("O_NOFOLLOW",)))
    try:
        handle = os.open(path, os.O_RDONLY | wary, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.ENXIO, errno.ENODEV):  # a socket, or a device that is not there
            raise OSError(errno.EINVAL, NOT_A_FILE, str(path)) from error
        raise
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, NOT_A_FILE, str(path))
    return os.fdopen(handle, "rb")


def read_regular(path: Path, largest: int, *, follow: bool = True) -> bytes:
    """All bytes of a regular file that nobody named.

    The bytes are counted while they are read, because the size of a file such as those of /proc is not its length.
    Raises `OSError`, as `open_regular` does, and `ValueError` if there are more than `largest` bytes.
    """
    with open_regular(path, follow=follow) as file:
        size = os.fstat(file.fileno()).st_size
        refuse_larger(size, largest)
        pieces = [file.read(size + 1) or b""]  # None where such a file has nothing to give at once
        count = len(pieces[0])
        while count > size and (piece := file.read(_PIECE)):
            pieces.append(piece)
            count += len(piece)
            refuse_larger(count, largest)
    return b"".join(pieces)


def refuse_larger(size: int, largest: int) -> None:
    """Raise ValueError if a file has more than `largest` bytes."""
    if size > largest:
        raise ValueError(f"the file has more than {largest:,} bytes")
