"""Leads to failing cases and turns, and chooses the cases in the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.evalset.titles import case_title, title
from evaltui.runs.run_comparison import ROW_ORDERS, ShownCases
from evaltui.tui.commands import key_of
from evaltui.tui.open_file.score_places import first_failing_turn, is_unscored, next_failing, place_of_why
from evaltui.tui.open_file.score_sentences import none_failed, why_none

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen


class ScoreSteps:
    """Leads to failing turns and cases, and chooses the cases to show."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes

    # --- which cases, and compared with what --------------------------------------------------------------

    def show_cases(self, cases: ShownCases) -> None:
        """Show all cases in the scores, or only failing or changed ones; a second press shows all again."""
        scores = self._file.scores
        scores.shown_cases = "all" if cases == scores.shown_cases else cases
        scores.order_rows()
        self._file.show_scores()
        self._panes.run.select_case()

    def next_order(self) -> None:
        """Sort the cases in the scores in the next order."""
        scores = self._file.scores
        scores.order = ROW_ORDERS[(ROW_ORDERS.index(scores.order) + 1) % len(ROW_ORDERS)]
        scores.order_rows()
        self._file.show_scores()
        self._panes.status.say(f"sorted: {scores.order}")

    def toggle_baseline(self) -> None:
        """Compare later runs with this run, or with the previous run again."""
        scores = self._file.scores
        if not scores.has_any:
            self._panes.status.say(why_none(scores))
            return
        scores.toggle_baseline()
        self._file.show_scores()
        is_kept = scores.past is not None and scores.past.baseline_at is not None
        key = key_of("run.baseline")
        message = f"New baseline: later runs are compared with this run. Press {key} to remove it."
        self._panes.status.say(message if is_kept else "No baseline: runs are compared with the previous run.")

    # --- going to a case -------------------------------------------------------------------------------------

    def step_failing(self, step: int) -> None:
        """Go to the next or previous failing turn, across cases; wraps around."""
        scores = self._file.scores
        following = next_failing(scores, self._file.views[0].panes.tree.selected, step)
        if following is None:
            self._panes.status.say(none_failed(scores))
            return
        self._file.app.opener_guard.forget()  # the key has led somewhere, so letters act again
        case, place, words = following
        self.go_to_case(case, place, stay=True)
        case_file = self._file.case_file
        message = f"{words}: {title(case_file, place) if case_file is not None else ''}"
        view = self._file.views[0]
        view.call_after_refresh(lambda: view.panes.status.say(message))  # after the hint of the row that was gone to

    def go_to_case(self, case: Node, turn: Node | None = None, *, stay: bool = False) -> None:
        """Show a turn of a case (default: the first failing one) with its lines of Why; with `stay` the focus stays."""
        root = self._file.document.root
        if root is None or not case.is_in(root):
            self._panes.status.say("This case is no longer in the set.")
            return
        self._panes.form.editor.stop()
        view = self._file.lead_to(case)
        view.panes.status.say("")
        view.panes.run.select(case)
        view.score_steps.open_case_here(case, turn or first_failing_turn(self._file.scores, case), stay=stay)

    def open_case_here(self, case: Node, turn: Node | None, *, stay: bool) -> None:
        """Show a turn of a case in this view, with its lines of Why."""
        panes = self._panes
        row = next((node for node in (turn, case) if node is not None and panes.tree.go_to(node)), None)
        if row is None:
            panes.status.say(f"The filter hides {case_title(case)}. Press esc in the tree to show all rows.")
            return
        panes.trail.clear()
        panes.form.show(row)
        if not stay:
            self._screen.navigator.show_pane("form")
        if panes.current == "tree" and panes.recorded is not None and panes.recorded.display:
            return  # the differences are beside the form already
        if panes.form.display:
            panes.form.go_to_why(select=panes.current != "tree")

    def why(self) -> None:
        """Go to the lines of Why for the selected turn or case; from the scores, of the selected case."""
        view, scores = self._screen, self._file.scores
        view.panes.form.editor.stop()
        row_here = view.panes.tree.selected
        if view.panes.current == "run" and (case := view.panes.run.case) is not None:
            row_here = place_of_why(scores, case)
            view = self._file.lead_to(row_here)  # the view of a value in a case may be in front
        panes = view.panes
        around = (row_here, *row_here.ancestors())
        scored = (node for node in around if scores.verdict(node) or is_unscored(scores, node))
        row = next((node for node in scored if panes.tree.go_to(node)), None)
        if row is None:
            message = "No scores here: select a scored case or turn." if scores.has_any else none_failed(scores)
            panes.status.say(message)
            return
        if row is not panes.form.node:
            panes.trail.clear()
        panes.form.show(row)
        view.navigator.show_pane("form")
        panes.form.go_to_why()

    def review(self) -> None:
        """Review the failing turns, starting at the selected one."""
        file, panes = self._file, self._panes
        case_file, scores = file.case_file, file.scores
        panes.form.write_typed()
        if case_file is None:
            panes.status.say("The review needs the cases of an eval set or a dataset.")
            return
        node = panes.tree.selected
        if panes.current == "run" and panes.run.case is not None:
            node = panes.run.case
        case = case_file.enclosing(node, "case")
        turn = case_file.enclosing(node, "turn") if file.eval_set is not None else None
        if not (scores.has_any or scores.is_running or scores.facts is None):  # the review waits for the first scores
            panes.status.say(why_none(scores))
            return
        from evaltui.tui.review.review_screen import ReviewScreen

        screen = ReviewScreen(file, case, turn.index() + 1 if turn is not None else None)

        def left(message: str | None) -> None:
            for view in file.views:
                view.refresh_all(message or "")
                view.show_scores()

        file.app.push_screen(screen, left)
