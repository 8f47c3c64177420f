"""List of the files opened last, in the user's state folder. The app works without it."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from platformdirs import user_state_path

from evaltui.file_access import is_file

_MOST = 30
_LARGEST = 200_000
"""The most bytes of the list; a larger one is ignored."""


def recent_files() -> list[Path]:
    """The files opened last that still exist, newest first. A network mount can make this slow."""
    return [path for path in map(Path, _names()) if is_file(path)]


def remember_file(path: Path) -> None:
    """Put `path` first in the list; errors of the disk are ignored."""
    with suppress(OSError, ValueError):
        name = str(path.absolute())
        names = [name, *(each for each in _names() if each != name)][:_MOST]
        target = _list_path()
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = target.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            stream.write(json.dumps(names).encode())
        new.replace(target)


def _names() -> list[str]:
    try:
        path = _list_path()
        if path.stat().st_size > _LARGEST:
            return []
        names = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return []
    good = [name for name in names if isinstance(name, str) and name.startswith("/")] if isinstance(names, list) else []
    return list(dict.fromkeys(good))[:_MOST]


def _list_path() -> Path:
    return user_state_path("evaltui") / "recent.json"
