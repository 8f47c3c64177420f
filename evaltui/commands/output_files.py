"""Output files of a command: all are checked before the first is written, and none replaces an input."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from evaltui.document.errors import DocumentError
from evaltui.file_access import is_folder


class Outputs:
    """The files named with `-o`, in the order of the command line."""

    def __init__(self, paths: Sequence[Path], *, makes_folders: bool = False) -> None:
        """Raise `DocumentError` for a file that cannot be written, and for two names of one file.

        With `makes_folders`, a missing folder is no error: the caller creates it before writing.
        """
        self.paths = paths
        named: dict[tuple[object, ...], Path] = {}
        for path in paths:
            _refuse_unwritable(path, makes_folders=makes_folders)
            for key in _keys(path):
                if named.setdefault(key, path) is not path:
                    raise DocumentError(f"{path}: two outputs would write this file; give another file name")

    def spare(self, inputs: Iterable[Path], recordings: Iterable[Path] = ()) -> None:
        """Raise `DocumentError` if an output is an input or a file found in a search for recordings.

        Links and other names of such a file count.
        """
        taken, among_recordings = _keys_of_all(inputs), _keys_of_all(recordings)
        for path in self.paths:
            keys = _keys(path)
            if not taken.isdisjoint(keys):
                raise DocumentError(f"{path}: this is an input of the command; give another file name")
            if not among_recordings.isdisjoint(keys):
                fault = "this file is among the recordings and is not overwritten"
                raise DocumentError(f"{path}: {fault}; write the report to another folder")


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two names lead to one file."""
    return not set(_keys(one)).isdisjoint(_keys(other))


def _keys_of_all(paths: Iterable[Path]) -> set[tuple[object, ...]]:
    return {key for path in paths for key in _keys(path)}


def _keys(path: Path) -> list[tuple[object, ...]]:
    """Keys that identify a file: its real path and, if the file exists, its device and inode number."""
    keys: list[tuple[object, ...]] = []
    with suppress(OSError, ValueError):
        keys.append((os.path.realpath(path),))
        status = path.stat()
        keys.append((status.st_dev, status.st_ino))
    return keys


def _nearest_there(folder: Path) -> Path:
    """The folder, or the nearest existing folder above it."""
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    return folder


def _refuse_unwritable(path: Path, *, makes_folders: bool) -> None:
    try:
        target = Path(os.path.realpath(path))
        status = target.stat()
    except FileNotFoundError:
        folder = path.parent if not makes_folders else _nearest_there(path.parent)
        if not is_folder(folder):
            raise DocumentError(f"{path}: cannot be saved: there is no folder {folder}") from None
        if not os.access(folder, os.W_OK | os.X_OK):
            raise DocumentError(f"{path}: cannot be saved: its folder is read-only") from None
        return
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise DocumentError(f"{path}: cannot be saved: {reason}") from error
    if not stat.S_ISREG(status.st_mode):
        what = "a folder" if stat.S_ISDIR(status.st_mode) else "a device or pipe"
        raise DocumentError(f"{path}: cannot be saved: this is {what}, not a file")
    if not os.access(target, os.W_OK) or not os.access(target.parent, os.W_OK | os.X_OK):
        raise DocumentError(f"{path}: cannot be saved: it is read-only")
