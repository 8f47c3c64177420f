"""Sources of recordings: the files that were read or could not be, and where each comes from."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.recording_search import HISTORY
from evaltui.runs.inputs import Read

Origin = Literal["named", "history", "settings", "added"]
"""How a file came to be used: named with -r, found in google-adk's history, by the project's settings, or added."""


class RecordingSource(NamedTuple):
    """A file of recordings."""

    path: Path
    origin: Origin
    recording: Recording | None = None
    """Its content; None if it could not be read, or was not since it is dropped."""
    trouble: str = ""
    """A sentence why it could not be read."""
    modified_at: float | None = None
    """The time of the file, in seconds since 1970; None if the system does not tell."""

    @property
    def is_unread(self) -> bool:
        """Whether nobody tried to read it yet."""
        return self.recording is None and not self.trouble


class SourceLog:
    """Notes each file while it is read; files that are dropped are noted and not read."""

    def __init__(self, open_recording: Callable[[Path, bool], Recording], drops: Callable[[Path], bool]) -> None:
        self.sources: dict[str, RecordingSource] = {}
        """By real path, in the order in which they were read first."""
        self.added: set[str] = set()
        """The names that a person added and that were looked at."""
        self._open = open_recording
        self._drops = drops

    def reading(self, origin: Origin | None) -> Read:
        """A function that opens recordings and notes them; without an origin, it follows from the path."""

        def read(path: Path, multi_turn: bool) -> Recording | None:
            whence = origin or ("history" if path.parent.parts[-2:] == HISTORY.parts else "settings")
            source = RecordingSource(path, whence, modified_at=_modified_at(path))
            self.note(source)
            if self._drops(path):
                return None
            try:
                recording = self._open(path, multi_turn)
            except RecordingError as error:
                self.note(source._replace(trouble=str(error)))
                raise
            self.note(source._replace(recording=recording))
            return recording

        return read

    def note(self, source: RecordingSource) -> None:
        """Take in a source. A file keeps its place and its first origin."""
        real = os.path.realpath(source.path)
        before = self.sources.get(real)
        self.sources[real] = source if before is None else source._replace(origin=before.origin)

    def note_refused(self, name: str, origin: Origin, trouble: str) -> None:
        """Note a file or folder that was named and could not be used, if reading it has not noted it already."""
        if not any(source.trouble == trouble for source in self.sources.values()):
            self.note(RecordingSource(Path(name), origin, trouble=trouble))


def _modified_at(path: Path) -> float | None:
    with suppress(OSError):
        return path.stat().st_mtime
    return None
