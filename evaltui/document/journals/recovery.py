"""Journals of other processes on a file: running processes, and the unsaved work of killed ones."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaltui.document.disk.file_content import Fingerprint, fingerprint
from evaltui.document.disk.locks import lock
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.journals.journal import SUFFIX, VERSION, DamagedLineError, bytes_of, read_line, stem_for
from evaltui.document.journals.redo_log import Entry

_LATEST = 4e9
"""Seconds of the wall clock; no journal is younger."""


OtherProcess = tuple[int, float]
"""A running evaltui on the same file: its process, and when it started, in seconds of the wall clock."""


@dataclass(slots=True, eq=False, repr=False)
class Unsaved:
    """The unsaved work of a killed process."""

    base: bytes
    """The file as its steps began."""
    is_new: bool
    """Whether there was no such file yet."""
    mine: bytes
    """The file as it would have been saved."""
    entries: list[Entry]
    """The swaps that lead from `base` to `mine`."""
    steps: int
    time: float
    """When the last step was done, in seconds of the wall clock."""
    drafts: list[dict[str, Any]] = field(default_factory=list)
    trial: dict[str, Any] = field(default_factory=dict)
    """The criteria that were tried and not written: the config `before` and `after`, `drafts` in it, and what is `said`
    of them; empty without any."""
    left_out: tuple[bytes | None] | None = None
    """If it undoes a change of another program: the file before that change, None for no file."""
    damage: str = ""
    """The damage to the journal, as a sentence; "" if all of it could be read."""

    def fits(self, on_disk: Fingerprint | None) -> bool:
        """Whether the file with this fingerprint (None: no file) is still the one that the steps start from."""
        return on_disk is None if self.is_new else on_disk == fingerprint(self.base)


class LeftJournal:
    """The journal of a process that has ended. It is locked, so only one process can recover it."""

    def __init__(self, file: Path, handle: int) -> None:
        self.file = file
        self._handle = handle

    def read(self, on_disk: Fingerprint | None) -> Unsaved | None:
        """The unsaved changes; None if there are none. `on_disk` is the present fingerprint of the file.

        Raises `DocumentError` with a sentence for a damaged journal.
        """
        try:
            return self._read(on_disk)
        except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise DocumentError(f"{self.file}: the journal is damaged") from error

    def _read(self, on_disk: Fingerprint | None) -> Unsaved | None:
        head, records, damage = self._records()
        if not any(record.get("do") or record.get("drafts") or record.get("trial") for record in records):
            if damage:
                raise DocumentError(f"{self.file}: {damage}")
            return None
        document, is_new = self._base(head), head.get("fingerprint") is None
        base, steps, saved_steps = document.to_bytes(), 0, 0
        unsaved = Unsaved(base, is_new, base, [], 0, 0.0, damage=damage)
        for record in records:
            if "saving" in record:
                data = document.to_bytes()
                if fingerprint(data) == on_disk == bytes.fromhex(record["saving"]):
                    # It was killed between saving and saying so.
                    document, unsaved.base, unsaved.is_new, unsaved.entries = Document(data), data, False, []
                    unsaved.left_out, saved_steps = None, steps
            elif "do" in record:
                document.replay(record["do"], str(record.get("label", "")))
                unsaved.entries += record["do"]
                steps, unsaved.time = int(record["steps"]), min(float(record["at"]), _LATEST)
            unsaved.drafts = [checked_draft(draft) for draft in record.get("drafts", unsaved.drafts)]
            unsaved.trial = checked_trial(record.get("trial", unsaved.trial))
            if "left out" in record:
                texts = [text if text is None else bytes_of(text) for text in record["left out"]]
                unsaved.left_out = (texts[0],) if texts else None
        unsaved.mine, unsaved.steps = document.to_bytes(), max(1, steps - saved_steps)
        if Document(unsaved.mine).fault is not None:
            raise DocumentError(f"{self.file}: the restored text is not valid JSON")
        if unsaved.drafts or unsaved.trial:
            return unsaved
        is_same = unsaved.mine in (unsaved.base, b"") or fingerprint(unsaved.mine) == on_disk
        return None if is_same else unsaved

    def _records(self) -> tuple[dict[str, Any], list[dict[str, Any]], str]:
        """The head, the readable records, and a sentence about unreadable ones."""
        try:
            lines = self.file.read_bytes().splitlines(keepends=True)
        except OSError as error:
            raise DocumentError(f"{self.file}: cannot be read: {(error.strerror or '').lower()}") from error
        records: list[dict[str, Any]] = []
        damage = ""
        for number, line in enumerate(lines, 1):
            try:
                records.append(read_line(line))
            except (DamagedLineError, TypeError, ValueError):
                damage = f"line {number} of {len(lines)} is damaged"
                damage += "" if number == len(lines) else "; later steps are skipped"
                break
        if not records or records[0].get("evaltui journal") != VERSION:
            raise DocumentError(f"{self.file}: this is not a journal of this version of evaltui")
        return records[0], records[1:], damage

    def _base(self, head: dict[str, Any]) -> Document:
        """The file as the steps began."""
        expected, problem = head.get("fingerprint"), "is missing"
        copy = self.file.parent / Path(str(head.get("base"))).name
        # If nobody wrote the file since then, it still holds the base itself.
        files = [copy, Path(os.fsdecode(bytes_of(head["path"])))] if expected is not None else [copy]
        for file in files:
            try:
                data = file.read_bytes()
            except OSError:
                continue
            if expected is None or fingerprint(data).hex() == expected:
                return Document(data)
            problem = "is damaged"
        raise DocumentError(f"{self.file}: the copy of the file at the start of the journal {problem}")

    def remove(self) -> None:
        """Delete the journal and its files."""
        for file in self.file.parent.glob(f"{self.file.stem}[-.]*"):
            with contextlib.suppress(OSError):
                file.unlink()
        self.release()

    def release(self) -> None:
        """Leave it for later."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def checked_draft(data: dict[str, Any]) -> dict[str, Any]:
    """A draft of a journal. Raises `TypeError` or `KeyError` if the value is not a draft."""
    field = data["by"]  # a place in the document, a key, or several
    paths = [data["path"], *([field["path"]] if isinstance(field, dict) else [])]
    keys = [] if isinstance(field, dict) else field if isinstance(field, list) else [field]
    began = data.get("began")  # journals of earlier versions do not have it
    texts = [data["text"], data["problem"], data["where"], *keys, *([began] if began is not None else [])]
    if not all(isinstance(number, int) for path in paths for number in path):
        raise TypeError("a path must be a list of numbers")
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a draft must be a string")
    return data


