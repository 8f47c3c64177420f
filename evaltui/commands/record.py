"""`evaltui record`: turns recorded conversations into eval cases of a new or an existing set, or lists them."""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.commands.parser import CommandParser
from evaltui.commands.set_options import DIFF, add_force
from evaltui.document.errors import DocumentError
from evaltui.printable import as_argument, one_line, quoted, say

if TYPE_CHECKING:
    from evaltui.commands.output_files import Outputs
    from evaltui.document.document import Document
    from evaltui.evalset.case_file import CaseFile
    from evaltui.evalset.editing.recorded_cases import RecordedCase
    from evaltui.evalset.editing.recorded_turns import Shape
    from evaltui.recordings.cases_from_conversations import RecordedChoice

USAGE = "record [OPTIONS] [SOURCE…] (--list | -o NEW | --into SET)"
DESCRIPTION = "Make cases from recorded conversations: sessions of adk web, traces, results."
EXAMPLE = "evaltui record travel_desk --into travel_desk/travel_desk.evalset.json"
_STDIO = "-"
_NEW_SET = "use -o to write a new set"
_turn_range = re.compile(r"([1-9][0-9]{0,8})?(-)?([1-9][0-9]{0,8})?").fullmatch


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui record`."""
    source = (
        "A session database, session, trace, result or folder. Default: .adk/session.db in the folder of the set, "
        "of its agent, or else in the current folder."
    )
    parser.add_argument_group("Arguments").add_argument("sources", metavar="SOURCE", nargs="*", help=source)
    goal = parser.add_argument_group("Goal")
    list_help = "List the conversations. With --into SET, mark those that are cases of SET already."
    goal.add_argument("--list", action="store_true", help=list_help)
    goal.add_argument("-o", "--output", metavar="NEW", help="Write a new eval set. The file must not exist.")
    into = "Add the cases to this eval set or dataset and keep its formatting."
    goal.add_argument("--into", metavar="SET", help=into)
    choice = parser.add_argument_group("Choice of conversations and turns")
    conversation = "Take only this conversation. Repeatable."
    choice.add_argument("--conversation", metavar="ID", action="append", default=[], help=conversation)
    turns = "Take only these turns, counted from 1: N, N-M, N- or -M."
    choice.add_argument("--turns", metavar="N-M", default="1-", help=turns)
    again = "Also take conversations that are cases of SET already."
    choice.add_argument("--again", action="store_true", help=again)
    choice.add_argument("--rewound", action="store_true", help="Also take turns that a rewind removed.")
    cases = parser.add_argument_group("New cases")
    eval_id = "The eval_id of the new case, if you take only one conversation."
    cases.add_argument("--eval-id", metavar="ID", help=eval_id)
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


def run(options: Namespace) -> int:
    """List conversations or add cases. Returns 0 or 3 (nothing to add)."""
    from evaltui.commands.record_sources import choose_conversations, find_conversations, read_sources, start_of
    from evaltui.recordings.user_messages import KnownCases
    from evaltui.report.record_reports import print_added_cases, print_conversations

    name: str | None = options.into if options.into is not None else options.output
    _refuse_usage(options)
    turns = _parse_turns(options.turns)
    # The target is checked before the sources are read: a large database takes a while.
    document = _read_target(options.into, options.shape) if options.into is not None else None
    outputs = _check_output(options.output, force=options.force) if options.output is not None else None
    listed, messages = read_sources(options.sources, name, options.conversation)
    known_cases = KnownCases(_case_file_of(document).cases if document is not None else ())
    if name is None or options.list:
        keys = {conversation.key for conversation in find_conversations(listed, options.conversation)}
        rows = [(*pair, start_of(pair[0])) for pair in listed if not keys or pair[0].key in keys]
        print_conversations(rows, known_cases, options.format)
    else:
        choice = choose_conversations(listed, known_cases, turns, options)
        ids = _write_cases(document, outputs, choice, name, options)
    for message in messages:
        say(message)
    if name is None or options.list:
        return 0
    print_added_cases(name, ids, choice, options.format, is_written=not options.diff)
    return 0 if ids else 3


def _refuse_usage(options: Namespace) -> None:
    if options.list and options.output is not None:
        raise DocumentError("--list and -o cannot be used together: --list writes no file")
    if not (options.list or options.output or options.into):
        raise DocumentError("record needs --list, -o NEW or --into SET; --list shows the conversations")
    if options.output is not None and options.into is not None:
        raise DocumentError("-o NEW and --into SET cannot be used together")
    # The report goes to standard output.
    if _STDIO in (options.into, options.output):
        raise DocumentError("record cannot write to standard output; give a file name with -o or --into")
    if options.sources.count(_STDIO) > 1:
        raise DocumentError("only one source can be standard input")
    # A shell makes an empty word from a variable that is not set. As a path it would be the current folder.
    if "" in options.sources:
        raise DocumentError("SOURCE is empty; give a file name or folder")
    if options.into is not None and os.path.isdir(options.into):  # noqa: PTH112 - `pathlib` slows the help
        raise DocumentError(f"{options.into}: this is a folder; give the file name of an eval set")
    if not all(text.strip(" ,") for text in options.conversation):
        raise DocumentError("--conversation is empty; --list prints the ids")
    if options.eval_id is not None and not options.eval_id.strip():
        raise DocumentError("--eval-id is empty")
    # Python reads bytes of a command line that are no text as lone surrogates.
    if options.eval_id is not None and options.eval_id.encode(errors="replace").decode() != options.eval_id:
        raise DocumentError(f"--eval-id {one_line(options.eval_id, 40)} is not valid UTF-8; google-adk rejects it")


def _parse_turns(text: str) -> range:
    """The numbers of `--turns`: N, N-M, N- or -M. Raises `DocumentError`."""
    match = _turn_range(text)
    if match is None or not (match[1] or match[3]):
        raise DocumentError(f"--turns {one_line(text, 40)} is invalid; write N, N-M, N- or -M and count turns from 1")
    first = int(match[1] or 1)
    last = int(match[3] or sys.maxsize) if match[2] else first
    if last < first:
        raise DocumentError(f"--turns {text}: the first turn comes after the last")
    return range(first, last + 1)


# --- the target ----------------------------------------------------------------------------------------------------


def _read_target(name: str, shape: str | None) -> Document:
    """The set or dataset that gets the cases. Raises `DocumentError` for any other file."""
    from pathlib import Path

    from evaltui.document.document import Document
    from evaltui.evalset.file_formats import ENDING_OF_DATASETS, is_dataset, kind_of
    from evaltui.runs.set_reader import refusal_of_text
    from evaltui.validation.rules.other_formats import check_as_set

    try:
        document = Document.open(Path(name))
    except DocumentError as error:
        hint = _steps_to_dataset(name) if name.endswith(ENDING_OF_DATASETS) else _NEW_SET
        raise DocumentError(str(error) if os.path.lexists(name) else f"{error}; {hint}") from error
    if document.fault is not None:
        raise DocumentError(refusal_of_text(document, name))
    if is_dataset(document.root):
        if shape == "tool_uses":
            raise DocumentError(f"{name}: --shape tool_uses is for eval sets; a dataset has its calls in events")
        return document
    kind = kind_of(document.root, name)
    if kind == "evaluation_dataset":  # by its name alone
        raise DocumentError(f"{name}: this dataset has no list eval_cases; {_NEW_SET}")
    if problems := check_as_set(kind, file=as_argument(name)):
        raise DocumentError(f"{name}: {problems[0].message}; {_NEW_SET}")
    return document


def _check_output(name: str, *, force: bool) -> Outputs:
    """The file of a new set. Raises `DocumentError` if it exists, has the name of a dataset, or cannot be written."""
    from pathlib import Path

    from evaltui.commands.output_files import Outputs, is_null
    from evaltui.evalset.file_formats import ENDING_OF_DATASETS

    path = Path(name)
    if os.path.lexists(path) and not is_null(path):
        raise DocumentError(f"{path}: this file already exists; give another file name, or add to this one with --into")
    if path.name.endswith(ENDING_OF_DATASETS):
        reason = "-o writes an eval set, and this is the name of a dataset"
        raise DocumentError(f"{path}: {reason}; {_steps_to_dataset(str(path))}")
    return Outputs([path], force=force)


def _steps_to_dataset(name: str) -> str:
    return f"make the dataset with evaltui edit {as_argument(name)}, then use --into {as_argument(name)}"


def _case_file_of(document: Document) -> CaseFile:
    from evaltui.evalset.case_file import CaseFile
    from evaltui.evalset.case_format import DATASET, EVAL_SET
    from evaltui.evalset.file_formats import is_dataset

    assert document.root is not None
    return CaseFile(document.root, DATASET if is_dataset(document.root) else EVAL_SET)


# --- the cases -----------------------------------------------------------------------------------------------------


def _write_cases(
    document: Document | None, outputs: Outputs | None, choice: RecordedChoice, name: str, options: Namespace
) -> list[str]:
    """Add the cases to the document and save it, or write a new set. Returns the ids of the new cases.

    `--diff` only shows it. Raises `DocumentError` before anything is written.
    """
    from evaltui.commands.output_files import print_diff, save_in_place, say_remarks
    from evaltui.document.document import Document
    from evaltui.evalset.editing.recorded_cases import RecordedCase, new_recorded_set

    cases = [
        RecordedCase(
            [turn.invocation for _, turn in turns],
            conversation.agent_names.app,
            conversation.user_id,
            options.eval_id or conversation.own_id,
        )
        for conversation, turns in choice.chosen
    ]
    if not cases:
        return []
    body = b""
    if document is None:
        document = Document(new_recorded_set(_set_id(choice, name), cases, options.shape or "tool_uses"))
    else:
        body = document.body()
        # An id that evaltui makes gets a number if it is used. One that a person wrote is theirs to change.
        if options.eval_id is not None and options.eval_id in _case_ids(document):
            eval_id = quoted(options.eval_id, 60)
            raise DocumentError(f"{name}: another case has the eval_id {eval_id}; choose another id")
        _add_cases(document, cases, name, options.shape)
    if options.diff:
        if options.format == "text":  # with JSON, stdout has the report alone
            print_diff(document, body, name)
    elif outputs is None:
        save_in_place(document, name)
    else:
        say_remarks(name, outputs.write(outputs.paths[0], [document.to_bytes()]))
    return _case_ids(document)[-len(cases) :]  # an id that was used has got a number


def _case_ids(document: Document) -> list[str]:
    case_file = _case_file_of(document)
    return [case_file.case_id(case) for case in case_file.cases]


def _add_cases(document: Document, cases: Sequence[RecordedCase], name: str, shape: Shape | None) -> None:
    from evaltui.document.errors import EditError, PointerError
    from evaltui.evalset.editing.recorded_cases import add_recorded_cases

    case_file = _case_file_of(document)
    try:
        if case_file.is_dataset:
            from evaltui.interop.converted_rows import add_recorded_cases_to_dataset

            revision = add_recorded_cases_to_dataset(case_file, cases)
        else:
            revision = add_recorded_cases(case_file, None, cases, shape)
        document.apply(revision.edits, revision.label)
    except (EditError, PointerError) as error:
        raise DocumentError(f"{name}: {error}; nothing was written") from error
    except RecursionError as error:
        raise DocumentError(f"{name}: a recorded value is nested too deeply; nothing was written") from error


def _set_id(choice: RecordedChoice, name: str) -> str:
    """The id of the new set: the set that all conversations were recorded for, else an id made from the file name."""
    from pathlib import Path

    from evaltui.evalset.file_formats import ENDINGS_OF_SETS

    # `evaltui run` uses results only for the set that they name, so another id would make the recordings useless.
    set_ids = {conversation.eval_set_id for conversation, _ in choice.chosen}
    if len(set_ids) == 1 and (set_id := set_ids.pop()):
        return set_id
    stem = Path(name).name
    for ending in (*ENDINGS_OF_SETS, ".json"):
        stem = stem.removesuffix(ending)
    return re.sub(r"[^a-zA-Z0-9]+", "_", stem).strip("_") or "eval_set"
