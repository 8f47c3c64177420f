"""Recordings kept by content: a file is read again only if its bytes differ, and its last good state is remembered."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from evaltui.document.disk.file_content import Fingerprint
from evaltui.file_access import exists, is_file, open_regular
from evaltui.files.file_contents import FileContents
from evaltui.files.file_rest import FileRest
from evaltui.recordings.conversation import Conversation, Recording, RecordingError
from evaltui.recordings.json_documents import LEFT_OUT, KnownItems

OpenRecording = Callable[[Path, bool, KnownItems], Recording]
"""Opens a recording, given if a case of the set has several turns, and the known items. Raises `RecordingError`."""


@dataclass(slots=True)
class _Kept:
    """A file as it was read last."""

    recording: Recording | None = None
    """The last good state; None before the first."""
    content: Fingerprint | None = None
    """The content of that state."""
    items: KnownItems = field(default_factory=KnownItems)
    """Items of that state which need not be read again."""


class RecordingCache:
    """Opens recordings. If a file cannot be read any more, its last good state is used, and `troubles` reports it."""

    def __init__(self, open_: OpenRecording, rest: FileRest, contents: FileContents) -> None:
        """`open_` opens a recording from disk."""
        self._open, self._rest, self._contents = open_, rest, contents
        self._kept: dict[tuple[Path, bool], _Kept] = {}
        self._used: set[tuple[Path, bool]] = set()
        self.troubles: dict[Path, str] = {}
        """The unreadable files whose last good state is used, each with a sentence."""

    def begin(self) -> None:
        """Begin a new round of opening: forget the troubles of the last round, and the files that it did not open."""
        self._kept = {key: kept for key, kept in self._kept.items() if key in self._used}
        self._used, self.troubles = set(), {}

    def open(self, path: Path, multi_turn: bool) -> Recording:
        """The recording in a file. Raises `RecordingError` if it cannot be read and never could."""
        key = path, multi_turn
        self._used.add(key)
        kept = self._kept.setdefault(key, _Kept())
        if _gives_itself_once(path):
            if kept.content is not None:
                return self._last_good(path, kept, RecordingError(f"{path}: no longer a file"))
            kept.recording = kept.recording or self._open(path, multi_turn, kept.items)
            return kept.recording
        content = self._contents.of(path)
        if kept.recording is None or content is None or content != kept.content:
            before = None if kept.items else kept.recording  # equal items are the same objects without a comparison
            try:
                recording = self._open(path, multi_turn, kept.items)
            except RecordingError as error:
                return self._last_good(path, kept, error)
            if kept.recording is not None and _ends_in_mid_line(path, recording):
                return self._last_good(path, kept, RecordingError(f"{path}: the last line is incomplete"))
            kept.recording, kept.content = _joined(before, recording), content
        self._rest.forget(path)
        return kept.recording

    def _last_good(self, path: Path, kept: _Kept, error: RecordingError) -> Recording:
        rests = self._rest.is_at_rest(path, was_good=kept.recording is not None)
        said = str(error) if rests else f"{path}: another program is writing this file; evaltui reads it again soon"
        if kept.recording is None:
            raise RecordingError(said) from None
        self.troubles[path] = said
        return kept.recording


def _ends_in_mid_line(path: Path, recording: Recording) -> bool:
    """Whether lines are unreadable and the last line has no line end: another program may be writing the file."""
    if not any(LEFT_OUT in each for each in recording.warnings):
        return False
    try:
        with open_regular(path) as file:
            file.seek(-1, os.SEEK_END)
            return file.read() != b"\n"
    except OSError:
        return False


def _gives_itself_once(path: Path) -> bool:
    """Whether a path is standard input or a pipe, which can be read only once."""
    return str(path) == "-" or (exists(path) and not is_file(path))


def _joined(before: Recording | None, now: Recording) -> Recording:
    """The new state of a recording; conversations that stay equal stay the same objects, so comparing them is quick."""
    if before is None:
        return now
    known = {each.id: each for each in before.conversations}
    return replace(now, conversations=tuple(_same(known.get(each.id), each) for each in now.conversations))


def _same(before: Conversation | None, now: Conversation) -> Conversation:
    return before if before is not None and before == now else now
