"""Places of session databases: near an eval set, and in a folder beside recordings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from evaltui.file_access import is_file, is_of, owners_near
from evaltui.files.session_source import is_database

SESSIONS = Path(".adk") / "session.db"
"""The database of an agent, in its folder (`google.adk.cli.utils.local_storage`)."""
_MOST_ABOVE = 4
"""The number of parent folders that are searched if no `.git` marks the end of the project."""
_MOST_IN_PROJECT = 40
"""The number of parent folders that are searched for the `.git`."""
_MOST_FOLDERS = 1_000
"""The most entries of one folder that are checked."""


def session_databases(eval_set: Path, agents: Sequence[Path] = ()) -> list[Path]:
    """The session databases near a set, the nearest first.

    They are in the folders of the `agents`, beside the set, in a parent folder up to the root of the project, or in an
    agent's folder just below the set's folder. If there is none, the children of the parent folders are searched,
    within a project that `.git` marks: a set in `tests/` tests the agent beside it.
    """
    above, is_project = _folders_above(eval_set)
    near = [*agents, *above, *_folders_in(above[0])]
    found = _databases_of(near)
    if not is_project:  # a folder above, such as /tmp, may have a database of a stranger
        return [path for path in found if is_of(owners_near(above[0]), path)]
    if found:
        return found
    return _databases_of([inner for folder in above[1:] for inner in _folders_in(folder)])


def databases_among(paths: Iterable[Path]) -> list[Path]:
    """The databases among files, by their first bytes."""
    return [path for path in paths if is_database(path)]


def _folders_above(eval_set: Path) -> tuple[list[Path], bool]:
    """The folder of a set and those above it, and whether they end at the root of a project."""
    folders: list[Path] = []
    every = Path(os.path.abspath(eval_set)).parents  # noqa: PTH100 - a link keeps its name
    owners = owners_near(every[0])
    for folder in islice(every, _MOST_IN_PROJECT):
        folders.append(folder)
        if is_of(owners, folder / ".git"):
            return folders, True
    return folders[: _MOST_ABOVE + 1], False


def _folders_in(folder: Path) -> list[Path]:
    found = []
    with suppress(OSError), os.scandir(folder) as entries:
        found = [
            Path(entry.path)
            for entry in islice(entries, _MOST_FOLDERS)
            if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)
        ]
    return sorted(found)


def _databases_of(folders: list[Path]) -> list[Path]:
    once: dict[str, Path] = {}
    for path in (folder / SESSIONS for folder in folders):
        once.setdefault(os.path.realpath(path), path)
    return [path for path in once.values() if is_file(path)]
