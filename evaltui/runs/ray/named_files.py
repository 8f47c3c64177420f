"""The files of recordings that a run on a cluster reads: local ones, and those in stores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from operator import attrgetter

from evaltui.evalset.expected_set import ExpectedSet
from evaltui.file_access import exists
from evaltui.files.session_source import is_remote, session_file
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.recording_copies import copies_text
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.recording_search import lost_text, others_text
from evaltui.runs.input_recordings import FindCopies, Note, Say, recording_files
from evaltui.runs.ray.store_files import ClusterFile, RemoteStorage
from evaltui.runs.recording_reader import batches_of
from evaltui.runs.run_options import RunOptions
from evaltui.runs.set_reader import STDIN

_TOGETHER = 4_000_000
"""The least bytes that one task reads."""
_MOST_TOGETHER = 64_000_000
"""The most bytes that one task reads, if its files are smaller."""
_MOST_FILES = 1000
"""The most files that one task reads."""
_TASKS = 2000
"""The number of tasks from which on each has more to do."""


NamedFiles = tuple[list[ClusterFile], list[RemoteStorage]]
"""The files of a set, numbered in the order of the command line, and the stores of remote ones."""


def file_batches(files: Sequence[ClusterFile]) -> Iterator[list[ClusterFile]]:
    """The files that one task reads together."""
    limit = min(max(_TOGETHER, sum(file.size for file in files) // _TASKS), _MOST_TOGETHER)
    most = min(max(100, len(files) // _TASKS), _MOST_FILES)
    return (batch for batch, _ in batches_of(files, attrgetter("size"), limit, most))


def usable_files(
    read: Mapping[int, ClusterFile], storages: Sequence[RemoteStorage], copies: Mapping[int, int], say: Say
) -> list[ClusterFile]:
    """The files, as they were `read`, that are recordings and no `copies`, in order; others are said.

    Raises `RecordingError` for a named file that cannot be used.
    """
    usable, files = [], [read[number] for number in sorted(read)]
    for storage, group in groupby(files, attrgetter("storage")):
        in_storage = [*group]
        if other_paths := [file.path for file in in_storage if file.is_other]:
            name, is_all = storages[storage].name, len(other_paths) == len(in_storage)
            say(f"{name}: there is no recording in this folder" if is_all else others_text(other_paths, f"in {name}"))
    if copies:
        say(copies_text([(read[copy].path, read[first].path) for copy, first in copies.items()]))
    for file in files:
        if file.error is not None and file.is_named:
            raise RecordingError(file.error)
        if file.error is not None:
            say(f"{file.error}; skipped")
        elif not file.is_other and file.number not in copies:
            usable.append(file)
    if sentence := lost_text((file.path, file.is_of_traces, file.lost) for file in files):
        say(sentence)
    return usable


def copies_in_stores(files: Mapping[int, ClusterFile]) -> dict[int, int]:
    """The number of each copy among the files of stores, with the number of the first file with its bytes."""
    firsts: dict[bytes, int] = {}
    digests = ((number, file.digest) for number, file in sorted(files.items()) if file.digest is not None)
    first_of = {number: firsts.setdefault(digest, number) for number, digest in digests}
    return {number: first for number, first in first_of.items() if number != first}


def files_for(options: RunOptions, subject: ExpectedSet, say: Say, note: Note, find_copies: FindCopies) -> NamedFiles:
    """The files of the named recordings, or else those found for a set, each once.

    Raises `RecordingError` for a store that cannot be read, and `DocumentError` for a folder with too many files.
    """
    named: list[ClusterFile] = []
    storages: list[RemoteStorage] = []
    seen: set[str] = set()
    if STDIN in options.recordings:
        raise RecordingError("recordings on standard input cannot be read with --engine ray; give a file")

    def add(file: ClusterFile, identity: str) -> None:
        if identity not in seen:
            seen.add(identity)
            named.append(file._replace(number=len(named)))

    for remote, names in groupby(options.recordings, is_remote) if options.recordings else [(False, iter(()))]:
        for storage in map(RemoteStorage, names if remote else ()):
            for file in storage.files():
                add(file._replace(storage=len(storages)), f"{storage.root} {file.name}")
            storages.append(storage)
        if remote:
            continue
        files = recording_files(list(names), subject, say, note, find_copies=find_copies)
        for path, is_named in files.items():
            if (real := os.path.realpath(path)) in seen:
                continue
            if is_named and not exists(session_file(path)):
                open_recording(path)  # raises its own sentence
            size = 0
            with suppress(OSError, ValueError):
                size = session_file(path).stat().st_size
            add(ClusterFile(str(path), size, is_named), real)
    return named, storages
