"""The parser class of evaltui and its commands: errors are raised, help pages have one layout on every Python."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from evaltui.document.errors import DocumentError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

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
        import textwrap  # noqa: PLC0415 - only help pages are wrapped

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
