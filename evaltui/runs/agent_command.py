"""The command that runs the agent: a template from the settings becomes the words of a command, without a shell.

The template, such as `adk eval {agent} {set}:{cases}`, is split into words as a shell does. Then each placeholder is
replaced within its word. So no id or path of a file can become another word, or code. If all cases run, `:{cases}` is
deleted, and so is any other word with `{cases}`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from evaltui.printable import one_line
from evaltui.runs.command_process import CommandError

PLACEHOLDERS: Mapping[str, str] = {
    "set": "path of the eval set",
    "cases": "ids of the cases, comma-separated; empty for all cases",
    "agent": "folder of the agent",
    "output": "new folder; evaltui scores with the recordings in it",
}
"""The meaning of each placeholder. The command has the same values in its environment: `EVALTUI_SET` and so on."""

_placeholder = re.compile(r"(?<!\$)\{([a-z][a-z_]*)\}")  # ${name} is a variable of a script
_JOINED = ":{cases}"
_BY_ADK = "{set}:{cases}"
_INTERPRETERS = re.compile(
    r"(?:[abckz]|ba|da|fi|mk|tc|pd)?sh|busybox|python[0-9.]*|pypy[0-9.]*|node|deno|bun|perl|ruby|php|lua|pwsh|powershell"
)
"""Programs that run the value of an option as code."""
_RUNS_ALL = re.compile(r"ssh|su|script|watch|[gmn]?awk|nix-shell|parallel")
"""Programs that give their arguments to a shell, or run them as code."""
_CODE = re.compile(r"-[a-zA-Z]*[cepr]|--(?:command|eval|exec|print|run)")
"""Options whose value an interpreter runs as code."""
_WITH_VALUE = frozenset({"-o", "+o", "-O", "+O", "-X", "-W"})
"""Options of interpreters whose value is not a script."""
_OPERATORS = re.compile(r"[\s;|&`<>]|\$\(")
"""Characters that show that a word is a shell command with several words."""


class CommandTemplate(NamedTuple):
    """A command with placeholders."""

    words: tuple[str, ...]
    uses: frozenset[str]
    """Names of the placeholders in it."""


class CommandValues(NamedTuple):
    """The values of the placeholders."""

    eval_set: Path
    cases: tuple[str, ...] = ()
    """Ids of the cases to run; none for all."""
    agent: Path | None = None
    output: Path | None = None


def read_template(text: str) -> CommandTemplate:
    """Split a command into words. Raises `CommandError` if it cannot be run for any set."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise CommandError(f"The command is invalid: {str(error).lower()}: {one_line(text, 200)}") from error
    if not words:
        raise CommandError("The command is empty.")
    code = set(_words_of_code(words))
    uses = {name for number, word in enumerate(words) for name in _names_in(word, is_code=number in code)}
    return CommandTemplate(tuple(words), frozenset(uses))


def _names_in(word: str, *, is_code: bool) -> Iterator[str]:
    for name in _placeholder.findall(word):
        if name in PLACEHOLDERS:
            if is_code or _OPERATORS.search(word):
                raise CommandError(
                    f"{{{name}}} is inside code, so text of the set could run as code: {one_line(word, 60)}. "
                    f'Write "$EVALTUI_{name.upper()}" instead.'
                )
            yield name
        elif not is_code:  # braces have other meanings in code
            known = ", ".join(f"{{{each}}}" for each in PLACEHOLDERS)
            raise CommandError(f"Unknown placeholder {{{one_line(name, 40)}}} in the command. Use {known}.")


def filled(template: CommandTemplate, values: CommandValues) -> list[str]:
    """The words of the command. Raises `CommandError` for an id or path that the command would misunderstand."""
    if values.cases:
        refuse_ids(values.cases)
    if any(_BY_ADK in word for word in template.words) and ":" in str(values.eval_set):
        raise CommandError(
            f"adk eval reads everything after the first colon of a path as ids: {one_line(str(values.eval_set), 200)}"
        )
    texts = {
        "set": str(values.eval_set),
        "cases": ",".join(values.cases),
        "agent": str(values.agent or ""),
        "output": str(values.output or ""),
    }
    words = template.words if values.cases else _for_all_cases(template.words)
    return [_placeholder.sub(lambda found: texts.get(found[1], found[0]), word) for word in words]


def environment_of(values: CommandValues) -> dict[str, str]:
    """The values as environment variables, for scripts: `EVALTUI_SET`, `EVALTUI_CASES` and so on."""
    return {
        "EVALTUI_SET": str(values.eval_set),
        "EVALTUI_CASES": ",".join(values.cases),
        "EVALTUI_AGENT": str(values.agent or ""),
        "EVALTUI_OUTPUT": str(values.output or ""),
    }


def refuse_ids(ids: Sequence[str]) -> None:
    """Raise `CommandError` for an id that would be ambiguous in `{cases}`."""
    for each in ids:
        if why := _why_not_by_id(each):
            raise CommandError(f"Case {one_line(each, 60) or '(blank)'} cannot be run by its id: {why}. Unmark it.")


def _why_not_by_id(eval_id: str) -> str:
    if not eval_id.strip():
        return "the id is blank"
    for sign, name in ((",", "a comma"), (":", "a colon"), ("\n", "a newline"), ("\r", "a newline"), ("\0", "a null")):
        if sign in eval_id:
            return f"the id contains {name}"
    return "the id starts with -, like an option" if eval_id.startswith("-") else ""


def _for_all_cases(words: Sequence[str]) -> list[str]:
    joined = [word.replace(_JOINED, "") for word in words]
    return [word for word in joined if "{cases}" not in word]


def _words_of_code(words: Sequence[str]) -> Iterator[int]:
    """The numbers of the words that an earlier word, an interpreter, runs as code."""
    for number, word in enumerate(words):
        name = word.rpartition("/")[2]
        if _RUNS_ALL.fullmatch(name):
            yield from range(number + 1, len(words))
        elif _INTERPRETERS.fullmatch(name):
            yield from _code_of(words, number)


def _code_of(words: Sequence[str], interpreter: int) -> Iterator[int]:
    """The number of the word after `-c`, which is among the options of the interpreter itself."""
    for number in range(interpreter + 1, len(words) - 1):
        word = words[number]
        if _CODE.fullmatch(word):
            yield number + 1
        elif word == "-m" or not (word.startswith(("-", "+")) or words[number - 1] in _WITH_VALUE):
            return  # a module or a script: the words after it are its own arguments
