"""Recordings kept by content: a file is read again only if its bytes differ, and its last good state is remembered."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from evaltui.document.disk.file_content import Fingerprint
from evaltui.file_access import exists, is_file, open_regular
from evaltui.files.file_contents import FileContents
from evaltui.files.file_signatures import WritePause
from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.json_documents import LEFT_OUT, KnownItems

OpenRecording = Callable[[Path, bool, KnownItems], Recording]
"""Opens a recording, given if a case of the set has several turns, and the known items. Raises `RecordingError`."""


@dataclass(slots=True)
class _Kept:
    """A file as it was read last."""

    recording: Recording | None = None
    """The last good state; None before the first."""
    content: Fingerprint | None = None
    items: KnownItems = field(default_factory=KnownItems)
    """Items of that state which need not be read again."""


class RecordingCache:
    """Opens recordings. If a file cannot be read any more, its last good state is used, and `troubles` reports it."""

    def __init__(self, open_: OpenRecording, rest: WritePause, contents: FileContents) -> None:
        """`open_` opens a recording from disk."""
        self._open, self._rest, self._contents = open_, rest, contents
        self._kept: dict[tuple[Path, bool], _Kept] = {}
        self._used: set[tuple[Path, bool]] = set()
        self.troubles: dict[Path, str] = {}
        """The unreadable files whose last good state is used, each with a sentence."""

    def begin(self) -> None:
        """Begin a new round of opening: forget the troubles of the last round, and the files that it did not open."""
        self._kept = {key: file for key, file in self._kept.items() if key in self._used}
        self._used, self.troubles = set(), {}

    def open(self, path: Path, multi_turn: bool) -> Recording:
        """The recording in a file. Raises `RecordingError` if it cannot be read and never could."""
        key = path, multi_turn
        self._used.add(key)
        file = self._kept.setdefault(key, _Kept())
        # Standard input and a pipe give their bytes only once.
        if str(path) == "-" or (exists(path) and not is_file(path)):
            if file.content is not None:
                return self._last_good(path, file, RecordingError(f"{path}: no longer a file"))
            file.recording = file.recording or self._open(path, multi_turn, file.items)
            return file.recording
        content = self._contents.of(path)
        if file.recording is None or content is None or content != file.content:
            last = None if file.items else file.recording  # equal items are the same objects without a comparison
            try:
                recording = self._open(path, multi_turn, file.items)
            except RecordingError as error:
                return self._last_good(path, file, error)
            if file.recording is not None and _ends_in_mid_line(path, recording):
                return self._last_good(path, file, RecordingError(f"{path}: the last line is incomplete"))
            if last is not None:  # conversations that stay equal stay the same objects, so comparing them is quick
                by_id = {conversation.id: conversation for conversation in last.conversations}
                pairs = [(by_id.get(conversation.id), conversation) for conversation in recording.conversations]
                same = tuple(old if old is not None and old == new else new for old, new in pairs)
                recording = replace(recording, conversations=same)
            file.recording, file.content = recording, content
        self._rest.forget(path)
        return file.recording

    def _last_good(self, path: Path, file: _Kept, error: RecordingError) -> Recording:
        rests = self._rest.is_at_rest(path, was_good=file.recording is not None)
        sentence = str(error) if rests else f"{path}: another program is writing this file; evaltui reads it again soon"
        if file.recording is None:
            raise RecordingError(sentence) from None
        self.troubles[path] = sentence
        return file.recording


def _ends_in_mid_line(path: Path, recording: Recording) -> bool:
    """Whether lines are unreadable and the last one has no end: another program may be writing the file."""
    if not any(LEFT_OUT in warning for warning in recording.warnings):
        return False
    with suppress(OSError), open_regular(path) as file:
        file.seek(-1, os.SEEK_END)
        return file.read() != b"\n"
    return False
