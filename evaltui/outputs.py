"""Files that a command is to write: all are checked before the first is, and none takes the place of an input."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from evaltui.document import DocumentError
from evaltui.existence import is_folder

_REPORTS = {
    ".json": re.compile(rb'\s*\{\s*"version":\s*1,\s*"(?:set|runs)":'),
    ".xml": re.compile(rb"<\?xml [^>]*>\s*<testsuites\b"),
    ".md": re.compile("## (?:✓|✗|–) ".encode()),
    ".txt": re.compile("[^\n]+\n[^\n]+: (?:[^\n]*≥ |no metrics\n)".encode()),
}
"""How the reports of `run` begin."""
_HEAD = 1_000


class Outputs:
    """The files named with `-o`, in their order."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Raises `DocumentError` for one that cannot be written, and for two names of one file."""
        self.paths = paths
        named: dict[tuple[object, ...], Path] = {}
        for path in paths:
            _refuse_unwritable(path)
            for key in _keys(path):
                if named.setdefault(key, path) is not path:
                    raise DocumentError(f"{path}: two outputs have this file; name another one")

    def spare(self, inputs: Iterable[Path]) -> None:
        """Raises `DocumentError` where one would take the place of an input; links and other names count."""
        taken = {key for path in inputs for key in _keys(path)}
        for path in self.paths:
            if not taken.isdisjoint(_keys(path)):
                raise DocumentError(f"{path}: this is an input of the command, and stays; name another file")


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two names lead to one file."""
    return not set(_keys(one)).isdisjoint(_keys(other))


def is_report(path: Path) -> bool:
    """Whether a file looks like an earlier report of evaltui, which may be written anew."""
    looks = _REPORTS.get(path.suffix.lower())
    if looks is None or not os.path.isfile(path):  # noqa: PTH113 - nor a pipe, which would wait for ever
        return False
    try:
        with path.open("rb") as file:
            return looks.match(file.read(_HEAD)) is not None
    except OSError:
        return False


def _keys(path: Path) -> list[tuple[object, ...]]:
    """What tells a file from others: where its name leads, and if it is there, which file of the disk it is."""
    keys: list[tuple[object, ...]] = []
    with suppress(OSError, ValueError):
        keys.append((os.path.realpath(path),))
        status = path.stat()
        keys.append((status.st_dev, status.st_ino))
    return keys


def _refuse_unwritable(path: Path) -> None:
    try:
        target = Path(os.path.realpath(path))
        status = target.stat()
    except FileNotFoundError:
        folder = path.parent
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
