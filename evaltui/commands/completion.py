"""`evaltui completion`: a script for bash, zsh or fish, made from the parser by shtab.

The script is static, so a Tab starts no Python. It knows the metrics and rules of the evaltui that made it.
"""

from __future__ import annotations

import argparse
from typing import get_args

from evaltui.command_line.commands import COMMANDS
from evaltui.command_line.program import program_parser
from evaltui.printable import write_line

_PATHS = {"BASE", "CANDIDATE", "FILE", "NEW", "OUT", "PATCH", "PATH", "RECORDING", "SET", "SET[:ID,ID…]", "SOURCE"}
"""Arguments shown by one of these names are files or folders."""

_ROOT = "_shtab_evaltui"
"""The name that shtab gives to the functions and variables of the first word."""
_WITHOUT_COMMAND = {
    "bash": f"""
_evaltui_files() {{ compgen -f -- "$1"; }}
{_ROOT}_pos_0_COMPGEN=_evaltui_files
_evaltui() {{
  if (( COMP_CWORD > 1 )) && [[ " ${{{_ROOT}_subparsers[*]}} " != *" ${{COMP_WORDS[1]}} "* ]]; then
    COMP_WORDS=(evaltui edit "${{COMP_WORDS[@]:1}}")
    COMP_CWORD=$(( COMP_CWORD + 1 ))
  fi
  {_ROOT}
}}
complete -o bashdefault -F _evaltui evaltui""",
    "zsh": f"""
functions[_evaltui_commands]=$functions[{_ROOT}_commands]
{_ROOT}_commands() {{ _evaltui_commands; _files }}
functions[_evaltui_words]=$functions[{_ROOT}]
{_ROOT}() {{
  if (( CURRENT > 2 && ! ${{_evaltui_names[(Ie)$words[2]]}} )); then
    words=(evaltui edit "${{words[@]:1}}")
    (( CURRENT += 1 ))
  fi
  _evaltui_words "$@"
}}""",
    "fish": f"""
complete -c evaltui -n '{_ROOT}_using' -F
functions -q _evaltui_scan; or functions -c {_ROOT}_scan _evaltui_scan
function {_ROOT}_scan
  _evaltui_scan
  if test "${_ROOT}_cmdpath" = '' -a "${_ROOT}_npos" -gt 0
    set -g {_ROOT}_cmdpath edit
  end
end""",
}
"""`evaltui FILE` is `evaltui edit FILE`: the first word can be a file, too, and then the options of `edit` follow.

shtab knows no such rule, so these lines wrap its functions. In bash, `_evaltui_files` replaces a function of shtab that
fails at spaces in file names.
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
    added = _WITHOUT_COMMAND[shell]
    if shell == "zsh":  # its last lines call the functions, so these lines stand before
        names = f"\n_evaltui_names=({' '.join(COMMANDS)} --help -h --version)"
        return _all_files(shtab.complete(parser, shell, preamble=names + added))
    script = shtab.complete(parser, shell)
    return f"{_native_files(script) if shell == 'fish' else script}\n{added}"


def _all_files(script: str) -> str:
    """A script for zsh that completes each of several files; shtab 1.13 completes only the first."""
    return script.replace('"(*)::', '"*:').replace('"(*):', '"*:')


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
