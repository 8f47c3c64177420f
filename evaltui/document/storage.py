"""Files read and written whole: a save that fails leaves the old file as it was."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import tempfile
from pathlib import Path
from typing import NamedTuple

from evaltui.document.errors import ChangedOnDiskError, MissingFileError, ReadError, SaveError

Fingerprint = bytes
"""A hash of a file's content; times and sizes do not tell whether somebody wrote."""

_NAME_BYTES = 80
"""Of the name of a file in that of the temporary one beside it: a name may have 255 bytes in all."""
_ADVICE = {
    errno.ENOSPC: "free some space and save again",
    errno.EDQUOT: "free some space and save again",
    errno.ENOENT: "make its folder again and save again",
    errno.EACCES: "get access to its folder and save again",
    errno.EPERM: "get access to its folder and save again",
    errno.EROFS: "make the disk writable and save again",
}


class Saved(NamedTuple):
    """What a save did: the fingerprint of what is on disk now, and what people should know about it."""

    fingerprint: Fingerprint
    remarks: tuple[str, ...] = ()
    data: bytes = b""


def fingerprint(data: bytes) -> Fingerprint:
    """The fingerprint of a file that holds `data`."""
    seen = fingerprint_of_nothing()
    seen.update(data)
    return seen.digest()


def fingerprint_of_nothing() -> hashlib.blake2b:
    """What takes in a file piece by piece; its `digest` is the fingerprint of all it took in."""
    return hashlib.blake2b(digest_size=20)


def read_file(path: Path) -> bytes:
    """All bytes of a regular file; raises `ReadError` with a sentence."""
    try:
        if path.exists() and not path.is_file():
            raise ReadError(f"{path}: this is {_what_else(path)}, not a file")
        return path.read_bytes()
    except FileNotFoundError:
        raise MissingFileError(f"{path}: there is no such file") from None
    except OSError as error:
        raise ReadError(f"{path}: cannot be read: {_reason(error)}") from error


def write_file(path: Path, data: bytes, expected: Fingerprint | None = None) -> Saved:
    """Write `data` to `path` whole or not at all, and read it back.

    A symlink keeps pointing where it points; mode and, where possible, owner stay. With `expected`, the file
    must still be the one with that fingerprint; one that is gone is written anew. Raises `SaveError`, or
    `ChangedOnDiskError` where somebody else wrote it meanwhile.
    """
    target = _target(path)
    remarks: list[str] = []
    before = status_of(target)
    if before is not None:
        _refuse_unwritable(path, target, before)
        if expected is not None:
            _refuse_foreign_change(path, target, expected)
        if before.st_nlink > 1:
            remarks.append("its other hard links keep the old content")
    elif expected is not None:
        remarks.append("the file was gone and is written anew")
    try:
        _replace(target, data, before)
        if target.read_bytes() != data:
            reason = "what was read back is not what was written"
            raise SaveError(f"{path}: {reason}; save again", reason)
    except OSError as error:
        raise _unsaved(path, error) from error
    return Saved(fingerprint(data), tuple(remarks), data)


def _target(path: Path) -> Path:
    """Where a file or the symlink to it leads; relative to a working directory that is gone, nowhere."""
    try:
        return Path(os.path.realpath(path))
    except OSError as error:
        raise _unsaved(path, error) from error


def _unsaved(path: Path, error: OSError) -> SaveError:
    reason = _reason(error)
    return SaveError(f"{path}: cannot be saved: {reason}", reason, _ADVICE.get(error.errno or 0, "save again"))


def status_of(target: Path) -> os.stat_result | None:
    """What the system says of the file, None where there is none; raises `SaveError` where it cannot say."""
    try:
        return target.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unsaved(target, error) from error


def _refuse_unwritable(path: Path, target: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        reason = f"this is {_what_else(target)}, not a file"
        raise SaveError(f"{path}: {reason}", reason, "move it away and save again")
    if not status.st_mode & 0o222 or not os.access(target, os.W_OK):
        reason = "the file is read-only"
        raise SaveError(f"{path}: cannot be saved: {reason}", reason, "make it writable and save again")


def _refuse_foreign_change(path: Path, target: Path, expected: Fingerprint) -> None:
    try:
        now = fingerprint(target.read_bytes())
    except OSError as error:
        raise _unsaved(path, error) from error
    if now != expected:
        reason = "changed on disk by another program"
        sentence = f"{path}: the file on disk was changed by another program; nothing was written"
        raise ChangedOnDiskError(sentence, reason, "move it away and save again")


def _replace(target: Path, data: bytes, before: os.stat_result | None) -> None:
    """Write beside the file, then put the new one in its place in one move."""
    start = os.fsencode(target.name)[:_NAME_BYTES].decode("utf-8", "ignore")
    handle, name = tempfile.mkstemp(prefix=f".{start}.", suffix=".tmp", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _take_over_rights(temporary, before)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _take_over_rights(temporary: Path, before: os.stat_result | None) -> None:
    if before is None:
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        return
    if hasattr(os, "chown"):
        with contextlib.suppress(PermissionError):
            os.chown(temporary, before.st_uid, before.st_gid)
    temporary.chmod(stat.S_IMODE(before.st_mode))


def _sync_folder(folder: Path) -> None:
    """Make the move itself durable; systems that cannot sync a folder are left alone."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _what_else(path: Path) -> str:
    return "a folder" if path.is_dir() else "a device or pipe"


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
