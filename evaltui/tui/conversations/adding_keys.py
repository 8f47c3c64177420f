"""Keys of the conversations screen: add the picked turns, replace a turn, or open another source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.evalset.case_file import CaseFile
from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.conversations.conversation_reading import ConversationReading
from evaltui.tui.conversations.picked_turns import PickedTurns
from evaltui.tui.recordings.conversation_additions import Addition, Pick, addition_of, replacement_of
from evaltui.tui.recordings.recording_changes import named_path
from evaltui.tui.recordings.recording_words import counted
from evaltui.tui.recordings.value_decisions import ValueDecisions

if TYPE_CHECKING:
    from evaltui.tui.conversations.conversations_screen import ConversationsScreen
    from evaltui.tui.open_file.open_file import OpenFile

MakeAddition = Callable[[CaseFile], Addition]
"""Makes the revision that adds what was picked. Raises `EditError`."""


_MANY = 50
"""Above this number of turns, adding takes more than about 0.1 s and the status line says so."""


class AddingKeys:
    """The actions that add, replace, and read more. Adding and replacing close the screen."""

    def __init__(
        self,
        file: OpenFile,
        view: ConversationsScreen,
        picked: PickedTurns,
        decided: ValueDecisions,
        reading: ConversationReading,
    ) -> None:
        self._file, self._view, self._picked = file, view, picked
        self._decided, self._reading = decided, reading

    def add(self) -> None:
        """Add the ticked turns, else the selected conversation or turn, and close."""
        view, target = self._view, self._view.target
        picks = self._picked.picks(target)
        if not picks and target.turn is not None and view.found_here is not None:
            view.go_to_chat()
            view.say(
                f"Select a recorded turn. Press {key_of('chat.add')} to add it, or "
                f"{key_of('adding.replace')} to replace your turn."
            )
        elif not picks:
            view.say("No conversation is selected.")
        else:
            is_long = sum(len(pick.turns) for pick in picks) > _MANY
            said = f"Adding {counted(len(picks), 'conversation')} …" if is_long else ""
            self._close_with(lambda eval_set: addition_of(eval_set, view.target, picks, self._decided), said)

    def replace(self) -> None:
        """Replace the turn of the set from which the screen was opened by the selected one, and close."""
        view = self._view
        turn, here, found = view.target.turn, self._picked.turn_here(), view.found_here
        if turn is None:
            view.say("No turn to replace. Open the conversations from a turn in the tree.")
        elif here is None or found is None:
            view.go_to_chat()
            view.say(f"Select a recorded turn, then press {key_of('adding.replace')} to replace the turn of the set.")
        else:
            self._close_with(lambda eval_set: replacement_of(eval_set, turn, Pick(found, [here]), self._decided))

    def _close_with(self, make: MakeAddition, said: str = "") -> None:
        """Close if `make` works. The addition is made again if the document changes before it is added."""
        if said:
            self._view.say(said)
            self._view.call_in_next_frame(lambda: self._close_if_made(make, said))
        else:
            self._close_if_made(make, said)

    def _close_if_made(self, make: MakeAddition, said: str) -> None:
        eval_set, document = self._file.eval_set, self._file.document
        if self._file.readonly:
            self._view.say(self._file.refusal)
            return
        if eval_set is None:
            self._view.say("The file is no longer an eval set.")
            return
        try:
            made = make(eval_set)
        except DocumentError as error:
            self._view.say(str(error))
            return
        root, step = document.root, document.history.point()

        def wanted(now: CaseFile) -> Addition:
            is_same = document.root is root and document.history.point() is step
            return made if is_same else make(now)

        self._view.close_with(wanted, said)

    # --- sources -----------------------------------------------------------------------------------------------

    def read_more(self) -> None:
        """Read the next conversations of large sources."""
        if self._reading.is_on:
            self._view.say("Still reading …")
        elif not self._reading.has_more:
            self._view.say("All conversations are read.")
        else:
            self._reading.read_more()
            self._view.say("Reading the next 1,000 …")

    def add_source(self) -> None:
        """Ask for a file or folder, and read its conversations, too."""
        from evaltui.tui.screens.text_dialogs import NameDialog

        document = self._file.document.path
        folder = document.absolute().parent if document is not None else None

        def check(text: str) -> Path:
            return named_path(text, folder)

        def answered(text: str | None) -> None:
            if text is not None:
                path = check(text)
                self._view.expect_source(path)
                self._reading.add(path)
                self._view.say(f"Reading {printable(path.name)} …")

        question = "Path of a session database, session, trace, result or folder"
        self._file.app.push_screen(NameDialog(question, "", check, is_path=True, folder=folder), answered)
