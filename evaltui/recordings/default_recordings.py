"""Recordings of a set that nobody names: by the project's settings, else where the set's own tools leave them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from evaltui.document.errors import DocumentError
from evaltui.document.scanner import read_json
from evaltui.evalset.set_files import GRADES, TRACES
from evaltui.file_access import is_file, is_folder, is_link, is_of, owners_near, read_regular
from evaltui.files.file_changes import Signature, signature
from evaltui.files.folder_search import Bounds, matching
from evaltui.printable import quoted
from evaltui.recordings.agent_folders import agent_folders, agents_near, folders_above, folders_near, repository_in
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.default_sessions import newest_first
from evaltui.recordings.recording_copies import RESULTS, graded_traces
from evaltui.recordings.recording_search import (
    HISTORY,
    RESULT,
    FoundRecordings,
    looks_like_recording,
    read_head,
    recordings_in,
    sort_recordings,
)
from evaltui.settings.project_settings import SettingsError, project_settings

_PROJECT, _OLD_PROJECT = "agents-cli-manifest.yaml", "pyproject.toml"
"""The files that mark a project of agents-cli (`find_project_root` in `google.agents.cli._project`)."""
_has_old_project = re.compile(rb'^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*"?agents-cli\b', re.MULTILINE).search
_find_set_id = re.compile(r'"(?:eval_set_id|evalSetId)"\s*:\s*("(?:[^"\\]|\\.)*")').search
_time = re.compile(r"_([0-9]+(?:\.[0-9]+)?)$").search
_UNKNOWN_AGENT = "the agent is unknown: app_name in a case, or agent in evaltui.toml, names it"
_NAMED = 4
"""The most folders that a sentence names."""


_PATTERNS = {HISTORY.name: f"*{RESULT}", TRACES.name: "*.json", GRADES.name: RESULTS}
"""The names of the recordings in a folder of a tool, as globs, by the name of the folder."""


def default_folders(eval_set: Path, bounds: Bounds | None = None, *, is_dataset: bool) -> list[Path]:
    """The folders in which the tools of a set leave recordings; the folders need not exist.

    google-adk writes results into the folder of the agent, and AgentEvaluator beside the set. If nothing names the
    agent, the agents near the set count. agents-cli writes traces and results into its project. Raises `SettingsError`,
    and like `Bounds.count`.
    """
    return _folders_for(eval_set, "", bounds or Bounds(), is_dataset=is_dataset)[0]


def _folders_for(
    eval_set: Path, eval_set_id: str | None, bounds: Bounds, *, is_dataset: bool
) -> tuple[list[Path], list[Path]]:
    """The default folders: of results, the set's own and those of agents; then those of agents that the set names."""
    if is_dataset:
        project = _agents_cli_project(eval_set)
        # A trace that is opened as a dataset has its own responses, and no others.
        if project is None or os.path.realpath(eval_set.parent) == os.path.realpath(project / TRACES):
            return [], []
        return artifacts_of(_as_named(project, eval_set)), []
    agents = agent_folders(eval_set)
    by_real_path: dict[str, Path] = {}
    for folder in (eval_set.parent, *(agents or agents_near(eval_set, bounds))):
        # The set's own folder keeps its place in front, also if it is the folder of the agent.
        by_real_path.setdefault(os.path.realpath(folder), _as_named(folder, eval_set) / HISTORY)
    # Without an id, the results in an agent's folder may be of any set.
    folders = [*by_real_path.values()][: 1 if eval_set_id is None else None]
    return folders, [by_real_path[os.path.realpath(folder)] for folder in agents]


def artifacts_of(project: Path) -> list[Path]:
    """The folders of traces and results in a project of agents-cli."""
    return [project / TRACES, project / GRADES]


