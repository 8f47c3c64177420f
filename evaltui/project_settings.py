"""The settings of a project: `[tool.evaltui]` in pyproject.toml, or evaltui.toml, in a folder above its files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from evaltui.document import DocumentError
from evaltui.existence import is_file

_NAMES = ("evaltui.toml", "pyproject.toml")


class SettingsError(DocumentError):
    """The settings of a project do not hold; the message has the file and what is wrong."""


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """What holds for the files of a project unless the command line says otherwise."""

    path: Path | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    strict: bool = False
    recordings: tuple[str, ...] = ()
    """Globs of recordings, relative to the folder of `path`."""


def project_settings(folder: Path) -> ProjectSettings:
    """The settings that hold in `folder`: of the nearest folder above that has some. Raises `SettingsError`."""
    return _settings_in(folder.absolute())


@lru_cache(maxsize=1000)
def _settings_in(folder: Path) -> ProjectSettings:
    for path, table in _tables(folder):
        return ProjectSettings(path, **{name: _checked(path, name, value) for name, value in table.items()})
    return _settings_in(folder.parent) if folder.parent != folder else ProjectSettings()


def _tables(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    for name in _NAMES:
        path = folder / name
        if not is_file(path):
            continue
        try:
            table = tomllib.loads(path.read_text("utf-8-sig"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            if name == "pyproject.toml":  # it is for others to complain about
                continue
            raise SettingsError(f"{path}: {error}") from error
        tools = table.get("tool")
        own = table if name == "evaltui.toml" else tools.get("evaltui") if isinstance(tools, dict) else None
        if isinstance(own, dict):
            yield path, own


def _checked(path: Path, name: str, value: Any) -> Any:
    if name in ("select", "ignore"):
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise SettingsError(f'{path}: {name} must be a list of codes, such as ["call-without-answer"]')
        return tuple(value)
    if name == "strict":
        if not isinstance(value, bool):
            raise SettingsError(f"{path}: strict must be true or false")
        return value
    if name == "recordings":
        if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
            raise SettingsError(f'{path}: recordings must be a list of globs, such as ["traces/**/*.json"]')
        return tuple(value)
    raise SettingsError(f"{path}: there is no setting {name!r}; there are select, ignore, strict, recordings")
