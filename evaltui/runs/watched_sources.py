"""The files and folders that a watch follows, with their signatures: the sources of scores, and the code of `--on`."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path

from evaltui.document.errors import DocumentError
from evaltui.file_access import is_folder
from evaltui.files.disk_watch import Signs
from evaltui.files.file_changes import Signature, database_signature, signature
from evaltui.files.folder_search import Bounds, matching, walk
from evaltui.files.session_source import is_database, session_file
from evaltui.recordings.default_recordings import default_folders
from evaltui.recordings.recording_search import HISTORY
from evaltui.runs.set_reader import STDIN
from evaltui.scoring.eval_config import NAME
from evaltui.settings.project_settings import ProjectSettings, SettingsError, project_settings, settings_files

_SECONDS = 5.0
"""The most seconds of a search in folders. Files that it has not reached are not watched."""
_COMPILED = "__pycache__"
"""The folder of Python's compiled files, which change during a run."""


def signs_of(
    set_path: Path | None,
    recordings: Sequence[str],
    config: str | None,
    *,
    with_set: bool = True,
    added: Sequence[str] = (),
    scored: Collection[Path] = (),
    cancelled: Callable[[], bool] = lambda: False,
) -> Signs:
    """The sources of one run. A missing file is a source, too: it may appear.

    `recordings` and `config` are from the command line. `set_path` may be a folder of sets; None is standard input.
    Without `with_set` the set itself is not a source. `added` are additional recordings. `scored` are the sets of a
    folder that were scored: only these are followed into the folders of agents and projects.
    """
    look = _Look(cancelled)
    look.add_named(added)
    with suppress(DocumentError):  # too many files: the files seen so far count
        if config is not None:
            look.add_file(Path(config))
        look.add_named(recordings)
        if set_path is not None:
            sets = look.sets_in(set_path) if is_folder(set_path) else [set_path]
            for path in sets if with_set else ():
                look.add_file(path)
            for folder in dict.fromkeys(path.parent for path in sets) or [set_path]:
                look.add_beside(folder, has_config=config is not None, has_recordings=bool(recordings))
            if not recordings:
                look.add_default_folders(scored or [set_path])
    return look.files, frozenset(look.folders)


def signs_of_code(globs: Sequence[str], spared: Container[Path]) -> Signs:
    """The code that `--on` names. `spared` are sources of scores, which are no code even if a glob matches them."""
    # A command writes recordings. If they counted as code, it would start itself again and again.
    signatures: dict[Path, Signature] = {}
    folders = {Path()}
    bounds = Bounds(seconds=_SECONDS)
    with suppress(DocumentError):
        for path in (path for pattern in globs for path in matching(Path(), pattern, bounds)):
            files = [path]
            if is_folder(path):
                folders.add(path)
                files = list(walk(path, bounds, entered=folders.add))
            for file in files:
                if file not in spared and _COMPILED not in file.parts:
                    signatures[file] = signature(file)
                    folders.add(file.parent)
    return signatures, frozenset(folders)


class _Look:
    """Collects the files and folders of one look."""

    def __init__(self, cancelled: Callable[[], bool]) -> None:
        self.files: dict[Path, Signature] = {}
        self.folders: set[Path] = set()
        self._bounds = Bounds(seconds=_SECONDS, cancelled=cancelled)

    def add_named(self, recordings: Iterable[str]) -> None:
        """Add recordings, or folders with recordings, as far as a search goes."""
        with suppress(DocumentError):
            for name in recordings:
                if name != STDIN:
                    path = session_file(Path(name))
                    if is_folder(path):
                        self._add_all_in(path)
                    self.add_file(path)

    def sets_in(self, folder: Path) -> list[Path]:
        """The JSON files of a folder: any of them may be a set."""
        paths = walk(folder, self._bounds, entered=self.folders.add)
        return [path for path in paths if path.name.endswith(".json")]

    def add_beside(self, folder: Path, *, has_config: bool, has_recordings: bool) -> None:
        """Add the files that a run finds by itself for a set in a folder."""
        for path in settings_files(folder):  # the folders above change often, so polling is enough for them
            self.files[path] = signature(path)
        if not has_config:
            self.add_file(folder / NAME)
        if not has_recordings:
            settings = _settings_in(folder)
            if settings.recordings and settings.path is not None:
                for pattern in settings.recordings:
                    self._add_glob(settings.path.parent, pattern)
            else:
                self._add_results(folder / HISTORY)

    def add_default_folders(self, sets: Iterable[Path]) -> None:
        """Add the folders in which the tools of sets leave recordings. A set may be a dataset, so both kinds count."""
        without_settings = (path for path in sets if not _settings_in(path.parent).recordings)
        for path, is_dataset in product(without_settings, (False, True)):
            with suppress(SettingsError):
                for folder in default_folders(path, self._bounds, is_dataset=is_dataset):
                    if folder not in self.folders:
                        self._add_results(folder)

    def _add_results(self, folder: Path) -> None:
        """The recordings in a folder of a tool; without recordings, the folders in which they will appear."""
        self.folders.update((folder, folder.parent, folder.parent.parent))
        for entry in self._bounds.entries(folder):
            self.files[folder / entry.name] = signature(folder / entry.name)

    def _add_all_in(self, folder: Path) -> None:
        for path in walk(folder, self._bounds, hidden=HISTORY.parts[:1], entered=self.folders.add):
            self.files[path] = signature(path)

    def _add_glob(self, folder: Path, pattern: str) -> None:
        steps = Path(pattern).parts
        fixed = next((n for n, step in enumerate(steps) if any(sign in step for sign in "*?[")), len(steps))
        base = folder.joinpath(*steps[:fixed])
        self.folders.update((base, base.parent))
        if len(steps) - fixed > 1:
            for _ in walk(base, self._bounds, entered=self.folders.add):
                pass
        for path in matching(folder, pattern, self._bounds):
            if is_folder(path):
                self._add_all_in(path)
            else:
                self.files[path] = signature(path)

    def add_file(self, path: Path) -> None:
        """Watch the folder of a file; for a link, also the folder of its target."""
        # A server writes to the log of a database first, so the log is part of its signature.
        self.files[path] = database_signature(path) if is_database(path) else signature(path)
        self.folders.update((path.parent, Path(os.path.realpath(path)).parent))


def _settings_in(folder: Path) -> ProjectSettings:
    """The settings of the project; the defaults if they are invalid, which the run reports."""
    try:
        return project_settings(folder)
    except DocumentError:
        return ProjectSettings()
