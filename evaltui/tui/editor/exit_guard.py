"""Leaves a file: after a running save, or after a question if something would be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from textual.screen import Screen

from evaltui.printable import printable
from evaltui.tui.base_app import OpenNext
from evaltui.tui.commands import key_of
from evaltui.tui.editor.saver import SavableText, SaveEnd, Saver
from evaltui.tui.session.session import Session

Answer = TypeVar("Answer")


class ExitPort(Protocol):
    """The screens that an `ExitGuard` needs."""

    @property
    def inputs(self) -> int:
        """The number of key presses, clicks and pastes so far, without those that wait."""

    @property
    def has_waiting_input(self) -> bool:
        """Whether keys or clicks wait for the effect of earlier ones."""

    @property
    def is_free(self) -> bool:
        """Whether no dialog is in front."""

    @property
    def came_from_list(self) -> bool:
        """Whether going back leads to the list of eval sets."""

    def tell(self, said: str | None) -> None:
        """Show a message on all screens."""

    def say(self, said: str) -> None:
        """Show a message on the front screen."""

    def ask(self, dialog: Screen[Answer], answered: Callable[[Answer | None], None] | None = None) -> None:
        """Show a dialog; `answered` gets its result."""

    def write_typed(self) -> None:
        """Write what is being typed into the document."""

    def leave(self, following: OpenNext | None) -> None:
        """Close the file, and open what follows."""


class ExitGuard:
    """Quits or opens another file, unless unsaved changes would be lost."""

    def __init__(self, session: Session, text: SavableText, saver: Saver, stage: ExitPort) -> None:
        self._session = session
        self._text = text
        self._saver = saver
        self._stage = stage
        self._following: OpenNext | None = None
        """The file or list to open next."""
        self.keeps_open: Callable[[], bool] = lambda: False
        """Whether a running agent keeps the file open; it then shows a message and asks for a second press."""
        self.is_waiting = False
        """Whether to leave the file after the running save."""
        self.has_left = False
        """Whether the file was left."""
        self._inputs_when_leaving = 0
        """The number of inputs when the person asked to leave."""
        self._inputs_when_warned = -1
        """The number of inputs when a message named decisions that are not saved."""

    def quit(self) -> None:
        """Quit; ask first if something would be lost."""
        self.leave(None)

    def open_another(self) -> None:
        """Go to the list of eval sets; ask first if something would be lost."""
        self.leave(OpenNext())

    def say_how_to_quit(self) -> None:
        """For people who are used to ^c."""
        self._stage.say(f"Press {key_of('quit')} to quit.")

    def show_unsaved(self) -> None:
        """Show unsaved changes: the diff to the file, and the drafts."""
        self._stage.write_typed()
        if nothing := self._text.nothing_unsaved():
            self._stage.say(nothing)
        else:
            self._stage.ask(self._text.unsaved_screen())

    def leave(self, following: OpenNext | None) -> None:
        """Leave the file for another one; with None, quit."""
        if self.keeps_open() or self._warns_of_decisions():
            return
        self._following = following
        # A save on a network mount may never end, so a second key press does not wait.
        has_waited, self.is_waiting = self.is_waiting, False
        if not has_waited and self._saver.saves_everything():
            self._wait()
        elif self._text.would_lose():
            self._ask()
        else:
            self._go(following)

    def _warns_of_decisions(self) -> bool:
        """Write the decisions that could not be written. If that fails, say so and wait for a second key press."""
        self._session.decisions.write_rest()
        unsaved = self._session.decisions.unwritten()
        if not unsaved or self._stage.inputs == self._inputs_when_warned + 1:
            return False
        self._inputs_when_warned = self._stage.inputs
        self._stage.tell(f"{unsaved} Press {key_of('quit')} again to leave without saving.")
        return True

    def _go(self, following: OpenNext | None) -> None:
        self.has_left = True
        self._stage.leave(following)

    def leave_or_go_back(self) -> None:
        """Leave: to the list if the person came from there, else quit."""
        self.leave(OpenNext() if self._stage.came_from_list else None)

    def _wait(self) -> None:
        self.is_waiting, self._inputs_when_leaving = True, self._stage.inputs
        then = f"{'Opens' if self._following else 'Quits'}{_what(self._following)}"
        self._stage.tell(f"{then} after the save. Press {key_of('quit')} again to leave without waiting.")

    def save_ended(self, end: SaveEnd) -> None:
        """Leave if that was asked for during the save; ask if something is still unsaved."""
        if self._session.saving or not self.is_waiting:
            return
        self.is_waiting = False
        if self._text.would_lose():
            # Keys pressed since then were not meant as an answer, and one of them would discard the changes.
            has_gone_on = self._inputs_when_leaving != self._stage.inputs or self._stage.has_waiting_input
            if self._stage.is_free and not has_gone_on:
                self._ask()
        elif end.is_saved:
            self._go(self._following)

    def _ask(self) -> None:
        from evaltui.tui.screens.questions import quit_question

        following = self._following

        def answered(answer: str | None) -> None:
            self._session.keeps_drafts = answer == "save"
            if answer == "save":
                self._saver.save(then=lambda: self._go(following))
            elif answer == "discard":
                self._go(following)

        then = f"{'open' if following else 'quit'}{_what(following)}"
        dialog = quit_question(self._session, self._text.unsaved_screen, then, self._text.loss())
        self._stage.ask(dialog, answered)


def _what(following: OpenNext | None) -> str:
    """The name of the next file for a sentence: " the list", " trips-dataset.json"; "" for quitting."""
    if following is None:
        return ""
    return f" {printable(following.path.name)}" if following.path is not None else " the list"