def checked_trial(data: dict[str, Any]) -> dict[str, Any]:
    """A trial of a journal. Raises `TypeError` or `KeyError` if the value is none."""
    if data and not all(isinstance(data[name], str) for name in ("before", "after", "said")):
        raise TypeError("the texts of a trial must be strings")
    for draft in data["drafts"] if data else ():
        checked_draft(draft)
    return data


def journals_of(path: Path, folder: Path) -> tuple[list[OtherProcess], list[LeftJournal]]:
    """The running processes on the file at `path`, and the journals of killed processes, oldest first."""
    running: list[OtherProcess] = []
    journals: list[LeftJournal] = []
    for file in sorted(folder.glob(f"{stem_for(path)}-*{SUFFIX}"), key=lambda file: file.stem.rsplit("-", 1)[-1]):
        with contextlib.suppress(OSError, DamagedLineError, KeyError):
            handle = os.open(file, os.O_RDWR | os.O_CLOEXEC)
            if not lock(handle):
                os.close(handle)
                running += _other(file)
            elif file.stat().st_ino != os.fstat(handle).st_ino:  # replaced while we looked
                os.close(handle)
            else:
                journals.append(LeftJournal(file, handle))
    return running, journals


def _other(file: Path) -> list[OtherProcess]:
    """The process that owns a journal; none if a process only recovers a journal of another one."""
    with file.open("rb") as lines:
        head = read_line(lines.readline())
    process = int(head["process"])
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return []
    except OSError:  # the process of another user
        pass
    return [(process, float(head["started"]))]
