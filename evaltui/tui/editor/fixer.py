"""Fixes: of one problem, or of all that have a safe one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from evaltui.evalset.editing.revision import Revision
from evaltui.tui.commands import key_of
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.editor.panes import Panes
from evaltui.tui.editor.problem_guide import ProblemGuide
from evaltui.tui.editor.reviser import Reviser
from evaltui.tui.editor.stage import Stage
from evaltui.tui.messages import undo_said
from evaltui.tui.panes.requests import Revise
from evaltui.tui.session.problem import Problem
from evaltui.tui.session.session import READ_ONLY

if TYPE_CHECKING:
    from evaltui.validation.fixes import SafeFixes


class Fixer:
    """Does fixes as undo steps; shows first what is not safe, or concerns many places."""

    def __init__(self, file: OpenFile, panes: Panes, guide: ProblemGuide, reviser: Reviser) -> None:
        self._session = file.session
        self._stage = file.stage
        self._checker = file.checker
        self._panes = panes
        self._guide = guide
        self._reviser = reviser
        self._second_press = SecondPress(file.stage)

    # --- one problem -----------------------------------------------------------------------------------------

    def action_fix(self) -> None:
        """Fix the problem one is at; a fix that is not safe is shown first and done by a second press."""
        self._panes.form.write_typed()
        self._checker.catch_up()
        self._guide.show()
        problem, status = self._guide.problem_here, self._panes.status
        if problem is None or problem.fix is None:
            status.say("There is no problem here." if problem is None else f"No fix is known: {problem.message}")
        elif self._session.readonly:
            status.say(READ_ONLY)
        elif problem.owner in self._session.problems.pending or problem.owner is None:
            status.say("This case is being checked; once more in a moment.")
        elif problem.fix.safe or self._second_press.is_second(problem):
            self._fix(problem)
        else:
            status.say(f"not safe: {problem.fix.title}: {_before_and_after(problem)}", "again does it")

    def _fix(self, problem: Problem) -> None:
        from evaltui.validation.rule import edit_below

        assert problem.fix is not None
        assert problem.owner is not None
        said = _before_and_after(problem)
        title = problem.fix.title[:1].lower() + problem.fix.title[1:]
        where = self._panes.problems.called(problem)
        prefix = problem.owner.pointer()
        edits = [edit_below(edit, prefix) for edit in problem.fix.edits]
        self._session.document.history.seal()
        if not self._reviser.revise(Revise(Revision(f"fix {where}: {title}", edits, said))):
            self._panes.form.show_undone()
            self._checker.catch_up()
            self._guide.show()
            self._panes.status.beside(undo_said(is_typing=self._panes.form.edited is not None))

    # --- all safe ones ---------------------------------------------------------------------------------------

    def action_fix_all(self) -> None:
        """Show how many safe fixes there are of which kind, to do them all as one step."""
        if self._session.readonly:
            self._panes.status.say(READ_ONLY)
        elif not self._session.problems.is_of_rules:
            self._panes.status.say("There are fixes for eval sets only.")
        else:
            self._panes.form.write_typed()
            self._panes.status.say("looking for safe fixes …")
            self._stage.run("fixes", self._look_for_fixes)

    async def _look_for_fixes(self) -> None:
        from evaltui.tui.screens.questions import fixes_question
        from evaltui.tui.session.check_runs import config_of
        from evaltui.validation.fixes import safe_fixes

        document, problems, status = self._session.document, self._session.problems, self._panes.status
        body, moves, known, wanted = document.body(), document.history.moves, problems.known(), problems.wanted
        named = problems.config_path
        fixes = await asyncio.to_thread(
            lambda: safe_fixes(body, document.path, config_of(document, named), wanted, known)
        )
        if not fixes.edits:
            left = sum(problem.fix is not None for problem in problems.all)
            rest = f"; {left} that {'is' if left == 1 else 'are'} not safe: {key_of('fix')} shows each" if left else ""
            status.say(f"There is no safe fix{rest}.")
            return
        status.say("")

        def answered(wanted: str | None) -> None:
            if wanted:
                self._fix_all(fixes, moves)

        self._stage.ask(fixes_question(fixes.counts), answered)

    def _fix_all(self, fixes: SafeFixes, moves: int) -> None:
        history = self._session.document.history
        if history.moves != moves:
            self._panes.status.say("The text has changed meanwhile; nothing was fixed.")
            return
        count = sum(fixes.counts.values())
        label = f"fix {count:,} problem{'s' * (count != 1)}"
        history.seal()
        if not self._reviser.revise(Revise(Revision(label, list(fixes.edits)))):
            self._panes.form.show_undone()
            self._checker.hurry()


def _before_and_after(problem: Problem) -> str:
    from evaltui.tui.messages import before_and_after

    assert problem.fix is not None
    assert problem.owner is not None
    return before_and_after(problem.owner, problem.fix.edits)


class SecondPress:
    """Tells whether the very last key asked for the same; the first press shows what the second does."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._shown: tuple[Problem, int] | None = None
        """The fixes that were shown, and the input that asked for them."""

    def is_second(self, problem: Problem) -> bool:
        """Whether the key before asked for this problem, too; else this is the first press."""
        inputs = self._stage.inputs
        is_second = self._shown == (problem, inputs - 1)
        self._shown = None if is_second else (problem, inputs)
        return is_second
