"""Recent files and the last view of each. The app works without them.

They are kept in the user's state folder. Each view is a small file, named by a hash of the path of the viewed file.
A place is a pointer with the id of its case, so that it is found again after cases were added or deleted.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import user_state_path

from evaltui.document.disk.file_content import blake2b
from evaltui.document.scanner import read_json
from evaltui.file_access import is_file

_MOST_RECENT = 30
_MOST_PLACES = 500
"""Most unfolded rows that are kept; a set with more opens as for the first time."""
_MOST_FILES = 500
"""Most views that are kept, of the files viewed last."""
_LARGEST = 200_000
"""The most bytes that are read; a larger file is ignored."""


# --- files opened last ---------------------------------------------------------------------------------------


def recent_files() -> list[Path]:
    """The recent files that still exist, newest first. Slow if one is on a slow network mount."""
    return [path for path in map(Path, _names()) if is_file(path)]


def remembers_any() -> bool:
    """Whether any file or view is remembered; False at the very first start of evaltui."""
    return os.path.exists(_list_path()) or os.path.exists(_views_path())  # noqa: PTH110 - an unreadable folder is no error


def remember_file(path: Path) -> None:
    """Put `path` first in the list of recent files; disk errors are ignored."""
    with suppress(OSError, ValueError):
        name = str(path.absolute())
        _store(_list_path(), [name, *(each for each in _names() if each != name)][:_MOST_RECENT])


def _names() -> list[str]:
    try:
        names = _load(_list_path())
    except (OSError, ValueError):
        return []
    good = [name for name in names if isinstance(name, str) and name.startswith("/")] if isinstance(names, list) else []
    return list(dict.fromkeys(good))[:_MOST_RECENT]


def _list_path() -> Path:
    return user_state_path("evaltui") / "recent.json"


# --- views of files ------------------------------------------------------------------------------------------


class PlaceSeen(NamedTuple):
    """A remembered node: its pointer, and the id of its case ("" outside of cases)."""

    pointer: str
    eval_id: str = ""


class ViewState(NamedTuple):
    """The view of one file: width of the tree, cursor, unfolded rows, and recordings from elsewhere."""

    split: int | None = None
    cursor: PlaceSeen | None = None
    unfolded: tuple[PlaceSeen, ...] | None = None
    """None: not remembered."""
    recordings: tuple[str, ...] = ()
    """The absolute paths of the recordings that were named or added last."""


def load_view(file: Path) -> ViewState:
    """The view of `file`; an empty one if there is none or it is invalid."""
    try:
        return _read(_load(_path_for(file)))
    except (OSError, ValueError, TypeError, KeyError):
        return ViewState()


def save_view(file: Path, view: ViewState) -> None:
    """Remember `view` of `file`; disk errors are ignored."""
    if view.unfolded is not None and len(view.unfolded) > _MOST_PLACES:
        view = view._replace(unfolded=None)
    with suppress(OSError):
        path, folder = _path_for(file), _views_path()
        content = {
            "split": view.split,
            "cursor": view.cursor._asdict() if view.cursor is not None else None,
            "unfolded": [place._asdict() for place in view.unfolded] if view.unfolded is not None else None,
            "recordings": view.recordings[:_MOST_RECENT],
        }
        _store(path, content)
        kept = list(folder.iterdir())
        if len(kept) > _MOST_FILES:
            for oldest in sorted(kept, key=lambda path: path.stat().st_mtime)[:-_MOST_FILES]:
                oldest.unlink()


def _path_for(file: Path) -> Path:
    name = blake2b(os.fsencode(os.path.realpath(file)), digest_size=16).hexdigest()
    return _views_path() / f"{name}.json"


def _views_path() -> Path:
    return user_state_path("evaltui") / "views"


def _read(value: dict[str, Any]) -> ViewState:
    split, cursor, unfolded = value["split"], value["cursor"], value["unfolded"]
    recordings = value.get("recordings", [])
    return ViewState(
        split if isinstance(split, int) and 0 < split < 10_000 else None,
        _place(cursor) if cursor is not None else None,
        tuple(map(_place, unfolded)) if unfolded is not None else None,
        tuple(path for path in recordings if isinstance(path, str) and path.startswith("/")),
    )


def _place(value: dict[str, Any]) -> PlaceSeen:
    return PlaceSeen(str(value["pointer"]), str(value["eval_id"]))


# --- both ----------------------------------------------------------------------------------------------------


def _load(path: Path) -> Any:
    """The JSON of a file. Raises `OSError`, or `ValueError` (also if it is too large)."""
    if path.stat().st_size > _LARGEST:
        raise ValueError(f"{path} is too large")
    return read_json(path.read_bytes())


def _store(path: Path, value: object) -> None:
    """Replace a file atomically, readable by its owner only: another evaltui may read it now. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = path.with_suffix(f".{os.getpid()}")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
        stream.write(json.dumps(value).encode())
    new.replace(path)
