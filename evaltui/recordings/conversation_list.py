"""The conversations of one source, from which cases are made: newest first, read one after another."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from evaltui.files.session_source import is_database, session_source
from evaltui.recordings.conversation import Conversation, Recording, RecordingFormat
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.sessions.session_database import SessionDatabase


class ConversationList:
    """The conversations of a file, each with the invocations of its turns."""

    def __init__(self, path: Path, session_id: str | None = None) -> None:
        """With `session_id` only this session of a database, as with `#ID` behind the path. Raises `RecordingError`.

        Other files than databases are read at once and whole; traces of one conversation are taken together.
        """
        self._database: SessionDatabase | None = None
        self.recording: Recording | None = None
        """The file; None for a database."""
        self.path, self.session_id = session_source(path) if session_id is None else (path, session_id)
        if is_database(self.path):
            self._database = SessionDatabase(self.path, self.session_id)
            self.format: RecordingFormat = "adk_session_db"
            self.count = len(self._database.sessions)
            """The number of conversations in the source, read or not."""
        else:
            self.recording = open_recording(path, multi_turn=True, for_cases=True)
            self.format = self.recording.format
            self.count = len(self.recording.conversations)

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence for each thing that could not be used, as far as the source has been read."""
        source = self._database or self.recording
        return tuple(source.warnings) if source is not None else ()

    def choose(self, names: Iterable[str]) -> None:
        """Keep only these sessions of a database that was named without one; an unknown name is left out."""
        if self._database is not None and self.session_id is None:
            self._database.choose(names)
            self.count = len(self._database.sessions)

    def conversations(self, most: int | None = None, skipped: int = 0) -> Iterable[Conversation]:
        """At most `most` conversations, newest first, without the `skipped` newest. Raises `RecordingError`."""
        if self._database is not None:
            return self._database.conversations(most, skipped=skipped, for_cases=True)
        # A conversation without a time counts as the oldest.
        conversations = [*self.recording.conversations] if self.recording is not None else []
        conversations.sort(key=lambda read: (read.recorded_at is not None, read.recorded_at or 0.0), reverse=True)
        return conversations[skipped:][:most]
