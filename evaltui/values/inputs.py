"""Files of recordings, and their conversations without a case, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evaltui.recordings.case_matches import Unmatched
from evaltui.recordings.conversation import Recording


@dataclass(frozen=True)
class RecordingFile:
    """A file of recorded conversations."""

    path: str
    format: str
    """`adk_result`, `jaeger`, `otlp`, `tempo`, `evaluation_dataset`, `eval_set`, `adk_session` or `adk_session_db`."""
    conversations: int
    """The number of its conversations."""
    warnings: tuple[str, ...]
    """A sentence for each part of the file that cannot be used."""

    def as_dict(self) -> dict[str, Any]:
        """An item of `recordings` in the JSON of `evaltui run`."""
        return {
            "path": self.path,
            "format": self.format,
            "conversations": self.conversations,
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True)
class UnmatchedConversation:
    """A recorded conversation that belongs to no case."""

    path: str
    id: str
    reason: str

    def as_dict(self) -> dict[str, Any]:
        """An item of `unmatched_recordings` in the JSON of `evaltui run`."""
        return {"path": self.path, "id": self.id, "reason": self.reason}


def shown_file(recording: Recording) -> RecordingFile:
    """A file of recordings."""
    count = len(recording.conversations)
    return RecordingFile(str(recording.path), recording.format, count, recording.warnings)


def shown_unmatched(unmatched: Unmatched) -> UnmatchedConversation:
    """A conversation without a case."""
    conversation = unmatched.conversation
    return UnmatchedConversation(str(conversation.path), conversation.id, unmatched.reason)
