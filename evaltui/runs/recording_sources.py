"""Sources of recordings: files that were read, dropped or unreadable, and the origin of each."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from evaltui.document.disk.file_content import Fingerprint
from evaltui.files.session_source import is_database, session_file
from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.recording_copies import copies_text
from evaltui.recordings.recording_search import HISTORY, unread_recording
from evaltui.runs.run_cache import RunCache
from evaltui.runs.run_options import RunChoices
from evaltui.settings.project_settings import project_settings

Origin = Literal["named", "history", "artifacts", "settings", "added", "own"]
"""The origin of a file: named with -r, by google-adk or agents-cli, from the project settings, or added in the app.

`own` is a dataset with responses of an agent: it is its own recording.
"""


class RecordingSource(NamedTuple):
    """A file of recordings."""

    path: Path
    origin: Origin
    recording: Recording | None = None
    """Its content; None if it is unreadable or dropped."""
    trouble: str = ""
    """A sentence why it cannot be read. `recording` is then its last good state, if there is one."""
    modified_at: float | None = None
    """The modification time of the file, in seconds since 1970; None if unknown."""


class SourceLog:
    """Logs each file while it is read. Dropped files are logged but not read."""

    def __init__(self, cache: RunCache, choices: RunChoices, own: Path | None, *, multi_turn: bool) -> None:
        """`own` is the file that is scored."""
        self._cache, self._choices, self._own = cache, choices, own
        self.multi_turn = multi_turn
        """Whether the traces of one conversation are joined, because a case has several turns."""
        self.troubles: list[str] = []
        """Sentences about named inputs that cannot be used."""
        self.skipped: list[str] = []
        """Sentences about other inputs that were skipped."""
        self._first_with: dict[Fingerprint, Path] = {}
        self.sources: dict[str, RecordingSource] = {}
        """By real path, in the order of the first read."""
        self.unread: list[Recording] = []
        """The places of unreadable files that may have spans of traces in other files."""

    @property
    def recordings(self) -> list[Recording]:
        """The recordings that were read."""
        return [source.recording for source in self.sources.values() if source.recording is not None]

    @property
    def outdated(self) -> dict[Path, str]:
        """Recordings that can no longer be read, with the reason. Their last good state counts."""
        read = (source for source in self.sources.values() if source.recording is not None)
        return {source.path: source.trouble for source in read if source.trouble}

    def lacks(self, choices: RunChoices) -> bool:
        """Whether other choices need a file that was not read: an added file, or a dropped file that is restored."""
        is_added = any(name not in self._choices.added for name in choices.added)
        unread = (source.path for source in self.sources.values() if source.recording is None and not source.trouble)
        return is_added or not all(map(choices.drops, unread))

    def read(self, origin: Origin | None, path: Path) -> Recording | None:
        """The recording in a file; None if it is dropped or already read. Without an origin, the path determines it.

        Raises `RecordingError`.
        """
        source = RecordingSource(path, origin or self._origin_of(path))
        with suppress(OSError):
            source = source._replace(modified_at=session_file(path).stat().st_mtime)
        if os.path.realpath(path) in self.sources or self._is_copy(path):  # named twice
            return None
        self._note(source)
        if self._choices.drops(path):
            return None
        try:
            recording = self._cache.recordings.open(path, self.multi_turn)
        except RecordingError as error:
            self._note(source._replace(trouble=str(error)))
            if (unread := unread_recording(path)) is not None:
                self.unread.append(unread)
            raise
        self._note(source._replace(recording=recording, trouble=self._cache.recordings.troubles.get(path, "")))
        return recording

    def _origin_of(self, path: Path) -> Origin:
        if self._own is None or path == self._own:
            return "own"
        if project_settings(self._own.parent).recordings:
            return "settings"
        return "history" if path.parent.parts[-2:] == HISTORY.parts else "artifacts"

    def _is_copy(self, path: Path) -> bool:
        """Whether a file is a copy of one that was found under another name; other copies are left out before."""
        is_of_database = is_database(session_file(path))  # two names may be two sessions of it
        content = self._cache.contents.of(path) if not is_of_database else None
        first = self._first_with.setdefault(content, path) if content is not None else path
        if first != path:
            self.skipped.append(copies_text([(path, first)]))
        return first != path

    def note_refused(self, name: str, origin: Origin | None, trouble: str) -> None:
        """Log a named file or folder that could not be used, as a source unless reading it has logged it."""
        self.troubles.append(trouble)
        if origin is not None and not any(source.trouble == trouble for source in self.sources.values()):
            self._note(RecordingSource(Path(name), origin, trouble=trouble))

    def _note(self, source: RecordingSource) -> None:
        self.sources[os.path.realpath(source.path)] = source
