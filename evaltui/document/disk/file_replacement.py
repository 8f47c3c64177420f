"""Saves that write a file whole or not at all, and never destroy what another program writes meanwhile."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from evaltui.document.disk import file_swap
from evaltui.document.disk.file_content import Fingerprint, fingerprint_of_file, kind_of, reason_of
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


class Saved(NamedTuple):
    """Result of a save: the fingerprint of the file now on disk, remarks for the user, and the bytes written."""

    fingerprint: Fingerprint
    remarks: tuple[str, ...] = ()
    data: bytes = b""


def write_file(path: Path, data: bytes) -> Saved:
    """Write `data` to `path` whole or not at all, over any file there, and read it back. Raises `SaveError`.

    The target of a symlink is replaced, not the link. Owner, mode and extended attributes are kept if possible; the
    remarks name those that were lost.
    """
    return write_pieces(path, [data])._replace(data=data)


def write_pieces(path: Path, pieces: Iterable[bytes]) -> Saved:
    """Write a file as `write_file` does, piece by piece; the result has no bytes. Raises `SaveError`."""
    target = _target(path)

    def put(temporary: TemporaryFile) -> list[str]:
        """Move the temporary file into place, over any file there."""
        temporary.path.replace(target)
        return []

    return _write(path, target, _writable(path, target), pieces, None, put)


def save_file(path: Path, data: bytes, expected: Fingerprint | None) -> Saved:
    """Write `data` as `write_file` does, but only over the file with the fingerprint `expected`; None for no file.

    A file that was deleted is written again. Raises `SaveError`, and `ChangedOnDiskError` if the file has another
    fingerprint. The file is compared twice: before the save writes anything, and after it was moved aside, so that no
    program can change it unnoticed in between. If the second comparison fails, the file is put back.
    """
    target = _target(path)
    before = _writable(path, target)
    if before is not None:
        _refuse_foreign_change(path, target, expected)

    def put(temporary: TemporaryFile) -> list[str]:
        """Swap the temporary file with the expected one, or move it to a name that is still free."""
        if before is not None:
            return swap(path, temporary, target, expected)
        try:
            file_swap.put_where_nothing_is(temporary.path, target)
        except FileExistsError:
            raise ChangedOnDiskError.of(path, _CAME_TO_BE) from None
        return [] if expected is None else ["the file was deleted, so evaltui created it again"]

    return _write(path, target, before, [data], expected, put)._replace(data=data)


def status_of(target: Path) -> os.stat_result | None:
    """Status of the file; None if there is no file. Raises `SaveError` if the system cannot tell."""
    try:
        return target.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unsaved(target, error) from error


def _write(
    path: Path,
    target: Path,
    before: os.stat_result | None,
    pieces: Iterable[bytes],
    expected: Fingerprint | None,
    put: Callable[[TemporaryFile], list[str]],
) -> Saved:
    """Write the pieces to a temporary file, let `put` move it into place, and read it back. Raises `SaveError`."""
    try:
        temporary = TemporaryFile(target, expected)
        try:
            temporary.write(pieces)
            remarks = _take_over(target, before, temporary.path)
            written = temporary.path.stat()
            with folder_lock(target.parent):
                remarks += put(temporary)
        finally:
            temporary.remove()
        _sync_folder(target.parent)
        _read_back(path, target, temporary.fingerprint, written)
    except OSError as error:
        raise _unsaved(path, error) from error
    return Saved(temporary.fingerprint, tuple(remarks))


# --- refusals --------------------------------------------------------------------------------------------------


def _writable(path: Path, target: Path) -> os.stat_result | None:
    """Status of a file that can be replaced; None if there is no file. Raises `SaveError` for any other file."""
    status = status_of(target)
    if status is None:
        return None
    if not stat.S_ISREG(status.st_mode):
        reason = f"this is {kind_of(target)}, not a file"
        raise SaveError(f"{path}: {reason}", reason, "move it away and save again")
    if not status.st_mode & 0o222 or not os.access(target, os.W_OK):
        if status_of(target) is None:  # taken away meanwhile
            raise ChangedOnDiskError.of(path)
        reason = "the file is read-only"
        raise SaveError(f"{path}: cannot be saved: {reason}", reason, "make it writable and save again")
    return status


def _refuse_foreign_change(path: Path, target: Path, expected: Fingerprint | None) -> None:
    if expected is None:
        raise ChangedOnDiskError.of(path, _CAME_TO_BE)
    try:
        with target.open("rb") as file:
            now = fingerprint_of_file(file.fileno())
    except FileNotFoundError:
        raise ChangedOnDiskError.of(path) from None
    except OSError as error:
        raise _unsaved(path, error) from error
    if now != expected:
        raise ChangedOnDiskError.of(path)


def _read_back(path: Path, target: Path, digest: Fingerprint, written: os.stat_result) -> None:
    """Raise `SaveError` or `ChangedOnDiskError` if the file on disk is not the one that was written."""
    try:
        with target.open("rb") as file:
            if fingerprint_of_file(file.fileno()) == digest:
                return
            now = os.fstat(file.fileno())
    except FileNotFoundError:
        raise ChangedOnDiskError.of(path) from None
    # Times alone are too coarse: the clock of a file system may not advance for some milliseconds.
    if any(getattr(now, name) != getattr(written, name) for name in ("st_ino", "st_size", "st_mtime_ns")):
        raise ChangedOnDiskError.of(path)
    reason = "the file on disk differs from the text that was written"
    raise SaveError(f"{path}: {reason}; save again", reason)


def _unsaved(path: Path, error: OSError) -> SaveError:
    reason = reason_of(error)
    return SaveError(f"{path}: cannot be saved: {reason}", reason, _ADVICE.get(error.errno or 0, "save again"))


# --- the file and its folder -----------------------------------------------------------------------------------


def _target(path: Path) -> Path:
    """The path with all symlinks resolved. Raises `SaveError` if the working directory of a relative path is gone."""
    try:
        return Path(os.path.realpath(path))
    except OSError as error:
        raise _unsaved(path, error) from error


def _take_over(target: Path, before: os.stat_result | None, temporary: Path) -> list[str]:
    """Give the temporary file the attributes of the old file, or those of a new file under this umask."""
    if before is None:
        umask = os.umask(0)  # setting it is the only way to read it
        os.umask(umask)
        with contextlib.suppress(OSError):
            temporary.chmod(0o666 & ~umask)
        return []
    links = ["other hard links to the file keep the old content"] if before.st_nlink > 1 else []
    return links + _carry_over(target, before, temporary)


def _sync_folder(folder: Path) -> None:
    """Make the move itself durable, if the system can sync a folder."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# --- attributes ------------------------------------------------------------------------------------------------

