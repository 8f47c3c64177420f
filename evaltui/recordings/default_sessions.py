"""The session databases near a set, for everybody who names no source. google-adk keeps them beside an agent."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from evaltui.document.errors import DocumentError
from evaltui.file_access import is_file, is_of, owners_near
from evaltui.recordings.agent_folders import agent_folders

SESSIONS = Path(".adk") / "session.db"
"""The database of an agent, in its folder (`google.adk.cli.utils.local_storage`)."""
_MOST_ABOVE = 4
"""The number of parent folders that are searched for databases if no `.git` marks the end of the project."""
_MOST_IN_PROJECT = 40
"""The number of parent folders that are searched for the `.git`."""
_MOST_FOLDERS = 1_000
"""The most entries of one folder that are checked for databases."""


def nearest_sessions(set_path: Path | None) -> Path:
    """The session database beside the set, in the folder of its agent, or in the working directory.

    Raises `DocumentError` if there is none.
    """
    # `adk web`, `adk run` and `adk api_server` write the database into the folder of the agent.
    near = [set_path.parent] if set_path is not None else []
    with suppress(DocumentError):  # invalid settings say nothing about the agent
        near += agent_folders(set_path) if set_path is not None else []
    by_real_path: dict[str, Path] = {}
    for folder in (*near, Path()):
        if is_file(folder / SESSIONS):
            return folder / SESSIONS
        by_real_path.setdefault(os.path.realpath(folder), folder)
    searched = " or in ".join(str(folder.absolute()) for folder in by_real_path.values())
    raise DocumentError(f"there is no {SESSIONS} in {searched}; give a SOURCE")


def sources_near(eval_set: Path | None, apps: Collection[str] = ()) -> list[Path]:
    """The session databases near a set, and in the folders of its agent.

    First are the databases of this agent and beside the set, then those of the `apps` of the set, then the newest.
    """
    if eval_set is None:
        return []
    agents: list[Path] = []
    with suppress(DocumentError):  # invalid settings, which the checker reports
        agents = agent_folders(eval_set)
    own = {folder / SESSIONS for folder in (*agents, eval_set.absolute().parent)}

    def order(path: Path) -> tuple[bool, bool, float]:
        # adk names an app by its folder, so the order needs no read of the database.
        return path not in own, path.parent.parent.name not in apps, newest_first(path)

    return sorted(session_databases(eval_set, agents), key=order)


def newest_first(path: Path) -> float:
    """Sort key of files; one that is gone is the oldest."""
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def session_databases(eval_set: Path, agents: Sequence[Path] = ()) -> list[Path]:
    """The session databases near a set, the nearest first.

    They are in the folders of the `agents`, beside the set, in a parent folder up to the root of the project, or in an
    agent's folder just below the set's folder. If there is none, the children of the parent folders are searched,
    within a project that `.git` marks: a set in `tests/` tests the agent beside it.
    """
    parents = Path(os.path.abspath(eval_set)).parents[:_MOST_IN_PROJECT]  # noqa: PTH100 - a link keeps its name
    owners = owners_near(parents[0])
    root = next((number for number, folder in enumerate(parents, 1) if is_of(owners, folder / ".git")), None)
    above = parents[: root or _MOST_ABOVE + 1]
    databases = _databases_of([*agents, *above, *_subfolders(above[0])])
    if root is None:  # a folder above, such as /tmp, may have a database of a stranger
        return [path for path in databases if is_of(owners, path)]
    return databases or _databases_of([child for folder in above[1:] for child in _subfolders(folder)])


def _subfolders(folder: Path) -> list[Path]:
    with suppress(OSError), os.scandir(folder) as entries:
        return sorted(
            Path(entry.path)
            for entry in islice(entries, _MOST_FOLDERS)
            if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)
        )
    return []


def _databases_of(folders: list[Path]) -> list[Path]:
    by_real_path: dict[str, Path] = {}
    for folder in folders:
        by_real_path.setdefault(os.path.realpath(folder / SESSIONS), folder / SESSIONS)
    return [path for path in by_real_path.values() if is_file(path)]
