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
from collections.abc import Iterable
from pathlib import Path

from evaltui.document.disk.file_content import DIGEST_BYTES, Fingerprint, blake2b, fingerprint_of_file
from evaltui.document.disk.file_place import Entry, FilePlace, find_place
from evaltui.document.disk.locks import folder_lock, lock
from evaltui.document.errors import DocumentError

_NAME_BYTES = 80
"""Bytes of the file's name that the temporary name repeats; a name may have 255 bytes in all."""
_TRIES = 3
_DIGITS = 16
"""Hexadecimal digits of the fingerprint in the name."""


class TemporaryFile:
    """A file beside another one that it will replace; locked while this process lives."""

    def __init__(self, place: FilePlace, expected: Fingerprint | None) -> None:
        """Create the file, empty and readable by its owner only. Raises `OSError`."""
        self.holds_foreign_text = False
        """Whether the file now holds the text of another program, which could not be put back."""
        # Until it is locked, another evaltui takes the new file for the leftover of a killed save, and may delete it.
        for _ in range(_TRIES - 1):
            with contextlib.suppress(FileNotFoundError):
                self._create(place, expected)
                return
        self._create(place, expected)

    def _create(self, place: FilePlace, expected: Fingerprint | None) -> None:
        start = _start(place.file.name)
        new = Entry(f".{start}.{os.urandom(8).hex()}.new", place.folder)
        flags = os.O_RDONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
        self.handle = os.open(new.name, flags, 0o600, dir_fd=place.folder)
        self.entry = new
        try:
            # Locked, so that other processes see that it is in use. Not all disks have locks.
            with contextlib.suppress(OSError, DocumentError):
                lock(self.handle)
            self.inode = os.fstat(self.handle).st_ino
            digest = (expected or b"").hex()[:_DIGITS] or "0"
            named = Entry(f".{start}.{self.inode:x}.{digest}.tmp", place.folder)
            new.move_to(named)
            self.entry = named
        except BaseException:
            self.close()
            raise

    def write(self, pieces: Iterable[bytes]) -> None:
        """Write the pieces and sync them to the disk. Raises `OSError`."""
        seen = blake2b(digest_size=DIGEST_BYTES)
        # A separate handle, closed at once: `has_writers` takes any handle open for writing for another program's.
        handle = os.open(self.entry.name, os.O_WRONLY | os.O_NOFOLLOW, dir_fd=self.entry.folder)
        with os.fdopen(handle, "wb") as file:
            for piece in pieces:
                seen.update(piece)
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        self.fingerprint: Fingerprint = seen.digest()

    def close(self) -> None:
        """End the lock, and delete the file unless it holds the text of another program. Raises `OSError`."""
        os.close(self.handle)
        if not self.holds_foreign_text:
            self.entry.delete()


def remove_leftovers(path: Path) -> list[Path]:
    """Delete the temporary files that killed saves of `path` left; returns the files that must be kept.

    A file is kept if it holds the only copy of a text: another program wrote it during a save that was then killed.
    """
    foreign: list[Path] = []
    ending = r"([0-9a-f]+)\.([0-9a-f]+)\.(?:tmp|old)|[0-9a-f]{16}\.new"
    with contextlib.suppress(OSError, DocumentError), find_place(path) as place, folder_lock(place.folder) as locked:
        pattern = re.compile(rf"\.{re.escape(_start(place.file.name))}\.(?:{ending})")
        for name in _names_in(place) if locked else ():
            match, file = pattern.fullmatch(name), Entry(name, place.folder)
            if match and _must_stay(file, place.file, *match.groups()):
                foreign.append(place.path.with_name(name))
    return foreign


def _names_in(place: FilePlace) -> list[str]:
    handle = os.open(".", os.O_RDONLY | os.O_CLOEXEC, dir_fd=place.folder)
    try:
        return os.listdir(handle)  # noqa: PTH208 (an open folder)
    finally:
        os.close(handle)


def _must_stay(file: Entry, target: Entry, inode: str | None, expected: str | None) -> bool:
    """Delete a temporary file unless a process uses it; returns whether it must be kept."""
    with contextlib.suppress(OSError, DocumentError), file.open() as opened:
        if not lock(opened.fileno()):
            return False
        status, beside = os.fstat(opened.fileno()), target.status()
        is_unsaved_text = inode is None or status.st_ino == int(inode, 16)
        is_known = is_unsaved_text or fingerprint_of_file(opened.fileno()).hex()[:_DIGITS] == expected
        if not is_known and (beside is None or not os.path.samestat(status, beside)):
            return True
        file.delete()
    return False


def _start(name: str) -> str:
    return os.fsencode(name)[:_NAME_BYTES].decode("utf-8", "ignore")
