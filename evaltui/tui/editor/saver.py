"""Saving: one save at a time, written by a thread that touches no widget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from evaltui.document.disk.file_replacement import Saved
from evaltui.document.errors import ChangedOnDiskError, SaveError
from evaltui.tui.editor.ports import SavableText, SaveJob
from evaltui.tui.session.session import READ_ONLY, Session

Result = TypeVar("Result")
Ask = Callable[[Callable[[], None]], None]
"""Asks the person whether to do what it is given."""


class SaverPort(Protocol):
    """The screens and threads, as a `Saver` needs them."""

    def tell(self, said: str | None) -> None:
        """Say on all screens what has become of the file; None only refreshes its marks."""

    def start(
        self,
        group: str,
        work: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Do some work in a thread; its result, or its error, comes back on the event loop."""


class SaveEnd(NamedTuple):
    """How a save ended."""

    is_saved: bool
    said: str
    """The sentence that was shown."""
    job: SaveJob
    leaves: bool
    """Whether the file is left after it."""
    was_refused: bool
    """Whether nothing was written since somebody else has changed the file."""


class Saver:
    """Writes the text of an open file. `on_end` hears how each save ended, in its order."""

    def __init__(self, session: Session, text: SavableText, stage: SaverPort, ask_to_overwrite: Ask) -> None:
        """`ask_to_overwrite` asks before a save that takes changes of others out of the file."""
        self._session = session
        self._text = text
        self._stage = stage
        self._ask_to_overwrite = ask_to_overwrite
        self.on_end: Sequence[Callable[[SaveEnd], None]] = ()
        self._job: SaveJob | None = None
        """The save that runs."""
        self._is_wanted_again = False
        """Whether to save once more when the save that runs is done."""
        self._then: Callable[[], None] | None = None
        """The act that follows that save."""

    def action_save(self) -> None:
        """Write the file; drafts stay beside their last valid value."""
        self.save()

    def save(self, *, then: Callable[[], None] | None = None, unasked: bool = False) -> None:
        """Write the present text; while another save runs, after that. `then` is done once it is written.

        `unasked`: also where that takes out of the file what others wrote.
        """
        if self._session.saving:
            self._is_wanted_again, self._then = True, then or self._then
            return
        if self._session.readonly:
            self._stage.tell(READ_ONLY)
            return
        if nothing := self._text.nothing_to_save():
            self._stage.tell(nothing)
            if then is not None:
                then()
            return
        if self._text.removes_theirs() and not unasked:
            self._ask_to_overwrite(lambda: self.save(then=then, unasked=True))
            return
        self.write(self._text.job(), then)

    def write(self, job: SaveJob, then: Callable[[], None] | None = None) -> None:
        """Do a save; the caller has seen to it that none runs."""
        self._session.saving, self._job = True, job
        self._stage.tell(None)

        def work() -> Saved | SaveError:
            try:
                return job.write()
            except SaveError as error:
                return error

        def failed(error: Exception) -> None:
            self._ended(job, error, then)

        self._stage.start("save", work, lambda result: self._ended(job, result, then), failed)

    def _ended(self, job: SaveJob, result: Saved | Exception, then: Callable[[], None] | None) -> None:
        self._session.saving, self._job = False, None
        is_saved = isinstance(result, Saved)
        said = job.done(result) if isinstance(result, Saved) else self._unsaved_sentence(job, result)
        if said:
            self._stage.tell(said)
        if is_saved and then is not None:
            then()
        self._save_again(is_saved=is_saved)
        end = SaveEnd(is_saved, said, job, is_saved and then is not None, isinstance(result, ChangedOnDiskError))
        for hear in self.on_end:
            hear(end)

    def _save_again(self, *, is_saved: bool) -> None:
        """Do the save that was asked for meanwhile, unless the last one failed."""
        is_wanted, then = self._is_wanted_again, self._then
        self._is_wanted_again, self._then = False, None
        if is_wanted and is_saved and (then is not None or self._text.is_changed):
            self.save(then=then)

    def _unsaved_sentence(self, job: SaveJob, error: Exception) -> str:
        """Why nothing was saved and what to do; the name, which can be long, at the end."""
        if isinstance(error, SaveError) and (job.is_elsewhere or job.is_copy):
            return f"NOT SAVED: {error}"  # which names that file
        if isinstance(error, SaveError):
            return f"NOT SAVED: {error.reason_and_advice}: {self._session.file_name}"
        return f"NOT SAVED: writing failed ({type(error).__name__}: {error}). Save again: {self._session.file_name}"

    def saves_everything(self) -> bool:
        """Whether a save runs after which nothing is unsaved, unless it fails."""
        if self._job is None or self._session.drafts.live():
            return False
        return self._is_wanted_again or self._job.covers_all() or not self._text.would_lose()
