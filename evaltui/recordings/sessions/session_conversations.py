"""Conversations of a session database: all of them, or one that is named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

from evaltui.files.session_source import SessionSource
from evaltui.printable import one_line
from evaltui.recordings.conversation import Conversation, Recording, RecordingError
from evaltui.recordings.recording_bytes import Progress
from evaltui.recordings.sessions.session import conversation_of_session
from evaltui.recordings.sessions.session_database import SessionDatabase, SessionKey

_BATCH = 20
_NEAR = 3
_LOOKED_AT = 2_000
_SHOWN = 100


class DatabaseConversations:
    """The conversations of a session database, last changed first."""

    def __init__(self, source: SessionSource, progress: Progress | None = None) -> None:
        """Raises `RecordingError`, also for a session that is not there."""
        self.source = source
        self._progress = progress or (lambda _: None)
        self._database = SessionDatabase(source.file)
        self.keys = self._database.keys
        self.warnings = self._database.warnings
        """A warning for each thing that could not be used."""
        self._share = 0
        """The estimated bytes of the file per session."""
        with suppress(OSError):
            self._share = source.file.stat().st_size // max(len(self.keys), 1)
        if source.session_id is not None:
            self.keys = [self._wanted(source.session_id)]

    def batches(
        self, most: int | None = None, *, skipped: int = 0, with_details: bool = False
    ) -> Iterator[list[Conversation]]:
        """At most `most` conversations after the `skipped` newest ones. Raises `RecordingError`."""
        conversations = (
            conversation_of_session(each, self.source.file, self.warnings, with_details=with_details)
            for each in self._database.sessions(self.keys[skipped:][:most])
        )
        while some := list(islice(conversations, _BATCH)):
            self._progress(self._share * len(some))
            yield some

    def choose(self, names: Iterable[str]) -> None:
        """Keep only the sessions with these names, as far as there are any."""
        self.keys = list(dict.fromkeys(self._chosen(name, keys) for name in names if (keys := self._named(name))))

    def _wanted(self, name: str) -> SessionKey:
        if keys := self._named(name):
            return self._chosen(name, keys)
        near = _near(name, [key.id for key in self.keys])
        said = f"; similar ids: {', '.join(near)}" if near else ""
        raise RecordingError(f"{self.source.file}: there is no session {_shown(name)}{said}")

    def _named(self, name: str) -> list[SessionKey]:
        """The sessions with this id, `USER/ID` or `APP/USER/ID`."""
        return [key for key in self.keys if name in (key.id, f"{key.user_id}/{key.id}", key.full_name)]

    def _chosen(self, name: str, keys: Sequence[SessionKey]) -> SessionKey:
        """The last changed of several sessions with one name."""
        if len(keys) > 1:
            others = ", ".join(_shown(f"#{key.full_name}") for key in keys[1:][:_NEAR])
            self.warnings.append(
                f"{len(keys)} sessions have the id {_shown(name)}. evaltui uses the one that changed last, "
                f"{_shown(keys[0].full_name)}. To use another session, give {others}"
            )
        return keys[0]


def open_session_database(
    source: SessionSource, name: Path, progress: Progress | None = None, *, with_details: bool = False
) -> Recording:
    """The recording of a database, or of one of its sessions; people know it as `name`. Raises `RecordingError`."""
    found = DatabaseConversations(source, progress)
    conversations = [each for batch in found.batches(with_details=with_details) for each in batch]
    warnings = [*found.warnings] or ([] if conversations else ["the database has no sessions"])
    return Recording(name, "adk_session_db", tuple(conversations), tuple(warnings))


def _near(name: str, ids: Sequence[str]) -> list[str]:
    """Ids that begin like this name, or else look like it; all ids if there are few."""
    found = [each for each in ids if name and each.startswith(name)][:_NEAR]
    if not found:
        shown = [each[:_SHOWN] for each in ids[:_LOOKED_AT]]
        found = get_close_matches(name[:_SHOWN], shown, _NEAR)
    if not found and len(ids) <= _NEAR:
        found = list(ids)
    return list(map(_shown, found))


def _shown(name: str) -> str:
    return one_line(name, _SHOWN)
