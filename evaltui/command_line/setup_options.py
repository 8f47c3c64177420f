"""Options of the commands about evaltui itself: `config` and `completion`."""

from __future__ import annotations

from evaltui.command_line.parser import CommandParser

SHELLS = ("bash", "zsh", "fish")


def add_config(parser: CommandParser) -> None:
    """Add the options of `evaltui config`."""
    shown = parser.add_argument_group("Output").add_mutually_exclusive_group()
    shown.add_argument("--path", action="store_true", help="Print only the path of the settings file.")
    commands = "Print the id, keys and help of all commands of the app."
    shown.add_argument("--commands", action="store_true", help=commands)


def add_completion(parser: CommandParser) -> None:
    """Add the argument of `evaltui completion`."""
    parser.add_argument_group("Arguments").add_argument(
        "shell", metavar="SHELL", choices=SHELLS, help="Your shell: bash, zsh or fish."
    )
