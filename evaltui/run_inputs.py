"""What a run needs, read: the cases of a set, and the recordings that go with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from evaltui.collecting import without_collecting
from evaltui.document import Document, DocumentError, Node
from evaltui.document.storage import read_file
from evaltui.evalset.eval_set import list_of_cases
from evaltui.evalset.expected_case import ExpectedCase, read_case
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.evalset.keys import text_of
from evaltui.existence import is_folder
from evaltui.printable import one_line
from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.discovering import found_recordings, recordings_in
from evaltui.validation import schema
from evaltui.validation.checking import kind_of
from evaltui.validation.formats import as_set
from evaltui.validation.unreadable import of_encoding
from evaltui.validation.validating import cases_of, without_cases

STDIN = "-"
Say = Callable[[str], None]
"""Takes a sentence about something that was left out."""
Read = Callable[[Path, bool], Recording]
"""Opens a recording, given whether some case of the set has several turns."""


def read_set(name: str, tick: Callable[[int], None] | None = None) -> ExpectedSet:
    """The set in a file, or on standard input for `-`. Raises `DocumentError` where its cases cannot be found.

    `tick` is told the bytes of each case once it is read.
    """
    path = None if name == STDIN else Path(name)
    return set_of(Document(sys.stdin.buffer.read() if path is None else read_file(path), path), name, tick)


def set_of(document: Document, name: str, tick: Callable[[int], None] | None = None) -> ExpectedSet:
    """The set that a document is. Raises `DocumentError` where its cases cannot be found."""
    root = _root_of(document, name)
    cases = []
    with without_collecting():
        for number, node in enumerate(cases_of(root)):
            cases.append(expected_case(source := node.source(), number))
            if tick is not None:
                tick(len(source))
        faults = [*of_encoding(document), *schema.of_set_without_cases(Node(without_cases(root)))]
    fault = faults[0].message if faults else None
    return ExpectedSet(name, document.path, text_of(root, "eval_set_id") or None, tuple(cases), fault)


def expected_case(source: bytes, number: int) -> ExpectedCase:
    """A case, with what google-adk has against it."""
    found = schema.of_case(source)
    if not found:
        return read_case(source, number)
    node = Node(source)
    where = f"{one_line(found[0].pointer, 100)}: " if found[0].pointer else ""
    fault = f"{where}{found[0].message}" if node.kind == "object" else "a case must be an object"
    case = read_case(source, number, fault)
    return case if case.eval_id else replace(case, eval_id=text_of(node, "eval_id"))


def read_recordings(names: Sequence[str], subject: ExpectedSet, say: Say, read: Read) -> list[Recording]:
    """The recordings that were named, or else those that are found for a set, in that order; each file once.

    Raises `RecordingError` for a file that was named and is none; of others that is said.
    """
    found = [path for name in names for path in _named(name, say)] if names else _found(subject, say)
    recordings: list[Recording] = []
    seen: set[str] = set()
    for path, is_named in found:
        if (real := os.path.realpath(path)) in seen:
            continue
        seen.add(real)
        try:
            recordings.append(read(path, subject.is_multi_turn))
        except RecordingError as error:
            if is_named:
                raise
            say(f"{error}; it is left out")
    return _across_files(recordings, subject)


def _across_files(recordings: list[Recording], subject: ExpectedSet) -> list[Recording]:
    if sum(bool(each.traces) for each in recordings) < 2:
        return recordings
    from evaltui.recordings.traces import across_files  # noqa: PLC0415 - result files need none of it

    return across_files(recordings, multi_turn=subject.is_multi_turn)


def _named(name: str, say: Say) -> list[tuple[Path, bool]]:
    path = Path(name)
    if name == STDIN or not is_folder(path):
        return [(path, True)]
    paths, others = recordings_in(path)
    if others:
        say(f"{_files(others)} in {name} {_none(others)}")
    if not paths:
        say(f"{name}: there is no recording in this folder")
    return [(each, False) for each in paths]


def _found(subject: ExpectedSet, say: Say) -> list[tuple[Path, bool]]:
    if subject.path is None:
        return []
    found = found_recordings(subject.path, subject.eval_set_id)
    if found.others:
        say(f"{_files(found.others)} that the project's settings name {_none(found.others)}")
    return [(path, False) for path in found.paths]


def _files(count: int) -> str:
    return f"{count} file{'s' * (count != 1)}"


def _none(count: int) -> str:
    return "are no recordings" if count > 1 else "is no recording"


def _root_of(document: Document, name: str) -> Node:
    if document.fault is not None or document.root is None:
        line, column = document.line_and_column(document.fault.offset) if document.fault is not None else (1, 1)
        said = document.fault.message if document.fault is not None else "nothing there"
        raise DocumentError(f"{name}:{line}:{column}: not JSON: {said}; `evaltui validate` shows all of it")
    refused = as_set(kind) if (kind := kind_of(document, name)) != "eval_set" else []  # type: ignore[arg-type]
    if refused:
        raise DocumentError(f"{name}: {refused[0].message}")
    if list_of_cases(document.root) is None:
        raise DocumentError(f"{name}: the cases cannot be found: there is no list eval_cases; see `evaltui validate`")
    return document.root
