"""The manual page docs/man/evaltui.1 in roff, written from the parser. It is the same on every machine."""

from __future__ import annotations

import argparse
from itertools import groupby

from evaltui import __version__
from evaltui.commands.parser import COMMANDS_BY_PURPOSE, DESCRIPTION, EXAMPLE, USAGE, CommandParser, ProgramParser

_EXIT_CODES = (
    ("0", "Success."),
    ("1", "Something failed: an error in a file, a failing case, a test operation of a patch."),
    ("2", "Wrong usage, or an input that cannot be read. Standard error has one sentence about it."),
    ("3", "Nothing failed, but something could not be evaluated."),
    ("130", "Ctrl-C ended the command."),
)
_VARIABLES = (
    ("NO_COLOR, FORCE_COLOR", "Never or always use color, unless --color is given."),
    ("VISUAL, EDITOR", "The editor in which the app opens a field or value."),
    ("XDG_CONFIG_HOME, XDG_STATE_HOME", "The folders of the settings file and of journals of unsaved changes."),
)


def manual_page() -> str:
    """The text of the manual page."""
    parser = ProgramParser()
    lines = [
        f'.TH EVALTUI 1 "" "evaltui {__version__}" "User Commands"',
        ".ad l",
        ".nh",
        ".SH NAME",
        r"evaltui \- " + _text(DESCRIPTION[0].lower() + DESCRIPTION[1:].rstrip(".")),
        ".SH SYNOPSIS",
        *_verbatim([line.strip() for line in USAGE.splitlines()]),
        ".SH DESCRIPTION",
        _text("evaltui SET opens an eval set in the editor. evaltui without arguments lists the sets of this folder."),
        _text("A file name of - is standard input. The examples work in the folder sample_sets of the project."),
        *_verbatim([EXAMPLE]),
        ".SH OPTIONS",
        *(line for each in parser._actions if each.option_strings for line in _option(each)),
        ".SH COMMANDS",
    ]
    for purpose, commands in COMMANDS_BY_PURPOSE.items():
        lines.append(f'.SS "{_text(purpose)}"')
        for name, summary in commands.items():
            lines += [".TP", rf"\fB{name}\fR", _text(summary)]
    for name, command in parser.commands.items():
        lines += _command(name, command)
    lines += [".SH EXIT STATUS", *_terms(_EXIT_CODES), ".SH ENVIRONMENT", *_terms(_VARIABLES)]
    return "\n".join(lines) + "\n"


def _command(name: str, parser: CommandParser) -> list[str]:
    """The section of one command: usage, description, options by group, example."""
    lines = [f".SH EVALTUI {name.upper()}", *_verbatim([parser.usage or ""])]
    for is_verbatim, block in groupby(
        filter(None, (parser.description or "").splitlines()), lambda line: line[0] == " "
    ):
        paragraphs = [line.strip() for line in block]
        lines += (
            _verbatim(paragraphs) if is_verbatim else [line for each in paragraphs for line in (".PP", _text(each))]
        )
    for group in parser._action_groups:
        shown = [each for each in group._group_actions if each.dest != "help"]
        if shown:
            lines += [f'.SS "{_text(group.title or "")}"', *(line for each in shown for line in _option(each))]
    return [*lines, '.SS "Example"', *_verbatim(parser.example.splitlines())]


def _option(action: argparse.Action) -> list[str]:
    """An option or argument with its text."""
    value = rf"\fI{_text(str(action.metavar))}\fR" if action.metavar else ""
    names = ", ".join(rf"\fB{_text(each)}\fR" for each in action.option_strings)
    return [".TP", f"{names} {value}".strip(), _text(action.help or "")]


def _terms(terms: tuple[tuple[str, str], ...]) -> list[str]:
    return [line for term, text in terms for line in (".TP", rf"\fB{_text(term)}\fR", _text(text))]


def _verbatim(lines: list[str]) -> list[str]:
    """Indented lines without filling, for commands to copy."""
    return [".PP", ".RS", ".nf", *map(_text, lines), ".fi", ".RE"]


def _text(text: str) -> str:
    """Plain text as roff. Quotes and hyphens can be copied, and no line begins like a roff request."""
    for sign, roff in (
        ("\\", r"\e"),
        ("-", r"\-"),
        ("'", r"\(aq"),
        ('"', r"\(dq"),
        ("`", r"\(ga"),
        ("^", r"\(ha"),
        ("~", r"\(ti"),
    ):
        text = text.replace(sign, roff)
    text = "".join(sign if sign.isascii() else rf"\[u{ord(sign):04X}]" for sign in text)
    return rf"\&{text}" if text.startswith((".", "'")) else text
