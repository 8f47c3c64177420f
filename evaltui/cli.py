"""The command line: `evaltui NAME …` parses its options and runs `evaltui.commands.NAME`, which is imported then.

Exit codes: 0 all well, 1 something failed, 2 wrong usage or an input that cannot be read.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Collection, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from evaltui import __version__
from evaltui.printable import one_line, printable, write_line

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_EPILOG = (
    "evaltui FILE opens a file or folder in the editor, as evaltui edit FILE does; evaltui alone lists the eval sets "
    "here. A file name of - is standard input. Documentation: docs/ and `evaltui COMMAND --help`."
)
_OF_EDIT = ("-r", "--recording", "--config", "--case", "--runs", "--readonly")
"""Options with which a command line may begin that names no command."""
_CONFIG_HELP = "the eval config; test_config.json beside the set unless given"

_RUNS_HELP = "of several recordings of a case: the latest, or all and their mean; latest unless given"
_ALL_HELP = "turns that pass and differ from the recording count, too"


WRITTEN_FORMATS = ("evalset", "evaluation-dataset", "ces", "legacy-cases", "adk-rs", "cxas-yaml")
"""The words of `convert --to`; `evaltui.interop.formats` has the formats."""


class UsageError(Exception):
    """Wrong usage, or an input that cannot be read: exit 2 with this sentence."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError` where argparse would print the message and exit."""
        raise UsageError(f"{message} (see `{self.prog} --help`)")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """As argparse has it, but a stream that cannot be written is no secret."""
        (file or sys.stderr).write(message)

    def _parse_optional(self, arg_string: str) -> Any:
        """`-:ID` is standard input with ids of cases, no option; argparse has no public way to say so."""
        return None if arg_string.startswith("-:") else super()._parse_optional(arg_string)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """As argparse has it, which before Python 3.13 drops the value of `--option=--` and fails."""
        if action.option_strings and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings)}: -- is no value")
        return super()._get_values(action, arg_strings)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; prints results to stdout, messages to stderr."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        words = _with_command(given)
        options = _parsed(_parser(words[:1]), words)
        command = import_module(f"evaltui.commands.{options.command}")
        return int(command.run(options))
    except UsageError as error:
        hint = "; -r is repeated: -r A -r B" if "-r" in given and "unrecognized arguments" in str(error) else ""
        write_line("stderr", printable(f"evaltui: {error}{hint}"))
        return 2


