"""Whether a file or folder exists: a plain no where the system cannot say.

`Path.exists`, `is_file` and `is_dir` raise `OSError` up to Python 3.13 for all but a few errors: a folder without
access, a network mount that went away, a name that is too long. `os.path` answers no to all of these.
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
