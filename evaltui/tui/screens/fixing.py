"""Fixes in the edit screen: one, all safe ones, and rules explained or ignored."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from textual import work

from evaltui.document import DocumentError
from evaltui.evalset.editing.revision import Revision
from evaltui.tui.commands import key_of
from evaltui.tui.panes.requests import Revise
from evaltui.tui.problem import Problem
from evaltui.tui.screens.checking import Checking
from evaltui.tui.session import READ_ONLY
from evaltui.tui.step_words import undo_said

if TYPE_CHECKING:
    from evaltui.tui.app import EvaltuiApp
    from evaltui.validation.safe_fixes import SafeFixes


class Fixing(Checking):
    """The part of the edit screen that fixes what is wrong."""

    _previewed: tuple[Problem, int] | None = None
    """The problem whose fix was shown, or whose rule is to be ignored, and the input that asked for it."""

    # --- one problem -----------------------------------------------------------------------------------------

    def action_fix(self) -> None:
        """Fix the problem one is at; a fix that is not safe is shown first and done by a second press."""
        self.form_pane.write_typed()
        self.checks.catch_up()
        self.show_problems()
        problem = self.problem_here
        if problem is None or problem.fix is None:
            self.status.say("There is no problem here." if problem is None else f"No fix is known: {problem.message}")
        elif self.session.readonly:
            self.status.say(READ_ONLY)
        elif problem.owner in self.session.problems.pending or problem.owner is None:
            self.status.say("This case is being checked; once more in a moment.")
        elif problem.fix.safe or self._is_second_press(problem):
            self._fix(problem)
        else:
            self.status.say(f"not safe: {problem.fix.title}: {self._before_and_after(problem)}", "again does it")

    def _is_second_press(self, problem: Problem) -> bool:
        """Whether the very last key asked for the same."""
        inputs = cast("EvaltuiApp", self.app).inputs
        is_second = self._previewed == (problem, inputs - 1)
        self._previewed = None if is_second else (problem, inputs)
        return is_second

    def _before_and_after(self, problem: Problem) -> str:
        from evaltui.tui.before_and_after import before_and_after

        assert problem.fix is not None
        assert problem.owner is not None
        return before_and_after(problem.owner, problem.fix.edits)

    def _fix(self, problem: Problem) -> None:
        from evaltui.validation.below import edit_below

        assert problem.fix is not None
        assert problem.owner is not None
        said = self._before_and_after(problem)
        title = problem.fix.title[:1].lower() + problem.fix.title[1:]
        where = self.problems_pane.called(problem)
        prefix = problem.owner.pointer()
        edits = [edit_below(edit, prefix) for edit in problem.fix.edits]
        self.session.document.history.seal()
        if not self.revise(Revise(Revision(f"fix {where}: {title}", edits, said))):
            self._fixed()

    def _fixed(self) -> None:
        self.form_pane.show_undone()
        self.checks.catch_up()
        self.show_problems()
        self.status.beside(undo_said(is_typing=self.form_pane.edited is not None))

    # --- all safe ones ---------------------------------------------------------------------------------------

    def action_fix_all(self) -> None:
        """Show how many safe fixes there are of which kind, to do them all as one step."""
        if self.session.readonly:
            self.status.say(READ_ONLY)
        elif not self.session.problems.is_of_rules:
            self.status.say("There are fixes for eval sets only.")
        else:
            self.form_pane.write_typed()
            self.status.say("looking for safe fixes …")
            self._look_for_fixes()

    @work(exclusive=True, group="fixes")
    async def _look_for_fixes(self) -> None:
        from evaltui.tui.live_checks import config_of
        from evaltui.tui.screens.fixes_dialog import FixesDialog
        from evaltui.validation.safe_fixes import safe_fixes

        document, problems = self.session.document, self.session.problems
        body, moves, known, wanted = document.body(), document.history.moves, problems.known(), problems.wanted
        named = self.session.problems.config_path
        fixes = await asyncio.to_thread(
            lambda: safe_fixes(body, document.path, config_of(document, named), wanted, known)
        )
        if not fixes.edits:
            left = sum(problem.fix is not None for problem in problems.all)
            rest = f"; {left} that {'is' if left == 1 else 'are'} not safe: {key_of('fix')} shows each" if left else ""
            self.status.say(f"There is no safe fix{rest}.")
            return
        self.status.say("")

        def answered(wanted: bool | None) -> None:
            if wanted:
                self._fix_all(fixes, moves)

        self.app.push_screen(FixesDialog(fixes.counts), answered)

    def _fix_all(self, fixes: SafeFixes, moves: int) -> None:
        if self.session.document.history.moves != moves:
            self.status.say("The text has changed meanwhile; nothing was fixed.")
            return
        count = sum(fixes.counts.values())
        label = f"fix {count:,} problem{'s' * (count != 1)}"
        self.session.document.history.seal()
        if not self.revise(Revise(Revision(label, list(fixes.edits)))):
            self.form_pane.show_undone()
            self.checks.hurry()

    # --- rules -----------------------------------------------------------------------------------------------

    def action_explain(self) -> None:
        """Show the rule of the problem one is at."""
        from evaltui.tui.screens.rule_screen import RuleScreen

        problem = self.problem_here
        if problem is None or not problem.code:
            self.status.say("There is no problem here." if problem is None else problem.message)
        else:
            self.app.push_screen(RuleScreen(problem))

    def action_ignore(self, everywhere: bool) -> None:
        """Leave out what the rule of the selected problem finds, in this file or in all; kept in the settings."""
        from evaltui.ignoring import ignore_rule

        problem, path = self.problem_here, self.session.document.path
        if problem is None or not problem.code:
            self.status.say("Only what a rule finds can be ignored.")
            return
        if not everywhere and path is None:
            self.status.say("This text has no file yet; save it first.")
            return
        if problem.severity == "error" and not self._is_second_press(problem):
            self.status.say(f"{problem.code} is what google-adk rejects a file for", "again ignores it")
            return
        app = cast("EvaltuiApp", self.app)
        try:
            ignore_rule(problem.code, None if everywhere else path, app.settings.path)
        except DocumentError as error:
            self.status.say(str(error))
            return
        problems = self.session.problems
        problems.want(replace(problems.wanted, ignored=problems.wanted.ignored | {problem.code}))
        app.show_problems()
        where = "everywhere" if everywhere else "in this file"
        self.status.say(f"{problem.code} is ignored {where} · {key_of('problems.heed')} shows all again")

    def action_heed(self) -> None:
        """Show again what is ignored in this file and everywhere."""
        from evaltui.ignoring import heed_all

        app = cast("EvaltuiApp", self.app)
        problems = self.session.problems
        if not problems.wanted.ignored:
            self.status.say("No rule is ignored.")
            return
        try:
            heed_all(self.session.document.path, app.settings.path)
        except DocumentError as error:
            self.status.say(str(error))
            return
        codes = ", ".join(sorted(problems.wanted.ignored))
        problems.want(replace(problems.wanted, ignored=frozenset()))
        app.show_problems()
        self.status.say(f"shown again: {codes}")

    def action_only_case(self) -> None:
        """Show only the problems of the case of the selected one, or all again."""
        problems, problem = self.session.problems, self.problems_pane.problem
        owner = problem.owner if problem is not None else None
        if problems.case is not None:
            case, said = None, "showing the problems of all cases"
        elif owner is None or owner is self.session.document.root or not problems.is_of_rules:
            self.status.say("This problem is in no case.")
            return
        else:
            case, said = owner, f"showing the problems of {self.session.problems_called(owner)} only"
        problems.choose(problems.least, case)
        self.show_problems()
        self.status.say(said)
