"""Leads to problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.tui.commands import key_of
from evaltui.tui.lines import SEVERITY_MARKS
from evaltui.tui.open_file.problem_list import Problem

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen


class ProblemSteps:
    """Leads to each of the problems of the file."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes

    @property
    def problem_here(self) -> Problem | None:
        """The current problem: the selected one, or the worst one of the row or line under the cursor."""
        panes, problems = self._panes, self._file.problems
        if panes.current == "problems":
            return panes.problems.problem
        if panes.current == "form":
            problem, _ = problems.gone_to or (None, 0)
            is_here = problem in problems.rows and problem is not None and panes.form.is_at(problem)
            return problem if is_here else panes.form.problem
        # The key of the fix acts on it, so of a row a problem with a fix comes before a worse one without.
        problems_of_row = [problem for problem, _, _ in problems.within(panes.tree.selected)]
        return next(
            (problem for problem in problems_of_row if problem.fix is not None), next(iter(problems_of_row), None)
        )

    # --- going to a problem ----------------------------------------------------------------------------------

    def step_problem(self, step: int) -> None:
        """Go to the next or previous problem; wraps around."""
        problems = self._file.problems
        if not problems.rows:
            self._panes.status.say(problems.none_shown)
            return
        self._file.app.opener_guard.forget()  # the key has led somewhere, so letters act again
        row = problems.next_row(self._panes.problems.cursor, step)
        problem, count = problems.rows[row], len(problems.rows)
        self.go_to_problem(problem)
        message = f"{row + 1:,} of {count:,}: {SEVERITY_MARKS[problem.severity][0]}{problem.message}"
        does = "fix" if problem.fix is not None and problem.fix.safe else "show a fix"
        aside = f"{key_of('fix')}: {does}" if problem.fix is not None else ""
        if (view := self._file.front) is not None:  # may be a new view of the value, which has no lines yet
            view.call_after_refresh(lambda: view.panes.status.say(message, aside))

    def go_to_problem(self, problem: Problem) -> None:
        """Open the form at the line of a problem; closes views of other values."""
        node, missing = problem.locate()
        root = self._file.document.root
        if node is None or root is None or not node.is_in(root):
            self._panes.status.say("This problem is about the whole file.")
            return
        self.open_place(node, missing, problem)

    def open_place(self, node: Node, missing: str = "", problem: Problem | None = None) -> None:
        """Open the nearest form at the line of a value, or of a key missing in it; closes views of other values."""
        self._panes.form.stop_editing()
        self._file.lead_to(node).problem_steps.open_place_here(node, missing, problem)

    def open_place_here(self, node: Node, missing: str, problem: Problem | None) -> None:
        """Open the nearest form at the line of a value in this view."""
        panes, navigator, problems = self._panes, self._screen.navigator, self._file.problems
        if problem is not None:
            # The next step starts here. The rows may change before it; then the problem tells the place.
            row_of_problem = problems.rows.index(problem) if problem in problems.rows else 0
            problems.gone_to = problem, row_of_problem
            panes.problems.cursor = row_of_problem
        panes.trail.clear()
        row = navigator.row_around(node)
        panes.form.show(row)
        navigator.show_pane("form")
        draft = problem.draft if problem is not None else None
        if draft is not None and row is draft.node:
            panes.form.lines.go_to(draft.key)
        elif draft is not None:  # a value without a row has a view of its own
            navigator.view_value(draft.node)
            if (view := self._file.front) is not None:  # a new view has no lines yet
                view.call_after_refresh(lambda: view.panes.form.lines.go_to(draft.key))
        elif (link := panes.form.go_to_place(node, missing)) is not None:
            target = link.target  # this form only links to the value
            if target.is_container and panes.tree.rows.index(target) is None:
                navigator.view_value(target, node if node is not target else None, in_form=True)
