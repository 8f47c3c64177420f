"""Typed paths: completions, and the check of a path for reading or writing."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from itertools import islice
from pathlib import Path

from evaltui.document.disk.file_place import why_outside
from evaltui.document.errors import DocumentError
from evaltui.file_access import exists, is_file, is_folder
from evaltui.printable import is_unsafe

_LONGEST = 255  # bytes of a name on common file systems; a few allow less, and raise their own error


class PathError(DocumentError):
    """The typed path cannot be used; the message says why."""


def file_to_read(text: str, folder: Path | None = None, *, or_folder: bool = False) -> Path:
    """The existing file that `text` names, relative to `folder`; with `or_folder`, or folder. Raises `PathError`."""
    text = text.strip()
    # `expanded` refuses folders, so a name is added and the folder of the result is used.
    path = expanded(f"{text}/x", folder).parent if text and or_folder else expanded(text, folder)
    status = _status(path)
    if status is None:
        raise PathError(f"{path}: there is no such file{' or folder' * or_folder}")
    if not (or_folder and stat.S_ISDIR(status.st_mode)):
        _refuse_other_kinds(path, status)
    return path


def file_to_write(text: str, folder: Path | None = None, *, replaces: bool = False) -> Path:
    """The path of a new file that `text` names, relative to `folder`. With `replaces`, the file may exist.

    Raises `PathError`. Nothing is created, so writing can still fail: another program may create the file first, or
    the disk may be full.
    """
    path = expanded(text, folder)
    if is_unsafe(path.name):
        raise PathError("the name has an invisible character; type another name")
    status = _status(path, follow=False)
    if status is not None:
        _refuse_other_kinds(path, status)
        if not replaces:
            raise PathError("this file already exists; type another name")
    refuse_missing_folder(path)
    # Asked in advance, so that the person can type another folder before the text to save is made.
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise PathError(f"you cannot write to the folder {path.parent}; type another folder")
    if (error := why_outside(path)) is not None:
        raise PathError(f"{error.reason}; {error.advice}")
    return path


def expanded(text: str, folder: Path | None = None) -> Path:
    """The path that `text` names, relative to `folder`; `~` is the home folder, and blanks around it are dropped.

    Raises `PathError` for a text that cannot name a file. Whether the file exists is not checked.
    """
    text = text.strip()
    if not text:
        raise PathError("type the name of a file")
    try:
        os.fsencode(text)
        path = Path(text).expanduser()
    except RuntimeError:
        user = Path(text).parts[0][1:]
        raise PathError(
            f"there is no user {user}" if user else "the home folder is unknown; type the full path"
        ) from None
    except ValueError:  # a lone surrogate
        raise PathError("the name has a character that file names cannot have; type another name") from None
    if "\0" in text:
        raise PathError("a file name cannot have a NUL character; type another name")
    last = text.rpartition("/")[2]
    if last in ("", ".", "..") or (last == text and text.startswith("~")):
        raise PathError(f"{text} is a folder; add the name of a file")
    for name in path.parts:
        if (size := len(os.fsencode(name))) > _LONGEST:
            raise PathError(f"the name is too long: it has {size} bytes and the limit is {_LONGEST}")
    return (folder / path) if folder is not None else path


def _status(path: Path, *, follow: bool = True) -> os.stat_result | None:
    """Status of `path`; None if nothing is there. Without `follow`, a broken link has one. Raises `PathError`."""
    try:
        with suppress(FileNotFoundError):
            return path.stat()
        return None if follow or not path.is_symlink() else path.lstat()
    except OSError as error:
        reason = f"{path} cannot be reached: {(error.strerror or str(error)).lower()}"
        if error.errno == errno.ENOTDIR:
            reason = f"{next(filter(exists, path.parents), path.parent)} is a file, not a folder"
        elif error.errno == errno.ENAMETOOLONG:
            reason = f"the path is too long: it has {len(os.fsencode(path))} bytes"
        raise PathError(reason) from error


def _refuse_other_kinds(path: Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise PathError(f"{path} is a folder; add the name of a file")
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode)):
        raise PathError(f"{path} is a device or pipe, not a file")


def refuse_missing_folder(path: Path) -> None:
    """Raise `PathError` if the folder of `path` does not exist or is a file."""
    if is_folder(path.parent):
        return
    nearest = next(filter(exists, path.parents), path.parent)
    is_in_file = is_file(nearest)
    raise PathError(f"{nearest} is a file, not a folder" if is_in_file else f"the folder {path.parent} does not exist")


_LOOKED_AT = 20_000  # entries of a folder that are read
_OFFERED = 8


def completions(text: str, folder: Path | None = None) -> list[str]:
    """The rest of the names of up to eight files and folders whose path begins with `text`; folders end with /.

    The path is relative to `folder`. Hidden names are included only after a typed dot. An unreadable folder has no
    completions. A network mount may block this call.
    """
    head, typed = os.path.split(text)
    try:
        with os.scandir((folder or Path()) / Path(head).expanduser()) as entries:
            names = sorted(
                entry.name + "/" * _is_folder(entry)
                for entry in islice(entries, _LOOKED_AT)
                if entry.name.startswith(typed) and (typed or not entry.name.startswith("."))
            )
    except (OSError, ValueError, RuntimeError):
        return []
    return [name[len(typed) :] for name in names if name != typed][:_OFFERED]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to an unreadable place
        return False
