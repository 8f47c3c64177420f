"""Saves that write a file whole or not at all, and never destroy what another program writes meanwhile."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from evaltui.document.disk import file_swap
from evaltui.document.disk.file_content import Fingerprint, fingerprint_of_file, reason_of
from evaltui.document.disk.file_place import Entry, FilePlace, find_place
from evaltui.document.disk.file_swap import swap
from evaltui.document.disk.locks import folder_lock
from evaltui.document.disk.temporary_file import TemporaryFile
from evaltui.document.errors import ChangedOnDiskError, SaveError

_ADVICE = {
    errno.ENOSPC: "free some space and save again",
    errno.EDQUOT: "free some space and save again",
    errno.ENOENT: "create its folder and save again",
    errno.EACCES: "get access to its folder and save again",
    errno.EPERM: "get access to its folder and save again",
    errno.EROFS: "make the disk writable and save again",
}
_CAME_TO_BE = "another program created this file meanwhile"


Saved = tuple[Fingerprint, tuple[str, ...]]
"""Result of a save: the fingerprint of the file now on disk, and remarks for the user."""


def save_file(
    path: Path,
    pieces: Iterable[bytes],
    expected: Fingerprint | None,
    *,
    leaves: bool = False,
    makes_folders: bool = False,
) -> Saved:
    """Write the `pieces` to `path` whole or not at all, and read them back. Raises `SaveError`.

    It replaces only the file with the fingerprint `expected`; None for no file. A file that was deleted is written
    again. Raises `ChangedOnDiskError` if the file has another fingerprint. The file is compared twice: before the save
    writes anything, and after it was moved aside, so that no program can change it unnoticed in between. If the second
    comparison fails, the file is put back.

    The target of a symlink is replaced, not the link; with `leaves`, also a target outside (`find_place`). Owner, mode
    and extended attributes are kept if possible; the remarks name those that were lost. With `makes_folders`, missing
    folders are created.
    """
    try:
        with find_place(path, leaves=leaves, makes_folders=makes_folders) as place, _replaced(path, place) as old:
            if old is not None:
                _refuse_foreign_change(path, old, expected)
            with contextlib.closing(TemporaryFile(place, expected)) as temporary:
                temporary.write(pieces)
                remarks = _take_over(old, temporary.handle)
                written = os.fstat(temporary.handle)
                with folder_lock(place.folder):
                    remarks += _put(path, temporary, place.file, expected, replaces=old is not None)
            _sync_folder(place.folder)
            _read_back(path, place.file, temporary.fingerprint, written)
            return temporary.fingerprint, tuple(remarks)
    except OSError as error:
        raise _unsaved(path, error) from error


def fingerprint_on_disk(path: Path, *, leaves: bool = False) -> Fingerprint | None:
    """The fingerprint of the file that a save would replace; None if there is no file. Raises `SaveError`."""
    try:
        with find_place(path, leaves=leaves) as place, _replaced(path, place) as old:
            return None if old is None else fingerprint_of_file(old.fileno())
    except OSError as error:
        raise _unsaved(path, error) from error


def _put(
    path: Path, temporary: TemporaryFile, target: Entry, expected: Fingerprint | None, *, replaces: bool
) -> list[str]:
    """Swap the temporary file with the expected one, or move it to a name that is still free; returns remarks."""
    if replaces:
        return swap(path, temporary, target, expected)
    try:
        file_swap.put_where_nothing_is(temporary.entry, target)
    except FileExistsError:
        raise ChangedOnDiskError.of(path, _CAME_TO_BE) from None
    return [] if expected is None else ["the file was deleted, so evaltui created it again"]


# --- refusals --------------------------------------------------------------------------------------------------


def _replaced(path: Path, place: FilePlace) -> contextlib.AbstractContextManager[BinaryIO | None]:
    """The open file that a save replaces; None if there is none. Raises `SaveError` if it cannot be replaced."""
    status = place.file.status()
    if status is None:
        return contextlib.nullcontext()
    if stat.S_ISLNK(status.st_mode):  # it was a file, or nothing, when its place was found
        raise ChangedOnDiskError.of(path)
    if not stat.S_ISREG(status.st_mode):
        reason = f"this is {'a folder' if stat.S_ISDIR(status.st_mode) else 'a device or pipe'}, not a file"
        raise SaveError(f"{path}: {reason}", reason, "move it away and save again")
    if not status.st_mode & 0o222 or not place.may_write():
        if place.file.status() is None:  # taken away meanwhile
            raise ChangedOnDiskError.of(path)
        reason = "the file is read-only"
        raise SaveError(f"{path}: cannot be saved: {reason}", reason, "make it writable and save again")
    try:
        return place.file.open()
    except FileNotFoundError:
        raise ChangedOnDiskError.of(path) from None


def _refuse_foreign_change(path: Path, old: BinaryIO, expected: Fingerprint | None) -> None:
    if expected is None:
        raise ChangedOnDiskError.of(path, _CAME_TO_BE)
    if fingerprint_of_file(old.fileno()) != expected:
        raise ChangedOnDiskError.of(path)


def _read_back(path: Path, target: Entry, digest: Fingerprint, written: os.stat_result) -> None:
    """Raise `SaveError` or `ChangedOnDiskError` if the file on disk is not the one that was written."""
    try:
        with target.open() as file:
            if fingerprint_of_file(file.fileno()) == digest:
                return
            status = os.fstat(file.fileno())
    except FileNotFoundError:
        raise ChangedOnDiskError.of(path) from None
    # Times alone are too coarse: the clock of a file system may not advance for some milliseconds.
    if any(getattr(status, name) != getattr(written, name) for name in ("st_ino", "st_size", "st_mtime_ns")):
        raise ChangedOnDiskError.of(path)
    reason = "the file on disk differs from the text that was written"
    raise SaveError(f"{path}: {reason}; save again", reason)


def _unsaved(path: Path, error: OSError) -> SaveError:
    reason = reason_of(error)
    return SaveError(f"{path}: cannot be saved: {reason}", reason, _ADVICE.get(error.errno or 0, "save again"))


# --- the file and its folder -----------------------------------------------------------------------------------


def _take_over(old: BinaryIO | None, new: int) -> list[str]:
    """Give the open new file the attributes of the old file, or of a new one; returns a clause for each lost one."""
    if old is None:
        umask = os.umask(0)  # setting it is the only way to read it
        os.umask(umask)
        with contextlib.suppress(OSError):
            os.chmod(new, 0o666 & ~umask)
        return []
    status = os.fstat(old.fileno())
    remarks = ["other hard links to the file keep the old content"] if status.st_nlink > 1 else []
    # A lost attribute never fails a save: containers without root, FUSE and SMB refuse to set an owner or a mode even
    # if the file already has it.
    remarks += [*_carry_owner(status, new), *_carry_extended(old.fileno(), new)]
    mode = stat.S_IMODE(status.st_mode)
    with contextlib.suppress(OSError):
        os.chmod(new, mode)  # last: an owner clears bits, an access list changes the group's
    new_mode = stat.S_IMODE(os.fstat(new).st_mode)
    if new_mode != mode:
        remarks.append(f"the file mode could not be kept: {new_mode:03o} instead of {mode:03o}")
    return remarks


def _sync_folder(folder: int) -> None:
    """Make the move itself durable, if the system can sync a folder."""
    with contextlib.suppress(OSError):
        handle = os.open(".", os.O_RDONLY, dir_fd=folder)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# --- attributes ------------------------------------------------------------------------------------------------

_OF_THE_CONTENT = {"security.ima", "security.evm"}
"""Signatures of a file's bytes; they do not fit other bytes."""


