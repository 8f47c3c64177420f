"""`evaltui config`: the settings in force, the source of each, and the errors in the settings file."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from evaltui.commands.parser import CommandParser
from evaltui.document.errors import DocumentError
from evaltui.printable import printable, say, write_line

if TYPE_CHECKING:
    from evaltui.settings.user_settings import Settings

USAGE = "config [--path | --commands]"
DESCRIPTION = "Print the current settings, and where each value comes from."
EXAMPLE = "evaltui config --path"


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui config`."""
    output = parser.add_argument_group("Output").add_mutually_exclusive_group()
    output.add_argument("--path", action="store_true", help="Print only the path of the settings file.")
    commands = "Print the id, keys and help of all commands of the app."
    output.add_argument("--commands", action="store_true", help=commands)


def run(options: Namespace) -> int:
    """Print the path of the file, the ids of all commands, or the settings. Returns 1 if the file has errors."""
    from evaltui.settings.user_settings import in_force, load_settings, settings_path
    from evaltui.tui.commands import all_commands, key_name
    from evaltui.tui.key_remaps import keys_in_force

    if options.path:
        write_line("stdout", str(settings_path()))
        return 0
    settings = keys_in_force(load_settings())
    if options.commands:
        for command in all_commands():
            keys = settings.keys.get(command.id, command.keys)
            names = " ".join(key_name(key) for key in keys.split(","))
            write_line("stdout", f"{command.id:<22} {names:<24} {command.help}")
        return 0
    for name, value, origin in in_force(settings):
        write_line("stdout", f"{name} = {value}  # {origin}")
    is_project_good = _print_project(settings)
    for number, sentence in settings.complaints:
        line = f":{number}" if number else ""
        write_line("stderr", f"{settings.path}{line}: {sentence}")
    return 1 if settings.complaints or not is_project_good else 0


def _print_project(settings: Settings) -> bool:
    """Print the command and agent in the project settings of this folder; False if these settings are invalid."""
    from pathlib import Path

    from evaltui.settings.project_settings import project_settings
    from evaltui.settings.user_settings import as_text

    try:
        project = project_settings(Path())
    except DocumentError as error:
        say(error)
        return False
    # The user's own command replaces the project's. That one runs only if trusted: a repository may be a stranger's.
    if project.run is not None and not settings.run:
        write_line("stdout", f"run = {as_text(project.run)}  # {printable(str(project.path))}, runs once you trust it")
    if project.agent is not None:
        write_line("stdout", f"agent = {as_text(project.agent)}  # {printable(str(project.path))}")
    return True
