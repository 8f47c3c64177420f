"""Edits of the settings file that keep all other lines, and a new settings file with all settings as comments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from evaltui.document.disk.file_content import Fingerprint, fingerprint, reason_of
from evaltui.document.disk.file_replacement import save_file
from evaltui.document.errors import SaveError
from evaltui.file_access import exists, read_regular
from evaltui.settings.user_settings import LARGEST, settings_path

_FIRST = """\
# Settings of evaltui. Delete the # before a line to use it. `evaltui config` shows the current settings.

# theme = "auto"                 # auto: light or dark, as the terminal is; T in the app lists the themes
# mouse = true                   # false: the terminal handles the mouse (select, copy)
# journal = true                 # keep unsaved changes on disk, to restore them after a crash
# inline_data_limit = "5 MB"     # the largest file that can become inline data of a set
# ignore = ["call-without-id"]   # codes of rules whose problems the editor does not show
# run = "adk eval {agent} {set}:{cases}"   # runs the agent (f6); used instead of the command of a project

# [keys]                         # `evaltui config --commands` lists the ids of all commands
# "tree.clone" = "ctrl+e"
"""


def change_settings(change: Callable[[tomlkit.TOMLDocument], object], path: Path | None, failed: str) -> Path:
    """Apply `change` to the settings file, keep all other lines, and return its path.

    Raises `SaveError`, whose message begins with `failed`, if the file cannot be read or written.
    """
    path = path or settings_path()
    try:
        data = read_regular(path, LARGEST) if exists(path) else None
        table = tomlkit.parse((data or b"").decode("utf-8-sig"))
        change(table)
        _write(path, tomlkit.dumps(table), None if data is None else fingerprint(data))
    except (OSError, SaveError) as error:
        raise SaveError(f"{failed}: {_reason(error)} ({path})") from error
    except (ValueError, RecursionError, TOMLKitError, TypeError, AttributeError) as error:
        # tomlkit and `change` raise these for a hostile file, or for a value of an unexpected type.
        raise SaveError(f"{failed}: the settings are not TOML ({path})") from error
    return path


def keep_theme(name: str, path: Path | None = None) -> Path:
    """Save the name of the theme in the settings; returns the path of the settings file. Raises `SaveError`."""
    return change_settings(lambda table: table.update({"theme": name}), path, "the theme was not saved")


def make_settings(path: Path | None = None) -> bool:
    """Create a settings file with all settings as comments; returns False if there is a file already.

    Raises `SaveError` if it cannot be created.
    """
    path = path or settings_path()
    if exists(path):
        return False
    try:
        _write(path, _FIRST, None)
    except (OSError, SaveError) as error:
        raise SaveError(f"the settings file cannot be created: {_reason(error)} ({path})") from error
    return True


def _reason(error: OSError | SaveError) -> str:
    return error.reason if isinstance(error, SaveError) else reason_of(error)


def _write(path: Path, text: str, expected: Fingerprint | None) -> None:
    # The folder is the person's own, where people keep links to their dotfiles.
    save_file(path, [text.encode()], expected, leaves=True, makes_folders=True)


def ignore_rule(code: str, file: Path | None = None, path: Path | None = None) -> Path:
    """Ignore a rule in `file`, or everywhere; returns the path of the settings file. Raises `SaveError`."""

    def change(table: tomlkit.TOMLDocument) -> None:
        if file is None:
            codes = table.setdefault("ignore", tomlkit.array())
        else:
            codes = table.setdefault("ignore_in", tomlkit.table()).setdefault(str(file), tomlkit.array())
        if code not in codes:
            codes.append(code)

    return change_settings(change, path, "the rule is not ignored")


def heed_all(file: Path | None = None, path: Path | None = None) -> None:
    """Stop ignoring rules in `file` and in general. The lists of other files stay. Raises `SaveError`."""

    def change(table: tomlkit.TOMLDocument) -> None:
        table.pop("ignore", None)
        of_files = table.get("ignore_in", {})
        of_files.pop(str(file), None)
        if not of_files:
            table.pop("ignore_in", None)

    change_settings(change, path, "the settings cannot be changed")
