"""Saves one file at a time, in a thread that touches no widget; and the texts that can be saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from textual.screen import Screen

from evaltui.document.disk.file_replacement import Saved
from evaltui.document.errors import ChangedOnDiskError, LeadsOutsideError, SaveError
from evaltui.tui.commands import key_of
from evaltui.tui.messages import sentences
from evaltui.tui.session.session import Session

if TYPE_CHECKING:
    from evaltui.tui.session.repaired_text import RepairedText

Result = TypeVar("Result")
Ask = Callable[[Callable[[], None]], None]
"""Asks the person whether to run the given function."""


class SaveJob(NamedTuple):
    """One write of a file, prepared on the event loop and done in a thread."""

    write: Callable[[], Saved]
    """Runs in the thread; raises `SaveError`."""
    done: Callable[[Saved], str]
    """Called after the write: updates the document and returns the message, "" for none."""
    covers_all: Callable[[], bool]
    """Whether nothing is unsaved after this save, if it succeeds."""
    is_elsewhere: bool = False
    """Whether the document has another path afterwards."""
    is_copy: bool = False
    """Whether only a copy is written."""


class SavableText(Protocol):
    """A text that a `Saver` writes: the edited document, or broken text under repair."""

    @property
    def is_changed(self) -> bool:
        """Whether the text differs from the last save."""

    def nothing_to_save(self) -> str:
        """A sentence about why there is nothing to save; "" if there is something."""

    def removes_theirs(self) -> bool:
        """Whether saving would remove changes of others from the file."""

    def job(self) -> SaveJob:
        """The save of the current text."""

    def would_lose(self) -> bool:
        """Whether leaving now would lose something."""

    def loss(self) -> str:
        """A clause about what leaving would lose; "" if the session knows it."""

    def nothing_unsaved(self) -> str:
        """A sentence if there are no unsaved changes; else ""."""

    def unsaved_screen(self) -> Screen[None]:
        """The screen that shows the unsaved changes."""


class SaverPort(Protocol):
    """The screens and threads that a `Saver` needs."""

    def tell(self, said: str | None) -> None:
        """Show a message on all screens; None only refreshes the marks of the file."""

    def start(
        self,
        group: str,
        work: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Run `work` in a thread; `done` or `failed` is called on the event loop."""


class SaveEnd(NamedTuple):
    """The result of a save."""

    is_saved: bool
    said: str
    """The message that was shown."""
    job: SaveJob
    leaves: bool
    """Whether the file is left after the save."""
    was_refused: bool
    """Whether the save was refused because the file changed on disk."""


class Saver:
    """Writes the text of an open file; calls each function of `on_end` after a save."""

    def __init__(self, session: Session, text: SavableText, stage: SaverPort, ask_to_overwrite: Ask) -> None:
        """`ask_to_overwrite` asks before a save that removes changes of others from the file."""
        self._session = session
        self._text = text
        self._stage = stage
        self._ask_to_overwrite = ask_to_overwrite
        self.on_end: Sequence[Callable[[SaveEnd], None]] = ()
        self._job: SaveJob | None = None
        """The running save."""
        self._is_wanted_again = False
        """Whether to save again after the running save."""
        self._then: Callable[[], None] | None = None
        """Called after that second save."""

    def save(self, *, then: Callable[[], None] | None = None, unasked: bool = False) -> None:
        """Save the current text, after a running save if there is one; then call `then`. A draft is not saved.

        `unasked`: save without a question, even if that removes changes of others from the file.
        """
        if self._session.saving:
            self._is_wanted_again, self._then = True, then or self._then
            return
        if self._session.readonly:
            self._stage.tell(self._session.refusal)
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
        """Start a save; the caller makes sure that none is running."""
        self._session.saving, self._job = True, job
        self._stage.tell(None)

        def work() -> Saved | SaveError:
            try:
                return job.write()
            except SaveError as error:  # an answer of the disk, not a bug of ours
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
        """Start the save that was requested meanwhile, unless the last one failed."""
        is_wanted, then = self._is_wanted_again, self._then
        self._is_wanted_again, self._then = False, None
        if is_wanted and is_saved and (then is not None or self._text.is_changed):
            self.save(then=then)

    def _unsaved_sentence(self, job: SaveJob, error: Exception) -> str:
        """Why nothing was saved, and what to do; the file name comes last, because it can be long."""
        if isinstance(error, SaveError) and (job.is_elsewhere or job.is_copy):
            return f"NOT SAVED: {error}"  # the message names that file
        if isinstance(error, LeadsOutsideError):
            keys = f"{key_of('list.save_as')} saves it under another name"
            return f"NOT SAVED: this set is a link out of its folder. {keys}: {error.reason}"
        if isinstance(error, SaveError):
            return f"NOT SAVED: {error.reason_and_advice}: {self._session.file_name}"
        return f"NOT SAVED: writing failed ({type(error).__name__}: {error}). Save again: {self._session.file_name}"

    def saves_everything(self) -> bool:
        """Whether a save is running that leaves nothing unsaved if it succeeds."""
        if self._job is None or self._session.drafts.live():
            return False
        return self._is_wanted_again or self._job.covers_all() or not self._text.would_lose()


