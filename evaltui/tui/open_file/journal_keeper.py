"""The journal of a session: a timer looks for unsaved steps and a thread writes them, so no key waits for the disk."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_state_path

from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.journals.journal import Journal, JournalError
from evaltui.document.journals.recovery import journals_of
from evaltui.document.journals.redo_log import RedoLog
from evaltui.printable import write_line
from evaltui.tui.open_file.drafts import drafts_as_data

if TYPE_CHECKING:
    from evaltui.tui.open_file.edited_document import EditedDocument
    from evaltui.tui.open_file.left_work import LeftWork

INTERVAL = 0.4
"""Seconds between two looks. With the time to write and sync, the disk is less than one second behind."""


def journal_folder() -> Path:
    """The folder of journals."""
    return user_state_path("evaltui") / "journals"


class JournalKeeper:
    """Keeps the journal of a document. Call all methods in the event loop; the thread only writes batches."""

    def __init__(
        self, file: EditedDocument, journal: Journal, works: Sequence[LeftWork] = (), problem: str = ""
    ) -> None:
        """`works` is unsaved work of killed processes; `problem` says why the journal could not be started."""
        self.file = file
        self.left = list(works)
        self.problem = problem
        """Why the journal cannot be written now; "" if it can."""
        self._journal = journal
        self._thread = ThreadPoolExecutor(1, "journal")  # one thread, so batches are written in their order
        self._writing: Future[None] | None = None
        self._document: Document | None = None
        self._number = self._generation = 0
        self._drafts: list[dict[str, Any]] = []
        self._trial: dict[str, Any] = {}
        self._left_out: Sequence[bytes | None] = ()
        self._incomplete = bool(problem)
        """Whether the whole journal must be written again."""
        file.journal = self
        self._log()

    @property
    def is_idle(self) -> bool:
        """Whether the thread has written everything that it was given."""
        return self._writing is None or self._writing.done()

    def look(self) -> None:
        """Give the steps that are not on disk yet to the thread."""
        if self.is_idle:
            self._take_in()
            if (write := self._next_write()) is not None:
                self._writing = self._thread.submit(write)

    def flush(self) -> bool:
        """Write everything to disk before returning; True if there is unsaved work and all of it is on disk."""
        for _ in range(2):  # first the batch in progress, then the steps made meanwhile
            self._take_in()
            self.look()
        self._take_in()
        return self.file.has_unsaved and not self.problem

    def end(self, *, keeps: bool) -> bool:
        """End the journal. If it `keeps` unsaved work, that is offered next time; returns whether it will be."""
        is_kept = keeps and self.flush()
        self._thread.shutdown()
        if keeps and self.file.has_unsaved:  # closing unlocks it: the next process takes it for left work
            self._journal.close()
        else:
            self._journal.remove()
        for work in self.left:
            work.journal.release()
        return is_kept

    def move(self) -> None:
        """Start a new journal: the document now belongs to another file."""
        self._take_in()
        path = self.file.document.path
        assert path is not None
        # The old file was left as it was last saved, so nothing of it needs to be restored.
        self._journal.remove()
        self._journal, self._incomplete = Journal(path, self._journal.folder), True
        try:
            self._journal.start()
        except JournalError as error:
            self.problem = str(error)

    def announce_save(self, data: bytes) -> Future[None]:
        """Announce a save of `data`: if the process is killed in between, a recovery knows the saved file.

        The thread that saves must wait for the returned future.
        """
        self._take_in()
        self.look()
        return self._thread.submit(self._journal.announce_save, data)

    def _next_write(self) -> Callable[[], None] | None:
        """Writes the steps that are not on disk yet; None if there are none."""
        log = self._log()
        if log is None:
            return None
        document, saving = self.file.document, self.file.saving is not None
        # During a save the file may still fail to be written, so the steps stay in the journal until it ends.
        if log.groups and not document.is_dirty and not saving:
            log.clear()
        drafts = drafts_as_data(self.file.drafts)
        # A rewritten journal would lose the announcement of a save, so a mere clean-up waits for the end of the save.
        rewrites = self._journal.wants_rewriting and not saving
        is_whole = self._incomplete or log.generation != self._generation or rewrites
        groups = tuple(log.groups if is_whole else log.after(self._number))
        has_drafts = drafts != self._drafts or (is_whole and bool(drafts))
        trial = self.file.trial_in_use.as_data() if self.file.trial_in_use is not None else {}
        has_trial = trial != self._trial or (is_whole and bool(trial))
        left_out = document.history.left_out or ()
        has_left_out = left_out != self._left_out or (is_whole and bool(left_out))
        if not (is_whole or groups or has_drafts or has_trial or has_left_out):
            return None
        self._number = log.groups[-1].number if log.groups else self._number
        self._generation, self._drafts, self._trial, self._left_out = log.generation, drafts, trial, left_out
        return partial(
            self._journal.write,
            groups,
            document.on_disk,
            document.saved_bytes,
            is_whole=is_whole,
            drafts=drafts if has_drafts else None,
            trial=trial if has_trial else None,
            left_out=left_out if has_left_out else None,
        )

    def _log(self) -> RedoLog | None:
        """The redo log of the document; a new log if a restore has replaced the document."""
        document = self.file.document
        log = document.keep_log()
        if document is not self._document:
            self._incomplete = self._incomplete or self._document is not None
            self._document, self._number = document, 0
            self._generation = log.generation if log else 0
        return log

    def _take_in(self) -> None:
        """Wait for the last batch and note whether it was written."""
        if self._writing is None:
            return
        error = self._writing.exception()
        self._writing = None
        self._incomplete = error is not None
        if error is None:
            self.problem = ""
        elif isinstance(error, JournalError):
            self.problem = str(error)
        else:  # a bug in the journal must not end the session that it protects
            self.problem = f"the journal cannot be written: {error!r}"


def start_journal(file: EditedDocument) -> str:
    """Start the journal of a file; returns a notice about other processes or why there is no journal."""
    document = file.document
    assert document.path is not None
    journal = Journal(document.path, journal_folder())
    try:
        processes, journals = journals_of(document.path, journal_folder())
        journal.start()
    except DocumentError as error:
        JournalKeeper(file, journal, problem=str(error))
        return f"no journal of unsaved changes: {error}"
    works: Sequence[LeftWork] = ()
    if journals:
        from evaltui.tui.open_file.left_work import left_work

        works = left_work(journals, document)
    JournalKeeper(file, journal, works)
    names = []
    for process, seconds in processes:
        started = datetime.fromtimestamp(seconds)
        day = "" if started.date() == datetime.now().date() else f"{started:%Y-%m-%d} "
        names.append(f"process {process} since {day}{started:%H:%M}")
    return f"also open in another evaltui: {', '.join(names)}" if names else ""


def has_left_work(document: Document) -> bool:
    """Whether a killed process left unsaved work on a file. It is offered before the file is shown."""
    assert document.path is not None
    try:
        _, journals = journals_of(document.path, journal_folder())
    except DocumentError:
        return False
    if not journals:
        return False
    from evaltui.tui.open_file.left_work import left_work

    works = left_work(journals, document)
    for work in works:
        work.journal.release()
    return bool(works)


def say_kept(number: int, name: str) -> None:
    """Print that signal `number` ended the session and that unsaved work is kept. stderr may be closed."""
    with contextlib.suppress(OSError):
        write_line("stderr", f"evaltui: ended by {signal.Signals(number).name}; {name} is as last saved.")
        write_line("stderr", "Open the file again to restore the unsaved changes.")
