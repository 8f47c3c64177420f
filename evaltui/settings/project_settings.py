"""The settings of a project: `[tool.evaltui]` in pyproject.toml, or evaltui.toml, in a folder above its files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from evaltui.document.errors import DocumentError
from evaltui.file_access import is_file, refuse_larger, why_unreadable
from evaltui.printable import quoted
from evaltui.settings.command_text import why_no_command

_NAMES = ("evaltui.toml", "pyproject.toml")
_LARGEST = 1_000_000
"""The most bytes of a file that is searched for settings."""
_OURS = re.compile(r"""^[ \t]*+\[[ \t]*+["']?tool["']?[ \t]*+\.[ \t]*+["']?evaltui["']?[ \t]*+[\].]""", re.MULTILINE)
"""The head of evaltui's table in a pyproject.toml. Its blanks include no line break: a search begins at each line."""
_MOST_PARTS = 200
"""The most parts of a dotted key: tomllib needs minutes for some ten thousand."""
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
    for at in (folder, *folder.parents):
        if (found := _settings_of(at)) is not None:
            return found
    return ProjectSettings()


def settings_files(folder: Path) -> Iterator[Path]:
    """The possible settings files of `folder`, existing or not, up to the nearest one with settings."""
    folder = folder.absolute()
    for at in (folder, *folder.parents):
        yield from (at / name for name in _NAMES)
        try:
            if _settings_of(at) is not None:
                return
        except SettingsError:
            return


def read_settings_again() -> None:
    """Clear the cache: the files may have changed."""
    _settings_of.cache_clear()


@lru_cache(maxsize=10_000)
def _settings_of(folder: Path) -> ProjectSettings | None:
    """The settings in a folder itself; None if there are none."""
    for name in _NAMES:
        path = folder / name
        if is_file(path) and (table := _table(path)) is not None:
            return ProjectSettings(path, **{key: _checked(path, key, value) for key, value in table.items()})
    return None


def _table(path: Path) -> dict[str, Any] | None:
    """The settings table in a file; None if there is none. Raises `SettingsError` for invalid TOML of evaltui."""
    is_ours = path.name == _NAMES[0]
    text = ""
    try:
        refuse_larger(path.stat().st_size, _LARGEST)
        text = path.read_text("utf-8-sig")
        if not is_ours and "evaltui" not in text:
            return None
        _refuse_long_keys(text)
        table = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        if is_ours or _OURS.search(text):  # a fault in any other pyproject.toml is not about evaltui
            raise SettingsError(f"{path}: {why_unreadable(error)}") from error
        return None
    tools = table.get("tool")
    own = table if is_ours else tools.get("evaltui") if isinstance(tools, dict) else None
    return own if isinstance(own, dict) else None


def _refuse_long_keys(text: str) -> None:
    if any(part.count(".") > _MOST_PARTS for part in _BESIDE_KEYS.split(text)):
        raise ValueError("a key has too many parts")


def _checked(path: Path, name: str, value: Any) -> Any:
    if name in ("select", "ignore"):
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise SettingsError(f'{path}: {name} must be a list of codes, such as ["call-without-id"]')
        return tuple(value)
    if name == "strict":
        if not isinstance(value, bool):
            raise SettingsError(f"{path}: strict must be true or false")
        return value
    if name == "recordings":
        if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
            raise SettingsError(f'{path}: recordings must be a list of globs, such as ["traces/**/*.json"]')
        return tuple(value)
    if name in ("run", "agent"):
        return _checked_text(path, name, value)
    known = "select, ignore, strict, recordings, run, agent"
    raise SettingsError(f"{path}: there is no setting {quoted(name)}; use one of {known}")


def _checked_text(path: Path, name: str, value: Any) -> str:
    """The command that runs the agent, or the folder of the agent."""
    if name == "run" and (why := why_no_command(value)):
        raise SettingsError(f"{path}: run {why}")
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise SettingsError(f'{path}: agent must be a folder, such as "trip_agent"')
    return value