class EditedText:
    """The document of a session; drafts are not saved."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def is_changed(self) -> bool:
        """Whether the document differs from the last save."""
        return self._session.document.is_dirty

    def nothing_to_save(self) -> str:
        """A sentence about why there is nothing to save; "" if there is something."""
        document = self._session.document
        is_wanted = document.is_dirty or document.is_new or self._session.disk.is_lost
        if document.root is not None and (is_wanted or document.differs_from_disk()):
            return ""
        left_out = " · ".join(filter(None, [self._session.drafts.said(), self._session.said_trial()]))
        return f"Nothing to save: {left_out}" if left_out else "Nothing to save."

    def removes_theirs(self) -> bool:
        """Whether saving would remove changes of others from the file."""
        return self._session.document.lacks_theirs

    def job(self) -> SaveJob:
        """The save of the current text; the journal notes it first."""
        document = self._session.document
        document.history.settle()
        data, expected, point = document.to_bytes(), document.on_disk, document.history.point()
        moves, accepted = document.history.moves, self._session.decisions.accepted()
        prepare = self._session.before_save(data)

        def write() -> Saved:
            prepare()
            return document.write(data, expected)

        def done(saved: Saved) -> str:
            document.mark_saved(saved, point)
            self._session.decisions.mark_saved(accepted)
            self._session.disk.trouble, self._session.disk.is_lost = "", False
            return sentences(f"Saved {self._session.file_name}", [*saved.remarks, *left_out()])

        def left_out() -> list[str]:
            return [self._session.drafts.said(), self._session.said_trial()]

        return SaveJob(write, done, lambda: moves == document.history.moves)

    def would_lose(self) -> bool:
        """Whether leaving now would lose something."""
        return self._session.has_unsaved or self._session.document.differs_from_disk()

    def loss(self) -> str:
        """Always "": the session knows what would be lost."""
        return ""

    def nothing_unsaved(self) -> str:
        """A sentence if there are no unsaved changes; else ""."""
        return "" if self._session.has_unsaved else "No unsaved changes."

    def unsaved_screen(self) -> Screen[None]:
        """The screen with the diff to the file, and the drafts."""
        from evaltui.tui.screens.diff_screens import UnsavedScreen

        document, drafts = self._session.document, [draft for _, draft in self._session.drafts.live()]
        before = None if document.is_new else document.base
        trial = self._session.said_trial(names_criteria=True)
        return UnsavedScreen(self._session.file_name, before, document.to_bytes(), drafts, trial)


class TextToRepair:
    """Text that is not valid JSON yet. It does not change during a save."""

    def __init__(self, session: Session, repaired: RepairedText) -> None:
        self._session = session
        self._repaired = repaired

    @property
    def is_changed(self) -> bool:
        """Whether fixes were applied since the last save."""
        return self._repaired.is_changed

    def nothing_to_save(self) -> str:
        """A sentence about why there is nothing to save; "" if there is something."""
        return "" if self._repaired.is_changed else "Nothing to save: no fix was applied."

    def removes_theirs(self) -> bool:
        """Never: a file that changed on disk is not overwritten at all."""
        return False

    def job(self) -> SaveJob:
        """The save of the current text."""
        document, data = self._session.document, self._repaired.to_bytes()
        expected = document.on_disk

        def done(saved: Saved) -> str:
            document.mark_saved(saved, document.history.point())
            self._repaired.mark_saved()
            return sentences(f"Saved {self._session.file_name} (not valid JSON yet)", saved.remarks)

        return SaveJob(lambda: document.write(data, expected), done, lambda: True)

    def would_lose(self) -> bool:
        """Whether leaving now would lose fixes."""
        return self._repaired.is_changed

    def loss(self) -> str:
        """A clause about the fixes that would be lost."""
        steps = self._repaired.steps
        return f"fixes are not saved ({steps} step{'s' * (steps != 1)})"

    def nothing_unsaved(self) -> str:
        """A sentence if there are no unsaved changes; else ""."""
        return "" if self._repaired.is_changed else "No unsaved changes: no fix was applied."

    def unsaved_screen(self) -> Screen[None]:
        """The screen with the changes of the fixes."""
        from evaltui.tui.screens.diff_screens import UnsavedScreen

        return UnsavedScreen(self._session.file_name, self._session.document.base, self._repaired.to_bytes(), ())
