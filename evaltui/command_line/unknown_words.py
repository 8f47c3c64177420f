"""Errors about words that a command does not take: unknown options, and values that no option expects."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from evaltui.command_line.parser import CommandParser
from evaltui.validation.misspellings import nearest

_RECORDING = ("-r", "--recording")
_FORMATS = ("--format", "--report")
_WRITES_SETS = ("accept", "edit", "patch", "record")
_SOURCES = {
    "record": "it takes the source without an option: evaltui record SOURCE",
    "compare": "it takes both results without an option: evaltui compare BASE CANDIDATE",
}
"""Commands that read recordings, but not with -r."""


def unknown_words_error(command: str, parser: CommandParser, given: Sequence[str], rest: Sequence[str]) -> str:
    """The sentence about `rest`: the words of the command line `given` that argparse could not use."""
    options = [word for word in rest if word.startswith("-") and word != "-"]
    if options:
        word = options[0].partition("=")[0]
        hint = _about_option(command, word, parser.option_names)
        sentence = f"{command} has no option {word}"
    else:
        hint = _about_values(given, rest, parser.repeatable_options)
        sentence = f"unexpected argument{'s' * (len(rest) != 1)} {' '.join(rest)}"
    return f"{sentence}; {hint}" if hint else sentence


def _about_option(command: str, word: str, known: Collection[str]) -> str:
    """A hint at the option or argument to use in place of an unknown option; "" if nothing is similar."""
    if word in _RECORDING:
        return _SOURCES.get(command, "only commands that score take recordings, such as `evaltui run`")
    if word == "--dry-run":
        if "--diff" in known:
            return "--diff shows the changes and writes nothing"
        return "" if command in _WRITES_SETS else "it never changes an eval set"
    if word == "--diff" and "--dry-run" in known:
        return "--dry-run reports the losses and writes nothing"
    if word == "--json":
        return next((f"did you mean {each} json?" for each in _FORMATS if each in known), "")
    near = nearest(word, sorted(each for each in known if each.startswith("--")))
    return f"did you mean {near}?" if near else ""


def _about_values(given: Sequence[str], rest: Sequence[str], repeatable: Collection[str]) -> str:
    """How to repeat an option, if the values follow the value of an option that takes one each time."""
    before = given[: _index_of(rest, given)]
    option = next((each for each in (before[-2:-1], before[-1:]) if each and each[0].split("=")[0] in repeatable), None)
    if option is None:
        return ""
    name = option[0].split("=")[0]
    return f"repeat {name} for each value: {name} A {name} B"


def _index_of(rest: Sequence[str], given: Sequence[str]) -> int:
    """Where the values stand in the command line, searched from its end; 0 if they stand apart."""
    last = len(given) - len(rest)
    return next((index for index in range(last, 0, -1) if list(given[index : index + len(rest)]) == list(rest)), 0)
