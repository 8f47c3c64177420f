"""Problems in the edit screen: shown as they are found, and gone to."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import events, on

from evaltui.document import Change, Node
from evaltui.tui.commands import key_of
from evaltui.tui.editor.pane_layout import Arranging
from evaltui.tui.forms.form import Link
from evaltui.tui.panes.problems_pane import MARKS
from evaltui.tui.panes.requests import GoTo
from evaltui.tui.session.drafts import DraftPlace
from evaltui.tui.session.problem import Problem
from evaltui.tui.widgets.text_field import TextField

if TYPE_CHECKING:
    from evaltui.tui.app import EvaltuiApp
    from evaltui.tui.session.check_runs import CheckRuns


class Checking(Arranging):
    """The part of the edit screen that has the file checked, and leads to what is wrong."""

    @property
    def checks(self) -> CheckRuns:
        """What checks the file."""
        return cast("EvaltuiApp", self.app).checks

    # --- what changes ----------------------------------------------------------------------------------------

    def apply_change(self, change: Change, *, goto_new: bool = False, begin: bool = False) -> None:
        """What changed is checked again: while somebody types, once there is a pause."""
        if self.form_pane.edited is not None:
            self.checks.typed()
        version = self.session.problems.version
        self.session.problems.changed(change)
        super().apply_change(change, goto_new=goto_new, begin=begin)
        if self.session.problems.version != version and self.is_attached:  # a draft came or went
            cast("EvaltuiApp", self.app).show_problems()

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Who leaves a field wants to know now."""
        if not isinstance(self.focused, TextField):
            self.checks.hurry()

    def show_problems(self) -> None:
        """There are other problems than before, or more of the file has been checked."""
        self.title_bar.update()
        if self.problems_pane.refresh_problems():
            self.run_pane.say_in_title()
            self.tree_pane.refresh_marks()
            self.form_pane.refresh_problems()
            if self._is_pane_wanted() != self.problems_pane.display:
                self.place_panes()
            self.search_again()
            self.keys.update()
        if self.pane in ("tree", "problems"):
            self.status.hint(self.hint_at_rest())

    def hint_at_rest(self) -> str:
        """Where there is no room for the problems, how many there are, and the first."""
        if self.pane == "problems":
            return self.problems_pane.left_out()
        is_wanted = self.pane == "tree" and not self.problems_pane.display
        return self.problems_pane.summary() if is_wanted else ""

    # --- going to a problem ----------------------------------------------------------------------------------

    @property
    def problem_here(self) -> Problem | None:
        """The selected problem; in the tree and the form the worst one of the row or line one is in."""
        if self.pane == "problems":
            return self.problems_pane.problem
        if self.pane == "form":
            problem, _ = self.session.problems.gone_to or (None, 0)
            is_here = problem in self.session.problems.rows and problem is not None and self.form_pane.is_at(problem)
            return problem if is_here else self.form_pane.problem
        found = [problem for problem, _, _ in self.session.problems.within(self.tree_pane.selected)]
        return next((problem for problem in found if problem.fix is not None), next(iter(found), None))

    def action_step_problem(self, step: int) -> None:
        """Go to the next or previous problem, round at the ends."""
        problems = self.session.problems
        if not problems.rows:
            self.status.say(self._no_problems())
            return
        at = problems.next_row(self.problems_pane.cursor, step)
        problem, count = problems.rows[at], len(problems.rows)
        self.go_to_problem(problem)
        said = f"{at + 1:,} of {count:,}: {MARKS[problem.severity][0]}{problem.message}"
        does = "fixes it" if problem.fix is not None and problem.fix.safe else "shows a fix"
        aside = f"{key_of('fix')} {does}" if problem.fix is not None else ""
        screen = cast(Checking, self.app.screen)  # a view of the value, perhaps, which has no lines yet
        screen.call_after_refresh(lambda: screen.status.say(said, aside))

    def _no_problems(self) -> str:
        problems = self.session.problems
        if problems.all:
            return "No problems of the kind that is shown."
        return f"No problems yet: {problems.progress}." if problems.progress else "No problems."

    @on(GoTo)
    def _go_to_asked(self, event: GoTo) -> None:
        event.stop()
        self.go_to_problem(event.problem)

    def go_to_problem(self, problem: Problem) -> None:
        """Open the form at the line that a problem is about; leaves views of values that it is not in."""
        at, missing = problem.locate()
        root = self.session.document.root
        if at is None or root is None or not at.is_in(root):
            self.status.say("This problem concerns the file as a whole.")
            return
        self.open_place(at, missing, problem)

    def open_place(self, at: Node, missing: str = "", problem: Problem | None = None) -> None:
        """Open the nearest form at the line of a value, or of a member missing in it; leaves views it is not in."""
        self.form_pane.stop_editing()
        outermost = cast(Checking, self.outermost)
        while self.app.screen is not outermost and self._is_outside(at):
            self.app.pop_screen()
            screen = cast(Checking, self.app.screen)
            screen.refresh_all()
            if not screen._is_outside(at):
                screen._open_at(at, missing, problem)
                return
        self._open_at(at, missing, problem)

    def _remember(self, problem: Problem) -> None:
        """Go on from here."""
        problems = self.session.problems
        row = problems.rows.index(problem) if problem in problems.rows else 0
        problems.gone_to = problem, row
        self.problems_pane.cursor = row

    def _is_outside(self, node: Node) -> bool:
        return self.outline.root not in (node, *node.ancestors())

    def _open_at(self, at: Node, missing: str, problem: Problem | None) -> None:
        if problem is not None:
            self._remember(problem)
        self.trail.clear()
        row = next((node for node in (at, *at.ancestors()) if self.tree_pane.go_to(node)), self.outline.root)
        self.form_pane.show(row)
        self.show_pane("form")
        if problem is not None and problem.draft is not None:
            self._go_to_draft(problem.draft, row)
            return
        link = self.form_pane.go_to_place(at, missing)
        if link is not None:
            self._open_behind(link, at)

    def _go_to_draft(self, at: DraftPlace, row: Node) -> None:
        """Select the line of a draft; a value that has no row is shown in a view of its own."""
        if row is at.node:
            self.form_pane.lines.go_to(at.key)
            return
        self.view_value(at.node)
        view = cast(Checking, self.app.screen)  # which has no lines yet
        view.call_after_refresh(lambda: view.form_pane.lines.go_to(at.key))

    def _open_behind(self, link: Link, at: Node) -> None:
        """A value that this form only leads to is shown in a view of its own."""
        if not link.target.is_container or self.tree_pane.rows.index(link.target) is not None:
            return
        self.view_value(link.target, at if at is not link.target else None)
