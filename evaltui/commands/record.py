"""`evaltui record`: turns recorded conversations into eval cases of a new or an existing set, or lists them."""

from __future__ import annotations

import os
import re
from argparse import Namespace
from pathlib import Path

from evaltui.command_line.parser import CommandParser
from evaltui.commands.record_output import refuse_output, steps_to_dataset, write_cases
from evaltui.commands.record_sources import ReadSources, read_sources
from evaltui.commands.set_options import DIFF, add_force
from evaltui.document.disk.file_content import read_file
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.evalset.formats import ENDING_OF_DATASETS, is_dataset
from evaltui.evalset.set_views import EvalSetView
from evaltui.file_access import is_folder
from evaltui.printable import as_argument, one_line, say
from evaltui.recordings.conversation import Conversation, RecordingError
from evaltui.recordings.known_cases import KnownCases
from evaltui.recordings.recorded_choice import ChosenConversation, RecordedChoice, TurnRange
from evaltui.runs.set_reader import STDIN, refusal_of_text

_range = re.compile(r"([1-9][0-9]{0,8})?(-)?([1-9][0-9]{0,8})?").fullmatch

_NEW_SET = "use -o to write a new set"

USAGE = "record [OPTIONS] [SOURCE…] (--list | -o NEW | --into SET)"
DESCRIPTION = "Make cases from recorded conversations: sessions of adk web, traces, results."
EXAMPLE = "evaltui record travel_desk --into travel_desk/travel_desk.evalset.json"


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui record`."""
    what = (
        "A session database, session, trace, result or folder. Default: .adk/session.db in the folder of the set, "
        "of its agent, or else in the current folder."
    )
    parser.add_argument_group("Arguments").add_argument("sources", metavar="SOURCE", nargs="*", help=what)
    goal = parser.add_argument_group("Goal")
    listed = "List the conversations. With --into SET, mark those that are cases of SET already."
    goal.add_argument("--list", action="store_true", help=listed)
    goal.add_argument("-o", "--output", metavar="NEW", help="Write a new eval set. The file must not exist.")
    into = "Add the cases to this eval set or dataset and keep its formatting."
    goal.add_argument("--into", metavar="SET", help=into)
    choice = parser.add_argument_group("Choice of conversations and turns")
    one = "Take only this conversation. Repeatable."
    choice.add_argument("--conversation", metavar="ID", action="append", default=[], help=one)
    choice.add_argument("--turns", metavar="N-M", help="Take only these turns, counted from 1: N, N-M, N- or -M.")
    again = "Also take conversations that are cases of SET already."
    choice.add_argument("--again", action="store_true", help=again)
    choice.add_argument("--rewound", action="store_true", help="Also take turns that a rewind removed.")
    cases = parser.add_argument_group("New cases")
    cases.add_argument(
        "--eval-id", metavar="ID", help="The eval_id of the new case, if you take only one conversation."
    )
    shape = (
        "How tool calls are written. tool_uses: a list of calls and a list of responses. events: one list of all "
        "events. Default: as in SET, else tool_uses."
    )
    cases.add_argument("--shape", metavar="SHAPE", choices=("tool_uses", "events"), help=shape)
    output = parser.add_argument_group("Output")
    add_force(output)
    output.add_argument("--diff", action="store_true", help=DIFF)
    formats = "Format of the list or report: text or json. Default: text."
    output.add_argument("--format", metavar="FORMAT", choices=("text", "json"), default="text", help=formats)


def run(given: Namespace) -> int:
    """List conversations or add cases. Returns 0, 3 (nothing to add) or 2 (with a sentence)."""
    try:
        _refuse_usage(given)
        wanted = _turn_range(given.turns)
        document = _document(given.into, given.shape) if given.into is not None else None
        target = given.into if given.into is not None else given.output
        if given.output is not None:
            refuse_output(Path(given.output), force=given.force)
        sources = read_sources(given.sources, Path(target) if target is not None else None, given.conversation)
        known = KnownCases(
            EvalSetView(document.root).cases if document is not None and document.root is not None else ()
        )
        if given.list:
            _print_list(sources, known, given)
            return 0
        choice = _choice(sources, known, wanted, given)
        return write_cases(document, choice, sources.said, given)
    except (DocumentError, RecordingError) as error:
        say(error)
        return 2


def _refuse_usage(given: Namespace) -> None:
    if given.list and given.output is not None:
        raise DocumentError("--list and -o cannot be used together: --list writes no file")
    if not (given.list or given.output or given.into):
        raise DocumentError("record needs --list, -o NEW or --into SET; --list shows the conversations")
    if given.output is not None and given.into is not None:
        raise DocumentError("-o NEW and --into SET cannot be used together")
    if STDIN in (given.into, given.output):
        raise DocumentError("record cannot write to standard output; give a file name with -o or --into")
    if len(set(given.sources)) < len(given.sources) and STDIN in given.sources:
        raise DocumentError("only one source can be standard input")
    if "" in given.sources:
        raise DocumentError("SOURCE is empty; give a file name or folder")
    if given.into is not None and is_folder(Path(given.into)):
        raise DocumentError(f"{given.into}: this is a folder; give the file name of an eval set")
    if not all(each.strip(" ,") for each in given.conversation):
        raise DocumentError("--conversation is empty; --list prints the ids")
    if given.eval_id is not None:
        _refuse_id(given.eval_id)


def _refuse_id(eval_id: str) -> None:
    if not eval_id.strip():
        raise DocumentError("--eval-id is empty")
    try:
        eval_id.encode()
    except UnicodeEncodeError as error:
        raise DocumentError(f"--eval-id {one_line(eval_id, 40)} is not valid UTF-8; google-adk rejects it") from error


def _turn_range(text: str | None) -> TurnRange:
    """The turns of `--turns`: N, N-M, N- or -M. Raises `DocumentError`."""
    if text is None:
        return TurnRange()
    found = _range(text)
    if found is None or not (found[1] or found[3]):
        raise DocumentError(f"--turns {one_line(text, 40)} is invalid; write N, N-M, N- or -M and count turns from 1")
    first, last = int(found[1] or 1), int(found[3]) if found[3] else None
    if not found[2]:
        last = first
    if last is not None and last < first:
        raise DocumentError(f"--turns {text}: the first turn comes after the last")
    return TurnRange(first, last)


def _document(name: str, shape: str | None) -> Document:
    """The set or dataset that gets the cases. Raises `DocumentError` for any other file."""
    from evaltui.interop.file_kinds import checked_kind
    from evaltui.validation.rules.formats import check_as_set

    try:
        document = Document(read_file(Path(name)), Path(name))
    except DocumentError as error:
        hint = steps_to_dataset(Path(name)) if name.endswith(ENDING_OF_DATASETS) else _NEW_SET
        raise DocumentError(str(error) if os.path.lexists(name) else f"{error}; {hint}") from error
    if document.fault is not None:
        raise DocumentError(refusal_of_text(document, name))
    if document.root is not None and is_dataset(document.root):
        if shape == "tool_uses":
            raise DocumentError(f"{name}: --shape tool_uses is for eval sets; a dataset has its calls in events")
        return document
    kind = checked_kind(document, name)
    if kind == "evaluation_dataset":
        raise DocumentError(f"{name}: this dataset has no list eval_cases; {_NEW_SET}")
    if refused := check_as_set(kind, file=as_argument(name)):
        raise DocumentError(f"{name}: {refused[0].message}; {_NEW_SET}")
    if kind != "eval_set":
        raise DocumentError(f"{name}: this is not an eval set; {_NEW_SET}")
    return document


def _print_list(sources: ReadSources, known: KnownCases, given: Namespace) -> None:
    from evaltui.report.record_reports import print_conversations

    listed = sources.conversations
    if given.conversation:
        wanted = {conversation.key for conversation in sources.chosen(given.conversation)}
        listed = [each for each in listed if each.conversation.key in wanted]
    print_conversations([(each.conversation, each.format, each.started) for each in listed], known, given.format)
    for sentence in sources.said:
        say(sentence)


# --- which conversations -----------------------------------------------------------------------------------------


def _choice(sources: ReadSources, known: KnownCases, wanted: TurnRange, given: Namespace) -> RecordedChoice:
    """The conversations to add, in the order of `--conversation`, else by time.

    If several have the same user messages, the newest is chosen: `evaltui run` scores this one.
    """
    choice = RecordedChoice(known, wanted, given.rewound, given.again)
    if given.conversation:
        named = sources.chosen(given.conversation)
    else:
        named = sorted((each.conversation for each in sources.conversations), key=_age)
    if given.eval_id is not None and len(named) != 1:
        raise DocumentError(
            f"--eval-id needs one conversation, but there are {len(named)}; choose one with --conversation"
        )
    for conversation in named:
        choice.add(conversation)
    if not given.conversation:
        choice.chosen.sort(key=_started)
    return choice


def _age(conversation: Conversation) -> float:
    """Sort key: the newest recording first, conversations without a time last."""
    return -conversation.recorded_at if conversation.recorded_at is not None else float("inf")


def _started(chosen: ChosenConversation) -> float:
    """Sort key: the start time. Conversations without a time come first, in the order of their source."""
    started = chosen.details.started if chosen.details.started is not None else chosen.conversation.recorded_at
    return started if started is not None else float("-inf")
