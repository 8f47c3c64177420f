"""The journal: unsaved steps of one file and process, on disk beside the file they are about to change.

A journal is a file of lines: a head, then the groups of the redo log since the save point. A line is a checksum and
a JSON object, so a torn or altered line is recognised. Bytes travel as text in which what is not UTF-8 is escaped
(PEP 383), so people can read a journal.

Its process holds a lock on it while it lives. A journal without a lock was left by a killed process. The bytes that
the steps begin from are kept next to it, because others may change the file meanwhile.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from evaltui.document.disk.file_content import Fingerprint, blake2b, fingerprint
from evaltui.document.disk.locks import lock
from evaltui.document.errors import DocumentError
from evaltui.document.journals.redo_log import Group

VERSION = 1
SUFFIX = ".journal"
_GROWTH = 4
"""The growth since it was last written as a whole at which a journal is written as a whole again."""
_SMALL = 256 * 1024


class JournalError(DocumentError):
    """The journal cannot be written."""


def stem_for(path: Path) -> str:
    """The beginning of the names of all journals of a file; symbolic links lead to one name."""
    return blake2b(os.fsencode(os.path.realpath(path)), digest_size=10).hexdigest()


@contextlib.contextmanager
def _reported() -> Iterator[None]:
    """Raises `JournalError` for an error of the system."""
    try:
        yield
    except OSError as error:
        raise JournalError(f"the journal cannot be written: {(error.strerror or str(error)).lower()}") from error


class Journal:
    """The journal of this process for the file at `path`. All but `start` may run in another thread, one at a time."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = Path(os.path.realpath(path))
        self.folder = folder
        self.file = self.folder / f"{stem_for(path)}-{os.getpid()}-{time.time_ns():x}{SUFFIX}"
        self._handle = -1
        self._head: dict[str, Any] = {
            "evaltui journal": VERSION, "path": os.fsencode(self.path), "process": os.getpid(), "started": time.time()
        }  # fmt: skip
        self._base: Path | None = None
        self._base_of: Fingerprint | None = None
        self._size = self._size_when_whole = 0

    @_reported()
    def start(self) -> None:
        """Create an empty journal. It shows other processes that the file is open here. Raises `JournalError`."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._replace(write_line(self._head), durable=False)

    @property
    def wants_rewriting(self) -> bool:
        """Whether so much was appended that what holds now is a small part of it."""
        return self._size > _GROWTH * max(_SMALL, self._size_when_whole)

    @_reported()
    def write(
        self,
        groups: Sequence[Group],
        base: Fingerprint | None,
        base_bytes: bytes,
        *,
        is_whole: bool = False,
        drafts: Sequence[dict[str, Any]] | None = None,
        trial: dict[str, Any] | None = None,
        left_out: Sequence[bytes | None] | None = None,
    ) -> None:
        """Append groups, all drafts and the criteria on trial, or with `is_whole` write all there is.

        `base` is the fingerprint of the file when it was last read or saved, None for one that was not on disk; the
        groups began from its bytes. If they undo a change of another program, `left_out` has the file before it, None
        for no file. `drafts`, `trial` and `left_out` are None if they are as before. They are on disk when this
        returns; raises `JournalError`.
        """
        # Before the groups, because a torn journal must not lose it alone.
        lines = [write_line({"left out": left_out})] if left_out is not None else []
        lines += [
            write_line({"do": group.entries, "label": group.label, "steps": group.steps, "at": group.time})
            for group in groups
            if group.entries
        ]
        news = (("drafts", drafts), ("trial", trial))
        lines += [write_line({key: value}) for key, value in news if value is not None]
        text, obsolete = b"".join(lines), None
        if is_whole:  # perhaps for the first time
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if is_whole and self._base_of != base:
            obsolete, self._base, self._base_of = self._base, None, None
        begins = text and self._base is None
        if begins:
            self._keep_base(base, base_bytes)
        if is_whole or begins:
            head = self._head | {"base": self._base.name if self._base else None, "fingerprint": _hex(base)}
            self._replace(write_line(head) + text, durable=True)
        else:
            self._append(text)
        # Last: until the new journal is complete, a start after a kill needs the old base.
        if obsolete is not None and obsolete != self._base:
            obsolete.unlink(missing_ok=True)

    @_reported()
    def announce_save(self, data: bytes) -> None:
        """`data`, the state after all that was written here, is about to be saved; raises `JournalError`."""
        if self._base is not None:
            self._append(write_line({"saving": _hex(fingerprint(data))}))

    def remove(self) -> None:
        """Delete the journal and its base: nothing is unsaved."""
        with contextlib.suppress(OSError):
            self.file.unlink(missing_ok=True)
            if self._base is not None:
                self._base.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Let go of the lock; the journal stays for the next process."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _keep_base(self, base: Fingerprint | None, data: bytes) -> None:
        """Keep the bytes that steps begin from: by the time they are needed, others may have changed the file."""
        name = self.file.with_name(f"{self.file.stem}-{(_hex(base) or 'new')[:8]}.base")
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as copy:
            copy.write(data)
            copy.flush()
            os.fsync(copy.fileno())
        self._base, self._base_of = name, base

    def _append(self, text: bytes) -> None:
        _write_all(self._handle, text)
        os.fsync(self._handle)
        self._size += len(text)

    def _replace(self, text: bytes, durable: bool) -> None:
        """Write the whole journal, locked before anybody can see it, and put it in place in one move."""
        temporary = self.file.with_suffix(".new")
        handle = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            lock(handle)  # nobody else can have it: no other process knows its name
            _write_all(handle, text)
            if durable:
                os.fsync(handle)
            temporary.replace(self.file)
        except BaseException:
            os.close(handle)
            temporary.unlink(missing_ok=True)
            raise
        self.close()
        self._handle = handle
        self._size = self._size_when_whole = len(text)


def _write_all(handle: int, text: bytes) -> None:
    view = memoryview(text)
    while view:
        view = view[os.write(handle, view) :]


def _hex(digest: Fingerprint | None) -> str | None:
    return digest.hex() if digest is not None else None


_ESCAPES = "surrogateescape"


class DamagedLineError(DocumentError):
    """A line differs from what was written."""


def write_line(record: dict[str, Any]) -> bytes:
    """A record as a line with its line end. Values of the record may be bytes."""
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"), default=_text_of)
    body = text.encode("utf-8", _ESCAPES)
    return b"%08x %b\n" % (zlib.crc32(body), body)


def read_line(line: bytes) -> dict[str, Any]:
    """The record of a line, entries of swaps with their bytes; raises `DamagedLineError`."""
    checksum, _, body = line.removesuffix(b"\n").partition(b" ")
    try:
        if not line.endswith(b"\n") or int(checksum, 16) != zlib.crc32(body):
            raise DamagedLineError("the checksum of a line is wrong")
        record = json.loads(body.decode("utf-8", _ESCAPES))
    except ValueError as error:
        raise DamagedLineError("a line is not a journal entry") from error
    if not isinstance(record, dict):
        raise DamagedLineError("a line is not a journal entry")
    if "do" in record:
        record["do"] = [_entry(*entry) for entry in record["do"]]
    return record


def _text_of(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", _ESCAPES)
    raise TypeError(f"{type(value).__name__} cannot be written to a journal")


def bytes_of(text: str) -> bytes:
    """The bytes that a line holds as `text`."""
    return text.encode("utf-8", _ESCAPES)


def _entry(kind: str, path: list[int], *rest: Any) -> tuple[Any, ...]:
    where = tuple(path)
    if kind != "run":
        return kind, where, *map(bytes_of, rest)
    index, removed, added, around = rest
    items = tuple(tuple(map(bytes_of, parts)) for parts in added)
    beside = tuple((number, bytes_of(lead), bytes_of(trail)) for number, lead, trail in around)
    return kind, where, index, removed, items, beside
