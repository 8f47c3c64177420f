"""Paths that callers give."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from evaltui.api.errors import EvaltuiError

AnyPath = str | os.PathLike[str]
"""A path as text or as `pathlib.Path`."""
_STDIN = "-"


def path_of(given: AnyPath) -> Path:
    """The path of a file or folder. Raises `EvaltuiError` for `-`: only the command line reads standard input."""
    name = os.fspath(given)
    if not name:
        raise EvaltuiError("the path is empty; give the name of a file")
    if name == _STDIN:
        raise EvaltuiError("- is standard input only on the command line; give the name of a file")
    return Path(name)


def paths_of(given: AnyPath | Iterable[AnyPath]) -> list[Path]:
    """One path or several. Raises `EvaltuiError`."""
    if isinstance(given, str | os.PathLike):
        return [path_of(given)]
    return [path_of(each) for each in given]
