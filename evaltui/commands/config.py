"""`evaltui config`: the settings in force, where each comes from, and what is wrong in the file."""

from __future__ import annotations

from argparse import Namespace

from evaltui.printable import write_line
from evaltui.settings.user_settings import in_force, load_settings, settings_path
from evaltui.tui.commands import COMMANDS, key_name
from evaltui.tui.key_remaps import keys_in_force


def run(options: Namespace) -> int:
    """Print the path of the file, the ids of all commands, or the settings; 1 where something in the file is wrong."""
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
    for complaint in settings.complaints:
        line = f":{complaint.line}" if complaint.line else ""
        write_line("stderr", f"{settings.path}{line}: {complaint.sentence}")
    return 1 if settings.complaints else 0
