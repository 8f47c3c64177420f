"""Checks for a file or folder that return False if the system cannot tell.

Up to Python 3.13, `Path.exists`, `is_file` and `is_dir` raise `OSError` for a folder without access, a lost network
mount or a name that is too long.
"""

from __future__ import annotations

from pathlib import Path


def exists(path: Path) -> bool:
    """Whether anything that can be reached exists at `path`."""
    try:
        return path.exists()
    except OSError:
        return False


def is_file(path: Path) -> bool:
    """Whether `path` leads to a regular file that can be reached."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Whether `path` leads to a folder that can be reached."""
    try:
        return path.is_dir()
    except OSError:
        return False
