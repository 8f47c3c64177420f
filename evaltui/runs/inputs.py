"""Inputs of a run: the cases of a set, and the recordings for it."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from evaltui.document.disk.file_content import read_file, read_stdin
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.document.positions import text_before
from evaltui.evalset.datasets.dataset_checks import unread_in_expectations
from evaltui.evalset.datasets.dataset_expectations import expectations_of
from evaltui.evalset.expected_set import ExpectedCase, ExpectedSet, read_case
from evaltui.evalset.formats import is_sought
from evaltui.evalset.keys import text_of
from evaltui.evalset.set_files import candidates
from evaltui.evalset.set_views import cases_of, list_of_cases, without_cases
from evaltui.file_access import exists, is_folder
from evaltui.files.folder_search import Bounds, SearchCancelledError
from evaltui.files.remote_path import is_remote
from evaltui.files.session_source import is_database, session_source
from evaltui.garbage import without_collecting
from evaltui.printable import as_argument, one_line
from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.default_recordings import found_recordings, rivals_text
from evaltui.recordings.recording_copies import copies_among, copies_text, graded_traces
from evaltui.recordings.recording_search import (
    FoundRecordings,
    looks_like_recording,
    lost_text,
    others_text,
    recordings_in,
    skipped_text,
    unread_recording,
    use_of_sets,
)
from evaltui.validation import model_errors
from evaltui.validation.file_report import checked_kind, kind_of, kind_of_root
from evaltui.validation.rules.formats import check_as_set
from evaltui.validation.rules.json_syntax import encoding_diagnostics

STDIN = "-"
_NAMED = 5
"""The most files with broken text that are named. The others are counted."""
_DATASET = "evaluation_dataset"
_CONVERTIBLE = ("legacy_cases", "legacy_turns", "ces_evaluation")
"""Formats that cannot be scored, but converted to an eval set."""
Say = Callable[[str], None]
"""Receives a sentence about a skipped input."""
Read = Callable[[Path, bool], Recording | None]
"""Opens a recording, given whether any case of the set has several turns; None for a file that is not used."""
Opened = Callable[[str, Document], object]
"""Receives the name of a set and its document."""
ReadCase = Callable[[bytes, int, bool], ExpectedCase]
"""Reads a case from its text, its place in the set from 0, and whether the file is a dataset."""
ReadCases = Callable[[str], ReadCase]
"""Gives the reader for the cases of a set, by the name of the set."""
FindCopies = Callable[[tuple[Path, ...]], Mapping[int, int]]
"""Finds copies as `copies_among` does. Sets that share recordings can share the answer."""
Note = Callable[[Path], object]
"""Called for each file that was read, used or skipped."""


def without_memory(_set: str) -> ReadCase:
    """Read each case from its text."""
    return expected_case


def read_set(
    name: str,
    tick: Callable[[int], None] | None = None,
    opened: Opened | None = None,
    read_cases: ReadCases = without_memory,
) -> ExpectedSet:
    """Read the set in a file, or on standard input for `-`. Raises `DocumentError` if its cases cannot be found.

    `tick` is called with the size of each case in bytes.
    """
    path = None if name == STDIN else Path(name)
    document = Document(read_stdin() if path is None else read_file(path), path)
    subject = set_of(document, name, tick, read_cases(name))
    if opened is not None:
        opened(name, document)
    return subject


class SetsOfFolder:
    """The sets in a folder. Unreadable sets are reported, files of other formats are counted.

    Files in a folder inside it that is given with `-r` are recordings, and no sets.
    """

    def __init__(self, folder: str, recordings: Sequence[str], say: Say) -> None:
        self.broken = 0
        """The number of files that look like sets but cannot be scored."""
        self.inputs: list[Path] = []
        """The files that were read, except earlier reports of `evaltui run`."""
        self._folder, self._say = folder, say
        real = Path(os.path.realpath(folder))
        named = (Path(os.path.realpath(name)) for name in recordings if is_folder(Path(name)))
        self._recordings = [path for path in named if real in path.parents]

    def read(
        self,
        tick: Callable[[int], None] | None = None,
        opened: Opened | None = None,
        read_cases: ReadCases = without_memory,
        read_large: Callable[[Path], ExpectedSet | None] = lambda _: None,
    ) -> Iterator[ExpectedSet]:
        """The sets, in the order of their paths. Raises `SearchLimitError`.

        `read_large` reads a large file in another way; None for a file that it does not read.
        """
        others = count = recorded = 0
        for path in candidates(Path(self._folder), lambda path, reason: self._say(f"{path}: {reason}")):
            self.inputs.append(path)
            if self._is_in_recordings(path):
                recorded += 1
                continue
            if (large := read_large(path)) is not None:
                count += 1
                yield large
                continue
            try:
                document = Document(read_file(path), path)
                if not is_sought(checked_kind(document, str(path)), document.root):
                    others += 1
                    if _is_report(document.root):
                        self.inputs.pop()
                    continue
                count += 1
                subject = set_of(document, str(path), tick, read_cases(str(path)))
                if _is_recording(subject):
                    count, others = count - 1, others + 1
                    continue
                if opened is not None:
                    opened(str(path), document)
                yield subject
            except DocumentError as error:
                self.broken += 1
                self._say(f"{error}; skipped")
        if others:
            self._say(
                f"{_files(others)} in {self._folder} skipped: not in the eval set format of google-adk, and no dataset"
            )
        if recorded:
            self._say(f"{_files(recorded)} in {self._folder} skipped: in a folder of recordings (-r)")
        if not count:
            self._say(f"{self._folder}: there is no eval set or dataset in this folder")

    def _is_in_recordings(self, path: Path) -> bool:
        above = Path(os.path.realpath(path)).parents if self._recordings else ()
        return any(folder in above for folder in self._recordings)


def _is_recording(subject: ExpectedSet) -> bool:
    """Whether a dataset records responses to all its cases and states no expectation, as agents-cli writes it."""
    told = [case.dataset for case in subject.cases if case.dataset is not None]
    return bool(told) and all(case.is_answered and all(len(turn.unstated) > 1 for turn in case.turns) for case in told)


def set_of(
    document: Document, name: str, tick: Callable[[int], None] | None = None, read: ReadCase | None = None
) -> ExpectedSet:
    """The set in a document. Raises `DocumentError` if its cases cannot be found."""
    read = read or expected_case
    root = _root_of(document, name)
    is_dataset = kind_of(document, name) == _DATASET
    cases, lines = [], array("L")
    line = text_before(list_of_cases(root) or root).count(b"\n") + 1
    with without_collecting():
        for number, node in enumerate(cases_of(root)):
            line += node.lead.count(b"\n")
            lines.append(line)
            cases.append(read(source := node.source(), number, is_dataset))
            line += source.count(b"\n") + node.trail.count(b"\n")
            if tick is not None:
                tick(len(source))
        fault = None if is_dataset else _fault_of_set(document, root)
    eval_set_id = text_of(root, "eval_set_id") if not is_dataset else ""
    return ExpectedSet(name, document.path, eval_set_id or None, tuple(cases), fault, is_dataset, lines)


def set_without_cases(root: Node, sample: Node, name: str) -> ExpectedSet:
    """The facts of a set in UTF-8, without its cases; `sample` is the set with its first cases.

    Raises `DocumentError` for another format.
    """
    kind = kind_of_root(sample, name)
    is_dataset = kind == _DATASET
    _refuse_format(sample, kind, name, sample.source())
    faults = [] if is_dataset else model_errors.errors_in_set_without_cases(Node(without_cases(root)))
    fault = faults[0].message if faults else None
    eval_set_id = text_of(root, "eval_set_id") if not is_dataset else ""
    return ExpectedSet(name, Path(name), eval_set_id or None, (), fault, is_dataset)


def _fault_of_set(document: Document, root: Node) -> str | None:
    """The reason why google-adk rejects a set apart from its cases; None if it accepts it."""
    faults = [*encoding_diagnostics(document), *model_errors.errors_in_set_without_cases(Node(without_cases(root)))]
    return faults[0].message if faults else None


def expected_case(source: bytes, number: int, is_of_dataset: bool) -> ExpectedCase:
    """Read a case with the first error that makes google-adk reject it; in a dataset, the first unreadable value."""
    if is_of_dataset:
        case = read_case(source, number)
        return replace(case, fault=_fault_of_dataset_case(case), dataset=case.dataset or expectations_of({}))
    found = model_errors.errors_in_case(source)
    if not found:
        return read_case(source, number)
    node = Node(source)
    where = f"{one_line(found[0].pointer, 100)}: " if found[0].pointer else ""
    fault = f"{where}{found[0].message}" if node.kind == "object" else "a case must be an object"
    case = read_case(source, number, fault)
    return case if case.eval_id else replace(case, eval_id=text_of(node, "eval_id"))


def _fault_of_dataset_case(case: ExpectedCase) -> str | None:
    if not case.source.lstrip().startswith(b"{"):
        return "a case must be an object"
    return unread_in_expectations(case.data())


class FoundFile(NamedTuple):
    """A file with a recording, or with something that looks like one."""

    path: Path
    is_named: bool
    """Whether the user named it, so that it must be a recording."""


def recording_files(
    names: Sequence[str],
    subject: ExpectedSet,
    say: Say,
    note: Note,
    bounds: Bounds | None = None,
    find_copies: FindCopies = copies_among,
) -> list[FoundFile]:
    """The files of the named recordings, or else those found for a set, each once. Copies of a file do not count.

    A dataset with responses comes first: it is its own recording. Raises `DocumentError` for a folder with too many
    files, and if the search is cancelled.
    """
    bounds = bounds or Bounds()
    if names:
        used = frozenset(map(os.path.realpath, names)) if len(names) > 1 else frozenset()
        found = [each for name in names for each in _named(name, used, subject.path, say, note, bounds)]
    else:
        found = _found(subject, say, note, bounds)
    files: dict[str, FoundFile] = {}
    for each in found:
        note(session_source(each.path).file)
        real = os.path.realpath(each.path)
        files[real] = _joined(files.get(real, each), each)
    kept = _without_copies(list(files.values()), say, find_copies)
    return _without_graded(kept, say) if names else kept


def _without_graded(files: list[FoundFile], say: Say) -> list[FoundFile]:
    """The files of named folders, without traces of agents-cli that a result repeats, as in a search without -r."""
    graded = graded_traces(each.path for each in files if not each.is_named)
    if graded:
        count, (trace, result) = len(graded), min(graded.items())
        are = "1 trace is" if count == 1 else f"{count:,} traces are"
        say(f"{are} part of a result, so each run counts once; the first is {trace}, in {result}")
    return [each for each in files if each.path not in graded]


def _without_copies(files: list[FoundFile], say: Say, find_copies: FindCopies) -> list[FoundFile]:
    copies = find_copies(tuple(each.path for each in files))
    for copy, original in copies.items():
        files[original] = _joined(files[original], files[copy])
    if copies:
        say(copies_text([(files[copy].path, files[original].path) for copy, original in sorted(copies.items())]))
    return [each for index, each in enumerate(files) if index not in copies]


def _joined(first: FoundFile, again: FoundFile) -> FoundFile:
    """A file that was found twice. It must be a recording if the user named it once."""
    return first._replace(is_named=first.is_named or again.is_named)


def read_recordings(
    names: Sequence[str],
    subject: ExpectedSet,
    say: Say,
    read: Read,
    *,
    note: Note = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[Recording]:
    """Read the named recordings, or else the recordings found for a set, each file once (`recording_files`).

    Conversations across files are joined later, by `JoinedTraces`. Until then, an empty recording stands for a file
    that cannot be read and may have spans of their traces.

    Raises `RecordingError` for a named file that is not a recording; other such files are reported with `say`. Raises
    `DocumentError` for a folder with too many files, and when `cancelled` returns true.
    """
    recordings: list[Recording] = []
    for path, is_named in recording_files(names, subject, say, note, Bounds(cancelled=cancelled)):
        if cancelled():
            raise SearchCancelledError("reading the recordings was cancelled")
        try:
            recording = read(path, subject.is_multi_turn)
        except RecordingError as error:
            if is_named:
                raise
            say(f"{error}; skipped")
            recording = unread_recording(path)
        recordings += [recording] if recording is not None else []
    if said := lost_text((each.path, bool(each.traces), each.lost) for each in recordings):
        say(said)
    return recordings


class JoinedTraces:
    """Joins conversations whose traces are in several files. The last result is reused for the same files."""

    def __init__(self) -> None:
        self._last: tuple[list[Recording], bool, list[Recording]] | None = None

    def across_files(self, recordings: list[Recording], subject: ExpectedSet) -> list[Recording]:
        """The recordings, with the traces of a conversation in one place."""
        if sum(bool(each.traces) for each in recordings) < 2 and not any(each.lost for each in recordings):
            return recordings
        last, multi_turn = self._last, subject.is_multi_turn
        if last is not None and last[1] == multi_turn and list(map(id, last[0])) == list(map(id, recordings)):
            return last[2]
        from evaltui.recordings.traces.trace_file import across_files  # noqa: PLC0415 - result files need none of it

        joined = across_files(recordings, multi_turn=multi_turn)
        self._last = recordings, multi_turn, joined
        return joined


def _named(name: str, used: Container[str], own: Path | None, say: Say, note: Note, bounds: Bounds) -> list[FoundFile]:
    """The files of a named file or folder. `used` has the real paths of all names: such a file counts as used."""
    if is_remote(name) and not exists(Path(name)):
        # Without the address, which may have credentials.
        raise RecordingError(
            "-r: only `evaltui run` with --engine ray reads files of a store; for all else, copy them to this machine"
        )
    if name == STDIN or not is_folder(Path(name)):
        return [FoundFile(Path(name), True)]
    found = recordings_in(Path(name), bounds)
    if used:
        found = found._replace(others=tuple(each for each in found.others if os.path.realpath(each) not in used))
    found = _without_broken(found, say, note)
    advice = use_of_sets(found.others, own if found.paths else None, "-r ")
    _leave_out(found, f"in {name}", (lambda said: say(f"{said}{advice}")) if found.paths else (lambda _: None), note)
    for path in found.hidden_recordings:
        say(f"{path}: hidden files are skipped; to use it, give its file: -r {as_argument(str(path))}")
    if not found.paths:
        skipped = skipped_text(found.skipped)
        others = f"; {others_text(found.others, 'in it')}" if found.others else ""
        say(f"{name}: there is no recording in this folder{others}{skipped}{advice}{_use_of_databases(found)}")
    return [FoundFile(each, False) for each in found.paths]


def _found(subject: ExpectedSet, say: Say, note: Note, bounds: Bounds) -> list[FoundFile]:
    if subject.path is None:
        return []
    own = [FoundFile(subject.path, False)] if subject.is_own_recording else []
    found = found_recordings(subject.path, subject.eval_set_id, bounds, is_dataset=subject.is_dataset)
    found = _without_broken(found, say, note)
    _leave_out(found, "found without -r", say, note)
    if found.rivals:
        say(" ".join(rivals_text(subject.path, subject.eval_set_id, found.rivals)))
    if found.outside:
        more = f" (and {len(found.outside) - 1} more)" if len(found.outside) > 1 else ""
        say(f"{min(found.outside)}{more}: outside the repository, so it is not used; name it with -r")
    return [*own, *(FoundFile(path, False) for path in found.paths)]


def _without_broken(found: FoundRecordings, say: Say, note: Note) -> FoundRecordings:
    """The files that were found, without those whose text is broken; the first of these are named."""
    if not found.others:
        return found
    from evaltui.runs.broken_files import broken_among  # noqa: PLC0415 - in most folders are only recordings

    broken = broken_among(found.others)
    for path in broken:
        note(path)
    for sentence in islice(broken.values(), _NAMED):
        say(f"{sentence}; skipped")
    if (more := len(broken) - _NAMED) > 0:
        say(f"{_files(more)} more with invalid JSON skipped")
    return found._replace(others=tuple(path for path in found.others if path not in broken))


def _leave_out(found: FoundRecordings, where: str, say: Say, note: Note) -> None:
    for path in (*found.others, *found.unused):
        note(path)
    if found.others:
        say(others_text(found.others, where))


def _use_of_databases(found: FoundRecordings) -> str:
    """Advice how to use a session database in a folder."""
    database = next((path for path in found.others if is_database(path)), None)
    return f"; to use a session database, give its file: -r {database}" if database is not None else ""


def _is_report(root: Node | None) -> bool:
    """Whether a JSON value is a report of `evaltui run`, by its keys."""
    if root is None or root.kind != "object" or root.member("version") is None or root.member("summary") is None:
        return False
    return any(root.member(name) is not None for name in ("set", "runs"))


def _in_command(name: str) -> str:
    return as_argument(name) if name != STDIN else name


def refusal_of_text(document: Document, name: str) -> str:
    """The sentence about a set whose text is not JSON."""
    from evaltui.interop.source_documents import what_other_text, why_not_json  # noqa: PLC0415 - nearly all are JSON

    more = "" if what_other_text(document, name) else f"; `evaltui validate {_in_command(name)}` shows all problems"
    return f"{why_not_json(document, name)}{more}"


def _files(count: int) -> str:
    return f"{count} file{'s' * (count != 1)}"


def _refuse_format(root: Node, kind: str, name: str, data: bytes) -> None:
    """Raise `DocumentError` for a file that is not a set, with the command or option that takes it.

    `kind` is the format of the file, and `data` are its bytes.
    """
    file = _in_command(name)
    if kind == _DATASET or not (refused := check_as_set(kind, file=file)):
        return
    use = ""
    if kind in (*_CONVERTIBLE, "json"):
        from evaltui.interop.source_formats import format_of_source  # noqa: PLC0415 - nearly all files are sets

        if format_of_source(root) is not None:
            use = f"; `evaltui convert {file} --to evalset` makes an eval set of it"
        elif looks_like_recording(Path(name), data):
            use = "; load it as a recording with -r"
    raise DocumentError(f"{name}: {refused[0].message}{use}")


def _root_of(document: Document, name: str) -> Node:
    if document.fault is not None:
        raise DocumentError(refusal_of_text(document, name))
    assert document.root is not None
    kind = checked_kind(document, name)
    _refuse_format(document.root, kind, name, document.to_bytes())
    if list_of_cases(document.root) is None:
        raise DocumentError(
            f"{name}: there is no list eval_cases; `evaltui validate {_in_command(name)}` shows all problems"
        )
    return document.root
