"""The conversations of one source with all that cases are made of, the newest first, read a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evaltui.recordings.conversation import Conversation, RecordingFormat
from evaltui.recordings.recording_file import open_recording


class ConversationList:
    """The conversations of a file, each with its details."""

    def __init__(self, path: Path, session_id: str | None = None) -> None:
        """With `session_id` only this session of a database. Raises `RecordingError`."""
        self._recording = open_recording(path)
        self.path = path
        self.session_id = session_id
        self.format: RecordingFormat = self._recording.format
        self.count = len(self._recording.conversations)
        """How many conversations the source has, read or not."""
        self.warnings: tuple[str, ...] = self._recording.warnings
        """A sentence for each thing that could not be used, as far as the source has been read."""

    def batches(self, most: int | None = None) -> Iterator[list[Conversation]]:
        """The newest conversations first, at most so many; a batch takes a few milliseconds.

        Raises `RecordingError` where the source cannot be read any more.
        """
        yield list(self._recording.conversations)[:most]
