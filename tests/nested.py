"""Folders nested deeper than Python calls, and than a path may be; taken away again, as `rmtree` could not."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAME = "d"


@contextmanager
def nested(folder: Path, levels: int) -> Iterator[Path]:
    """Folders called `d` in each other; gives the path of the innermost."""
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
    """Take away the outermost again and again, after the one in it has come up."""
    outer, inner = folder / NAME, folder / f"{NAME}_inner"
    while outer.exists():
        if (outer / NAME).exists():
            (outer / NAME).rename(inner)
        shutil.rmtree(outer)
        if inner.exists():
            inner.rename(outer)
