"""Options that several commands share, in groups of the help."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.commands.parser import CommandParser
from evaltui.document.errors import DocumentError
from evaltui.printable import quoted

if TYPE_CHECKING:  # the help of each command imports this module: with dataclasses and pathlib it takes 13 ms more
    from evaltui.runs.run_options import RunOptions, SetArgument

CONFIG = "The eval config. Default: test_config.json beside the set."
DIFF = "Show the changes as a diff and write nothing."
BASELINE = "Compare the run with this saved baseline."
_RECORDING = (
    "A recording of the agent: a result, trace, session, session database, dataset, eval set or folder. Use - for "
    "standard input. Repeatable."
)


def add_sets(parser: CommandParser, *, takes_stdin: bool = True) -> None:
    """Add the sets to score."""
    stdin = " Use - for standard input." if takes_stdin else ""
    text = f"An eval set, or a folder of them.{stdin} SET:ID,ID selects cases (globs allowed)."
    parser.add_argument_group("Arguments").add_argument("sets", metavar="SET[:ID,ID…]", nargs="+", help=text)


def add_recordings(parser: CommandParser, *, takes_all: bool = True) -> None:
    """Add the recordings, and which of several of a case count.

    A command that does not take all parses `--runs all` none the less, to say which commands do.
    """
    if takes_all:
        uses = "score the latest, or all (the mean of the scores)."
    else:
        uses = "use the latest. Only edit, run and watch take all."
    several = f"If a case has several recordings, {uses} Default: latest."
    group = parser.add_argument_group("Recordings")
    group.add_argument("-r", "--recording", metavar="RECORDING", action="append", default=[], help=_RECORDING)
    group.add_argument("--runs", metavar="WHICH", choices=("latest", "all"), default="latest", help=several)


def add_criteria(parser: CommandParser) -> None:
    """Add the config and the options that replace parts of it."""
    group = parser.add_argument_group("Criteria")
    group.add_argument("--config", metavar="FILE", help=CONFIG)
    metric = "Score this metric in place of the metrics in the config. Repeatable."
    group.add_argument("--metric", metavar="NAME[=THRESHOLD]", action="append", default=[], help=metric)
    # Without choices: google-adk also takes `in order` and `any-order`, so the word is checked with the config.
    match = "How tool calls are compared: EXACT, IN_ORDER or ANY_ORDER. Default: as in the config."
    group.add_argument("--match-type", metavar="TYPE", help=match)
    group.add_argument("--ignore-args", action="store_true", help="Compare only the names of tool calls.")
    profile = "Score by the rules of google-adk (adk) or of adk-rs. Default: adk."
    group.add_argument("--profile", metavar="RULES", choices=("adk", "adk-rs"), default="adk", help=profile)


def add_exit_code(parser: CommandParser, *, can_regress: bool) -> None:
    """Add the options that change the exit code of a scored set."""
    group = parser.add_argument_group("Exit code")
    if can_regress:
        fail = "When to exit with 1: any (a case fails) or regression (passed in --baseline, fails now). Default: any."
        group.add_argument("--fail-on", metavar="WHEN", choices=("any", "regression"), default="any", help=fail)
    allow = "Exit with 0 in place of 3 if at least one case was evaluated. Exit code 1 stays 1."
    group.add_argument("--allow-not-evaluated", action="store_true", help=allow)


def add_jobs(parser: CommandParser) -> argparse._ArgumentGroup:
    """Add a group *Speed* with the number of processes, and return it for more options."""
    jobs = "Work in N processes. Default: all processors if there is much to do, else 1."
    speed = parser.add_argument_group("Speed")
    speed.add_argument("--jobs", metavar="N", type=_process_count, help=jobs)
    return speed


def _process_count(text: str) -> int:
    """A number from 1 to 9999. Raises `ArgumentTypeError`."""
    # int() alone also takes "1_0", " 1" and digits of other scripts.
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{quoted(text, 40)} is not a number from 1 to 9999")
    return number


def add_format(
    parser: CommandParser, formats: tuple[str, ...], text: str, default: str | None
) -> argparse._ArgumentGroup:
    """Add a group *Output* with `--format`, and return it for more options. The text names all formats."""
    output = parser.add_argument_group("Output")
    output.add_argument("--format", metavar="FORMAT", choices=formats, default=default, help=text)
    return output


def add_reports(group: argparse._ArgumentGroup, text: str) -> None:
    """Add `-o`, which writes reports beside the one on standard output, and `--force`."""
    endings = "The ending gives the format: .json, .xml (JUnit), .md or .txt. Repeatable."
    group.add_argument("-o", "--output", metavar="FILE", action="append", default=[], help=f"{text} {endings}")
    add_force(group)


def add_color(group: argparse._ArgumentGroup) -> None:
    """Add `--color`."""
    color = "Use colors: auto (on a terminal), always or never. Default: auto."
    group.add_argument("--color", metavar="WHEN", choices=("auto", "always", "never"), default="auto", help=color)


def add_force(group: argparse._ArgumentGroup) -> None:
    """Add `--force` to a command that writes new files."""
    force = "Write outputs also where a link leads out of the repository."
    group.add_argument("--force", action="store_true", help=force)


# --- the options of a command line as the run takes them -----------------------------------------------------------


def run_options(options: argparse.Namespace) -> RunOptions:
    """The options of a command that scores sets."""
    from evaltui.runs.run_options import RunOptions

    return RunOptions(
        options.recording,
        options.config,
        options.metric,
        options.match_type,
        ignore_args=options.ignore_args,
        profile=options.profile,
        all_runs=options.runs == "all",
    )


def refuse_all_runs(options: argparse.Namespace) -> None:
    """Raise `DocumentError` for `--runs all`: a change accepts the values of one recording."""
    if options.runs == "all":
        use = f"{options.command} uses the latest recording of each case"
        raise DocumentError(f"--runs all works only with evaltui run; {use}")


def set_arguments(texts: Sequence[str]) -> list[SetArgument]:
    """The sets of a command line, each file once. If a file is repeated, its ids are joined."""
    arguments: dict[str, tuple[str, ...]] = {}
    for name, ids in map(set_argument, texts):
        earlier_ids = arguments.get(name, ids)
        arguments[name] = (*earlier_ids, *ids) if earlier_ids and ids else ()
    return list(arguments.items())


def set_argument(text: str) -> SetArgument:
    """Parse one SET. The file is the shortest part before a colon that names one. Raises `DocumentError`."""
    from pathlib import Path

    from evaltui.file_access import exists

    if not text:
        raise DocumentError("SET is empty; give the name of an eval set")
    # The name of a file may have colons itself, as on Windows. `exists` is false for a name that is too long, too.
    for end in (len(text), *(position for position, character in enumerate(text) if character == ":")):
        if text[:end] == "-" or exists(Path(text[:end])):
            ids = tuple(stripped for part in text[end + 1 :].split(",") if (stripped := part.strip()))
            return text[:end], ids
    return text, ()
