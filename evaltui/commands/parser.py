"""The parser of the command line: the commands by purpose, errors that are raised, and help pages that look alike.

Help pages have one layout on every Python. A wrong word gets a hint at the right one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from evaltui import __version__
from evaltui.document.errors import DocumentError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

COMMANDS_BY_PURPOSE = {
    "Author": {
        "edit": "Open an eval set in the editor.",
        "record": "Make cases from recordings of the agent.",
    },
    "Check": {
        "validate": "Find problems in eval sets, and apply safe fixes.",
        "rule": "Explain a rule of validate.",
        "schema": "Print the JSON Schema of eval sets or configs.",
    },
    "Score": {
        "run": "Score eval sets against recordings, with reasons.",
        "watch": "Score again after each change of a file.",
        "compare": "Compare two results of one eval set.",
    },
    "Review": {
        "review": "Look at failing turns, expected and actual side by side.",
        "accept": "Write recorded values into an eval set.",
    },
    "Convert and patch": {
        "convert": "Write eval sets in another format, and report losses.",
        "patch": "Apply a JSON Patch and change no other byte.",
    },
    "Set up": {
        "config": "Print the current settings.",
        "completion": "Print a completion script for your shell.",
    },
}
"""The summary of each command, in the order of the help. `evaltui.commands.NAME` has its options, help and code."""
COMMANDS = {name: summary for commands in COMMANDS_BY_PURPOSE.values() for name, summary in commands.items()}

USAGE = "evaltui [SET]\n       evaltui COMMAND …"
DESCRIPTION = "Write, check, score and review the eval sets of LLM agents."
EXAMPLE = "evaltui trip_planner.evalset.json"
_HELP = "Show this help."
_REMARKS = """\
evaltui without arguments lists the eval sets of this folder.
`evaltui COMMAND --help` shows the options of a command and an example.
The examples work in the folder sample_sets of the project."""

OPTIONS_WIDTH = 29
"""The column where the text of an option begins; `-r, --recording RECORDING` just fits before it."""

_FILES = ("BASE", "CANDIDATE", "FILE", "NEW", "OUT", "PATCH", "RECORDING", "SET")
"""Arguments shown by one of these names are a file each."""


class HelpLayout(argparse.HelpFormatter):
    """The layout of a help page. argparse calls all of this private, but it has been stable since Python 3.2."""

    def __init__(self, prog: str, **options: Any) -> None:
        options.setdefault("max_help_position", OPTIONS_WIDTH)
        super().__init__(prog, **options)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        # `-o, --output FILE`, as Python 3.13 writes it; older versions repeat the value behind each name.
        if not action.option_strings:
            return super()._format_action_invocation(action)
        names = ", ".join(action.option_strings)
        return f"{names} {action.metavar}" if action.metavar else names

    def _split_lines(self, text: str, width: int) -> list[str]:
        import textwrap

        # argparse would break a line within `adk-rs`.
        return textwrap.wrap(text, width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        # Lines that begin with a space are commands to copy, so they stay; each other line is a paragraph.
        lines = []
        for line in text.splitlines():
            lines.append(line if line.startswith(" ") else super()._fill_text(line, width, indent))
        return "\n".join(lines)


class CommandParser(argparse.ArgumentParser):
    """The options of evaltui or of one command. Raises `DocumentError` with one sentence about wrong arguments."""

    def __init__(self, *, example: str, remarks: str = "", **options: Any) -> None:
        """`example` has lines for a shell; the help page ends with it and the `remarks`."""
        self.example = example
        # A line that begins with a space is not filled, see `HelpLayout`.
        epilog = "\n".join(["Example:", *(f"  {line}" for line in example.splitlines()), "", remarks])
        # An abbreviation of an option could mean another option in the next version. argparse would put -h first, and
        # describe it in other words.
        super().__init__(allow_abbrev=False, add_help=False, formatter_class=HelpLayout, epilog=epilog, **options)
        self.color = False  # Python 3.14 colours the help, others do not

    def error(self, message: str) -> NoReturn:
        """Raise `DocumentError` where argparse would print the message and exit."""
        raise DocumentError(f"{message} (see `{self.prog} --help`)")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # A locale that is not UTF-8 gets replacements. An unwritable stream is an error, which argparse hides.
        stream = file or sys.stderr
        encoding = getattr(stream, "encoding", None) or "utf-8"
        stream.write(message.encode(encoding, "replace").decode(encoding))

    def _parse_optional(self, arg_string: str) -> Any:
        # `-:ID` is standard input with ids of cases, no option; argparse has no public way to say so.
        return None if arg_string.startswith("-:") else super()._parse_optional(arg_string)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        # argparse drops the value of `--option=--` before Python 3.13, and fails.
        if action.option_strings and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings)}: -- is not a value")
        # An empty file name is an unset variable of a script. It would mean the current folder.
        if action.nargs is None and action.metavar in _FILES and "" in arg_strings:
            name = action.option_strings[0] if action.option_strings else action.metavar
            raise DocumentError(f"{name} is empty; give the name of a file")
        return super()._get_values(action, arg_strings)


class ProgramParser(CommandParser):
    """The parser of `evaltui` itself; its help groups the commands by purpose."""

    def __init__(self, names: Iterable[str] = COMMANDS) -> None:
        """Add the commands with these names. Each command costs a millisecond, so a command line adds its own only."""
        super().__init__(prog="evaltui", usage=USAGE, description=DESCRIPTION, example=EXAMPLE, remarks=_REMARKS)
        # In a group, because argparse lays out each argument of the parser itself, for which it imports shutil.
        options = self.add_argument_group("Help")
        options.add_argument("-h", "--help", action="help", help=_HELP)
        options.add_argument("--version", action="version", version=f"evaltui {__version__}", help="Show the version.")
        self.commands: dict[str, CommandParser] = {}
        """The parsers of the added commands by name."""
        subparsers = self.add_subparsers(metavar="COMMAND", dest="command", prog="evaltui", parser_class=CommandParser)
        for name in names:
            # Not all commands are imported, and each of them imports this module.
            command = import_module(f"evaltui.commands.{name}")
            parser = self.commands[name] = subparsers.add_parser(
                name,
                help=COMMANDS[name],
                usage=f"evaltui {command.USAGE}",
                description=command.DESCRIPTION,
                example=command.EXAMPLE,
            )
            command.add_options(parser)
            parser.add_argument_group("Help").add_argument("-h", "--help", action="help", help=_HELP)

    def format_help(self) -> str:
        """The help page: usage, commands by purpose, options, example."""
        page = self._get_formatter()
        page.add_usage(self.usage, self._actions, [])
        page.add_text(self.description)
        for purpose, commands in COMMANDS_BY_PURPOSE.items():
            page.start_section(purpose)
            page.add_arguments([argparse.Action([], "", metavar=name, help=commands[name]) for name in commands])
            page.end_section()
        page.start_section("Help")
        page.add_arguments([action for action in self._actions if action.option_strings])
        page.end_section()
        page.add_text(self.epilog)
        return page.format_help()

    def parse_words(self, words: Sequence[str]) -> argparse.Namespace:
        """The options of a command line. Raises `DocumentError`."""
        options, rest = self.parse_known_args(words)
        # argparse takes positional arguments only where they stand together; sources may stand behind options, too.
        if options.command == "record" and not any(word.startswith("-") for word in rest):
            options.sources += rest
        elif rest:
            command, parser = options.command, self.commands[options.command]
            sentence = f"unexpected argument{'s' * (len(rest) != 1)} {' '.join(rest)}"
            hint = _hint_at_repetition(parser, words, rest)
            if unknown := [word.partition("=")[0] for word in rest if word.startswith("-") and word != "-"]:
                sentence, hint = f"{command} has no option {unknown[0]}", _hint_at_option(command, unknown[0], parser)
            parser.error(f"{sentence}; {hint}" if hint else sentence)
        return options


def _hint_at_option(command: str, unknown: str, parser: CommandParser) -> str:
    """A hint at the option or argument to use in place of an unknown option; "" if nothing is similar."""
    names = [name for action in parser._actions for name in action.option_strings]
    match unknown:
        case "-r" | "--recording":
            if command == "record":
                return "it takes the source without an option: evaltui record SOURCE"
            if command == "compare":
                return "it takes both results without an option: evaltui compare BASE CANDIDATE"
            return "only commands that score take recordings, such as `evaltui run`"
        case "--dry-run":
            if "--diff" in names:
                return "--diff shows the changes and writes nothing"
            return "" if command == "edit" else "it never changes an eval set"
        case "--diff" if "--dry-run" in names:
            return "--dry-run reports the losses and writes nothing"
        case "--json":
            return next((f"did you mean {name} json?" for name in ("--format", "--report") if name in names), "")
    from evaltui.validation.misspellings import nearest

    near = nearest(unknown, sorted(name for name in names if name.startswith("--")))
    return f"did you mean {near}?" if near else ""


def _hint_at_repetition(parser: CommandParser, words: Sequence[str], rest: Sequence[str]) -> str:
    """How to repeat an option, if the values `rest` follow the value of an option that takes one each time."""
    # The search begins at the end: the same words may stand earlier as values of another option.
    starts = (start for start in range(len(words) - len(rest), 0, -1) if words[start : start + len(rest)] == rest)
    start = next(starts, 0)
    # Before them stand `-r A` or `--recording=A`. A list as the default marks options that may be repeated.
    repeatable = [name for action in parser._actions if action.default == [] for name in action.option_strings]
    for word in words[:start][-2:]:
        name = word.partition("=")[0]
        if name in repeatable:
            return f"repeat {name} for each value: {name} A {name} B"
    return ""
