"""What may follow a path that is being typed."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

_LOOKED_AT = 20_000
"""Entries of one folder; a larger one is not read to its end."""


def completions(text: str, limit: int = 8, folder: Path | None = None) -> list[str]:
    """The rest of the names of up to `limit` files and folders whose path begins with `text`; folders end with /.

    The path is relative to `folder`. Hidden ones only where a dot was typed. What cannot be read has none. A network
    mount may keep this waiting.
    """
    head, typed = os.path.split(text)
    try:
        with os.scandir((folder or Path()) / Path(head).expanduser()) as entries:
            found = sorted(
                entry.name + "/" * _is_folder(entry)
                for entry in islice(entries, _LOOKED_AT)
                if entry.name.startswith(typed) and (typed or not entry.name.startswith("."))
            )
    except (OSError, ValueError, RuntimeError):
        return []
    return [name[len(typed) :] for name in found if name != typed][:limit]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to where nobody may look
        return False
