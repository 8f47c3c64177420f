"""The last view of a file: the line between the panes, the cursor, the unfolded rows. Never needed.

Kept in the user's state folder, one small file for each file looked at, named by a hash of its path. Places are
kept as pointers with the id of their case, so that they hold when cases came or went meanwhile.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import user_state_path

_MOST_PLACES = 500
"""So many unfolded rows are kept; a set with more is as when first opened."""
_LARGEST = 200_000
_MOST_FILES = 500
"""So many files are remembered, the last ones looked at."""


class PlaceSeen(NamedTuple):
    """A node: its pointer, and the id of its case, "" where it is in none."""

    pointer: str
    eval_id: str = ""


class ViewState(NamedTuple):
    """The remembered view of one file."""

    split: int | None = None
    cursor: PlaceSeen | None = None
    unfolded: tuple[PlaceSeen, ...] | None = None
    """None: not remembered."""


def load_view(file: Path) -> ViewState:
    """The remembered view of `file`; an empty one if there is none or it makes no sense."""
    try:
        path = _path_for(file)
        if path.stat().st_size > _LARGEST:
            return ViewState()
        return _read(json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return ViewState()


def save_view(file: Path, view: ViewState) -> None:
    """Remember `view` of `file`, where that can be."""
    if view.unfolded is not None and len(view.unfolded) > _MOST_PLACES:
        view = ViewState(view.split, view.cursor)
    with contextlib.suppress(OSError):
        path = _path_for(file)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = path.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            stream.write(json.dumps(_written(view)).encode())
        new.replace(path)
        _forget_oldest(path.parent)


def _forget_oldest(folder: Path) -> None:
    kept = list(folder.iterdir())
    if len(kept) > _MOST_FILES:
        for path in sorted(kept, key=lambda path: path.stat().st_mtime)[:-_MOST_FILES]:
            path.unlink()


def _path_for(file: Path) -> Path:
    name = hashlib.blake2b(os.fsencode(os.path.realpath(file)), digest_size=16).hexdigest()
    return user_state_path("evaltui") / "views" / f"{name}.json"


def _written(view: ViewState) -> dict[str, Any]:
    return {
        "split": view.split,
        "cursor": view.cursor._asdict() if view.cursor is not None else None,
        "unfolded": [place._asdict() for place in view.unfolded] if view.unfolded is not None else None,
    }


def _read(value: dict[str, Any]) -> ViewState:
    split, cursor, unfolded = value["split"], value["cursor"], value["unfolded"]
    return ViewState(
        split if isinstance(split, int) and 0 < split < 10_000 else None,
        _place(cursor) if cursor is not None else None,
        tuple(map(_place, unfolded)) if unfolded is not None else None,
    )


def _place(value: dict[str, Any]) -> PlaceSeen:
    return PlaceSeen(str(value["pointer"]), str(value["eval_id"]))
