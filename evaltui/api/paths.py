"""Paths that callers give."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from evaltui.api.errors import EvaltuiError
from evaltui.file_access import exists
from evaltui.files.remote_path import is_remote
from evaltui.printable import one_line

AnyPath = str | os.PathLike[str]
"""A path as text or as `pathlib.Path`."""
_STDIN = "-"
_LONGEST = 4096
"""The most bytes of a path. No system has longer ones."""
_SHOWN = 80
"""The most characters of a wrong value that a message shows."""


def path_of(given: AnyPath, parameter: str) -> Path:
    """The path of a file or folder. Errors name the `parameter`.

    Raises `TypeError` for another type, and `EvaltuiError` for a text that is not the name of a file, and for `-`: only
    the command line reads standard input.
    """
    name: object = os.fspath(given) if isinstance(given, os.PathLike) else given
    if not isinstance(name, str):
        raise wrong_type(parameter, "a path (str or os.PathLike[str])", given)
    if not name:
        raise EvaltuiError(f"{parameter}: the path is empty; give the name of a file")
    if name == _STDIN:
        raise EvaltuiError(f"{parameter}: - is standard input only on the command line; give the name of a file")
    if is_remote(name) and not exists(Path(name)):
        # Without the address, which may have credentials.
        raise EvaltuiError(f"{parameter}: only `evaltui run` reads files of a store; copy them to this machine")
    if not _is_valid(name):
        raise EvaltuiError(f"{parameter}: {one_line(name, _SHOWN)} is not a valid file name")
    return Path(name)


def _is_valid(name: str) -> bool:
    try:
        data = os.fsencode(name)
    except UnicodeEncodeError:
        return False
    return b"\0" not in data and len(data) <= _LONGEST


def paths_of(given: AnyPath | Iterable[AnyPath], parameter: str) -> list[Path]:
    """One path or several. Raises `TypeError` and `EvaltuiError`, as `path_of` does."""
    if isinstance(given, str | os.PathLike):
        return [path_of(given, parameter)]
    if isinstance(given, bytes | bytearray | Mapping) or not isinstance(given, Iterable):
        raise wrong_type(parameter, "a path or several paths (str or os.PathLike[str])", given)
    return [path_of(each, parameter) for each in given]


def wrong_type(parameter: str, wanted: str, given: object) -> TypeError:
    """The error for a value of another type than `wanted`."""
    return TypeError(f"{parameter} must be {wanted}, not {type(given).__name__}")


def check_flag(parameter: str, given: object) -> None:
    """Raise `TypeError` for a value that is neither True nor False."""
    if not isinstance(given, bool):
        raise wrong_type(parameter, "True or False", given)


def shown_value(given: object) -> str:
    """A wrong value as messages show it, on one line and cut."""
    return one_line(given if isinstance(given, str) else repr(given), _SHOWN)
