"""The threads that read conversations for a screen, and the numbers of conversations read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from evaltui.document.node import Node
from evaltui.recordings.conversation import ConversationKey
from evaltui.recordings.known_cases import KnownCases
from evaltui.tui.recordings.conversation_reader import PORTION, ConversationReader, ReadReport
from evaltui.tui.recordings.conversation_sources import named_sources

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile

_GROUP = "conversations"


class ConversationsRead(Message):
    """The thread has read more."""

    def __init__(self, report: ReadReport, fault: Exception | None = None) -> None:
        """With a `fault`, an error of evaltui has ended the thread."""
        super().__init__()
        self.report, self.fault = report, fault


class ConversationReading:
    """Starts the threads, and counts conversations."""

    def __init__(self, file: OpenFile, screen: Screen[str], only: ConversationKey | None = None) -> None:
        """With `only`, just this conversation is read."""
        self._file, self._screen, self._only = file, screen, only
        self._running = 0
        """The number of running threads: one at first, and one for each added source."""
        self.added = file.chat_sources
        """Sources that the person added in this session."""
        self.counts: dict[Path, int] = {}
        """How many conversations each file has."""
        self._portions: dict[Path, int] = {}
        """The number of portions read of a file; 1 if the file is not listed."""

    @property
    def is_on(self) -> bool:
        """Whether any thread is reading."""
        return self._running > 0

    @property
    def has_more(self) -> bool:
        """Whether some source has conversations that were not read."""
        return self.unread > 0

    @property
    def unread(self) -> int:
        """How many conversations were not read yet."""
        return sum(max(0, count - self._read_of(path)) for path, count in self.counts.items())

    def _read_of(self, path: Path) -> int:
        """The number of conversations read of a file, unless it has fewer."""
        return self._portions.get(path, 1) * PORTION

    @property
    def total(self) -> int:
        """How many conversations all sources have."""
        return sum(self.counts.values())

    def begin(self) -> None:
        """Read the newest conversations of all sources."""
        facts, path = self._file.scores.facts, self._file.document.path
        if self._only is not None:
            self._start(ConversationReader([Path(self._only[0])], None, self._last_input))
            return
        named = named_sources(self._file.options.recordings, self._file.scorer.choices.added, facts)
        self._start(ConversationReader([*named, *self.added], path, self._last_input))

    def add(self, path: Path) -> None:
        """Read a file or folder, too."""
        self.added.append(path)
        self._start(ConversationReader([path], None, self._last_input))

    def read_more(self) -> None:
        """Read the next conversations of sources that have more."""
        large: dict[int, list[Path]] = {}
        for path, count in self.counts.items():
            if count > (read := self._read_of(path)):
                large.setdefault(read, []).append(path)
        for read, paths in large.items():
            self._portions |= dict.fromkeys(paths, read // PORTION + 1)
            self._start(ConversationReader(paths, None, self._last_input), read)

    def cancel(self) -> None:
        """End the threads."""
        self._running = 0
        self._screen.workers.cancel_group(self._screen, _GROUP)

    def take(self, report: ReadReport) -> None:
        """Keep what a report says about the sources."""
        self.counts |= report.counts
        for path in report.failed:  # so that the next key reads the failed portion again
            self._portions[path] = self._portions.get(path, 1) - 1
        self._running -= report.is_done

    def _last_input(self) -> float:
        return self._file.app.input_order.last_input

    def _start(self, reader: ConversationReader, skipped: int = 0) -> None:
        eval_set = self._file.eval_set
        sources = [case.source() for case in eval_set.cases] if eval_set is not None else []
        only = self._only[1] if self._only is not None else None

        def read() -> None:
            worker = get_current_worker()
            try:
                known = KnownCases(map(Node, sources))
                for report in reader.read(known, lambda: worker.is_cancelled, PORTION, skipped, only):
                    if worker.is_cancelled:
                        return
                    self._screen.post_message(ConversationsRead(report))
            except Exception as error:  # an error of evaltui must not end the session
                said = f"Not all conversations were read: internal error ({type(error).__name__})."
                self._screen.post_message(ConversationsRead(ReadReport(troubles=[said], is_done=True), error))

        self._running += 1
        self._screen.run_worker(read, thread=True, group=_GROUP)
