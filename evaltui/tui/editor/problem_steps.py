"""Leads to problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.tui.commands import key_of
from evaltui.tui.forms.form import Link
from evaltui.tui.lines import SEVERITY_MARKS
from evaltui.tui.open_file.drafts import DraftPlace
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
        self._file.app.opener_guard.forget()
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
        self._panes.form.editor.stop()
        self._file.lead_to(node).open_place(node, missing, problem)

    def open_place_here(self, node: Node, missing: str, problem: Problem | None) -> None:
        """Open the nearest form at the line of a value in this view."""
        if problem is not None:
            self._remember(problem)
        self._panes.trail.clear()
        row = self._screen.navigator.row_around(node)
        self._panes.form.show(row)
        self._screen.navigator.show_pane("form")
        if problem is not None and problem.draft is not None:
            self._go_to_draft(problem.draft, row)
            return
        link = self._panes.form.go_to_place(node, missing)
        if link is not None:
            self._open_behind(link, node)

    def _remember(self, problem: Problem) -> None:
        """Remember the problem, where the next step starts."""
        # The rows may change before the next step; then the problem tells the place.
        problems = self._file.problems
        row = problems.rows.index(problem) if problem in problems.rows else 0
        problems.gone_to = problem, row
        self._panes.problems.cursor = row

    def _go_to_draft(self, place: DraftPlace, row: Node) -> None:
        """Select the line of a draft; for a value without a row, in a view of its own."""
        if row is place.node:
            self._panes.form.lines.go_to(place.key)
            return
        self._screen.navigator.view_value(place.node)
        if (view := self._file.front) is not None:  # a new view has no lines yet
            view.call_after_refresh(lambda: view.panes.form.lines.go_to(place.key))

    def _open_behind(self, link: Link, node: Node) -> None:
        """Show a value that this form only links to in a view of its own."""
        if not link.target.is_container or self._panes.tree.rows.index(link.target) is not None:
            return
        self._screen.navigator.view_value(link.target, node if node is not link.target else None, in_form=True)