def _parsed(parser: _Parser, words: list[str]) -> argparse.Namespace:
    """The options of a command line. Raises `UsageError`.

    argparse takes positional arguments only where they stand together; sources may stand behind options, too.
    """
    options, rest = parser.parse_known_args(words)
    if rest and not (options.command == "record" and all(not each.startswith("-") for each in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        options.sources += rest
    return options


def _with_command(given: list[str]) -> list[str]:
    """The arguments with the command that they leave out: `edit`. Raises `UsageError` for a word that is no command."""
    first = given[0] if given else ""
    if first in _COMMANDS or first in ("-h", "--help", "--version"):
        return given
    if not given or first == "--" or first.partition("=")[0] in _OF_EDIT or _is_path(first):
        return ["edit", *given]
    if first.startswith("-"):
        return given
    from evaltui.validation.misspellings import nearest

    word, near = one_line(first, 60), nearest(first, _COMMANDS)
    hint = f"did you mean {near}?" if near else f"there are {', '.join(_COMMANDS)};"
    raise UsageError(f"there is no command {word!r}; {hint} `evaltui edit {word}` opens a file of that name")


def _is_path(word: str) -> bool:
    """Whether a word names a file or folder: one that is there, or a name with a slash or an ending."""
    return "." in word or "/" in word or os.sep in word or os.path.lexists(word)


def run() -> NoReturn:
    """The console script: `main`, and no traceback for Ctrl-C, a closed pipe or a full disk."""
    _open_missing_streams()
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


def _open_missing_streams() -> None:
    """A shell can start a program without stdin, stdout or stderr (`>&-`); Python then has None in their place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def _discard_stdout() -> None:
    """Send the rest of stdout nowhere: Python would try it again while it shuts down, and print a warning."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser(named: Collection[str]) -> _Parser:
    """The parser of one command where it is `named`, which saves milliseconds; else of all."""
    parser = _Parser(
        prog="evaltui", description="Author and review the eval sets of LLM agents.", epilog=_EPILOG, allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"evaltui {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for name, add in _COMMANDS.items():
        if name in named or _COMMANDS.keys().isdisjoint(named):
            add(commands)
    return parser


def _add_edit(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser("edit", help="open an eval set in the editor", allow_abbrev=False)
    what = "the file; one that does not exist is made on the first save; without it, or for a folder: a list"
    command.add_argument("set", metavar="SET", nargs="?", help=what)
    recording = "what the agent did: score the cases against it; a folder for all in it; may be given several times"
    command.add_argument("-r", "--recording", metavar="RECORDING", action="append", default=[], help=recording)
    command.add_argument("--config", metavar="FILE", help=_CONFIG_HELP)
    command.add_argument("--case", metavar="ID", help="begin at the case with this eval_id")
    command.add_argument("--runs", choices=("latest", "all"), default="latest", help=_RUNS_HELP)
    command.add_argument("--readonly", action="store_true", help="only look: every change is refused")


def _add_validate(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "validate",
        help="say what is wrong with eval sets, and fix what is safe to fix",
        description="Says what google-adk rejects or misreads in eval sets, with the place, and offers fixes.",
        allow_abbrev=False,
    )
    command.add_argument("paths", metavar="PATH", nargs="+", help="a file, a folder to search, or - for standard input")
    command.add_argument("--config", metavar="FILE", help=_CONFIG_HELP)
    command.add_argument("--format", choices=("text", "json", "github"), default="text", help="text unless given")
    command.add_argument("--fix", action="store_true", help="apply the safe fixes; only their bytes differ in the file")
    command.add_argument("--diff", action="store_true", help="show what the safe fixes would do and write nothing")
    for name, which in (("--select", "only these rules or groups, comma-separated"), ("--ignore", "all but these")):
        command.add_argument(name, metavar="CODES", action="append", default=[], help=which)
    command.add_argument("--strict", action="store_true", help="warnings too give exit code 1")
    command.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="auto unless given")


def _add_run(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "run",
        help="score eval sets against what the agent really did, and say why",
        description="Scores eval sets against recordings of the agent, with google-adk's numbers and why they are so.",
        allow_abbrev=False,
    )
    what = "an eval set, a folder of them, or -; after a colon the ids of cases, comma-separated, globs allowed"
    command.add_argument("sets", metavar="SET[:ID,ID…]", nargs="+", help=what)
    _add_run_options(command)
    forms = ("table", "json", "junit", "markdown")
    command.add_argument("--format", choices=forms, default="table", help="what goes to stdout; table unless given")
    output = "write a report, too; its ending tells which: .json .xml .md .txt; may be given several times"
    command.add_argument("-o", "--output", metavar="FILE", action="append", default=[], help=output)
    _add_baseline_options(command)
    saved = "save the verdicts and scores of this run, to compare later runs with"
    command.add_argument("--save-baseline", metavar="FILE", help=saved)
    command.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="auto unless given")


def _add_baseline_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--baseline", metavar="FILE", help="compare with the run that this file was saved from")
    fail = "exit 1 for any case that fails, or only for one that passed in the baseline; any unless given"
    command.add_argument("--fail-on", choices=("any", "regression"), default="any", help=fail)


def _add_compare(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "compare",
        help="compare two results of one eval set, regressions first",
        description="Compares two results of one set: of google-adk, agents-cli, or evaltui run --format json.",
        allow_abbrev=False,
    )
    command.add_argument("base", metavar="BASE", help="the result before, or - for standard input")
    command.add_argument("candidate", metavar="CANDIDATE", help="the result now, or - for standard input")
    fail = "exit 1 where a case regressed, also where one fails or is lower, or never; regression unless given"
    command.add_argument("--fail-on", choices=("regression", "any", "never"), default="regression", help=fail)
    forms = ("table", "json", "markdown")
    command.add_argument("--format", choices=forms, default="table", help="what goes to stdout; table unless given")
    command.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="auto unless given")


def _add_convert(commands: argparse._SubParsersAction[_Parser]) -> None:
    about = "write eval sets in another format, and say what that cannot hold"
    command = commands.add_parser("convert", help=about, description=about.capitalize() + ".", allow_abbrev=False)
    command.add_argument("files", metavar="FILE", nargs="+", help="an eval set, a folder of them, or -")
    command.add_argument("--to", choices=WRITTEN_FORMATS, required=True, help="the format to write")
    output = "the file, a folder for several, or -; beside each source unless given"
    command.add_argument("-o", "--output", metavar="OUT", help=output)
    command.add_argument("--camel", action="store_true", help="write keys in camelCase where the format has both")
    command.add_argument("--mapping", metavar="FILE", help="resource names of tools and agents: JSON or YAML")
    command.add_argument("--report", choices=("text", "json"), default="text", help="the losses; text unless given")
    command.add_argument("--strict", action="store_true", help="write nothing where a value would be lost: exit code 1")
    command.add_argument("--force", action="store_true", help="write over files that exist, never over an input")
    command.add_argument("--dry-run", action="store_true", help="report what would be written, and write nothing")


def _add_watch(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "watch",
        help="score eval sets again after each change of a set, its config or a recording",
        description="Scores eval sets at once, and again whenever a set, its config or a recording changes on disk.",
        allow_abbrev=False,
    )
    what = "an eval set, or a folder of them; after a colon the ids of cases, comma-separated, globs allowed"
    command.add_argument("sets", metavar="SET[:ID,ID…]", nargs="+", help=what)
    _add_run_options(command)
    run = "a command for the shell, run when a file of --on changes; it writes the recordings that are scored then"
    command.add_argument("--exec", metavar="CMD", help=run)
    on = "with --exec: files whose change runs the command, such as 'agent/**/*.py'; may be given several times"
    command.add_argument("--on", metavar="GLOB", action="append", default=[], help=on)
    form = "a live table, or one document of evaltui run a line; on a terminal the table unless given"
    command.add_argument("--format", choices=("table", "jsonl", "json"), help=form)
    output = "write a report after each run, too; its ending tells which: .json .xml .md .txt"
    command.add_argument("-o", "--output", metavar="FILE", action="append", default=[], help=output)
    _add_baseline_options(command)
    command.set_defaults(save_baseline=None)


def _add_review(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "review",
        help="look at failing turns side by side, and accept what is right",
        description="Opens the turns that differ from what the agent did. With --format: prints them, and no screen.",
        allow_abbrev=False,
    )
    what = "an eval set, a folder of them, or -; after a colon the ids of cases, comma-separated, globs allowed"
    command.add_argument("sets", metavar="SET[:ID,ID…]", nargs="+", help=what)
    _add_run_options(command)
    command.add_argument("--all", action="store_true", help=_ALL_HELP)
    forms = ("text", "json", "markdown")
    command.add_argument("--format", choices=forms, help="print what there is to review; without it, the app opens")
    command.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="auto unless given")


