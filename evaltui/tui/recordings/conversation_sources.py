"""Sources of conversations to add: named recordings, and session databases near the set, in their order."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.file_access import is_folder

if TYPE_CHECKING:
    from evaltui.tui.open_file.run_facts import RunFacts


def named_sources(named: Sequence[str], added: Iterable[str], facts: RunFacts | None) -> list[Path]:
    """Files and folders named with -r or in the settings, or added by the user; not those found automatically."""
    of_settings = [each.path for each in facts.files if each.origin == "settings"] if facts is not None else []
    return _once([*map(Path, named), *of_settings, *map(Path, added)])


def sources_near(eval_set: Path | None, apps: Collection[str] = ()) -> list[Path]:
    """The session databases near a set, and in the folders of its agent.

    First are the databases of this agent and beside the set, then those of the `apps` of the set, then the newest.
    """
    from evaltui.recordings.agent_folders import agent_folders
    from evaltui.recordings.recording_search import SESSIONS, session_databases

    if eval_set is None:
        return []
    agents: list[Path] = []
    with suppress(DocumentError):  # invalid settings, which the checker reports
        agents = agent_folders(eval_set)
    own = {folder / SESSIONS for folder in (*agents, eval_set.absolute().parent)}

    def place(path: Path) -> tuple[bool, bool, float]:
        # adk names an app by its folder, so the order needs no read of the database.
        return path not in own, path.parent.parent.name not in apps, _age(path)

    return sorted(session_databases(eval_set, agents), key=place)


def files_of(sources: Iterable[Path]) -> Iterator[Path]:
    """Each file once; for a folder, the recordings and sessions in it, the newest first.

    Raises `SearchLimitError` if a folder has too many files.
    """
    seen: set[str] = set()
    for source in sources:
        for path in _files_in(source) if is_folder(source) else [source]:
            real = os.path.realpath(path)
            if real not in seen:
                seen.add(real)
                yield path


def _files_in(folder: Path) -> list[Path]:
    from evaltui.recordings.recording_search import databases_among, recordings_in

    found = recordings_in(folder)
    return sorted([*found.paths, *databases_among(found.other_files)], key=_age)


def _age(path: Path) -> float:
    """Sort key, newest first; a file that is gone is the oldest."""
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def _once(paths: Iterable[Path]) -> list[Path]:
    return [*{os.path.realpath(path): path for path in paths}.values()]
