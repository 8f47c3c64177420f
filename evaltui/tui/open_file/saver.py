"""Saves one file at a time, in a thread that touches no widget: under its name, under another, or a copy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.disk.file_replacement import Saved, save_file
from evaltui.document.errors import ChangedOnDiskError, LeadsOutsideError, SaveError
from evaltui.file_access import exists
from evaltui.files.typed_paths import file_to_write
from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.messages import sentences

if TYPE_CHECKING:
    from textual.screen import Screen

    from evaltui.tui.open_file.open_file import OpenFile


FollowUp = Callable[[], object] | None
"""The step that follows a save if it succeeds: it leaves the file. None for a save that does not leave it."""


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


class EditedText:
    """The text that a save writes: the document without its drafts. The repair screen has another one."""

    def __init__(self, file: OpenFile) -> None:
        self.file = file

    @property
    def is_changed(self) -> bool:
        """Whether the text differs from the last save."""
        return self.file.document.is_dirty

    def nothing_to_save(self) -> str:
        """A sentence about why there is nothing to save; "" if there is something."""
        document = self.file.document
        is_wanted = document.is_dirty or document.is_new or self.file.disk_state.is_lost
        if document.root is not None and (is_wanted or document.differs_from_disk()):
            return ""
        left_out = " · ".join(filter(None, self._left_out()))
        return f"Nothing to save: {left_out}" if left_out else "Nothing to save."

    def _left_out(self) -> list[str]:
        """Clauses about drafts and trial criteria, which no save writes; "" for none."""
        return [self.file.drafts.said(), self.file.said_trial()]

    def job(self) -> SaveJob:
        """The save of the current text; the journal notes it first."""
        file, document, history = self.file, self.file.document, self.file.document.history
        history.settle()
        # Taken at one moment: what is typed while the thread writes stays unsaved.
        data, expected, point, moves = document.to_bytes(), document.on_disk, history.point(), history.moves
        accepted = file.decisions_in_use.accepted() if file.decisions_in_use is not None else frozenset()
        announced = file.journal.announce_save(data) if file.journal is not None else None

        def write() -> Saved:
            if announced is not None:
                announced.exception()  # waits like `result`, but an unwritable journal must not stop the save
            return document.write(data, expected)

        def done(saved: Saved) -> str:
            digest, remarks = saved
            document.mark_saved(data, point, digest)
            if file.decisions_in_use is not None:
                file.decisions_in_use.saved = accepted
            file.disk_state.trouble, file.disk_state.is_lost = "", False
            return sentences(f"Saved {file.file_name}", [*remarks, *self._left_out()])

        return SaveJob(write, done, lambda: moves == history.moves)

    def job_elsewhere(self, path: Path, message: str) -> SaveJob:
        """A save to another path, which the document has from then on."""
        file, document, history = self.file, self.file.document, self.file.document.history
        history.settle()  # typing that goes on after the save is another step
        data, point, moves = document.to_bytes(), history.point(), history.moves
        previous, accepted = document.path, file.decisions.accepted()

        def done(saved: Saved) -> str:
            document.path = path
            document.mark_saved(data, point, saved[0])
            carried = file.decisions.carry_over(previous)
            file.decisions.saved = accepted
            file.moved()
            return sentences(message, [carried, *self._left_out()])

        return SaveJob(lambda: save_file(path, [data], None), done, lambda: moves == history.moves, is_elsewhere=True)

    def would_lose(self) -> bool:
        """Whether leaving now would lose something."""
        return self.file.has_unsaved or self.file.document.differs_from_disk()

    def loss(self) -> str:
        """Sentences about unsaved work that leaving would lose."""
        file, name, trial = self.file, self.file.file_name, self.file.said_trial(names_criteria=True)
        if file.disk_state.is_lost:
            return f"{name}: {file.disk_state.trouble}. Its text is in memory only."
        clauses = [*filter(None, [file.drafts.said(), printable(trial)])]
        parts = [f"{clause[:1].upper()}{clause[1:]}." for clause in clauses]
        if clauses and not file.document.is_dirty:
            parts[0] = f"{name}: {clauses[0]}."
        else:
            count = len(file.decisions.unsaved)
            are_accepted = "is an accepted value" if count == 1 else "are accepted values"
            accepted = [f"{count:,} of them {are_accepted}."] if count else []
            parts = [f"{name} has unsaved changes.", *accepted, *parts]
        if trial and file.trial.can_write:
            keys = key_of("quit.stay"), key_of("criteria"), key_of("criteria.write")
            parts.append("Press {}, then {} and {} to write the criteria.".format(*keys))
        return " ".join(parts)

    def nothing_unsaved(self) -> str:
        """A sentence if there are no unsaved changes; else ""."""
        return "" if self.file.has_unsaved else "No unsaved changes."

    def unsaved_screen(self) -> Screen[None]:
        """The screen with the diff to the file, and the drafts."""
        from evaltui.tui.screens.diff_screens import UnsavedScreen

        document, drafts = self.file.document, [draft for _, draft in self.file.drafts.live()]
        base = None if document.is_new else document.base
        trial = self.file.said_trial(names_criteria=True)
        return UnsavedScreen(self.file.file_name, base, document.to_bytes(), drafts, trial)


class Saver:
    """Writes the text of an open file."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._is_wanted_again = False
        """Whether to save again after the running save."""
        self._follow_up: FollowUp = None
        """Called after that second save."""

    def save(self, *, follow_up: FollowUp = None, unasked: bool = False) -> None:
        """Save the current text, after a running save if there is one; then call `follow_up`. A draft is not saved.

        `unasked`: save without a question, even if that removes changes of others from the file.
        """
        file = self._file
        if file.saving:
            self._is_wanted_again, self._follow_up = True, follow_up or self._follow_up
        elif file.readonly:
            file.tell(file.refusal)
        elif nothing := file.text.nothing_to_save():
            file.tell(nothing)
            if follow_up is not None:
                follow_up()
            elif file.disk_state.trouble and file.may_move:  # undo has ended the conflict: take over what is on disk
                file.disk.merge()
        elif file.document.lacks_theirs and not unasked:
            file.disk.ask_to_overwrite(lambda: self.save(follow_up=follow_up, unasked=True))
        else:
            self.write(file.text.job(), follow_up)

    def write(self, job: SaveJob, follow_up: FollowUp = None) -> None:
        """Start a save, unless another one is running."""
        file = self._file
        if file.saving is not None:
            file.tell("Another save is still running. Save again when it is done.")
            return
        file.saving = job
        file.tell(None)  # the title says that a save is running

        def ended(result: Saved | Exception) -> None:
            file.saving, is_saved = None, not isinstance(result, Exception)
            message = self._unsaved_sentence(job, result) if isinstance(result, Exception) else job.done(result)
            if message:
                file.tell(message)
            if is_saved and follow_up is not None:
                follow_up()
            # Then a save that was wanted meanwhile; after a failed one it would fail as well.
            is_wanted, next_step = self._is_wanted_again and is_saved, self._follow_up
            self._is_wanted_again, self._follow_up = False, None
            if is_wanted and (next_step is not None or file.text.is_changed):
                self.save(follow_up=next_step)
            file.saved(job, message, result if isinstance(result, Exception) else None, follow_up)

        file.app.start_thread("save", job.write, ended, ended)

    def _unsaved_sentence(self, job: SaveJob, error: Exception) -> str:
        """Why nothing was saved, and what to do; the file name comes last, because it can be long."""
        if isinstance(error, SaveError) and (job.is_elsewhere or job.is_copy):
            return f"NOT SAVED: {error}"  # the message names that file
        if isinstance(error, LeadsOutsideError):
            keys = f"{key_of('list.save_as')} saves it under another name"
            return f"NOT SAVED: this set is a link out of its folder. {keys}: {error.reason}"
        if isinstance(error, ChangedOnDiskError) and self._file.document.root is not None:  # a repair cannot merge
            return f"NOT SAVED: {error.reason}. Press {key_of('list.merge')} to merge: {self._file.file_name}"
        if isinstance(error, SaveError):
            advice = f"{error.advice[:1].upper()}{error.advice[1:]}"
            return f"NOT SAVED: {error.reason}. {advice}: {self._file.file_name}"
        return f"NOT SAVED: writing failed ({type(error).__name__}: {error}). Save again: {self._file.file_name}"

    def saves_everything(self) -> bool:
        """Whether a save is running that leaves nothing unsaved if it succeeds."""
        job = self._file.saving
        if job is None or self._file.drafts.live():  # no save writes a draft
            return False
        return self._is_wanted_again or job.covers_all() or not self._file.text.would_lose()

    # --- elsewhere -----------------------------------------------------------------------------------------

    def ask_where(self, *, is_copy: bool) -> None:
        """Ask for a path. Write a copy there, or save there and edit that file from now on."""
        from evaltui.tui.screens.text_dialogs import NameDialog

        if self._file.reading is not None if is_copy else self._file.readonly:
            self._file.say(self._file.refusal)
            return

        question, present = "Save a copy as" if is_copy else "Save as", str(self._file.document.path or "")
        dialog = NameDialog(question, present, file_to_write, is_path=True)
        self._file.app.ask(dialog, self.save_copy if is_copy else self.save_as)

    def save_as(self, path: Path) -> None:
        """Write to another path, which the document has from then on."""
        self.write(EditedText(self._file).job_elsewhere(path, f"Saved as {self._shown(path)}"))

    def save_copy(self, path: Path) -> None:
        """Write to another path; the document keeps its own."""
        data, sidecar = self._file.document.to_bytes(), self._file.decisions.sidecar
        has_decisions = sidecar is not None and exists(sidecar.path)
        left_behind = f"the review decisions stay with {self._file.file_name}" if has_decisions else ""
        message = sentences(f"Saved a copy as {self._shown(path)}", [left_behind])
        self.write(SaveJob(lambda: save_file(path, [data], None), lambda _: message, lambda: False, is_copy=True))

    def _shown(self, path: Path) -> str:
        """The path as it was typed, or with all its folders if the file now lies in another one."""
        own = self._file.document.path
        is_elsewhere = own is not None and path.parent.absolute() != own.parent.absolute()
        return printable(str(path.absolute() if is_elsewhere else path))
