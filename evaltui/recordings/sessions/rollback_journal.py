"""The rollback journal of SQLite: what its header and its end say before SQLite replays it.

A journal can name a *super-journal*, another file, at its end. SQLite deletes that file after it has replayed the
journal, wherever the file lies, and waits without end if it is a pipe (https://sqlite.org/fileformat.html, 3).
"""

from __future__ import annotations

import os
from typing import BinaryIO

from evaltui.recordings.conversation import RecordingError

_MAGIC = bytes.fromhex("d9d505f920a163d7")
_HEADER = 28
_PAGES, _SECTOR, _PAGE, _END = 16, 20, 24, 28
_SIZES = [1 << power for power in range(9, 17)]
"""The sizes of a page and of a sector, in bytes."""


def is_to_be_replayed(journal: BinaryIO, name: str, largest: int) -> bool:
    """Whether SQLite would replay a journal, as after a program was ended while it wrote.

    `name` begins the sentences, and `largest` is the largest size of a database that it may give. Raises
    `RecordingError` for a journal that names another file, and for one that SQLite does not write.
    """
    head = journal.read(_HEADER)
    if head[:1] in (b"", b"\0"):  # SQLite so marks a journal that has been used
        return False
    journal.seek(0, os.SEEK_END)
    journal.seek(-min(len(_MAGIC), journal.tell()), os.SEEK_END)
    if journal.read() == _MAGIC:
        raise RecordingError(
            f"{name} names another file, which SQLite would delete. "
            "Start the program that wrote this database to repair it, or leave the database out"
        )
    pages, sector, page = (int.from_bytes(head[at : at + 4]) for at in (_PAGES, _SECTOR, _PAGE))
    if head[: len(_MAGIC)] != _MAGIC or sector not in _SIZES or page not in _SIZES or pages * page > largest:
        raise RecordingError(f"{name} is not a journal of SQLite. Delete it if no program uses this database")
    return True
