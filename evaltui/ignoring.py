"""Rules that the person does not want to hear of, written into the settings."""

from __future__ import annotations

from pathlib import Path

import tomlkit

from evaltui.settings_file import change_settings


def ignore_rule(code: str, file: Path | None = None, path: Path | None = None) -> Path:
    """Have a rule ignored in `file`, or everywhere; gives the path of the settings. Raises `SaveError`."""

    def change(table: tomlkit.TOMLDocument) -> None:
        if file is None:
            codes = table.setdefault("ignore", tomlkit.array())
        else:
            codes = table.setdefault("ignore_in", tomlkit.table()).setdefault(str(file), tomlkit.array())
        if code not in codes:
            codes.append(code)

    return change_settings(change, path, "nothing is ignored")


def heed_all(file: Path | None = None, path: Path | None = None) -> None:
    """Have no rule ignored in `file`, nor everywhere; other files keep theirs. Raises `SaveError`."""

    def change(table: tomlkit.TOMLDocument) -> None:
        table.pop("ignore", None)
        of_files = table.get("ignore_in", {})
        of_files.pop(str(file), None)
        if not of_files:
            table.pop("ignore_in", None)

    change_settings(change, path, "the settings cannot be changed")
