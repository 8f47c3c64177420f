"""Sources of recordings: the files that were read or could not be, and where each comes from."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from evaltui.files.session_source import session_source
from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.recording_search import HISTORY
from evaltui.runs.inputs import Read
from evaltui.runs.run_choices import RunChoices

Origin = Literal["named", "history", "settings", "added", "own"]
"""How a file came to be used: named with -r, found in google-adk's history, by the project's settings, or added.

`own` is a dataset that holds answers of an agent, and is scored against them.
"""


class RecordingSource(NamedTuple):
    """A file of recordings."""

    path: Path
    origin: Origin
    recording: Recording | None = None
    """Its content; None if it could not be read, or was not since it is dropped."""
    trouble: str = ""
    """A sentence why it cannot be read; if it has a recording, that is its last good state."""
    modified_at: float | None = None
    """The time of the file, in seconds since 1970; None if the system does not tell."""

    @property
    def is_unread(self) -> bool:
        """Whether nobody tried to read it yet."""
        return self.recording is None and not self.trouble


class SourceLog:
    """Notes each file while it is read; files that are dropped are noted and not read."""

    def __init__(
        self, open_recording: Callable[[Path, bool], Recording], choices: RunChoices, own: Path | None = None
    ) -> None:
        """`own` is the file that is scored."""
        self._own = own
        self.sources: dict[str, RecordingSource] = {}
        """By real path, in the order in which they were read first."""
        self._open = open_recording
        self._choices = choices

    @property
    def recordings(self) -> list[Recording]:
        """The recordings that were read."""
        return [each.recording for each in self.sources.values() if each.recording is not None]

    def lacks(self, choices: RunChoices) -> bool:
        """Whether other choices need a file that nobody read: one that was added, or dropped and is brought back."""
        is_added = any(name not in self._choices.added for name in choices.added)
        return is_added or any(each.is_unread and not choices.drops(each.path) for each in self.sources.values())

    def reading(self, origin: Origin | None) -> Read:
        """A function that opens recordings and notes them; without an origin, it follows from the path."""

        def read(path: Path, multi_turn: bool) -> Recording | None:
            """The recording in a file; None where it is dropped or known already. Raises `RecordingError`."""
            found: Origin = "history" if path.parent.parts[-2:] == HISTORY.parts else "settings"
            whence = origin or ("own" if path == self._own else found)
            source = RecordingSource(path, whence, modified_at=_modified_at(path))
            if os.path.realpath(path) in self.sources:  # named twice
                return None
            self._note(source)
            if self._choices.drops(path):
                return None
            try:
                recording = self._open(path, multi_turn)
            except RecordingError as error:
                self._note(source._replace(trouble=str(error)))
                raise
            self._note(source._replace(recording=recording))
            return recording

        return read

    def note_refused(self, name: str, origin: Origin | None, trouble: str) -> None:
        """Note a file or folder that was named and could not be used, if reading it has not noted it already."""
        if origin is not None and not any(source.trouble == trouble for source in self.sources.values()):
            self._note(RecordingSource(Path(name), origin, trouble=trouble))

    def note_outdated(self, troubles: Mapping[Path, str]) -> None:
        """Note why files cannot be read any more whose last good state counts."""
        for source in self.sources.copy().values():
            if source.path in troubles:
                self._note(source._replace(trouble=troubles[source.path]))

    def _note(self, source: RecordingSource) -> None:
        self.sources[os.path.realpath(source.path)] = source


def _modified_at(path: Path) -> float | None:
    with suppress(OSError):
        return session_source(path).file.stat().st_mtime
    return None
