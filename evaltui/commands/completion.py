"""`evaltui completion`: a script for bash, zsh or fish, made from the parser by shtab.

The script is static, so a Tab starts no Python. It knows the metrics and rules of the evaltui that made it.
"""

from __future__ import annotations

import argparse
from typing import get_args

from evaltui.command_line.program import program_parser
from evaltui.printable import write_line

_PATHS = {"BASE", "CANDIDATE", "FILE", "NEW", "OUT", "PATCH", "PATH", "RECORDING", "SET", "SET[:ID,ID…]", "SOURCE"}
"""Arguments shown by one of these names are files or folders."""

_ROOT = "_shtab_evaltui"
"""The name that shtab gives to the functions and variables of the first word."""
_FIRST_WORD = {
    "bash": f'_evaltui_files() {{ compgen -f -- "$1"; }}\n{_ROOT}_pos_0_COMPGEN=_evaltui_files',
    "zsh": f"functions[_evaltui_commands]=$functions[{_ROOT}_commands]\n"
    f"{_ROOT}_commands() {{ _evaltui_commands; _files }}",
    "fish": f"complete -c evaltui -n '{_ROOT}_using' -F",
}
"""`evaltui FILE` needs no command, so the first word can be a file, too. shtab knows commands only.

For bash, `_evaltui_files` stands in for a function of shtab that fails at spaces in file names.
"""


def run(options: argparse.Namespace) -> int:
    """Print the script for a shell."""
    write_line("stdout", completion_script(options.shell))
    return 0


def completion_script(shell: str) -> str:
    """The script that completes evaltui in a shell: `bash`, `zsh` or `fish`."""
    import shtab

    parser = program_parser()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _describe_values(command)
    if shell == "fish":  # its script begins with deleting all completions of evaltui
        return _native_files(shtab.complete(parser, shell)) + _FIRST_WORD[shell]
    script = shtab.complete(parser, shell, preamble=_FIRST_WORD[shell])
    # shtab 1.13 has zsh complete only the first of several files
    return script.replace('"(*)::', '"*:').replace('"(*):', '"*:') if shell == "zsh" else script


def _native_files(script: str) -> str:
    """A script for fish with its own completion of files; the function that shtab calls knows no `~` and no quotes."""
    from shtab import FILE

    candidates = f'ka "{FILE["fish"]}"'
    return script.replace(f"-x{candidates}", "-rF").replace(f"-{candidates}", "-F")


def _describe_values(command: argparse.ArgumentParser) -> None:
    """Name the files for shtab, and the values that are known but open-ended, which argparse does not check."""
    from shtab import FILE

    from evaltui.scoring.metrics.registry import METRICS
    from evaltui.scoring.metrics.tool_trajectory import MatchType
    from evaltui.validation.rules.registry import RULES

    known = {"metric": METRICS, "match_type": get_args(MatchType), "code": RULES}
    for action in command._actions:
        if action.metavar in _PATHS:
            action.complete = FILE | {"bash": "_evaltui_files"}  # type: ignore[attr-defined]
        elif action.dest in known:
            action.choices = list(known[action.dest])
