"""Ignored rules in the user's settings file."""

from __future__ import annotations

from pathlib import Path

import tomlkit

from evaltui.settings_file import change_settings


def ignore_rule(code: str, file: Path | None = None, path: Path | None = None) -> Path:
    """Ignore a rule in `file`, or everywhere; returns the path of the settings file. Raises `SaveError`."""

    def change(table: tomlkit.TOMLDocument) -> None:
        """Add the rule's code to the list for `file`, or to the list for all files."""
        if file is None:
            codes = table.setdefault("ignore", tomlkit.array())
        else:
            codes = table.setdefault("ignore_in", tomlkit.table()).setdefault(str(file), tomlkit.array())
        if code not in codes:
            codes.append(code)

    return change_settings(change, path, "nothing is ignored")


def heed_all(file: Path | None = None, path: Path | None = None) -> None:
    """Ignore no rule in `file` and none everywhere; the lists of other files stay. Raises `SaveError`."""

    def change(table: tomlkit.TOMLDocument) -> None:
        """Delete the list for all files and the list for `file`."""
        table.pop("ignore", None)
        of_files = table.get("ignore_in", {})
        of_files.pop(str(file), None)
        if not of_files:
            table.pop("ignore_in", None)

    change_settings(change, path, "the settings cannot be changed")
