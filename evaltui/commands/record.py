"""`evaltui record`: eval cases made of what an agent did, listed, written to a new set or added to one."""

from __future__ import annotations

import os
import re
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from evaltui.commands.document_output import print_diff, save_in_place, say_remarks
from evaltui.commands.output_files import Outputs
from evaltui.commands.record_sources import ReadSources, read_sources
from evaltui.document.disk.file_content import read_file
from evaltui.document.disk.file_replacement import write_file
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.evalset.editing.recorded_cases import RecordedCase, add_recorded_cases, new_recorded_set
from evaltui.evalset.editing.recorded_turns import turn_in_shape
from evaltui.evalset.formats import ENDINGS_OF_SETS
from evaltui.evalset.set_views import EvalCaseView, EvalSetView
from evaltui.file_access import is_folder
from evaltui.interrupt import deferred
from evaltui.printable import one_line, say
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.known_cases import KnownCases
from evaltui.recordings.recorded_choice import ChosenConversation, LeftOut, RecordedChoice, TurnRange
from evaltui.report.record_report import AddedCase, print_report
from evaltui.runs.inputs import STDIN

_range = re.compile(r"([1-9][0-9]{0,8})?(-)?([1-9][0-9]{0,8})?").fullmatch


def run(given: Namespace) -> int:
    """List conversations or make cases; exit code 0, 3 (nothing to add) or 2 (with a sentence)."""
    try:
        _refuse_usage(given)
        wanted = _turn_range(given.turns)
        document = _document(given.into) if given.into is not None else None
        target = given.into if given.into is not None else given.output
        if given.output is not None:
            _refuse_output(Path(given.output))
        sources = read_sources(given.sources, Path(target) if target is not None else None, given.conversation)
        known = KnownCases(
            EvalSetView(document.root).cases if document is not None and document.root is not None else ()
        )
        if given.list:
            _print_list(sources, known, given)
            return 0
        choice = _choice(sources, known, wanted, given)
        return _make(document, choice, sources, given)
    except (DocumentError, RecordingError) as error:
        say(error)
        return 2


def _refuse_usage(given: Namespace) -> None:
    if (given.list and given.output is not None) or not (given.list or given.output or given.into):
        raise DocumentError("record needs one of --list, -o NEW and --into SET; --list may name the set with --into")
    if given.output is not None and given.into is not None:
        raise DocumentError("record takes either -o NEW or --into SET")
    if STDIN in (given.into, given.output):
        raise DocumentError("record writes a file; name one with -o or --into")
    if len(set(given.sources)) < len(given.sources) and STDIN in given.sources:
        raise DocumentError("standard input can be only one of the sources")
    if given.into is not None and is_folder(Path(given.into)):
        raise DocumentError(f"{given.into}: this is a folder; name one eval set in it")
    if given.eval_id is not None and not given.eval_id.strip():
        raise DocumentError("--eval-id is empty")


def _turn_range(text: str | None) -> TurnRange:
    """The turns of `--turns`: N, N-M, N- or -M. Raises `DocumentError`."""
    if text is None:
        return TurnRange()
    found = _range(text)
    if found is None or not (found[1] or found[3]):
        raise DocumentError(f"--turns {one_line(text, 40)}: write the numbers of turns as N, N-M, N- or -M, from 1")
    first, last = int(found[1] or 1), int(found[3]) if found[3] else None
    if not found[2]:
        last = first
    if last is not None and last < first:
        raise DocumentError(f"--turns {text}: the first turn comes after the last")
    return TurnRange(first, last)


def _document(name: str) -> Document:
    """The set that cases go into. Raises `DocumentError` for a file that is none."""
    from evaltui.validation.file_report import kind_of
    from evaltui.validation.rules.formats import check_as_set

    try:
        document = Document(read_file(Path(name)), Path(name))
    except DocumentError as error:
        hint = "" if os.path.lexists(name) else "; -o makes a new set"
        raise DocumentError(f"{error}{hint}") from error
    if (fault := document.fault) is not None:
        line, column = document.line_and_column(fault.offset)
        raise DocumentError(f"{name}:{line}:{column}: not JSON: {fault.message}; `evaltui validate` shows all of it")
    kind = kind_of(document, name)
    if refused := check_as_set(kind):
        raise DocumentError(f"{name}: {refused[0].message}")
    if kind != "eval_set":
        raise DocumentError(f"{name}: this is no eval set")
    return document


def _refuse_output(path: Path) -> None:
    if os.path.lexists(path):
        raise DocumentError(f"{path}: this file exists, and stays; name another one, or add to it with --into")
    Outputs([path])


