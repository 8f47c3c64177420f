"""The folder of the agent that a set tests: from the project settings, else the nearest agent above the set."""

from __future__ import annotations

import re
from pathlib import Path

from evaltui.file_access import is_file, is_folder, read_regular
from evaltui.printable import one_line
from evaltui.runs.command_process import CommandError
from evaltui.settings.project_settings import project_folders

_FILES = ("agent.py", "root_agent.yaml")
"""Files from which google-adk loads an agent (`google.adk.cli.utils.agent_loader`), or an `__init__.py` with one."""
_names_agent = re.compile(r"\b(?:root_agent|get_agent_async)\b").search
_LARGEST = 1_000_000
"""The most bytes of an `__init__.py` that is searched."""


def agent_folder(eval_set: Path, named: Path | None) -> Path:
    """The absolute path of the folder, without a final slash. Raises `CommandError` if there is none.

    `named` is the folder in the project settings. The search ends where that for settings ends.
    """
    if named is not None:
        if not is_folder(named):
            raise CommandError(f"The folder in the setting agent does not exist: {one_line(str(named), 200)}")
        return named
    for folder in project_folders(eval_set.parent):
        if _holds_agent(folder):
            return folder
    raise CommandError(
        "No agent found: no folder above the eval set has an agent.py. "
        'Write the folder into evaltui.toml: agent = "path/of/agent"'
    )


def _holds_agent(folder: Path) -> bool:
    if any(is_file(folder / name) for name in _FILES):
        return True
    try:
        package = read_regular(folder / "__init__.py", _LARGEST).decode("utf-8", "replace")
        return _names_agent(package) is not None
    except (OSError, ValueError):
        return False
