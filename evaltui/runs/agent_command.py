"""The command that runs the agent: a template from the settings becomes the words of a command, without a shell.

The template, such as `adk eval {agent} {set}:{cases}`, is split into words as a shell does. Then each placeholder is
replaced within its word. If all cases run, `:{cases}` is deleted, and so is any other word with `{cases}`.

Any program may run its words or its environment as code: `make` gives both to a shell. So an id or path of a file goes
in only if all its characters are plain. Others are only in the environment, and only if the command names the variable.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from evaltui.printable import is_unsafe, one_line
from evaltui.runs.command_process import CommandError

PLACEHOLDERS: Mapping[str, str] = {
    "set": "path of the eval set",
    "cases": "ids of the cases, comma-separated; empty for all cases",
    "agent": "folder of the agent",
    "output": "new folder; evaltui scores with the recordings in it",
}
"""The meaning of each placeholder. The command has the same values in its environment: `EVALTUI_SET` and so on."""

_placeholder = re.compile(r"(?<!\$)\{([a-z][a-z_]*)\}")  # ${name} is a variable of a script
_find_variables = re.compile(r"\$\{?EVALTUI_([A-Z]+)").findall
_SHELLS = ("sh", "bash", "dash", "ksh", "zsh")
"""Programs that take a variable in the script behind `-c` for its value. `make` takes the value for code."""
# ASCII only: in some encodings, such as Shift JIS, the last byte of a letter is | or \.
_is_plain_id = re.compile(r"[A-Za-z0-9_.%][A-Za-z0-9_.@%+-]*").fullmatch  # programs read @name as a file of options
_is_plain_path = re.compile(r"[A-Za-z0-9_.@%+/-]*").fullmatch
_is_fair_path = re.compile(r"[\w.@%+/ -]*").fullmatch
_MISTAKEN = "a program could take it for code or an option"


def read_template(text: str) -> list[str]:
    """The words of a command with placeholders. Raises `CommandError` if it cannot be run for any set."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise CommandError(f"The command is invalid: {str(error).lower()}: {one_line(text, 200)}") from error
    if not words:
        raise CommandError("The command is empty.")
    for unknown in sorted(placeholders_in(words) - PLACEHOLDERS.keys()):
        names = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
        raise CommandError(f"Unknown placeholder {{{one_line(unknown, 40)}}} in the command. Use {names}.")
    return words


def placeholders_in(template: Iterable[str]) -> set[str]:
    """The names of the placeholders in the words of a template."""
    return {name for word in template for name in _placeholder.findall(word)}


def variables_in(template: Sequence[str]) -> set[str]:
    """The names of the placeholders whose variables are in a template, such as `$EVALTUI_SET`."""
    # Only a shell quotes a variable as the script writes it; `make` takes the value for code.
    is_script = Path(template[0]).name in _SHELLS and template[1:2] == ["-c"]
    return {name.lower() for name in _find_variables("".join(template[2:3]))} if is_script else set()


def values_of(
    eval_set: Path, cases: Sequence[str] = (), agent: Path | None = None, output: Path | None = None
) -> dict[str, str]:
    """The value of each placeholder by its name. `cases` are the ids of the cases to run; none for all."""
    return {"set": str(eval_set), "cases": ",".join(cases), "agent": str(agent or ""), "output": str(output or "")}


def fill_template(template: list[str], values: Mapping[str, str], cases: Sequence[str], folder: Path) -> list[str]:
    """The words of the command. Raises `CommandError` for an id or path that the command would misunderstand.

    `folder` is the working directory of the command, which the user trusts: its path may have blanks and letters like
    é. The output folder is not checked: nobody else chooses its path.
    """
    # Only the variables have these values, so a script quotes them.
    outside = variables_in(template) - placeholders_in(template)
    for name in ("set", "agent"):
        if (path := values[name]) and name not in outside:
            # The part that the path shares with the trusted folder may have a few more characters.
            shared = os.path.commonpath([path, folder])
            if not (_is_fair_path(shared) and _is_plain_path(path[len(shared) :])):
                raise CommandError(f"{one_line(path, 200)}: {_MISTAKEN}. Rename it, or {_advice(name)}.")
    for eval_id in cases:
        if reason := _explain_refusal(eval_id, must_be_plain="cases" not in outside):
            raise CommandError(f"Case {one_line(eval_id, 60) or '(blank)'} cannot be run by its id: {reason}.")
    if not cases:  # an empty list after `--cases` would name no case instead of all
        joined = (word.replace(":{cases}", "") for word in template)
        template = [word for word in joined if "{cases}" not in word]
    # One pass over each word: a value may have a placeholder in it.
    return [_placeholder.sub(lambda match: values[match[1]], word) for word in template]


def environment_of(values: Mapping[str, str]) -> dict[str, str]:
    """The values as environment variables, for scripts: `EVALTUI_SET`, `EVALTUI_CASES` and so on."""
    return {f"EVALTUI_{name.upper()}": text for name, text in values.items()}


def _advice(name: str) -> str:
    return f"write sh -c '… \"$EVALTUI_{name.upper()}\"' in the command"


def _explain_refusal(eval_id: str, *, must_be_plain: bool) -> str:
    """A clause why a command cannot take a case by its id; "" if it can."""
    if not eval_id.strip():
        return "the id is blank. Unmark it"
    for sign, name in ((",", "a comma"), (":", "a colon")):
        if sign in eval_id:
            return f"the id contains {name}. Unmark it"  # adk eval splits its argument there
    if is_unsafe(eval_id):
        return "the id contains an invisible character. Unmark it"
    if eval_id.startswith("-"):
        return "the id starts with -, like an option. Unmark it"
    if must_be_plain and not _is_plain_id(eval_id):
        return f"{_MISTAKEN}. Unmark it, or {_advice('cases')}"
    return ""
