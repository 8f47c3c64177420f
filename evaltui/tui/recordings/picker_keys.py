"""Keys of the recordings picker that change files, matches and runs, with their questions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.printable import quoted
from evaltui.tui.commands import key_of
from evaltui.tui.forms.form import Choice
from evaltui.tui.recordings.case_runs import runs_of
from evaltui.tui.recordings.recording_changes import RecordingChanges

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile
    from evaltui.tui.recordings.recordings_screen import RecordingsScreen

_MOST_CHOICES = 500
"""The most cases in the list to choose from; other ids can be typed."""


class PickerKeys:
    """The actions on the selected file, conversation or run."""

    def __init__(self, file: OpenFile, view: RecordingsScreen, changes: RecordingChanges) -> None:
        self._file, self._view, self._changes = file, view, changes

    # --- files -------------------------------------------------------------------------------------------------

    def add(self) -> None:
        """Ask for a file or folder to add."""
        from evaltui.tui.screens.text_dialogs import NameDialog

        document = self._file.document.path
        folder = document.absolute().parent if document is not None else None

        def answered(text: str | None) -> None:
            if text is not None:
                path = self._changes.path_to_add(text, folder)
                self._view.changed(self._changes.add(path), path)

        def check(text: str) -> Path:
            return self._changes.path_to_add(text, folder)

        question = "Path of a recording, or of a folder with recordings"
        facts = self._file.scores.facts
        loaded = {str(file.path) for file in facts.files} if facts is not None else set()
        earlier = (path for path in self._file.earlier_recordings if path not in loaded)
        self._file.app.push_screen(
            NameDialog(question, next(earlier, ""), check, is_path=True, folder=folder), answered
        )

    def drop(self) -> None:
        """Drop the selected file from scoring."""
        file = self._view.file_here
        if file is not None:
            self._view.changed(self._changes.drop(file))

    def restore(self) -> None:
        """Bring back a dropped file."""
        self._view.changed(self._changes.restore(self._view.file_here))

    # --- matches by hand ---------------------------------------------------------------------------------------

    def match(self) -> None:
        """Choose the case of the selected conversation; first those without a recording."""
        conversation, key = self._view.conversation_here, key_of("conversations.unmatch")
        if conversation is None:
            return
        if self._view.is_dropped:
            self._view.say(
                f"This file is dropped. In the list of files, press {key_of('recordings.restore')} to restore the file."
            )
            return
        is_by_hand = conversation.key in self._changes.choices.by_hand
        if self._view.known.belonging(conversation) is not None and not is_by_hand:
            self._view.say("Only a conversation without a case can be matched by hand.")
            return
        choices = self._cases()
        if not choices:
            self._view.say("No case to match: no case has a unique eval_id.")
            return
        from evaltui.tui.screens.choice_dialog import ChoiceDialog

        def answered(choice: Choice | str | None) -> None:
            if choice is not None:
                eval_id = choice.label if isinstance(choice, Choice) else choice
                self._view.changed(self._changes.match(conversation, eval_id))

        def check(text: str) -> None:
            if all(text != choice.label for choice in choices):
                raise DocumentError(f"the eval_id {quoted(text)} does not belong to exactly one case")

        more = f"; press {key} to undo the match" if is_by_hand else ""
        question, is_cut = f"Case of this conversation{more}", len(choices) > _MOST_CHOICES
        dialog = ChoiceDialog(question, choices[:_MOST_CHOICES], "", check if is_cut else None)
        self._file.app.push_screen(dialog, answered)

    def _cases(self) -> tuple[Choice, ...]:
        scores = self._file.scores
        results = [scored.result for case in self._view.known.cases.values() if (scored := scores.of(case))]
        counts = Counter(each.eval_id for each in results)
        own = [each for each in results if each.eval_id and counts[each.eval_id] == 1]
        own.sort(key=lambda each: each.recordings > 0)
        return tuple(Choice(each.eval_id, "" if each.recordings else "no recording") for each in own)

    def unmatch(self) -> None:
        """Undo a match by hand."""
        conversation = self._view.conversation_here
        if conversation is not None:
            self._view.changed(self._changes.unmatch(conversation))

    # --- runs ----------------------------------------------------------------------------------------------------

    def count(self, number: int) -> None:
        """Make a run count for the case, by its number from 1."""
        case = self._view.case_here
        if case is not None:
            self._view.changed(self._changes.count(case, runs_of(self._file.scores, case), number))

    def count_latest(self) -> None:
        """Make the latest run count for the case."""
        case = self._view.case_here
        if case is not None:
            self._view.changed(self._changes.count_latest(case, runs_of(self._file.scores, case)))

    def toggle_all_runs(self) -> None:
        """Score each run of a case, or only the one that counts."""
        self._view.changed(self._changes.toggle_all_runs())
