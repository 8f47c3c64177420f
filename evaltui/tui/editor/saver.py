"""Saving and quitting, as the edit screen does them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.screen import Screen
from textual.worker import Worker, WorkerState

from evaltui.document import ChangedOnDiskError, SaveError
from evaltui.document.file_replacement import Saved
from evaltui.document.history import Step
from evaltui.tui.commands import key_of
from evaltui.tui.editor.disk_follower import DiskChanges
from evaltui.tui.opening import OpenNext
from evaltui.tui.session.session import READ_ONLY

if TYPE_CHECKING:
    from evaltui.tui.app import EvaltuiApp


class Saving(DiskChanges):
    """The part of the edit screen that saves; the bytes are written by a thread, which touches no widget."""

    _pending_save: tuple[Worker[Saved | SaveError], Step | None, bool]

    _following: OpenNext | None = None
    """What is opened when this file is left."""

    _save_wanted: bool = False
    """Whether to save once more when the save that runs is done."""
    _quit_wanted: bool = False

    _moves_saved: int | None = None
    """The `moves` of the history that the running save writes; None where it writes a copy."""
    leaves_when_saved: bool = False
    """Whether to leave the file when the save that runs is done."""
    _inputs_when_leaving: int = 0
    """How many keys, clicks and pastes there were when the person asked to leave."""

    def action_save(self) -> None:
        """Write the file; drafts stay beside their last valid value."""
        self._first.save()

    @property
    def _first(self) -> Saving:
        """The screen below all views, which does the saving: the thread of one that is left is forgotten."""
        return cast(Saving, self.app.screen_stack[0])

    def save(self, then_quit: bool = False, unasked: bool = False) -> None:
        """Write the present state in a thread; while another save runs, after that.

        `unasked`: also where that takes out of the file what others wrote.
        """
        document = self.session.document
        if self.session.saving:
            self._save_wanted, self._quit_wanted = True, self._quit_wanted or then_quit
            return
        if self.session.readonly:
            self.tell(READ_ONLY)
            return
        wanted = document.is_dirty or document.is_new or self.session.disk.is_lost
        if document.root is None or not (wanted or document.differs_from_disk()):
            drafts = self.session.drafts.said()
            self.tell(f"Nothing to save: {drafts}" if drafts else "Nothing to save.")
            if then_quit:
                self.app.exit(self._following)
            return
        if document.lacks_theirs and not unasked:
            self._ask_to_overwrite(then_quit)
            return
        document.history.settle()
        data, expected, point = document.to_bytes(), document.on_disk, document.history.point()
        self.session.saving, self._moves_saved = True, document.history.moves
        prepare = self.session.before_save(data)
        self.tell(None)

        def write() -> Saved | SaveError:
            try:
                prepare()
                return document.write(data, expected)
            except SaveError as error:
                return error

        worker = self.run_worker(write, thread=True, exclusive=True, group="save", name="save", exit_on_error=False)
        self._pending_save = (worker, point, then_quit)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """The thread is done."""
        if event.worker.group != "save" or event.state in (WorkerState.PENDING, WorkerState.RUNNING):
            return
        event.stop()
        self.session.saving = False
        _, point, then_quit = self._pending_save
        result = event.worker.result if event.state is WorkerState.SUCCESS else None
        if isinstance(result, Saved):
            self.session.document.mark_saved(result, point)
            self.session.disk.trouble, self.session.disk.is_lost = "", False
            self.tell(self._saved_sentence(result))
            if then_quit:
                self.app.exit(self._following)
        else:
            self.tell(self._unsaved_sentence(result or event.worker.error))
            if isinstance(result, ChangedOnDiskError):
                self.look_at_disk(asked=True)
        self.save_again(isinstance(result, Saved))
        if isinstance(result, Saved) and not (then_quit or self.session.saving):
            self.score_saved()
        self.leave_after_save(isinstance(result, Saved))
        self.look_again()

    def save_again(self, is_saved: bool) -> None:
        """A save is done: do the one that was asked for meanwhile, unless this one failed."""
        wanted, quitting = self._save_wanted, self._quit_wanted
        self._save_wanted = self._quit_wanted = False
        if wanted and is_saved and (quitting or self.session.document.is_dirty):
            self.save(quitting)

    def _ask_to_overwrite(self, then_quit: bool) -> None:
        from evaltui.tui.screens.overwrite_question import OverwriteQuestion

        def answered(answer: str | None) -> None:
            if answer == "save":
                self.save(then_quit, unasked=True)
            elif answer == "merge":
                self.look_at_disk(asked=True)

        self.app.push_screen(OverwriteQuestion(self.session.file_name), answered)

    def _unsaved_sentence(self, error: BaseException | None) -> str:
        """Why nothing was saved and what to do; the name, which can be long, at the end."""
        if isinstance(error, SaveError):
            return f"NOT SAVED: {error.reason_and_advice}: {self.session.file_name}"
        return f"NOT SAVED: writing failed ({type(error).__name__}: {error}). Save again: {self.session.file_name}"

    def _saved_sentence(self, saved: Saved) -> str:
        remarks = [f"saved {self.session.file_name}", *saved.remarks, self.session.drafts.said()]
        return " · ".join(filter(None, remarks))

    def action_quit(self) -> None:
        """Quit; ask first where something would be lost."""
        self._leave(None)

    def action_open_another(self) -> None:
        """Go to the list of eval sets; ask first where something would be lost."""
        self._leave(OpenNext())

    def _leave(self, following: OpenNext | None) -> None:
        first = self._first
        first._following = following
        # A save on a network mount may never end, so the second key does not wait.
        waited, first.leaves_when_saved = first.leaves_when_saved, False
        if not waited and first.saves_everything():
            first._wait_for_save()
        elif self._would_lose():
            self._ask_to_leave(following)
        else:
            self.app.exit(following)

    def _would_lose(self) -> bool:
        """Whether leaving now would lose something."""
        return self.session.has_unsaved or self.session.document.differs_from_disk()

    def saves_everything(self) -> bool:
        """Whether a save runs after which nothing is unsaved, unless it fails."""
        if not self.session.saving or self.session.drafts.live():
            return False
        is_all = self._save_wanted or self._moves_saved == self.session.document.history.moves
        return is_all or not self._would_lose()

    def _wait_for_save(self) -> None:
        self.leaves_when_saved = True
        self._inputs_when_leaving = cast("EvaltuiApp", self.app).inputs
        then = "Opens the list" if self._following else "Quits"
        self.tell(f"{then} after the save. {key_of('quit')} again asks at once.")

    def leave_after_save(self, is_saved: bool) -> None:
        """A save is done: leave where that was asked for meanwhile, or ask where something is still unsaved."""
        if self.session.saving or not self.leaves_when_saved:
            return
        self.leaves_when_saved = False
        if self._would_lose():
            # Keys pressed since then were not meant as an answer, and one of them discards the changes.
            is_waiting = self._inputs_when_leaving == cast("EvaltuiApp", self.app).inputs
            if is_waiting and isinstance(self.app.screen, Saving):
                self._ask_to_leave(self._following)
        elif is_saved:
            self.app.exit(self._following)

    def _ask_to_leave(self, following: OpenNext | None) -> None:
        from evaltui.tui.screens.quit_guard import QuitGuard

        def answered(answer: str | None) -> None:
            self.session.keeps_drafts = answer == "save"
            if answer == "save":
                self._first.save(then_quit=True)
            elif answer == "discard":
                self.app.exit(following)

        then = "open the list" if following else "quit"
        journalled = cast("EvaltuiApp", self.app).is_journalled
        self.app.push_screen(QuitGuard(self.session, self._unsaved_screen, then, journalled=journalled), answered)

    def _unsaved_screen(self) -> Screen[None]:
        from evaltui.tui.screens.unsaved_screen import UnsavedScreen

        document, drafts = self.session.document, [draft for _, draft in self.session.drafts.live()]
        before = None if document.is_new else document.base
        return UnsavedScreen(self.session.file_name, before, document.to_bytes(), drafts)

    def action_show_unsaved(self) -> None:
        """Show what is unsaved: the difference to the file, and the drafts."""
        self.form_pane.write_typed()
        if self.session.has_unsaved:
            self.app.push_screen(self._unsaved_screen())
        else:
            self.status.say("There are no unsaved changes.")
