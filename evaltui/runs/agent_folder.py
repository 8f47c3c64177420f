"""The folder of the agent that a command runs: from the project settings, else found near the set."""

from __future__ import annotations

from pathlib import Path

from evaltui.file_access import is_folder
from evaltui.printable import one_line
from evaltui.recordings.agent_folders import agent_above, agents_of_apps
from evaltui.runs.command_process import CommandError


def agent_folder(eval_set: Path, named: Path | None) -> Path:
    """The absolute path of the folder, without a final slash. Raises `CommandError` if there is none.

    `named` is the folder in the project settings. Without it, an agent above the set goes before one that its
    `app_name` names.
    """
    if named is not None:
        if not is_folder(named):
            raise CommandError(f"The folder in the setting agent does not exist: {one_line(str(named), 200)}")
        return named
    found = agent_above(eval_set) or next(agents_of_apps(eval_set), None)
    if found is None:
        raise CommandError(
            "No agent found: no folder above the eval set has an agent.py, and none beside these is named by app_name. "
            'Write the folder into evaltui.toml: agent = "path/of/agent"'
        )
    return found
