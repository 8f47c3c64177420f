"""The command that runs the agent of a set, from the user's settings or else from the project's."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from evaltui.settings.project_settings import project_settings
from evaltui.settings.user_settings import Settings


class RunCommand(NamedTuple):
    """A command with placeholders, and its origin."""

    text: str
    origin: Path
    """The settings file with the command."""
    folder: Path
    """The working directory of the command: the folder of the project settings, else of the set."""
    agent: Path | None = None
    """The folder of the agent in the project settings."""
    is_own: bool = False
    """Whether it is from the user's own settings."""


def run_command(settings: Settings, eval_set: Path) -> RunCommand | None:
    """The command for a set; None if there is none. Raises `SettingsError` for invalid project settings."""
    project = project_settings(eval_set.parent)
    folder = project.path.parent if project.path is not None else eval_set.parent
    agent = folder / project.agent if project.agent is not None else None
    if settings.run and settings.path is not None:
        return RunCommand(settings.run, settings.path, folder, agent, is_own=True)
    if project.run is not None and project.path is not None:
        return RunCommand(project.run, project.path, folder, agent)
    return None
