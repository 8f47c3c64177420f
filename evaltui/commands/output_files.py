"""Output files of a command: all are checked before the first is written, and none replaces an input."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from evaltui.document.disk.file_content import Fingerprint, fingerprint
from evaltui.document.disk.file_replacement import Saved, fingerprint_on_disk, save_pieces
from evaltui.document.errors import DocumentError, LeadsOutsideError
from evaltui.file_access import is_folder
from evaltui.interrupt import deferred


class Outputs:
    """The files named with `-o`, in the order of the command line."""

    def __init__(self, paths: Sequence[Path], *, makes_folders: bool = False, force: bool | None = None) -> None:
        """Raise `DocumentError` for a file that cannot be written, and for two names of one file.

        With `makes_folders`, a missing folder is no error: it is created. With `force`, a link may lead out of its
        repository; None if no option of the command allows that.
        """
        self.paths = paths
        self._makes_folders, self._force = makes_folders, force
        self._found: dict[Path, Fingerprint | None] = {}
        """Fingerprints of the files when they were checked: nothing else is replaced."""
        named: dict[tuple[object, ...], Path] = {}
        for path in paths:
            if is_null(path):
                continue
            self._found[path] = self._checked(path)
            for key in _keys(path):
                if named.setdefault(key, path) is not path:
                    raise DocumentError(f"{path}: two outputs would write this file; give another file name")

    def _checked(self, path: Path) -> Fingerprint | None:
        """The fingerprint of the file that is there now; None if there is none."""
        has_folder = _refuse_unwritable(path, makes_folders=self._makes_folders)
        return found_at(path, force=self._force) if has_folder else None

    def write(self, path: Path, pieces: Iterable[bytes]) -> Saved:
        """Write one of the files whole or not at all. Raises `SaveError`, also if it is not as it was checked.

        What goes to the null device is thrown away.
        """
        if is_null(path):
            return Saved(fingerprint(b""))
        with deferred():
            return save_pieces(
                path, pieces, self._found[path], leaves=bool(self._force), makes_folders=self._makes_folders
            )

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


def found_at(path: Path, *, force: bool | None) -> Fingerprint | None:
    """The fingerprint of the file that an output replaces; None if there is none. Raises `DocumentError`.

    With `force`, a link may lead out of its repository; None if no option of the command allows that.
    """
    try:
        return fingerprint_on_disk(path, leaves=bool(force))
    except LeadsOutsideError as error:
        raise DocumentError(f"{error}{', or use --force' * (force is not None)}") from error


def is_null(path: Path) -> bool:
    """Whether a path names the null device, `/dev/null`. A link does not count: somebody else may have made it."""
    return str(path) == os.devnull


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


def _refuse_unwritable(path: Path, *, makes_folders: bool) -> bool:
    """Raise `DocumentError` for a file that cannot be written; returns whether its folder exists."""
    try:
        status = path.stat()
    except FileNotFoundError:
        folder = path.parent if not makes_folders else _nearest_there(path.parent)
        if not is_folder(folder):
            raise DocumentError(f"{path}: cannot be saved: there is no folder {folder}") from None
        if not os.access(folder, os.W_OK | os.X_OK):
            raise DocumentError(f"{path}: cannot be saved: its folder is read-only") from None
        return folder == path.parent
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise DocumentError(f"{path}: cannot be saved: {reason}") from error
    if not stat.S_ISREG(status.st_mode):
        what = "a folder" if stat.S_ISDIR(status.st_mode) else "a device or pipe"
        raise DocumentError(f"{path}: cannot be saved: this is {what}, not a file")
    folder = Path(os.path.realpath(path)).parent
    if not os.access(path, os.W_OK) or not os.access(folder, os.W_OK | os.X_OK):
        raise DocumentError(f"{path}: cannot be saved: it is read-only")
    return True