def _add_accept(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "accept",
        help="write what was recorded into an eval set, for chosen changes of a review",
        description="Writes exactly what was recorded into an eval set. Only the bytes of chosen changes differ.",
        allow_abbrev=False,
    )
    command.add_argument("set", metavar="SET", help="the eval set, changed in place")
    _add_run_options(command)
    change = "the change with this id, which evaltui review --format prints; may be given several times"
    command.add_argument("--change", metavar="ID", action="append", default=[], help=change)
    command.add_argument("--case", metavar="ID", help="the changes of the case with this eval_id")
    command.add_argument("--turn", metavar="N", type=int, help="with --case: only those of this turn, from 1")
    kinds = ("fill", "text", "args", "sequence")
    kind = "with --case: only changes of this kind; may be given several times"
    command.add_argument("--kind", choices=kinds, action="append", default=[], help=kind)
    command.add_argument("--fills", action="store_true", help="all changes that fill an empty expectation")
    command.add_argument("--all", action="store_true", help=_ALL_HELP)
    command.add_argument("--note", metavar="TEXT", help="why; kept in SET.review.jsonl beside the set")
    command.add_argument("--diff", action="store_true", help="show what would change and write nothing")


def _add_record(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "record",
        help="make eval cases of what an agent did: sessions of adk web, traces, results",
        description="Makes eval cases of recorded conversations. A set they are added to keeps every other byte.",
        allow_abbrev=False,
    )
    what = "a session database, a session, a trace, a result, or a folder of them; .adk/session.db unless given"
    command.add_argument("sources", metavar="SOURCE", nargs="*", help=what)
    command.add_argument(
        "--list", action="store_true", help="print the conversations; with --into SET, also those that SET has"
    )
    command.add_argument("-o", "--output", metavar="NEW", help="write a new eval set; a file that exists stays")
    command.add_argument("--into", metavar="SET", help="add to this eval set, in its own style")
    one = "only the conversation with this id; may be given several times"
    command.add_argument("--conversation", metavar="ID", action="append", default=[], help=one)
    command.add_argument("--turns", metavar="N-M", help="only these turns, from 1: N, N-M, N- or -M")
    command.add_argument("--eval-id", metavar="ID", help="the eval_id of the case, for one conversation")
    shapes = ("tool_uses", "events")
    shape = "how calls are written; unless given as in SET, and tool_uses in a new set"
    command.add_argument("--shape", choices=shapes, help=shape)
    again = "also add conversations with the same user texts as a case"
    command.add_argument("--again", action="store_true", help=again)
    command.add_argument("--rewound", action="store_true", help="keep turns that a rewind took back")
    command.add_argument("--diff", action="store_true", help="show what would change and write nothing")
    command.add_argument("--format", choices=("text", "json"), default="text", help="text unless given")


