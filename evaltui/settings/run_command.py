"""The command that runs the agent of a set, and who gave it: the user, whose own wins, or the project's file."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from evaltui.settings.project_settings import project_settings
from evaltui.settings.user_settings import Settings


class RunCommand(NamedTuple):
    """A command with placeholders, as the settings have it."""

    text: str
    origin: Path
    """The file that gives it."""
    folder: Path
    """The folder in which it runs: that of the project's settings, else that of the set."""
    agent: Path | None = None
    """The folder of the agent that the project's settings name."""
    is_own: bool = False
    """Whether it is from the user's own settings, which are trusted."""


def run_command(settings: Settings, eval_set: Path) -> RunCommand | None:
    """The command for a set; None if there is none. Raises `SettingsError` for project settings that do not hold."""
    project = project_settings(eval_set.parent)
    folder = project.path.parent if project.path is not None else eval_set.parent
    agent = folder / project.agent if project.agent is not None else None
    if settings.run and settings.path is not None:
        return RunCommand(settings.run, settings.path, folder, agent, is_own=True)
    if project.run is not None and project.path is not None:
        return RunCommand(project.run, project.path, folder, agent)
    return None
