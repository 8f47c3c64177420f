"""The files of recordings that a run on a cluster reads: local ones, and those in stores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from evaltui.evalset.expected_set import ExpectedSet
from evaltui.file_access import exists
from evaltui.files.session_source import session_source
from evaltui.files.store_path import is_remote, named_path
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.recording_copies import copies_text
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.recording_search import lost_text, others_text
from evaltui.runs.input_recordings import FindCopies, FoundFile, Note, Say, recording_files
from evaltui.runs.ray.recording_tasks import FileFacts, FileToRead
from evaltui.runs.ray.store_files import RemoteStorage
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


@dataclass(slots=True)
class NamedFiles:
    """The files of a set, in the order of the command line."""

    files: list[FileToRead] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    """In bytes, by the number of the file; 0 if unknown."""
    must_read: set[int] = field(default_factory=set)
    """The numbers of files that the user named: each must be a recording."""
    listings: list[tuple[str, range]] = field(default_factory=list)
    """Folders and globs in a store, with the numbers of their files."""
    storages: list[RemoteStorage] = field(default_factory=list)

    def add(self, file: FileToRead, size: int, *, is_named: bool) -> None:
        """Add a file, which gets the next number."""
        number = len(self.files)
        self.files.append(file._replace(number=number))
        self.sizes.append(size)
        if is_named:
            self.must_read.add(number)

    def path(self, number: int) -> Path:
        """The path of a file, as reports name it."""
        return named_path(self.files[number].name)

    def batches(self) -> Iterator[list[FileToRead]]:
        """The files that one task reads together."""
        limit = min(max(_TOGETHER, sum(self.sizes) // _TASKS), _MOST_TOGETHER)
        most = min(max(100, len(self.files) // _TASKS), _MOST_FILES)
        return (batch for batch, _ in batches_of(self.files, lambda file: self.sizes[file.number], limit, most))

    def usable(self, facts: Mapping[int, FileFacts], say: Say) -> list[FileFacts]:
        """The facts of the files that are recordings, in order; others are said.

        Raises `RecordingError` for a named file that cannot be used.
        """
        for name, numbers in self.listings:
            other_paths = [self.path(number) for number in numbers if facts[number].is_other]
            if len(other_paths) == len(numbers):
                say(f"{name}: there is no recording in this folder")
            elif other_paths:
                say(others_text(other_paths, f"in {name}"))
        copies = self.copies(facts)
        if copies:
            say(copies_text([(self.path(copy), self.path(first)) for copy, first in copies.items()]))
        usable, files = [], [facts[number] for number in sorted(facts)]
        for file in files:
            if file.error is not None and file.number in self.must_read:
                raise RecordingError(file.error)
            if file.error is not None:
                say(f"{file.error}; skipped")
            elif not file.is_other and file.number not in copies:
                usable.append(file)
        if sentence := lost_text((self.path(file.number), file.is_of_traces, file.lost) for file in files):
            say(sentence)
        return usable

    @staticmethod
    def copies(facts: Mapping[int, FileFacts]) -> dict[int, int]:
        """The number of each copy among the files of stores, with the number of the first file with its bytes."""
        firsts: dict[bytes, int] = {}
        digests = (
            (number, file_facts.digest) for number, file_facts in sorted(facts.items()) if file_facts.digest is not None
        )
        first_of = {number: firsts.setdefault(digest, number) for number, digest in digests}
        return {number: first for number, first in first_of.items() if number != first}


def files_for(options: RunOptions, subject: ExpectedSet, say: Say, note: Note, find_copies: FindCopies) -> NamedFiles:
    """The files of the named recordings, or else those found for a set, each once.

    Raises `RecordingError` for a store that cannot be read, and `DocumentError` for a folder with too many files.
    """
    named_files, seen = NamedFiles(), set[str]()
    if STDIN in options.recordings:
        raise RecordingError("recordings on standard input cannot be read with --engine ray; give a file")
    for remote, names in groupby(options.recordings, is_remote) if options.recordings else [(False, iter(()))]:
        if remote:
            for name in names:
                _add_remote(name, named_files, seen)
            continue
        for file in recording_files(list(names), subject, say, note, find_copies=find_copies):
            _add_local(file, named_files, seen)
    return named_files


def _add_local(file: FoundFile, named_files: NamedFiles, seen: set[str]) -> None:
    real = os.path.realpath(file.path)
    if real in seen:
        return
    seen.add(real)
    if file.is_named and not exists(session_source(file.path).file):
        open_recording(file.path)  # raises its own sentence
    size = 0
    with suppress(OSError, ValueError):
        size = session_source(file.path).file.stat().st_size
    named_files.add(FileToRead(0, str(file.path), is_seen=size > 0), size, is_named=file.is_named)


def _add_remote(name: str, named_files: NamedFiles, seen: set[str]) -> None:
    storage = RemoteStorage(name)
    start, number = len(named_files.files), len(named_files.storages)
    named_files.storages.append(storage)
    is_listed = False
    for remote_file in storage.files():
        is_listed = remote_file.is_listed
        identity = f"{storage.root} {remote_file.name}"
        if identity not in seen:
            seen.add(identity)
            named_files.add(
                FileToRead(0, remote_file.name, number, is_listed), remote_file.size, is_named=not remote_file.is_listed
            )
    if is_listed:
        named_files.listings.append((storage.name, range(start, len(named_files.files))))
