"""The parser class of evaltui and its commands: errors are raised, help pages have one layout on every Python."""

from __future__ import annotations

import argparse
import sys
import textwrap
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

    from evaltui.command_line.commands import CommandHelp

OPTIONS_WIDTH = 29
"""The column where the text of an option begins; `-r, --recording RECORDING` just fits before it."""


_FILES = ("BASE", "CANDIDATE", "FILE", "NEW", "OUT", "PATCH", "RECORDING", "SET")
"""Arguments shown by one of these names are a file each."""


class UsageError(Exception):
    """Wrong usage, or an input that cannot be read: exit 2 with this sentence."""


class HelpLayout(argparse.HelpFormatter):
    """The layout of a help page. argparse calls all of this private, but it has been stable since Python 3.2."""

    def __init__(self, prog: str, **options: Any) -> None:
        options.setdefault("max_help_position", OPTIONS_WIDTH)
        super().__init__(prog, **options)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """`-o, --output FILE`, as Python 3.13 writes it; older ones repeat the value behind each name."""
        if not action.option_strings:
            return super()._format_action_invocation(action)
        names = ", ".join(action.option_strings)
        return f"{names} {action.metavar}" if action.metavar else names

    def _split_lines(self, text: str, width: int) -> list[str]:
        """Wrap the text of an option, but never within `adk-rs`."""
        return textwrap.wrap(text, width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Wrap each line as a paragraph; lines that begin with a space stay: they are commands to copy."""
        lines = []
        for line in text.splitlines():
            lines.append(line if line.startswith(" ") else super()._fill_text(line, width, indent))
        return "\n".join(lines)


class CommandParser(argparse.ArgumentParser):
    """The options of evaltui or of one command. Raises `UsageError` with one sentence about wrong arguments."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, add_help=False, formatter_class=HelpLayout, **options)
        self.color = False  # Python 3.14 colours the help, others do not

    @property
    def option_names(self) -> list[str]:
        """All names of the options."""
        return [name for action in self._actions for name in action.option_strings]

    @property
    def repeatable_options(self) -> list[str]:
        """The names of the options that take one value each time: their default is an empty list."""
        return [name for action in self._actions if action.default == [] for name in action.option_strings]

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError` where argparse would print the message and exit."""
        raise UsageError(f"{message} (see `{self.prog} --help`)")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Write a help text; a locale that is not UTF-8 gets replacements, and an unwritable stream is an error."""
        stream = file or sys.stderr
        encoding = getattr(stream, "encoding", None) or "utf-8"
        stream.write(message.encode(encoding, "replace").decode(encoding))

    def _parse_optional(self, arg_string: str) -> Any:
        """`-:ID` is standard input with ids of cases, no option; argparse has no public way to say so."""
        return None if arg_string.startswith("-:") else super()._parse_optional(arg_string)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """As argparse has it, which before Python 3.13 drops the value of `--option=--` and fails.

        An empty name of a file is an unset variable of a script. It would mean the current folder.
        """
        if action.option_strings and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings)}: -- is not a value")
        if action.nargs is None and action.metavar in _FILES and "" in arg_strings:
            name = action.option_strings[0] if action.option_strings else action.metavar
            raise UsageError(f"{name} is empty; give the name of a file")
        return super()._get_values(action, arg_strings)


class ProgramParser(CommandParser):
    """The parser of `evaltui` itself; its help groups the commands by purpose."""

    def __init__(self, commands: dict[str, list[CommandHelp]], **options: Any) -> None:
        super().__init__(**options)
        self._commands = commands
        self.parsers: dict[str, CommandParser] = {}
        """The parsers of commands by name."""

    def format_help(self) -> str:
        """The help page: usage, commands by purpose, options, example."""
        page = self._get_formatter()
        page.add_usage(self.usage, self._actions, [])
        page.add_text(self.description)
        for purpose, commands in self._commands.items():
            page.start_section(purpose)
            page.add_arguments([argparse.Action([], "", metavar=each.name, help=each.summary) for each in commands])
            page.end_section()
        page.start_section("Help")
        page.add_arguments([each for each in self._actions if each.option_strings])
        page.end_section()
        page.add_text(self.epilog)
        return page.format_help()
