"""Output files of a command: all are checked before the first is written, and none replaces an input."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.disk.file_content import Fingerprint
from evaltui.document.errors import DocumentError, LeadsOutsideError
from evaltui.file_access import is_folder
from evaltui.interrupt import deferred
from evaltui.printable import json_escaped, printable, say, write_line
from evaltui.workflow_commands import is_runner, unguarded

if TYPE_CHECKING:  # a run that writes no file needs none of it
    from evaltui.document.document import Document


class Outputs:
    """The files named with `-o`, in the order of the command line."""

    def __init__(self, paths: Sequence[Path], *, makes_folders: bool = False, force: bool | None = None) -> None:
        """Raise `DocumentError` for a file that cannot be written, and for two names of one file.

        With `makes_folders`, a missing folder is no error: it is created. With `force`, a link may lead out of its
        repository; None if no option of the command allows that.
        """
        self.paths = paths
        self._makes_folders, self._force = makes_folders, force
        self._fingerprints: dict[Path, Fingerprint | None] = {}
        """Fingerprints of the files when they were checked: nothing else is replaced."""
        path_by_key: dict[object, Path] = {}
        for path in paths:
            if is_null(path):
                continue
            has_folder = _refuse_unwritable(path, makes_folders=makes_folders)
            self._fingerprints[path] = output_fingerprint(path, force=force) if has_folder else None
            for key in _file_keys(path):
                if path_by_key.setdefault(key, path) is not path:
                    raise DocumentError(f"{path}: two outputs would write this file; give another file name")

    def write(self, path: Path, pieces: Iterable[bytes]) -> tuple[str, ...]:
        """Write one of the files whole or not at all; returns remarks for the user.

        Raises `SaveError`, also if it is not as it was checked.
        What goes to the null device is thrown away.
        """
        from evaltui.document.disk.file_replacement import save_file

        if is_null(path):
            return ()
        with deferred():
            return save_file(
                path, pieces, self._fingerprints[path], leaves=bool(self._force), makes_folders=self._makes_folders
            )[1]

    def spare(self, inputs: Iterable[Path], recordings: Iterable[Path] = ()) -> None:
        """Raise `DocumentError` if an output is an input or a file found in a search for recordings.

        Links and other names of such a file count.
        """
        if not self.paths:  # most commands write no file, and a folder may have thousands of recordings
            return
        input_keys, recording_keys = _file_keys(*inputs), _file_keys(*recordings)
        for path in self.paths:
            keys = _file_keys(path)
            if not input_keys.isdisjoint(keys):
                raise DocumentError(f"{path}: this is an input of the command; give another file name")
            if not recording_keys.isdisjoint(keys):
                reason = "this file is among the recordings and is not overwritten"
                raise DocumentError(f"{path}: {reason}; write the report to another folder")


def output_fingerprint(path: Path, *, force: bool | None) -> Fingerprint | None:
    """The fingerprint of the file that an output replaces; None if there is none. Raises `DocumentError`.

    With `force`, a link may lead out of its repository; None if no option of the command allows that.
    """
    from evaltui.document.disk.file_replacement import fingerprint_on_disk

    try:
        return fingerprint_on_disk(path, leaves=bool(force))
    except LeadsOutsideError as error:
        raise DocumentError(f"{error}{', or use --force' * (force is not None)}") from error


def is_null(path: Path) -> bool:
    """Whether a path names the null device, `/dev/null`. A link does not count: somebody else may have made it."""
    return str(path) == os.devnull


def is_same_file(first: str | Path, second: str | Path) -> bool:
    """Whether two names lead to one file."""
    return not _file_keys(first).isdisjoint(_file_keys(second))


def _file_keys(*paths: str | Path) -> set[object]:
    """Keys that identify files: the real path of each and, if the file exists, its device and inode number."""
    keys: set[object] = set()
    for path in paths:
        with suppress(OSError, ValueError):
            keys.add(os.path.realpath(path))
            status = Path(path).stat()
            keys.add((status.st_dev, status.st_ino))  # a hard link has another path
    return keys


def _refuse_unwritable(path: Path, *, makes_folders: bool) -> bool:
    """Raise `DocumentError` for a file that cannot be written; returns whether its folder exists."""
    try:
        status = path.stat()
    except FileNotFoundError:
        folder = path.parent
        while makes_folders and not os.path.lexists(folder) and folder != folder.parent:
            folder = folder.parent
        if not is_folder(folder):
            raise DocumentError(f"{path}: cannot be saved: there is no folder {folder}") from None
        if not os.access(folder, os.W_OK | os.X_OK):
            raise DocumentError(f"{path}: cannot be saved: its folder is read-only") from None
        return folder == path.parent
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise DocumentError(f"{path}: cannot be saved: {reason}") from error
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "a device or pipe"
        raise DocumentError(f"{path}: cannot be saved: this is {kind}, not a file")
    # The save puts a new file in the place of the old one, so the folder of the file that a link leads to counts, too.
    folder = Path(os.path.realpath(path)).parent
    if not os.access(path, os.W_OK) or not os.access(folder, os.W_OK | os.X_OK):
        raise DocumentError(f"{path}: cannot be saved: it is read-only")
    return True


# --- documents -----------------------------------------------------------------------------------------------------


def print_document(document: Document) -> None:
    """Print the bytes of a document to stdout.

    On a terminal, and in the log of a CI runner, they are `json_escaped`: other bytes, but the same values.
    """
    stream, data = unguarded(sys.stdout), document.to_bytes()
    # A runner reads commands from a log. Into a file it gets the bytes themselves, because a program reads them.
    if stream.isatty() or (is_runner() and not stat.S_ISREG(os.fstat(stream.fileno()).st_mode)):
        data = json_escaped(document.body().decode("utf-8", "surrogateescape")).encode()
    stream.write(data)
    stream.flush()


def print_diff(document: Document, old: bytes, name: str) -> None:
    """Print a diff from the `old` body of a document to its body."""
    from evaltui.document.sequence_diff import unified_diff  # most commands print no diff

    for line in unified_diff(old, document.body(), printable(name)):
        write_line("stdout", line)


def save_in_place(document: Document, name: str) -> None:
    """Save a document to its file, whole or not at all. Raises `SaveError`."""
    from evaltui.document.disk.temporary_file import remove_leftovers

    remove_leftovers(Path(name))
    with deferred():
        remarks = document.save()
    say_remarks(name, remarks)


def say_remarks(name: str, remarks: Iterable[str]) -> None:
    """Print what a save could not preserve of the old file."""
    for remark in remarks:
        say(f"{name}: written; {remark}")
