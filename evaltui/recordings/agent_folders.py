"""The folders of the agent that a set tests. Nothing in these folders runs.

google-adk leaves results and sessions in the folder of an agent.
"""

from __future__ import annotations

import os
import re
import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

from evaltui.document.scanner import read_json
from evaltui.file_access import is_file, is_folder, is_of, is_shared, owners_near, read_regular
from evaltui.files.file_changes import Signature, is_older, signature
from evaltui.files.folder_search import Bounds, is_real_folder
from evaltui.files.session_source import head_of
from evaltui.settings.project_settings import project_folders, project_settings

_FILES = ("agent.py", "root_agent.yaml")
"""Files from which google-adk loads an agent (`google.adk.cli.utils.agent_loader`), or an `__init__.py` with one."""
_names_agent = re.compile(r"\b(?:root_agent|get_agent_async)\b").search
_HEAD = 1 << 18
"""The number of first bytes of a set in which names of apps are searched."""
_app_names = re.compile(rb'"(?:app_name|appName)"\s*:\s*("(?:[^"\\]|\\.){1,400}")').finditer
_SETTLED = 1_000_000_000
"""Nanoseconds after a change of a folder in which its times may not show another change."""
_MOST_APPS = 10


def agent_folders(eval_set: Path) -> list[Path]:
    """The absolute paths of folders that may be of a set's agent, the likeliest first.

    The setting `agent` stands alone. Without it, these are the nearest agent above the set, agents that its `app_name`
    names, the nearest first, and agents that the setting `run` names. A folder of a stranger does not count. Raises
    `SettingsError`.
    """
    settings = project_settings(eval_set.parent)
    if settings.agent is not None and settings.path is not None:
        return [settings.path.parent / settings.agent]
    folders = [agent_above(eval_set), *agents_of_apps(eval_set)]
    if settings.run is not None and settings.path is not None:
        with suppress(ValueError):  # quotes without their end: f6 reports it
            words = (word for word in shlex.split(settings.run) if not word.startswith("-") and "{" not in word)
            paths = (Path(os.path.normpath(settings.path.parent / word)) for word in words)
            folders += [path for path in paths if is_folder(path) and _holds_agent(path)]
    owners = owners_near(eval_set.parent)
    return [folder for folder in dict.fromkeys(folders) if folder is not None and is_of(owners, folder)]


def agent_above(eval_set: Path) -> Path | None:
    """The nearest folder with an agent, from that of the set on. The search ends where that for settings ends."""
    return next(filter(_holds_agent, folders_above(eval_set)), None)


def agents_of_apps(eval_set: Path) -> Iterator[Path]:
    """The folders with an agent that the `app_name` of a case names, beside the set or a folder above it."""
    apps = _apps_in(eval_set, signature(eval_set))
    return filter(_holds_agent, (above / app for above in folders_above(eval_set) for app in apps))


def agents_near(eval_set: Path, bounds: Bounds) -> list[Path]:
    """The agents in `folders_near` a set, which nothing names. Raises like `Bounds.count`."""
    agents, owners = [], owners_near(eval_set.parent)
    for above in folders_near(eval_set):
        for folder in _folders_in(above, _state_of(above)):
            bounds.count(above)
            if _is_agent(folder, _state_of(folder)) and is_of(owners, folder):
                agents.append(folder)
    return agents


def folders_near(eval_set: Path) -> list[Path]:
    """The folder of a set and those above it, up to the root of its repository; outside of one, only its parent."""
    above = [*folders_above(eval_set)]
    if repository_in(above) is not None:
        return above
    # A stranger may leave an agent with results in /tmp, where anybody can create files.
    return [*takewhile(lambda folder: not is_shared(folder), above[:2])]


def repository_in(above: Sequence[Path]) -> Path | None:
    """The last of the folders above a file if it is the root of a repository."""
    return above[-1] if above and os.path.lexists(above[-1] / ".git") else None


def folders_above(eval_set: Path) -> Iterator[Path]:
    """The absolute folder of a set, and the folders above it, up to the root of its repository or the home folder."""
    with suppress(OSError):  # the working directory was deleted
        yield from project_folders(Path(os.path.abspath(eval_set)).parent)  # noqa: PTH100 - a link keeps its name


@lru_cache(maxsize=1_000)  # a watch asks often
def _apps_in(eval_set: Path, _state: Signature) -> tuple[str, ...]:
    """The names of apps near the beginning of a set that can be the name of a folder."""
    apps: dict[str, None] = {}
    # A name in another object of the file does no harm: results are taken by eval_set_id.
    for match in _app_names(head_of(eval_set, _HEAD)):
        with suppress(ValueError):  # a broken escape sequence, or no UTF-8
            name = read_json(match[1].decode())
            if name not in ("", ".", "..") and not {"/", "\\", "\0"} & set(name):
                apps[name] = None
        if len(apps) == _MOST_APPS:
            break
    return tuple(apps)


def _state_of(folder: Path) -> tuple[Signature, int]:
    """A key of a cache for what a folder holds."""
    state, time_ns = signature(folder), time.time_ns()
    # Soon after a change, another change may have the same time, so the key never repeats.
    return state, 0 if is_older(state, time_ns - _SETTLED) else time_ns


@lru_cache(maxsize=1_000)  # each set of a folder asks for them
def _folders_in(folder: Path, _state: tuple[Signature, int]) -> tuple[Path, ...]:
    """The folders in a folder, sorted, without links and hidden ones. Raises `SearchLimitError`."""
    entries = sorted(Bounds().entries(folder), key=lambda entry: entry.name)
    return tuple(folder / entry.name for entry in entries if entry.name[0] != "." and is_real_folder(entry))


@lru_cache(maxsize=100_000)
def _is_agent(folder: Path, _state: tuple[Signature, int]) -> bool:
    return _holds_agent(folder)


def _holds_agent(folder: Path) -> bool:
    if any(is_file(folder / name) for name in _FILES):
        return True
    with suppress(OSError, ValueError):
        return _names_agent(read_regular(folder / "__init__.py", 1_000_000).decode("utf-8", "replace")) is not None
    return False