def _print_list(sources: ReadSources, known: KnownCases, given: Namespace) -> None:
    from evaltui.report.record_list import print_list

    listed = sources.conversations
    if given.conversation:
        wanted = {conversation.key for conversation in sources.chosen(given.conversation)}
        listed = [each for each in listed if each.conversation.key in wanted]
    print_list([(each.conversation, each.format, each.started) for each in listed], known, given.format)
    for sentence in sources.said:
        say(sentence)


# --- which conversations -----------------------------------------------------------------------------------------


def _choice(sources: ReadSources, known: KnownCases, wanted: TurnRange, given: Namespace) -> RecordedChoice:
    """The conversations to add: as they are named, else in the order in which they happened.

    Of several with the same user texts the newest is chosen: it is the one that `evaltui run` scores.
    """
    choice = RecordedChoice(known, wanted, given.rewound, given.again)
    if given.conversation:
        named = sources.chosen(given.conversation)
    else:
        named = [each.conversation for each in sources.conversations]
    if given.eval_id is not None and len(named) != 1:
        raise DocumentError(
            f"--eval-id is for one conversation, and these are {len(named)}; name one with --conversation"
        )
    for conversation in named:
        choice.add(conversation)
    if not given.conversation:
        choice.chosen.sort(key=_started)
    return choice


def _started(chosen: ChosenConversation) -> float:
    """When it began; what has no time comes first, in the order of its source."""
    started = chosen.details.started if chosen.details.started is not None else chosen.conversation.recorded_at
    return started if started is not None else float("-inf")


def _recorded_case(chosen: ChosenConversation, eval_id: str | None, left_out: list[LeftOut]) -> RecordedCase | None:
    """What the writer takes; turns that google-adk rejects are left out."""
    invocations = []
    for number, turn in enumerate(chosen.details.turns, 1):
        if not any(turn is each for each in chosen.turns):
            continue
        try:
            turn_in_shape(turn.invocation, "tool_uses")
        except DocumentError as error:
            left_out.append(LeftOut(chosen.conversation.id, number, str(error)))
        else:
            invocations.append(turn.invocation)
    details = chosen.details
    return RecordedCase(invocations, details.app_name, details.user_id, eval_id) if invocations else None


# --- written -------------------------------------------------------------------------------------------------------


def _make(document: Document | None, choice: RecordedChoice, sources: ReadSources, given: Namespace) -> int:
    """Write the cases, or show them; first all that can be refused is looked at."""
    left_out = choice.left_out
    made = [
        (each, case) for each in choice.chosen if (case := _recorded_case(each, given.eval_id, left_out)) is not None
    ]
    cases = [case for _, case in made]
    name = given.into if document is not None else given.output
    before, ids, text = b"", [], b""
    if document is not None and cases:
        before, ids = document.body(), _add(document, cases, given)
    elif cases:
        text = new_recorded_set(_id_of(Path(name)), cases, given.shape or "tool_uses")
        document = Document(text)
        ids = _ids_of(document)
    for sentence in sources.said:
        say(sentence)
    if document is not None and cases and not given.diff:
        if given.into is not None:
            save_in_place(document, name)
        else:
            _refuse_output(Path(name))
            with deferred():
                saved = write_file(Path(name), text)
            say_remarks(name, saved)
    added = [
        AddedCase(eval_id, each.conversation.id, len(case.invocations))
        for eval_id, (each, case) in zip(ids, made, strict=True)
    ]
    if given.diff and document is not None and cases and given.format == "text":
        print_diff(document, before, name)
    print_report(name, added, left_out, given.format, is_written=not given.diff)
    return 0 if added else 3


def _add(document: Document, cases: Sequence[RecordedCase], given: Namespace) -> list[str]:
    """The ids of the cases that were added to the document."""
    assert document.root is not None
    view = EvalSetView(document.root)
    if given.eval_id is not None and given.eval_id in [EvalCaseView(case).eval_id for case in view.cases]:
        raise DocumentError(
            f"{given.into}: a case has the eval_id {one_line(given.eval_id, 60)} already; choose another"
        )
    count = len(view.cases)
    revision = add_recorded_cases(view, None, cases, given.shape)
    try:
        document.apply(revision.edits, revision.label)
    except RecursionError as error:
        raise DocumentError(f"{given.into}: a recorded value has too many levels; nothing was written") from error
    return _ids_of(document)[count:]


def _ids_of(document: Document) -> list[str]:
    assert document.root is not None
    return [EvalCaseView(case).eval_id for case in EvalSetView(document.root).cases]


def _id_of(path: Path) -> str:
    """The id of a set from the name of its file."""
    name = path.name
    for ending in (*ENDINGS_OF_SETS, ".json"):
        name = name.removesuffix(ending)
    return name