def found_recordings(
    eval_set: Path, eval_set_id: str | None, bounds: Bounds | None = None, *, is_dataset: bool = False
) -> FoundRecordings:
    """The recordings of a set if the user names none: from the globs in the settings, else from its default folders.

    google-adk's results are only those of this set, newest first: beside the set, and of the first agent that has any.
    If nothing names the agent and several have results of the set, none of these are used. Files of agents-cli are in
    the order of their names, which have the time. Globs keep their order. Raises `SettingsError`, `SearchLimitError`
    and `SearchCancelledError`.
    """
    bounds = bounds or Bounds()
    settings = project_settings(eval_set.parent)
    if settings.recordings and settings.path is not None:
        globbed = _globbed(settings.path, settings.recordings, bounds)
        return globbed._replace(paths=[_as_named(path, eval_set) for path in globbed.paths])
    folders, of_agent = _folders_for(eval_set, eval_set_id, bounds, is_dataset=is_dataset)
    paths = [path for folder in folders for path in files_in(folder, bounds)]
    roots = _repository_around(eval_set)
    roots += [os.path.realpath(eval_set.parent)] * bool(roots)  # a link may lead to the folder of the set itself
    # Resolving a path costs system calls, so a file that is no link is judged with its folder.
    is_within = {folder: _is_in(roots, folder) for folder in folders}
    inside = [path for path in paths if (_is_in(roots, path) if is_link(path) else is_within[path.parent])]
    # If nothing names the agent, only results that name the set count in the folders of others.
    guesses = folders[1:] if not is_dataset and not of_agent else []
    outside = tuple(path for path in set(paths).difference(inside) if path.parent not in guesses)
    if is_dataset:
        return without_repeated_traces(inside, bounds)._replace(outside=outside)
    own = [path for path in inside if _is_of_set(path, eval_set_id, bounds, must_name_it=path.parent in guesses)]
    with_own = {path.parent for path in own}
    agents = [folder for folder in folders if folder in of_agent and folder in with_own]
    own = [path for path in own if path.parent not in agents[1:] or path.parent == folders[0]]
    rivals = tuple(dict.fromkeys(path.parent for path in own if path.parent in guesses))
    rivals = rivals if len(rivals) > 1 else ()
    own = [path for path in own if path.parent not in rivals]  # the newest result may be of the wrong agent
    return FoundRecordings(
        sorted(own, key=_newest_first), unused=tuple(set(inside).difference(own)), outside=outside, rivals=rivals
    )


def shared_folders(eval_set: Path | None, named: Sequence[str], *, is_dataset: bool) -> frozenset[Path]:
    """The folders of the recordings of all datasets of a project; none if any are named. Raises `SettingsError`."""
    if eval_set is None or named or not is_dataset or project_settings(eval_set.parent).recordings:
        return frozenset()
    return frozenset(default_folders(eval_set, is_dataset=True))


# --- sentences -------------------------------------------------------------------------------------------------------


def places_searched(
    eval_set: Path, eval_set_id: str | None, recordings: FoundRecordings, *, is_dataset: bool
) -> tuple[list[str], str]:
    """The places without `recordings`, and a clause if the agent is unknown. Raises like the search."""
    settings = project_settings(eval_set.parent)
    if settings.recordings:
        return [f"the setting recordings of {settings.path}"], ""
    folders, _ = _folders_for(eval_set, eval_set_id, Bounds(), is_dataset=is_dataset)
    places = [str(folder) for folder in folders if folder not in recordings.rivals]
    is_agent_known = is_dataset or eval_set_id is None or recordings.rivals or agent_folders(eval_set)
    return places, "" if is_agent_known else _UNKNOWN_AGENT


def rivals_text(eval_set: Path, eval_set_id: str | None, rivals: Sequence[Path]) -> tuple[str, str]:
    """Two sentences about results of a set in folders of several agents. Raises `SettingsError`."""
    settings, agent = project_settings(eval_set.parent).path, rivals[0].parent.parent
    if settings is None:
        settings = folders_near(eval_set)[-1] / "evaltui.toml"
    name = json.dumps(os.path.relpath(agent, settings.parent), ensure_ascii=False)
    return (
        f"Results of eval set {quoted(eval_set_id or '')} are in {_list_places([*map(str, rivals)], 'and')}.",
        f"Write agent = {name} into {_as_named(settings, eval_set)} to choose.",
    )


def where_searched(eval_set: Path | None, eval_set_id: str | None, *, is_dataset: bool) -> str:
    """` of this set in a/.adk/eval_history`: where no recording was found; "" if there is no place to search."""
    if eval_set is None:
        return ""
    try:
        recordings = found_recordings(eval_set, eval_set_id, is_dataset=is_dataset)
        places, unknown = places_searched(eval_set, eval_set_id, recordings, is_dataset=is_dataset)
    except DocumentError:  # the search for recordings has reported it
        return ""
    return f" of this set in {_list_places(places, 'or')}{f'; {unknown}' if unknown else ''}" if places else ""


def _list_places(places: Sequence[str], word: str) -> str:
    more = [f"{len(places) - _NAMED} more folders"] if len(places) > _NAMED else []
    *first, last = [*places[:_NAMED], *more]
    return f"{', '.join(first)} {word} {last}" if first else last


