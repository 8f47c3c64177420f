"""Checks for a file or folder that return False if the system cannot tell.

Up to Python 3.13, `Path.exists`, `is_file` and `is_dir` raise `OSError` for a folder without access, a lost network
mount or a name that is too long. The functions of `os.path` do not.
"""

from __future__ import annotations

import os
from pathlib import Path


def exists(path: Path) -> bool:
    """Whether anything that can be reached exists at `path`."""
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: Path) -> bool:
    """Whether `path` leads to a regular file that can be reached."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """Whether `path` leads to a folder that can be reached."""
    return os.path.isdir(path)  # noqa: PTH112


def is_link(path: Path) -> bool:
    """Whether `path` is a symbolic link, wherever it leads."""
    return os.path.islink(path)  # noqa: PTH114


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


def refuse_larger(size: int, largest: int) -> None:
    """Raise ValueError if a file has more than `largest` bytes."""
    if size > largest:
        raise ValueError(f"the file has more than {largest:,} bytes")
