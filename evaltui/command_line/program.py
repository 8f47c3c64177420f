"""The parser of the whole command line, made from the table of commands."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from importlib import import_module

from evaltui import __version__
from evaltui.command_line.commands import COMMANDS, CommandHelp
from evaltui.command_line.parser import CommandParser, ProgramParser

USAGE = "evaltui [SET]\n       evaltui COMMAND …"
DESCRIPTION = "Write, check, score and review the eval sets of LLM agents."
EXAMPLE = "evaltui trip_planner.evalset.json"
EPILOG = f"""Example:
  {EXAMPLE}

evaltui without arguments lists the eval sets of this folder.
`evaltui COMMAND --help` shows the options of a command and an example.
The examples work in the folder sample_sets of the project."""


def program_parser(named: Collection[str] = ()) -> ProgramParser:
    """The parser of one command where it is `named`, which saves milliseconds; else of all."""
    parser = ProgramParser(_by_purpose(), prog="evaltui", usage=USAGE, description=DESCRIPTION, epilog=EPILOG)
    add_help(parser)
    parser.add_argument("--version", action="version", version=f"evaltui {__version__}", help="Show the version.")
    chosen = [COMMANDS[name] for name in named if name in COMMANDS] or COMMANDS.values()
    places = parser.add_subparsers(metavar="COMMAND", dest="command", prog="evaltui", parser_class=CommandParser)
    for command in chosen:
        parser.parsers[command.name] = _add_command(places, command)
    return parser


def _add_command(places: argparse._SubParsersAction[CommandParser], command: CommandHelp) -> CommandParser:
    example = "".join(f"\n  {line}" for line in command.example.splitlines())
    parser = places.add_parser(
        command.name,
        help=command.summary,
        usage=f"evaltui {command.usage}",
        description=command.description,
        epilog=f"Example:{example}",
    )
    options = import_module(f"evaltui.command_line.{command.options}")
    getattr(options, f"add_{command.name}")(parser)
    add_help(parser.add_argument_group("Help"))
    return parser


def add_help(container: argparse._ActionsContainer) -> None:
    """Add `-h`, which argparse would put first and describe in words of its own."""
    container.add_argument("-h", "--help", action="help", help="Show this help.")


def _by_purpose() -> dict[str, list[CommandHelp]]:
    purposes: dict[str, list[CommandHelp]] = {}
    for command in COMMANDS.values():
        purposes.setdefault(command.purpose, []).append(command)
    return purposes
