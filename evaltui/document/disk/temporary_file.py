"""The temporary file of a save, and the cleanup of temporary files that killed saves left behind.

The name tells the content: `.NAME.INODE.EXPECTED.tmp`, with `.old` at its end if the disk cannot swap files. If the
file has that inode, it holds the text to be saved, which the journal also has. If not, the swap was done, and it is
the file from before the save. EXPECTED is the beginning of that file's fingerprint. If the fingerprint differs,
another program wrote the file during the save.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from evaltui.document.disk.file_content import Fingerprint, fingerprint_of_file, fingerprint_of_nothing
from evaltui.document.disk.locks import folder_lock, lock
from evaltui.document.errors import DocumentError

_NAME_BYTES = 80
"""Bytes of the file's name that the temporary name repeats; a name may have 255 bytes in all."""
_TRIES = 3
_DIGITS = 16
"""Hexadecimal digits of the fingerprint in the name."""


class TemporaryFile:
    """A file beside `target` that will replace it; locked while this process lives."""

    def __init__(self, target: Path, expected: Fingerprint | None) -> None:
        """Create the file, empty and readable by its owner only. Raises `OSError`."""
        self.handle = -1
        self.path = target
        self.holds_foreign_text = False
        """Whether the file now holds the text of another program, which could not be put back."""
        # Until it is locked, another evaltui takes the new file for the leftover of a killed save, and may delete it.
        for _ in range(_TRIES - 1):
            with contextlib.suppress(FileNotFoundError):
                self._create(target, expected)
                return
        self._create(target, expected)

    def _create(self, target: Path, expected: Fingerprint | None) -> None:
        new = target.with_name(f".{_start(target)}.{os.urandom(8).hex()}.new")
        self.handle = os.open(new, os.O_RDONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
        self.path = new
        try:
            # Locked, so that other processes see that it is in use. Not all disks have locks.
            with contextlib.suppress(OSError, DocumentError):
                lock(self.handle)
            self.inode = os.fstat(self.handle).st_ino
            of = (expected or b"").hex()[:_DIGITS] or "0"
            self.path = new.rename(new.with_name(f".{_start(target)}.{self.inode:x}.{of}.tmp"))
        except BaseException:
            self.remove()
            raise

    def write(self, pieces: Iterable[bytes]) -> None:
        """Write the pieces and sync them to the disk. Raises `OSError`."""
        seen = fingerprint_of_nothing()
        # A separate handle, closed at once: `has_writers` takes any handle open for writing for another program's.
        with os.fdopen(os.open(self.path, os.O_WRONLY | getattr(os, "O_BINARY", 0)), "wb") as file:
            for piece in pieces:
                seen.update(piece)
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        self.fingerprint: Fingerprint = seen.digest()
        if os.name == "nt":  # Windows cannot move an open file
            self.close()

    def remove(self) -> None:
        """Delete the file, unless it holds the text of another program. Raises `OSError`."""
        self.close()
        if not self.holds_foreign_text:
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the handle, which ends the lock; the file stays."""
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1


def remove_leftovers(target: Path) -> list[Path]:
    """Delete the temporary files that killed saves of `target` left; returns the files that must be kept.

    A file is kept if it holds the only copy of a text: another program wrote it during a save that was then killed.
    """
    kept: list[Path] = []
    ending = r"([0-9a-f]+)\.([0-9a-f]+)\.(?:tmp|old)|[0-9a-f]{16}\.new"
    pattern = re.compile(rf"\.{re.escape(_start(target))}\.(?:{ending})")
    with contextlib.suppress(OSError), folder_lock(target.parent) as locked:
        for file in target.parent.iterdir() if locked else ():
            if found := pattern.fullmatch(file.name):
                kept += _remove(file, target, *found.groups())
    return kept


def _remove(file: Path, target: Path, inode: str | None, expected: str | None) -> Iterator[Path]:
    """Delete a temporary file unless a process uses it; yields it if it must be kept."""
    with contextlib.suppress(OSError, DocumentError):
        handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if not lock(handle):
                return
            is_unsaved_text = inode is None or os.fstat(handle).st_ino == int(inode, 16)
            is_known = is_unsaved_text or fingerprint_of_file(handle).hex()[:_DIGITS] == expected
            if is_known or (target.exists() and file.samefile(target)):
                file.unlink()
            else:
                yield file
        finally:
            os.close(handle)


def _start(target: Path) -> str:
    return os.fsencode(target.name)[:_NAME_BYTES].decode("utf-8", "ignore")