def _carry_owner(status: os.stat_result, target: int) -> list[str]:
    if not hasattr(os, "chown"):
        return []
    new_status = os.fstat(target)
    if (new_status.st_uid, new_status.st_gid) != (status.st_uid, status.st_gid):
        try:
            os.chown(target, status.st_uid, status.st_gid)
        except OSError:
            with contextlib.suppress(OSError):
                os.chown(target, -1, status.st_gid)
        new_status = os.fstat(target)
    lost = ["owner"] if new_status.st_uid != status.st_uid else []
    lost += ["group"] if new_status.st_gid != status.st_gid else []
    return [f"the file {' and '.join(lost)} could not be kept"] if lost else []


def _carry_extended(source: int, target: int) -> list[str]:
    """Copy extended attributes, which include access lists. Python supports them on Linux only."""
    if not hasattr(os, "listxattr"):
        return []
    old, present = _extended(source), _extended(target)
    lost = []
    for name in {**present, **old}:
        if old.get(name) == present.get(name):
            continue
        try:
            if name in old:
                os.setxattr(target, name, old[name])
            else:  # a default access list of the folder
                os.removexattr(target, name)
        except OSError:
            lost.append("access list" if "acl" in name else name)
    return [f"some file attributes could not be kept: {', '.join(sorted(lost))}"] if lost else []


def _extended(file: int) -> dict[str, bytes]:
    attributes: dict[str, bytes] = {}
    with contextlib.suppress(OSError):
        for name in os.listxattr(file):
            if name not in _OF_THE_CONTENT:
                with contextlib.suppress(OSError):
                    attributes[name] = os.getxattr(file, name)
    return attributes
