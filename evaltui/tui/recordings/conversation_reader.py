"""Reads the conversations of several sources in a thread, batch by batch, the newest of each source first."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.recordings.conversation import RecordingError
from evaltui.tui.recordings.conversation_sources import files_of, sources_near
from evaltui.tui.recordings.found_conversations import FoundConversation, found_conversation

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Conversation
    from evaltui.recordings.known_cases import KnownCases

PORTION = 1_000
"""Conversations of one source that are read at first, and with each key press for more."""
_OFTEN = 0.1
"""Seconds between two reports."""
_AFTER_KEY, _PAUSE = 0.05, 0.005
"""Seconds after a key in which the thread pauses, so that the screen is drawn first."""

Rests = Callable[[], float]
"""When the last key came, by `time.monotonic`."""


@dataclass(slots=True, eq=False)
class ReadReport:
    """The conversations that a reader has found since its last report."""

    found: list[FoundConversation] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    """A sentence for each source or conversation that cannot be used."""
    counts: dict[Path, int] = field(default_factory=dict)
    """Number of conversations in each source, read or not."""
    failed: list[Path] = field(default_factory=list)
    """Files that were read only in part."""
    apps: frozenset[str] = frozenset()
    """The apps that the cases of the set name."""
    is_done: bool = False


class ConversationReader:
    """Finds the sources and reads their conversations. Safe in a thread: it touches no screen."""

    def __init__(self, named: Iterable[Path], eval_set: Path | None, last_input: Rests = lambda: 0.0) -> None:
        """`named` are files and folders to read in addition to the sources near `eval_set`."""
        self._named, self._eval_set, self._last_input = [*named], eval_set, last_input
        self.files: list[Path] = []
        """The files of all sources, once they are found."""
        self._troubles: list[str] = []
        self._failed: list[Path] = []
        self._counts: dict[Path, int] = {}
        self._apps: frozenset[str] = frozenset()

    def read(
        self,
        known: KnownCases,
        is_cancelled: Callable[[], bool],
        most: int = PORTION,
        skipped: int = 0,
        only: str | None = None,
    ) -> Iterator[ReadReport]:
        """Report conversations as they are found: at most `most` of each source, without the `skipped` newest ones.

        `known` are the cases of the set. With `only`, report just the conversation with this id.
        """
        self._apps = frozenset(known.apps)
        reported = 0.0  # the first conversation is reported at once
        found: list[FoundConversation] = []
        self._find()
        for path in self.files:
            for conversation in self._conversations(path, most, skipped, only):
                if only not in (None, conversation.id):
                    continue
                found.append(found_conversation(conversation, known.known_as(conversation)))
                if is_cancelled():
                    return
                self._rest(is_cancelled)
                if time.monotonic() - reported > _OFTEN:
                    yield self._report(found)
                    found, reported = [], time.monotonic()
        yield self._report(found, is_done=True)

    def _report(self, found: list[FoundConversation], *, is_done: bool = False) -> ReadReport:
        troubles, self._troubles = self._troubles, []
        failed, self._failed = self._failed, []
        return ReadReport(found, troubles, {**self._counts}, failed, self._apps, is_done)

    def _find(self) -> None:
        self.files = []
        try:
            for path in files_of([*self._named, *sources_near(self._eval_set, self._apps)]):
                self.files.append(path)
        except DocumentError as error:
            self._troubles.append(str(error))

    def _conversations(self, path: Path, most: int, skipped: int, only: str | None) -> Iterator[Conversation]:
        """The conversations of a file. Errors go into the next report."""
        from evaltui.recordings.conversation_list import ConversationList

        try:
            source = ConversationList(path, only)
            self._counts[path] = source.count
            for batch in source.batches(most, skipped):
                yield from batch
        except RecordingError as error:
            self._troubles.append(str(error))
            self._failed.append(path)
        else:
            self._troubles += source.warnings

    def _rest(self, is_cancelled: Callable[[], bool]) -> None:
        """Pause after a key, so that its frame is drawn: this thread would hold the interpreter."""
        while time.monotonic() - self._last_input() < _AFTER_KEY and not is_cancelled():
            time.sleep(_PAUSE)
