"""Checks for a file or folder that return False if the system cannot tell.

Up to Python 3.13, `Path.exists`, `is_file` and `is_dir` raise `OSError` for a folder without access, a lost network
mount or a name that is too long. `os.path` returns False for all of these.
"""

from __future__ import annotations

import os
from pathlib import Path


def exists(path: Path) -> bool:
    """Whether anything that can be reached exists at `path`."""
    return os.path.exists(path)  # noqa: PTH110 - see above


def is_file(path: Path) -> bool:
    """Whether `path` leads to a regular file that can be reached."""
    return os.path.isfile(path)  # noqa: PTH113 - see above


def is_folder(path: Path) -> bool:
    """Whether `path` leads to a folder that can be reached."""
    return os.path.isdir(path)  # noqa: PTH112 - see above
