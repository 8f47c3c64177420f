"""Leaving a file: after the save that runs, or after a question where something would be lost."""

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
    """The screens, as an `ExitGuard` needs them."""

    @property
    def inputs(self) -> int:
        """How many keys, clicks and pastes there were."""

    @property
    def is_free(self) -> bool:
        """Whether no dialog is in front."""

    @property
    def came_from_list(self) -> bool:
        """Whether going back leads to the list of eval sets."""

    def tell(self, said: str | None) -> None:
        """Say something on all screens."""

    def say(self, said: str) -> None:
        """Say something on the screen in front."""

    def ask(self, dialog: Screen[Answer], answered: Callable[[Answer | None], None] | None = None) -> None:
        """Show a dialog; `answered` hears its result."""

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
        """The file or list to open when this file is left."""
        self.keeps_open: Callable[[], bool] = lambda: False
        """Tells whether something runs that leaving would end; it says so itself, and asks for a second press."""
        self.is_waiting = False
        """Whether to leave the file when the save that runs is done."""
        self.has_left = False
        """Whether the file was left."""
        self._inputs_when_leaving = 0
        """How many keys, clicks and pastes there were when the person asked to leave."""

    def action_quit(self) -> None:
        """Quit; ask first where something would be lost."""
        self.leave(None)

    def action_open_another(self) -> None:
        """Go to the list of eval sets; ask first where something would be lost."""
        self.leave(OpenNext())

    def action_say_how_to_quit(self) -> None:
        """For those whose hands know ^c."""
        self._stage.say(f"{key_of('quit')} quits.")

    def action_show_unsaved(self) -> None:
        """Show what is unsaved: the difference to the file, and the drafts."""
        self._stage.write_typed()
        if nothing := self._text.nothing_unsaved():
            self._stage.say(nothing)
        else:
            self._stage.ask(self._text.unsaved_screen())

    def leave(self, following: OpenNext | None) -> None:
        """Leave the file for another or, with None, quit."""
        if self.keeps_open():
            return
        self._following = following
        # A save on a network mount may never end, so the second key does not wait.
        has_waited, self.is_waiting = self.is_waiting, False
        if not has_waited and self._saver.saves_everything():
            self._wait()
        elif self._text.would_lose():
            self._ask()
        else:
            self._go(following)

    def _go(self, following: OpenNext | None) -> None:
        self.has_left = True
        self._stage.leave(following)

    def leave_or_go_back(self) -> None:
        """Leave: to the list if one came from there, else quit."""
        self.leave(OpenNext() if self._stage.came_from_list else None)

    def _wait(self) -> None:
        self.is_waiting, self._inputs_when_leaving = True, self._stage.inputs
        then = f"{'Opens' if self._following else 'Quits'}{_what(self._following)}"
        self._stage.tell(f"{then} after the save. {key_of('quit')} again does not wait.")

    def save_ended(self, end: SaveEnd) -> None:
        """Leave where that was asked for meanwhile, or ask where something is still unsaved."""
        if self._session.saving or not self.is_waiting:
            return
        self.is_waiting = False
        if self._text.would_lose():
            # Keys pressed since then were not meant as an answer, and one of them discards the changes.
            if self._inputs_when_leaving == self._stage.inputs and self._stage.is_free:
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
    """The file that is opened next, for a sentence: " the list", " trips-dataset.json"; "" where one quits."""
    if following is None:
        return ""
    return f" {printable(following.path.name)}" if following.path is not None else " the list"