_OF_THE_CONTENT = {"security.ima", "security.evm"}
"""Signatures of a file's bytes; they do not fit other bytes."""


def _carry_over(source: Path, before: os.stat_result, target: Path) -> list[str]:
    """Copy the attributes of `source`, whose status is `before`, to `target`; returns a clause for each one lost.

    A lost attribute never fails a save: containers without root, FUSE and SMB refuse to set an owner or a mode even
    if the file already has it.
    """
    remarks = [*_carry_owner(before, target), *_carry_extended(source, target)]
    mode = stat.S_IMODE(before.st_mode)
    with contextlib.suppress(OSError):
        target.chmod(mode)  # last: setting an owner clears bits, setting an access list changes the group's
    now = stat.S_IMODE(target.stat().st_mode)
    return remarks + ([f"the file mode could not be kept: {now:03o} instead of {mode:03o}"] if now != mode else [])


def _carry_owner(before: os.stat_result, target: Path) -> list[str]:
    if not hasattr(os, "chown"):
        return []
    now = target.stat()
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        try:
            os.chown(target, before.st_uid, before.st_gid)
        except OSError:
            with contextlib.suppress(OSError):
                os.chown(target, -1, before.st_gid)
        now = target.stat()
    lost = [
        name
        for name, kept in [("owner", now.st_uid == before.st_uid), ("group", now.st_gid == before.st_gid)]
        if not kept
    ]
    return [f"the file {' and '.join(lost)} could not be kept"] if lost else []


def _carry_extended(source: Path, target: Path) -> list[str]:
    """Copy extended attributes, which include access lists. Python supports them on Linux only."""
    if not hasattr(os, "listxattr"):
        return []
    wanted, present = _extended(source), _extended(target)
    lost = []
    for name in {**present, **wanted}:
        if wanted.get(name) == present.get(name):
            continue
        try:
            if name in wanted:
                os.setxattr(target, name, wanted[name])
            else:  # a default access list of the folder
                os.removexattr(target, name)
        except OSError:
            lost.append("access list" if "acl" in name else name)
    return [f"some file attributes could not be kept: {', '.join(sorted(lost))}"] if lost else []


def _extended(path: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    with contextlib.suppress(OSError):
        for name in os.listxattr(path):
            if name not in _OF_THE_CONTENT:
                with contextlib.suppress(OSError):
                    found[name] = os.getxattr(path, name)
    return found