def _as_named(path: Path, eval_set: Path) -> Path:
    """For a set with a relative path, the path relative to the working directory: it is the same on every machine."""
    if eval_set.is_absolute() or not path.is_absolute():
        return path
    working_folder = Path.cwd()
    return path.relative_to(working_folder) if path.is_relative_to(working_folder) else path


# --- files of agents-cli ---------------------------------------------------------------------------------------------


def _agents_cli_project(dataset: Path) -> Path | None:
    owners, folders = owners_near(dataset.parent), [*folders_above(dataset)]
    # As agents-cli does it: a manifest anywhere above goes before an old project that is nearer.
    for path in (folder / name for name in (_PROJECT, _OLD_PROJECT) for folder in folders):
        with suppress(OSError, ValueError):
            if is_of(owners, path) and (path.name == _PROJECT or _has_old_project(read_regular(path, 1_000_000))):
                return path.parent
    return None


def without_repeated_traces(paths: Sequence[Path], bounds: Bounds) -> FoundRecordings:
    """The recordings among files of agents-cli, without `graded_traces`."""
    for path in paths:
        bounds.count(path.parent)
    graded = graded_traces(paths)
    ungraded = [path for path in paths if path not in graded]
    recordings = [path for path in ungraded if _is_recording(path, signature(path))]
    return FoundRecordings(recordings, tuple(set(ungraded).difference(recordings)))


@lru_cache(maxsize=1_000)
def _is_recording(path: Path, _state: Signature) -> bool:
    return looks_like_recording(path)


# --- files of a folder or glob ---------------------------------------------------------------------------------------


def files_in(folder: Path, bounds: Bounds) -> list[Path]:
    """The files of a default folder with the name of a recording, sorted. Raises like `Bounds.count`."""
    names = (entry.name for entry in bounds.entries(folder) if not entry.name.startswith("."))
    paths = (folder / name for name in sorted(names) if fnmatchcase(name, _PATTERNS[folder.name]))
    return [path for path in paths if is_file(path)]


def _globbed(settings: Path, patterns: tuple[str, ...], bounds: Bounds) -> FoundRecordings:
    """The recordings that the globs in settings name. Raises `SettingsError` for one outside the repository."""
    folder, repository = settings.parent, _repository_around(settings)

    def refuse_outside(paths: Iterable[Path]) -> None:
        # Somebody else may have written the settings, and this user can read more than they.
        for path in paths:
            if not _is_in(repository, path):
                raise SettingsError(f"{settings}: recordings has {path}, outside the repository; name it with -r")

    recordings: dict[Path, None] = {}
    other_files: dict[Path, None] = {}
    for path in (path for pattern in patterns for path in matching(folder, pattern, bounds)):
        refuse_outside([path])
        in_folder = recordings_in(path, bounds) if is_folder(path) else sort_recordings([path], folder, bounds)
        refuse_outside(in_folder.paths)
        recordings.update(dict.fromkeys(in_folder.paths))
        other_files.update(dict.fromkeys(in_folder.other_files))
    return FoundRecordings(list(recordings), tuple(other_files))


def _repository_around(path: Path) -> list[str]:
    root = repository_in([*folders_above(path)])
    return [os.path.realpath(root)] if root is not None else []


def _is_in(roots: Sequence[str], path: Path) -> bool:
    """Whether a file is in one of the folders; without folders, it is."""
    real = Path(os.path.realpath(path))
    return not roots or any(real.is_relative_to(root) for root in roots)


# --- results of google-adk -------------------------------------------------------------------------------------------


def _newest_first(path: Path) -> tuple[float, str]:
    """Sort key: the time at the end of google-adk's file names, else the time of the file."""
    match = _time(path.name.removesuffix(RESULT))  # a copy or a checkout changes the time of the file
    return -float(match[1]) if match else newest_first(path), path.name


def _is_of_set(path: Path, eval_set_id: str | None, bounds: Bounds, *, must_name_it: bool) -> bool:
    """Whether a result file belongs to this set. A file whose beginning names no set may pass."""
    bounds.count(path.parent)
    if eval_set_id is None:
        return True
    set_id = _set_id_in(path, signature(path))
    return set_id == eval_set_id or (set_id is None and not must_name_it)


@lru_cache(maxsize=100_000)  # many sets may search the same history
def _set_id_in(path: Path, _state: Signature) -> object:
    with suppress(RecordingError, ValueError):
        head = read_head(path).decode("utf-8", "replace")
        if head.lstrip().startswith('"'):  # google-adk up to 1.21 wrote a text with the JSON in it
            head = head.replace('\\"', '"').replace("\\\\", "\\")
        if (match := _find_set_id(head)) is not None:
            return read_json(match[1])
    return None
