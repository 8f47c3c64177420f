"""The command line: `evaltui NAME …` parses its options and runs `evaltui.commands.NAME`, which is imported then.

Exit codes: 0 success, 1 something failed, 2 wrong usage or an input that cannot be read, 3 nothing
failed, but something has no score.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from evaltui.commands.parser import COMMANDS, ProgramParser
from evaltui.document.errors import DocumentError, InputError
from evaltui.printable import as_argument, one_line, quoted, say, write_line
from evaltui.workflow_commands import guard_streams

_OF_PROGRAM = ("-h", "--help", "--version")
_OF_EDIT = ("-r", "--recording", "--config", "--case", "--runs", "--readonly")
"""Options with which a command line may begin that names no command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; prints results to stdout, messages to stderr."""
    try:
        words = _with_command(sys.argv[1:] if arguments is None else list(arguments))
        first = words[0]
        names = [first] if first in COMMANDS else [] if first in _OF_PROGRAM else COMMANDS
        options = ProgramParser(names).parse_words(words)
        # Imports make a hundred thousand objects that stay. With Python's threshold of 700, collections take a tenth of
        # the time of a short command.
        gc.set_threshold(100_000, 20, 10)
        command = import_module(f"evaltui.commands.{options.command}")
        return int(command.run(options))
    except (DocumentError, InputError) as error:
        say(error)
        return 2


def _with_command(words: list[str]) -> list[str]:
    """The arguments with the command that they leave out: `edit`. Raises `DocumentError` for an unknown word."""
    first = words[0] if words else ""
    if first in COMMANDS or first in _OF_PROGRAM:
        return words
    is_path = "." in first or "/" in first or os.path.lexists(first)
    if not words or first == "--" or first.partition("=")[0] in _OF_EDIT or is_path:
        return ["edit", *words]
    if first == "-":
        return words
    if first.startswith("-"):
        raise DocumentError(f"evaltui has no option {first.partition('=')[0]} (see `evaltui --help`)")
    from evaltui.validation.misspellings import nearest

    word, near = one_line(first, 60), nearest(first, COMMANDS)
    hint = f"did you mean {near}?" if near else f"use one of {', '.join(COMMANDS)}."
    command = f"`evaltui edit {as_argument(word)}`"
    raise DocumentError(f"there is no command {quoted(word)}; {hint} {command} opens a file of that name")


def run() -> NoReturn:
    """The console script: `main`, and no traceback for Ctrl-C, a closed pipe or a full disk."""
    # An entry of PATH such as `.` would make tmux, git or the clipboard program those of the repository.
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join(entry for entry in entries if entry.startswith("/"))
    # A shell can start a program without stdin, stdout or stderr (`>&-`). Python then has None in their place.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    guard_streams()
    try:
        try:
            code = main()
        finally:
            sys.stdout.flush()  # --help and --version leave by SystemExit
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:  # nobody reads on
        _discard_stdout()
        code = 128 + signal.SIGPIPE
    except OSError as error:
        _discard_stdout()
        write_line("stderr", f"evaltui: {(error.strerror or str(error)).lower()}")
        code = 2
    except Exception as error:  # a fault of our own: a sentence and a report, never a traceback
        from evaltui.crash import write_crash_report

        write_line("stderr", write_crash_report(error))
        code = 2
    sys.exit(code)


def _discard_stdout() -> None:
    """Send the rest of stdout nowhere: Python would try it again while it shuts down, and print a warning."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
