"""Writing the settings: one value changed and all else kept as it is, or a first file that says what there is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from evaltui.document import SaveError
from evaltui.document.file_replacement import write_file
from evaltui.document.storage import reason_of
from evaltui.existence import exists
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
        table = tomlkit.parse(path.read_bytes().decode() if exists(path) else "")
        change(table)
        _write(path, tomlkit.dumps(table))
    except (OSError, SaveError) as error:
        raise SaveError(f"{failed}: {_reason(error)} ({path})") from error
    except (ValueError, RecursionError, TOMLKitError, TypeError, AttributeError) as error:
        # What a file of settings that is hostile or of another shape leads to.
        raise SaveError(f"{failed}: the settings are not TOML ({path})") from error
    return path


def keep_theme(name: str, path: Path | None = None) -> Path:
    """Make a theme the person's own; gives the path of the settings. Raises `SaveError`."""
    return change_settings(lambda table: table.update({"theme": name}), path, "the theme is not kept")


def make_settings(path: Path | None = None) -> bool:
    """Make the file of settings with all of them as comments, where there is none; whether it was made.

    Raises `SaveError` where it cannot be made.
    """
    path = path or settings_path()
    if exists(path):
        return False
    try:
        _write(path, _FIRST)
    except (OSError, SaveError) as error:
        raise SaveError(f"no settings file can be made: {_reason(error)} ({path})") from error
    return True


def _reason(error: OSError | SaveError) -> str:
    return error.reason if isinstance(error, SaveError) else reason_of(error)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, text.encode())
