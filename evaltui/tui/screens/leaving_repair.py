"""Saving, $EDITOR and quitting, as the view of a file that is not JSON does them."""

from __future__ import annotations

from typing import cast

from textual.app import SuspendNotSupported
from textual.screen import Screen

from evaltui.document import SaveError
from evaltui.document.file_replacement import Saved
from evaltui.document.places import Place
from evaltui.tui.base_app import BaseApp
from evaltui.tui.commands import key_of
from evaltui.tui.external_editor import EditorError, edit_file
from evaltui.tui.opening import OpenNext
from evaltui.tui.panes.bars import StatusBar
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.session.repaired_text import RepairedText
from evaltui.tui.session.session import READ_ONLY, Session


class LeavingRepair(CommandScreen):
    """The part of the repair view that writes the file or leaves it."""

    session: Session
    repaired: RepairedText
    status: StatusBar

    _following: OpenNext | None = None
    _is_leaving = False
    """Whether to leave when the save that runs is done."""
    _inputs_when_leaving: int | None = None
    """How many keys, clicks and pastes there were when leaving began to wait; None where it does not wait."""

    @property
    def _place(self) -> Place | None:
        """Where the selected problem is."""
        raise NotImplementedError

    def _look_again(self, near: int = 0) -> None:
        """The text is another."""
        raise NotImplementedError

    # --- saving ------------------------------------------------------------------------------------------------

    def action_save(self) -> None:
        """Write the text as it is now, and open it if it is JSON."""
        self._save()

    def _save(self, then_leave: bool = False) -> None:
        document = self.session.document
        if self.session.saving and then_leave:
            self._is_leaving = True
            return
        if self.session.readonly or self.session.saving or not self.repaired.is_changed:
            self.status.say(READ_ONLY if self.session.readonly else "Nothing to save: no fix was applied.")
            return
        self.session.saving, self._is_leaving = True, then_leave
        data, expected = self.repaired.to_bytes(), document.on_disk

        def write() -> Saved | SaveError:
            try:
                return document.write(data, expected)
            except SaveError as error:
                return error

        self.run_worker(write, thread=True, exclusive=True, group="save")

    def saved(self, result: Saved | SaveError | None) -> None:
        """The thread that writes is done."""
        self.session.saving = False
        if not isinstance(result, Saved):
            said = result.reason_and_advice if result is not None else "writing failed. Save again"
            self.status.say(f"NOT SAVED: {said}: {self.session.file_name}")
            self._ask_if_waiting()
            return
        document = self.session.document
        document.mark_saved(result, document.history.point())
        self.repaired.mark_saved()
        if self._is_leaving:
            self.app.exit(self._following)
        elif self._is_json():
            self.app.exit(OpenNext(document.path))
        else:
            self._look_again()
            self.status.say(" · ".join([f"saved {self.session.file_name}, which is not JSON yet", *result.remarks]))

    def _is_json(self) -> bool:
        raise NotImplementedError

    # --- $EDITOR -----------------------------------------------------------------------------------------------

    def action_edit_outside(self) -> None:
        """Edit the file itself in $VISUAL or $EDITOR, and show what it is then."""
        document = self.session.document
        if self.session.readonly:
            self.status.say(READ_ONLY)
            return
        if self.repaired.is_changed:
            save, undo = key_of("save"), key_of("list.undo")
            self.status.say(f"Your fixes are not saved yet. {save} saves them, {undo} undoes them.")
            return
        assert document.path is not None
        if self._place is not None:
            place = self._place.line, self._place.column
        else:  # the problems are not found yet, and the first is known all the same
            place = document.line_and_column(document.fault.offset if document.fault is not None else 0)
        try:
            with self.app.suspend():
                edit_file(document.path, *place)
        except SuspendNotSupported:
            self.status.say("This terminal cannot be handed to an editor.")
        except EditorError as error:
            self.status.say(str(error))
        else:
            self.app.exit(OpenNext(document.path))

    # --- leaving -----------------------------------------------------------------------------------------------

    def action_say_how_to_quit(self) -> None:
        """A stray ^c ends nothing."""
        self.status.say(f"{key_of('quit')} quits.")

    def action_open_another(self) -> None:
        """Go to the list of eval sets."""
        self._leave(OpenNext())

    def action_quit(self) -> None:
        """Leave; ask first where fixes would be lost."""
        self._leave(None)

    def action_back_or_quit(self) -> None:
        """Leave, to the list if one came from there."""
        self._leave(OpenNext() if cast(BaseApp, self.app).came_from_list else None)

    def _leave(self, following: OpenNext | None) -> None:
        if not self.repaired.is_changed:
            self.app.exit(following)
        elif self.session.saving and self._inputs_when_leaving is None:
            self._following, self._is_leaving = following, True
            self._inputs_when_leaving = cast(BaseApp, self.app).inputs
            then = "Opens the list" if following else "Quits"
            self.status.say(f"{then} after the save. {key_of('quit')} again asks at once.")
        else:
            # A save on a network mount may never end, so the second key does not wait.
            self._inputs_when_leaving, self._is_leaving = None, False
            self._ask_to_leave(following)

    def _ask_if_waiting(self) -> None:
        """A save failed: ask where leaving waited for it, unless the person has gone on since."""
        inputs, self._inputs_when_leaving = self._inputs_when_leaving, None
        if inputs == cast(BaseApp, self.app).inputs and self.app.screen is self:
            self._ask_to_leave(self._following)

    def _ask_to_leave(self, following: OpenNext | None) -> None:
        from evaltui.tui.screens.quit_guard import QuitGuard

        def answered(answer: str | None) -> None:
            if answer == "save":
                self._following = following
                self._save(then_leave=True)
            elif answer == "discard":
                self.app.exit(following)

        unsaved = f"fixes are not saved ({self.repaired.steps} step{'s' * (self.repaired.steps != 1)})"
        then = "open the list" if following else "quit"
        self.app.push_screen(QuitGuard(self.session, self._unsaved_screen, then, unsaved), answered)

    def _unsaved_screen(self) -> Screen[None]:
        from evaltui.tui.screens.unsaved_screen import UnsavedScreen

        return UnsavedScreen(self.session.file_name, self.session.document.base, self.repaired.to_bytes(), ())

    def action_show_unsaved(self) -> None:
        """Show what the fixes change."""
        if self.repaired.is_changed:
            self.app.push_screen(self._unsaved_screen())
        else:
            self.status.say("There are no unsaved changes: no fix was applied.")