def _add_run_options(command: argparse.ArgumentParser) -> None:
    kinds = "a result file, a trace, a session database, a dataset, an eval set, or a folder"
    recording = f"what the agent did: {kinds}; - for stdin; may be given several times"
    command.add_argument("-r", "--recording", metavar="RECORDING", action="append", default=[], help=recording)
    command.add_argument("--config", metavar="FILE", help=_CONFIG_HELP)
    metric = "score only this metric, in place of those of the config; may be given several times"
    command.add_argument("--metric", metavar="NAME[=THRESHOLD]", action="append", default=[], help=metric)
    match = "how tool calls are compared, whatever the config says"
    command.add_argument("--match-type", metavar="EXACT|IN_ORDER|ANY_ORDER", help=match)
    command.add_argument("--ignore-args", action="store_true", help="compare only the names of tool calls")
    profile = "whose rules hold: google-adk's, or those of adk-rs; adk unless given"
    command.add_argument("--profile", choices=("adk", "adk-rs"), default="adk", help=profile)
    command.add_argument("--runs", choices=("latest", "all"), default="latest", help=_RUNS_HELP)
    allow = "what is not evaluated does not count, where at least one case was"
    command.add_argument("--allow-not-evaluated", action="store_true", help=allow)


def _add_rule(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser("rule", help="explain a rule of validate", allow_abbrev=False)
    command.add_argument("code", metavar="CODE", nargs="?", help="the code of the rule; without it, a list of all")


def _add_schema(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser("schema", help="print the JSON Schema of eval sets, for editors", allow_abbrev=False)
    kinds = ("evalset", "config")
    command.add_argument("kind", choices=kinds, nargs="?", default="evalset", help="evalset unless given")


def _add_patch(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "patch",
        help="apply an RFC 6902 JSON Patch; only what it changes differs in the file",
        description="Applies an RFC 6902 JSON Patch, all or nothing. Only the bytes of changed values differ.",
        allow_abbrev=False,
    )
    command.add_argument("file", metavar="FILE", help="the JSON file, changed in place unless -o or --diff is given")
    command.add_argument("patch", metavar="PATCH", help="the patch: a JSON file, or - for standard input")
    command.add_argument("-o", "--output", metavar="OUT", help="write to OUT instead; - prints the bytes")
    command.add_argument("--diff", action="store_true", help="show what would change and write nothing")


def _add_config(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser("config", help="print the settings in force", allow_abbrev=False)
    shown = command.add_mutually_exclusive_group()
    shown.add_argument("--path", action="store_true", help="print the path of the file instead")
    shown.add_argument("--commands", action="store_true", help="print the ids, keys and help of all commands instead")


_COMMANDS = {
    "edit": _add_edit,
    "validate": _add_validate,
    "run": _add_run,
    "watch": _add_watch,
    "compare": _add_compare,
    "review": _add_review,
    "accept": _add_accept,
    "record": _add_record,
    "convert": _add_convert,
    "rule": _add_rule,
    "schema": _add_schema,
    "patch": _add_patch,
    "config": _add_config,
}
"""The commands by name, each with the function that adds its options."""
