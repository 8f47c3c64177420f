"""The temporary file beside one that is saved, and what a killed save has left of it.

Its name tells what it is: `.NAME.INODE.EXPECTED.tmp`, with `.old` at its end where files cannot be swapped. While the
file there has that inode, it holds text that was to be saved, which the journal has, too. After the swap it is the
file as it was before the save. EXPECTED begins the fingerprint of that file; if it has another one, somebody wrote it
at the very moment of the save.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

from evaltui.document.errors import DocumentError
from evaltui.document.file_exchange import folder_lock
from evaltui.document.locks import lock
from evaltui.document.storage import Fingerprint, fingerprint, fingerprint_of_file

_NAME_BYTES = 80
"""Of the name of a file in that of the temporary one beside it: a name may have 255 bytes in all."""
_DIGITS = 16
"""Of the fingerprint in the name."""


class TemporaryFile:
    """A file beside `target` that takes its place; locked while this process lives."""

    def __init__(self, target: Path, expected: Fingerprint | None) -> None:
        """Make it, empty and for its owner alone; raises `OSError`."""
        new = target.with_name(f".{_start(target)}.{secrets.token_hex(8)}.new")
        self.handle = os.open(new, os.O_RDONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
        self.path = new
        self.holds_foreign_text = False
        """Whether its name by now stands for what another program wrote, which could not be put back."""
        try:
            self._lock()
            self.inode = os.fstat(self.handle).st_ino
            of = (expected or b"").hex()[:_DIGITS] or "0"
            self.path = new.rename(new.with_name(f".{_start(target)}.{self.inode:x}.{of}.tmp"))
        except BaseException:
            self.remove()
            raise

    def _lock(self) -> None:
        """Show other processes that it is in use, where there are locks."""
        with contextlib.suppress(OSError, DocumentError):
            lock(self.handle)

    def write(self, data: bytes) -> None:
        """Put all of `data` on the disk; raises `OSError`."""
        self.fingerprint = fingerprint(data)
        # With a handle of its own: while one is open for writing, it looks as if another program wrote the file.
        with os.fdopen(os.open(self.path, os.O_WRONLY | getattr(os, "O_BINARY", 0)), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if os.name == "nt":  # where an open file cannot be moved
            self.close()

    def remove(self) -> None:
        """Delete what the name stands for by now; raises `OSError`."""
        self.close()
        if not self.holds_foreign_text:
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of it; the file stays."""
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1


def remove_leftovers(target: Path) -> list[Path]:
    """Delete what killed saves of `target` have left beside it; the files that hold what nobody else has are kept.

    Returns those that are kept: what another program wrote at the very moment of a save that was then killed.
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
    """Delete one of them, unless a process is at it; give it where it must be kept."""
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
