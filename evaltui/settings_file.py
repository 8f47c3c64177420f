"""Writing the settings: one value changed and all else kept as it is, or a first file that says what there is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from evaltui.document import SaveError
from evaltui.settings import settings_path

_FIRST = """\
# Settings of evaltui. A line without the # in front of it holds; `evaltui config` shows what is in force.

# theme = "textual-dark"         # T in the app lists the themes
# mouse = true                   # false leaves the mouse to the terminal, to select and copy there
# journal = true                 # whether unsaved edits are kept on disk against a crash
# inline_data_limit = "5 MB"     # the largest file that is put into a set as inline data
# ignore = ["call-without-id"]   # codes of rules whose findings the editor does not show

# [keys]                         # `evaltui config --commands` lists the ids of all commands
# "tree.clone" = "ctrl+e"
"""


def change_settings(change: Callable[[tomlkit.TOMLDocument], object], path: Path | None, failed: str) -> Path:
    """Change the settings, which keep all else as it is; gives their path.

    Raises `SaveError`, a sentence that begins with `failed`, where they cannot be read or written.
    """
    path = path or settings_path()
    try:
        table = tomlkit.parse(path.read_bytes().decode() if path.exists() else "")
        change(table)
        _write(Path(os.path.realpath(path)), tomlkit.dumps(table))
    except (OSError, UnicodeDecodeError, TOMLKitError, TypeError, AttributeError) as error:
        reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "the settings are not TOML"
        raise SaveError(f"{failed}: {reason} ({path})") from error
    return path


def keep_theme(name: str, path: Path | None = None) -> Path:
    """Make a theme the person's own; gives the path of the settings. Raises `SaveError`."""
    return change_settings(lambda table: table.update({"theme": name}), path, "the theme is not kept")


def make_settings(path: Path | None = None) -> bool:
    """Make the file of settings with all of them as comments, where there is none; whether it was made.

    Raises `SaveError` where it cannot be made.
    """
    path = path or settings_path()
    if path.exists():
        return False
    try:
        _write(path, _FIRST)
    except OSError as error:
        raise SaveError(f"no settings file can be made: {(error.strerror or str(error)).lower()} ({path})") from error
    return True


def _write(path: Path, text: str) -> None:
    """Whole or not at all; a link stays one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        new.write_text(text, "utf-8", newline="")
        if path.exists():
            new.chmod(path.stat().st_mode & 0o7777)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
