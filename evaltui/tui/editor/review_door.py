"""Opens the review desk from the editor, and returns to the same place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.editor.navigator import Navigator
from evaltui.tui.editor.pane_layout import Panes
from evaltui.tui.open_file.score_sentences import why_none

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile


class ReviewDoor:
    """Opens the review at the selected turn."""

    def __init__(self, file: OpenFile, panes: Panes, navigator: Navigator) -> None:
        self._file = file
        self._panes = panes
        self._navigator = navigator

    def review(self) -> None:
        """Review the failing turns, starting at the selected one."""
        session, panes = self._file, self._panes
        case_file = session.case_file
        panes.form.write_typed()
        if case_file is None:
            panes.status.say("The review needs the cases of an eval set or a dataset.")
            return
        here = panes.tree.selected
        if panes.current == "run" and panes.run.case is not None:
            here = panes.run.case
        case = case_file.enclosing(here, "case")
        turn = case_file.enclosing(here, "turn") if session.eval_set is not None else None
        scores = session.scores
        if not (scores.has_any or scores.is_running or scores.facts is None):  # the review waits for the first scores
            panes.status.say(why_none(scores))
            return
        from evaltui.tui.review.review_screen import ReviewScreen

        screen = ReviewScreen(self._file, case, turn.index() + 1 if turn is not None else None)

        def left(said: str | None) -> None:
            for view in self._file.views:
                view.refresh_all(said or "")
                view.show_scores()

        self._file.app.push_screen(screen, left)
