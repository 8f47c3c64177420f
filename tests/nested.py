"""Folders nested deeper than Python's recursion and the longest path. `rmtree` could not delete them."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAME = "d"


@contextmanager
def nested(folder: Path, levels: int) -> Iterator[Path]:
    """Create folders named `d` in each other; returns the path of the innermost."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(NAME, dir_fd=here)
        below = os.open(NAME, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    try:
        yield Path(folder, *[NAME] * levels)
    finally:
        _flatten(folder)


def _flatten(folder: Path) -> None:
    """Delete the nested folders: move the inner folder up, then delete the outer one, and repeat."""
    outer, inner = folder / NAME, folder / f"{NAME}_inner"
    while outer.exists():
        if (outer / NAME).exists():
            (outer / NAME).rename(inner)
        shutil.rmtree(outer)
        if inner.exists():
            inner.rename(outer)
