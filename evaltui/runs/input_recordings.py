"""The files of recordings for a set: those that are named, or else those found near it. Copies do not count."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from evaltui.document.scanner import read_json
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.file_access import exists, is_folder
from evaltui.files.folder_search import Bounds
from evaltui.files.session_source import is_database, is_remote, session_file
from evaltui.printable import as_argument
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.recording_bytes import unpacked_head
from evaltui.recordings.recording_copies import copies_among, copies_text, graded_traces
from evaltui.recordings.recording_search import (
    FoundRecordings,
    others_text,
    recordings_in,
    skipped_text,
    use_of_sets,
)

STDIN = "-"
_NAMED = 5
"""The most files with broken text that are named. The others are counted."""
_LARGEST = 1 << 18
"""Bytes of a file that is looked at. A larger one has a key of recordings at its beginning, if it is one."""
_MOST = 200
"""The most files that are looked at, because each set of a run looks again."""
Say = Callable[[str], None]
"""Receives a sentence about a skipped input."""
FindCopies = Callable[[tuple[Path, ...]], Mapping[int, int]]
"""Finds copies as `copies_among` does. Sets that share recordings can share the answer."""
Note = Callable[[Path], object]
"""Called for each file that was found, used or skipped."""


def recording_files(
    names: Sequence[str],
    subject: ExpectedSet,
    say: Say,
    note: Note,
    bounds: Bounds | None = None,
    find_copies: FindCopies = copies_among,
) -> dict[Path, bool]:
    """The files of the named recordings, or else those found for a set, without copies.

    Each with whether the user named it, so that it must be a recording.

    A dataset with responses comes first: it is its own recording. Raises `DocumentError` for a folder with too many
    files, and if the search is cancelled.
    """
    bounds = bounds or Bounds()
    if names:
        used = frozenset(map(os.path.realpath, names)) if len(names) > 1 else frozenset()
        files = [file for name in names for file in _named(name, used, subject.path, say, note, bounds)]
    else:
        files = _found(subject, say, note, bounds)
    first_at: dict[str, Path] = {}
    is_named: dict[Path, bool] = {}
    # Found twice, or as a copy, a file must be a recording if the user named it once.
    for path, was_named in files:
        note(session_file(path))
        first = first_at.setdefault(os.path.realpath(path), path)
        is_named[first] = was_named or is_named.get(first, False)
    paths = tuple(is_named)
    copies = [(paths[copy], paths[original]) for copy, original in sorted(find_copies(paths).items())]
    for copy, original in copies:
        is_named[original] |= is_named.pop(copy)
    if copies:
        say(copies_text(copies))
    # A search without names leaves out the traces of agents-cli that a result repeats, too.
    graded = graded_traces(path for path in is_named if not is_named[path]) if names else {}
    if graded:
        count, (trace, result) = len(graded), min(graded.items())
        are = "1 trace is" if count == 1 else f"{count:,} traces are"
        say(f"{are} part of a result, so each run counts once; the first is {trace}, in {result}")
    return {path: was_named for path, was_named in is_named.items() if path not in graded}


def _named(
    name: str, used: Container[str], own: Path | None, say: Say, note: Note, bounds: Bounds
) -> list[tuple[Path, bool]]:
    """The files of a named file or folder. `used` has the real paths of all names: such a file counts as used."""
    if is_remote(name) and not exists(Path(name)):
        # Without the address, which may have credentials.
        raise RecordingError(
            "-r: only `evaltui run` with --engine ray reads files of a store; for all else, copy them to this machine"
        )
    if name == STDIN or not is_folder(Path(name)):
        return [(Path(name), True)]
    search = recordings_in(Path(name), bounds)
    if used:
        search = search._replace(
            other_files=tuple(path for path in search.other_files if os.path.realpath(path) not in used)
        )
    search = _without_broken(search, say, note)
    advice = use_of_sets(search.other_files, own if search.paths else None, "-r ")
    if search.paths and search.other_files:
        say(f"{others_text(search.other_files, f'in {name}')}{advice}")
    for path in search.hidden_recordings:
        say(f"{path}: hidden files are skipped; to use it, give its file: -r {as_argument(str(path))}")
    if not search.paths:
        skipped = skipped_text(search.skipped)
        beside = f"; {others_text(search.other_files, 'in it')}" if search.other_files else ""
        database = next((path for path in search.other_files if is_database(path)), None)
        advice += f"; to use a session database, give its file: -r {database}" if database is not None else ""
        say(f"{name}: there is no recording in this folder{beside}{skipped}{advice}")
    return [(path, False) for path in search.paths]


def _found(subject: ExpectedSet, say: Say, note: Note, bounds: Bounds) -> list[tuple[Path, bool]]:
    if subject.path is None:
        return []
    # Named recordings need no settings, histories or agents.
    from evaltui.recordings.default_recordings import found_recordings, rivals_text  # noqa: PLC0415

    own = [subject.path] if subject.is_own_recording else []
    search = found_recordings(subject.path, subject.eval_set_id, bounds, is_dataset=subject.is_dataset)
    search = _without_broken(search, say, note)
    if search.other_files:
        say(others_text(search.other_files, "found without -r"))
    if search.rivals:
        say(" ".join(rivals_text(subject.path, subject.eval_set_id, search.rivals)))
    if search.outside:
        more = f" (and {len(search.outside) - 1} more)" if len(search.outside) > 1 else ""
        say(f"{min(search.outside)}{more}: outside the repository, so it is not used; name it with -r")
    return [(path, False) for path in (*own, *search.paths)]


def _without_broken(search: FoundRecordings, say: Say, note: Note) -> FoundRecordings:
    """The files that were found, without those whose text is broken; the first of these are named."""
    for path in (*search.other_files, *search.unused):
        note(path)
    looked_at = islice((path for path in search.other_files if path.suffix.lower() == ".json"), _MOST)
    # An empty one may be a recording that was lost.
    broken = {path: sentence for path in looked_at if (sentence := _explain_broken(path))}
    for sentence in islice(broken.values(), _NAMED):
        say(f"{sentence}; skipped")
    if (more := len(broken) - _NAMED) > 0:
        say(f"{files_text(more)} more with invalid JSON skipped")
    return search._replace(other_files=tuple(path for path in search.other_files if path not in broken))


def _explain_broken(path: Path) -> str:
    """A sentence about a file that is not JSON; "" for JSON, and for a large file."""
    try:
        data = unpacked_head(path, _LARGEST + 1)
    except RecordingError as error:
        return str(error)
    if len(data) > _LARGEST:
        return ""
    with suppress(ValueError):
        read_json(data.decode(json.detect_encoding(data)))
        return ""
    from evaltui.document.document import Document  # noqa: PLC0415 - nearly all files are JSON
    from evaltui.interop.document_texts import why_not_json  # noqa: PLC0415

    document = Document(data, path)
    return why_not_json(document, str(path)) if document.fault is not None else ""


def files_text(count: int) -> str:
    """A number of files: `1 file`, `2 files`."""
    return f"{count} file{'s' * (count != 1)}"
