"""Rules that the person does not want to hear of, written into the settings."""

from __future__ import annotations

import os
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from evaltui.document import SaveError
from evaltui.settings import settings_path

_FAILURES = (OSError, ValueError, RecursionError, TOMLKitError, TypeError, AttributeError)
"""What a file of settings that is hostile or of another shape leads to."""


def ignore_rule(code: str, file: Path | None = None, path: Path | None = None) -> Path:
    """Have a rule ignored in `file`, or everywhere; returns the path of the settings, which keep all else as it is.

    Raises `SaveError` where they cannot be written.
    """
    path = path or settings_path()
    try:
        before = path.read_bytes().decode() if path.exists() else ""
        table = tomlkit.parse(before)
        if file is None:
            codes = table.setdefault("ignore", tomlkit.array())
        else:
            codes = table.setdefault("ignore_in", tomlkit.table()).setdefault(str(file), tomlkit.array())
        if code not in codes:
            codes.append(code)
        _write(Path(os.path.realpath(path)), tomlkit.dumps(table))
    except _FAILURES as error:
        reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "the settings are not TOML"
        raise SaveError(f"nothing is ignored: {reason} ({path})") from error
    return path


def heed_all(file: Path | None = None, path: Path | None = None) -> None:
    """Have no rule ignored in `file`, nor everywhere; other files keep theirs. Raises `SaveError`."""
    path = path or settings_path()
    try:
        table = tomlkit.parse(path.read_bytes().decode() if path.exists() else "")
        table.pop("ignore", None)
        of_files = table.get("ignore_in", {})
        of_files.pop(str(file), None)
        if not of_files:
            table.pop("ignore_in", None)
        _write(Path(os.path.realpath(path)), tomlkit.dumps(table))
    except _FAILURES as error:
        reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "the settings are not TOML"
        raise SaveError(f"the settings cannot be changed: {reason} ({path})") from error


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
