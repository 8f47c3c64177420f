"""What may follow a path that is being typed."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

_LOOKED_AT = 2_000
"""Entries of one folder; a larger one is not read to its end at a key press."""


def completions(text: str, limit: int = 8) -> list[str]:
    """The rest of the names of up to `limit` files and folders whose path begins with `text`; folders end with /.

    Hidden ones only where a dot was typed. What cannot be read has none.
    """
    folder, typed = os.path.split(text)
    try:
        with os.scandir(Path(folder or ".").expanduser()) as entries:
            found = sorted(
                entry.name + "/" * entry.is_dir()
                for entry in islice(entries, _LOOKED_AT)
                if entry.name.startswith(typed) and (typed or not entry.name.startswith("."))
            )
    except (OSError, ValueError, RuntimeError):
        return []
    return [name[len(typed) :] for name in found if name != typed][:limit]
