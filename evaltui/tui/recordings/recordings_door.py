"""Opens the recordings picker from the editor or the review, and goes to the case that was chosen there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.tui.open_file.score_sentences import NOT_SCORED

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen
    from evaltui.tui.review.review_screen import ReviewScreen


class RecordingsDoor:
    """Opens the recordings picker from a screen."""

    def __init__(self, screen: EditScreen | ReviewScreen) -> None:
        self._screen, self._file = screen, screen.file

    def recordings(self) -> None:
        """Show the files that cases are scored with."""
        if self._is_scorable():
            self._open(None)

    def runs(self) -> None:
        """Show the runs of the selected case."""
        if not self._is_scorable():
            return
        case = self._screen.case_here()
        if case is None:
            self._screen.status.say("Select a case to see its runs.")
        else:
            self._open(case)

    def toggle_all_runs(self) -> None:
        """Score each run of a case, or only the one that counts."""
        from evaltui.tui.recordings.recording_changes import RecordingChanges

        if self._is_scorable():
            self._screen.status.say(RecordingChanges(self._file.scorer, self._file.scores).toggle_all_runs())

    def _is_scorable(self) -> bool:
        if self._file.case_file is None:
            self._screen.status.say(NOT_SCORED)
            return False
        self._file.write_typed()
        return True

    def _open(self, case: Node | None) -> None:
        from evaltui.tui.recordings.recordings_screen import RecordingsScreen

        screen = RecordingsScreen(self._file, case)

        def left(_: str | None) -> None:
            if screen.chosen is not None:
                self._screen.go_to_case(screen.chosen)
            if screen.to_add is not None:
                self._screen.show_conversation(screen.to_add)

        self._file.app.push_screen(screen, left)
