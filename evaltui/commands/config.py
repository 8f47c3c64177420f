"""`evaltui config`: the settings in force, the source of each, and the errors in the settings file."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from evaltui.document.errors import DocumentError
from evaltui.printable import printable, say, write_line
from evaltui.settings.project_settings import project_settings
from evaltui.settings.user_settings import Settings, as_text, in_force, load_settings, settings_path
from evaltui.tui.commands import COMMANDS, key_name
from evaltui.tui.key_remaps import keys_in_force


def run(options: Namespace) -> int:
    """Print the path of the file, the ids of all commands, or the settings. Returns 1 if the file has errors."""
    if options.path:
        write_line("stdout", str(settings_path()))
        return 0
    settings = keys_in_force(load_settings())
    if options.commands:
        for command in COMMANDS:
            keys = settings.keys.get(command.id, command.keys)
            shown = " ".join(key_name(key) for key in keys.split(","))
            write_line("stdout", f"{command.id:<22} {shown:<24} {command.help}")
        return 0
    for name, value, origin in in_force(settings):
        write_line("stdout", f"{name} = {value}  # {origin}")
    is_project_good = _print_project(settings)
    for complaint in settings.complaints:
        line = f":{complaint.line}" if complaint.line else ""
        write_line("stderr", f"{settings.path}{line}: {complaint.sentence}")
    return 1 if settings.complaints or not is_project_good else 0


def _print_project(settings: Settings) -> bool:
    """Print the command and agent in the project settings of this folder; False if these settings are invalid."""
    try:
        project = project_settings(Path())
    except DocumentError as error:
        say(error)
        return False
    if project.run is not None and not settings.run:
        write_line("stdout", f"run = {as_text(project.run)}  # {printable(str(project.path))}, runs once you trust it")
    if project.agent is not None:
        write_line("stdout", f"agent = {as_text(project.agent)}  # {printable(str(project.path))}")
    return True
