"""The settings of a project: `[tool.evaltui]` in pyproject.toml, or evaltui.toml, in a folder above its files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import starmap
from pathlib import Path
from typing import Any

from evaltui.document.errors import DocumentError
from evaltui.file_access import is_file, is_of, open_regular, owners_near, refuse_larger, why_unreadable
from evaltui.printable import quoted

_NAMES = ("evaltui.toml", "pyproject.toml")
_LARGEST = 1_000_000
"""The most bytes of a file that is searched for settings."""
# The head of evaltui's table in a pyproject.toml. Its blanks include no line break: a search begins at each line.
_OURS = re.compile(r"""^[ \t]*+\[[ \t]*+["']?tool["']?[ \t]*+\.[ \t]*+["']?evaltui["']?[ \t]*+[\].]""", re.MULTILINE)
_LONGEST_COMMAND = 2_000
"""The most characters of a command: the user must read all of it before it runs."""
_MOST_PARTS = 200  # of a dotted key: tomllib needs minutes for some ten thousand
_BESIDE_KEYS = re.compile(r"[=,{}\[\]\n]")


class SettingsError(DocumentError):
    """The settings of a project are invalid. The message has the file and the error."""


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """Settings of a project. The command line overrides them."""

    path: Path | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    strict: bool = False
    recordings: tuple[str, ...] = ()
    """Globs of recordings, relative to the folder of `path`."""
    run: str | None = None
    """The command that runs the agent, with placeholders. It runs only after the user trusts it."""
    agent: str | None = None
    """The folder of the agent, relative to the folder of `path`."""


def project_settings(folder: Path) -> ProjectSettings:
    """The settings in force in `folder`, from it or the nearest folder above with settings. Raises `SettingsError`."""
    try:
        folder = folder.absolute()
    except OSError:  # the working directory was deleted
        return ProjectSettings()
    owners = owners_near(folder)
    for path in settings_files(folder):
        if (settings := _settings_in(path, owners)) is not None:
            return settings
    return ProjectSettings()


def settings_files(folder: Path) -> Iterator[Path]:
    """The possible settings files of `folder`, existing or not, up to the nearest one with settings."""
    folder = folder.absolute()
    owners = owners_near(folder)
    for above in project_folders(folder):
        yield from (above / name for name in _NAMES)
        try:
            if any(_settings_in(above / name, owners) is not None for name in _NAMES):
                return
        except SettingsError:
            return


def project_folders(folder: Path) -> Iterator[Path]:
    """`folder` and the folders above it, up to the root of its git repository or the user's home folder."""
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home raises an error if there is none
    ends = (home, os.path.realpath(home))
    for above in (folder, *folder.parents):
        yield above
        if str(above) in ends or os.path.lexists(above / ".git"):
            return


def read_settings_again() -> None:
    """Clear the cache: the files may have changed."""
    _settings_in.cache_clear()


@lru_cache(maxsize=10_000)
def _settings_in(path: Path, owners: frozenset[int]) -> ProjectSettings | None:
    """The settings in a file; None if there are none, or if a stranger wrote them. Raises `SettingsError`."""
    # A link of a stranger may lead to any file of this user, so its owner counts, too.
    table = _table(path, owners) if is_of(owners, path) and is_file(path) else None
    if table is None:
        return None
    if fault := next(filter(None, starmap(_find_fault, table.items())), ""):
        raise SettingsError(f"{path}: {fault}")
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}
    return ProjectSettings(path, **values)


def _table(path: Path, owners: frozenset[int]) -> dict[str, Any] | None:
    """The settings table in a file; None if there is none. Raises `SettingsError` for invalid TOML of evaltui."""
    is_ours = path.name == _NAMES[0]
    text = ""
    try:
        with open_regular(path) as file:
            if os.fstat(file.fileno()).st_uid not in owners:
                return None
            data = file.read(_LARGEST + 1)
        refuse_larger(len(data), _LARGEST)
        text = data.decode("utf-8-sig")
        if not is_ours and "evaltui" not in text:
            return None
        if any(part.count(".") > _MOST_PARTS for part in _BESIDE_KEYS.split(text)):
            raise ValueError("a key has too many parts")  # noqa: TRY301
        import tomllib  # noqa: PLC0415 - many files have no settings near them

        table = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        if is_ours or _OURS.search(text):  # a fault in any other pyproject.toml is not about evaltui
            raise SettingsError(f"{path}: {why_unreadable(error)}") from error
        return None
    tools = table.get("tool")
    own = table if is_ours else tools.get("evaltui") if isinstance(tools, dict) else None
    return own if isinstance(own, dict) else None


def _find_fault(name: str, value: Any) -> str:
    """The fault of a setting, as a clause; "" if it has none."""
    is_list_of_texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
    match name:
        case "select" | "ignore":
            return "" if is_list_of_texts else f'{name} must be a list of codes, such as ["call-without-id"]'
        case "strict":
            return "" if isinstance(value, bool) else "strict must be true or false"
        case "recordings":
            is_right = is_list_of_texts and all(map(str.strip, value))
            return "" if is_right else 'recordings must be a list of globs, such as ["traces/**/*.json"]'
        case "run":
            return f"run {why}" if (why := why_no_command(value)) else ""
        case "agent":
            is_right = isinstance(value, str) and bool(value.strip()) and "\0" not in value
            return "" if is_right else 'agent must be a folder, such as "trip_agent"'
    return f"there is no setting {quoted(name)}; use one of select, ignore, strict, recordings, run, agent"


def why_no_command(value: Any) -> str:
    """Why a value cannot be the command that runs the agent, as a clause after the setting; "" if it can."""
    if not isinstance(value, str) or not value.strip():
        return 'must be a command, such as "adk eval {agent} {set}:{cases}"'
    if len(value) > _LONGEST_COMMAND:
        return f"has more than {_LONGEST_COMMAND:,} characters; put it into a script"
    return "contains a null character" if "\0" in value else ""
