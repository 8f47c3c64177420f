"""`evaltui completion`: a script for bash, zsh or fish, made from the parser by shtab.

The script is static, so a Tab starts no Python. It knows the metrics and rules of the evaltui that made it.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import get_args

from evaltui.commands.parser import COMMANDS, CommandParser, ProgramParser
from evaltui.printable import write_line

USAGE = "completion (bash | zsh | fish)"
DESCRIPTION = """\
Print a script for your shell. With it, Tab completes commands, options, values and files.

Set it up once:
  bash  echo 'eval "$(evaltui completion bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(evaltui completion zsh)"' >> ~/.zshrc
  fish  echo 'evaltui completion fish | source' >> ~/.config/fish/config.fish"""
EXAMPLE = "evaltui completion bash"

_JSON, _YAML = ("json",), ("json", "yaml", "yml")
_JSON_FILES = "_evaltui_files_json"
_RECORDINGS = ("json", "jsonl", "ndjson", "otlp", "gz", "db", "db3", "sqlite", "sqlite3")
_REPORTS = ("json", "xml", "md", "txt")
_ENDINGS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("set", "sets", "into", "paths", "base", "candidate", "file", "patch"), _JSON),
    **dict.fromkeys(("baseline", "save_baseline"), _JSON),
    **dict.fromkeys(("config", "mapping", "files"), _YAML),
    **dict.fromkeys(("recording", "sources"), _RECORDINGS),
}
"""The endings of the files that an argument takes, by its name in the parser. A folder may be on the way."""
_OUTPUTS = {"run": _REPORTS, "watch": _REPORTS, "convert": _YAML, "record": _JSON, "patch": _JSON}
"""The endings of the files that `-o` of a command writes."""

_ROOT = "_shtab_evaltui"
"""The name that shtab gives to the functions and variables of the first word."""
_WITHOUT_COMMAND = {
    "bash": f"""
{_ROOT}_pos_0_COMPGEN={_JSON_FILES}
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
{_ROOT}_commands() {{ _evaltui_commands; {_JSON_FILES} }}
functions[_evaltui_words]=$functions[{_ROOT}]
{_ROOT}() {{
  if (( CURRENT > 2 && ! ${{_evaltui_names[(Ie)$words[2]]}} )); then
    words=(evaltui edit "${{words[@]:1}}")
    (( CURRENT += 1 ))
  fi
  _evaltui_words "$@"
}}""",
    "fish": f"""
complete -c evaltui -n '{_ROOT}_using' -a '({_JSON_FILES})'
functions -q _evaltui_scan; or functions -c {_ROOT}_scan _evaltui_scan
function {_ROOT}_scan
  _evaltui_scan
  if test "${_ROOT}_cmdpath" = '' -a "${_ROOT}_npos" -gt 0
    set -g {_ROOT}_cmdpath edit
  end
end""",
}
"""`evaltui FILE` is `evaltui edit FILE`: the first word can be a file, too, and then the options of `edit` follow.

shtab knows no such rule, so these lines wrap its functions.
"""


def add_options(parser: CommandParser) -> None:
    """Add the argument of `evaltui completion`."""
    parser.add_argument_group("Arguments").add_argument(
        "shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="Your shell: bash, zsh or fish."
    )


def run(options: argparse.Namespace) -> int:
    """Print the script for a shell."""
    write_line("stdout", completion_script(options.shell))
    return 0


def completion_script(shell: str) -> str:
    """The script that completes evaltui in a shell: `bash`, `zsh` or `fish`."""
    import shtab

    parser = ProgramParser()
    for name, command in parser.commands.items():
        _describe_values(name, command)
    kinds = {_JSON, *_ENDINGS.values(), *_OUTPUTS.values()}
    added = "".join(_file_function(shell, endings) for endings in sorted(kinds)) + _WITHOUT_COMMAND[shell]
    if shell == "zsh":  # its last lines call the functions, so these lines stand before
        names = f"\n_evaltui_names=({' '.join(COMMANDS)} --help -h --version)"
        script = shtab.complete(parser, shell, preamble=names + added)
        # shtab 1.13 completes only the first of several files. For zsh, `*:` is every argument that follows.
        return script.replace('"(*)::', '"*:').replace('"(*):', '"*:')
    return f"{shtab.complete(parser, shell)}\n{added}"


def _file_function(shell: str, endings: tuple[str, ...]) -> str:
    """The shell function that completes folders, and files with one of these endings."""
    name, either = _name_of_function(endings), "|".join(endings)
    if shell == "bash":
        files = "".join(f"; compgen -f -X '!*.{ending}' -- \"$1\"" for ending in endings)
        return f'\n{name}() {{ compgen -d -- "$1"{files}; }}'
    if shell == "zsh":  # _files would offer all files if none has the ending
        return f"\n{name}() {{ _path_files \"$@\" -g '*.({either})(-.) *(-/)' }}"
    # The functions of fish for files know no `~` and no quotes.
    listed = "complete -C \"'' \"(string replace -r -- '^--[^=]*=' '' (commandline -ct))"
    return f"\nfunction {name}\n  {listed} | string match -r '^(?:.*/|.*\\.(?:{either}))(?:\\t.*)?$'\nend"


def _name_of_function(endings: tuple[str, ...]) -> str:
    return f"_evaltui_files_{'_'.join(endings)}"


def _describe_values(name: str, command: argparse.ArgumentParser) -> None:
    """Name the files for shtab, and the values that are known but open-ended, which argparse does not check."""
    from evaltui.scoring.metrics.registry import METRICS
    from evaltui.scoring.metrics.tool_trajectory import MatchType
    from evaltui.validation.rules.rule_registry import RULES

    values = {"metric": METRICS, "match_type": get_args(MatchType), "code": RULES}
    for action in command._actions:
        endings = _OUTPUTS[name] if action.dest == "output" else _ENDINGS.get(action.dest)
        if endings is not None:
            function = _name_of_function(endings)
            action.complete = {"bash": function, "zsh": function, "fish": f"({function})"}  # type: ignore[attr-defined]
        elif action.dest in values:
            action.choices = list(values[action.dest])
