"""Rules: explained, ignored and heeded again; and problems of one case only."""

from __future__ import annotations

from dataclasses import replace

from evaltui.document.errors import DocumentError
from evaltui.tui.commands import key_of
from evaltui.tui.editor.fixer import SecondPress
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.editor.panes import Panes
from evaltui.tui.editor.problem_guide import ProblemGuide


class RuleChoice:
    """Chooses which problems are shown; what a person ignores is kept in the settings."""

    def __init__(self, file: OpenFile, panes: Panes, guide: ProblemGuide) -> None:
        self._session = file.session
        self._stage = file.stage
        self._panes = panes
        self._guide = guide
        self._second_press = SecondPress(file.stage)

    def action_explain(self) -> None:
        """Show the rule of the problem one is at."""
        from evaltui.tui.screens.text_pages import RuleScreen

        problem = self._guide.problem_here
        if problem is None or not problem.code:
            self._panes.status.say("There is no problem here." if problem is None else problem.message)
        else:
            self._stage.ask(RuleScreen(problem))

    def action_ignore(self, everywhere: bool) -> None:
        """Leave out what the rule of the selected problem finds, in this file or in all; kept in the settings."""
        from evaltui.settings.settings_file import ignore_rule

        problem, path, status = self._guide.problem_here, self._session.document.path, self._panes.status
        if problem is None or not problem.code:
            status.say("Only what a rule finds can be ignored.")
            return
        if not everywhere and path is None:
            status.say("This text has no file yet; save it first.")
            return
        if problem.severity == "error" and not self._second_press.is_second(problem):
            status.say(f"{problem.code} is what google-adk rejects a file for", "again ignores it")
            return
        try:
            ignore_rule(problem.code, None if everywhere else path, self._stage.settings.path)
        except DocumentError as error:
            status.say(str(error))
            return
        self._want(self._session.problems.wanted.ignored | {problem.code})
        where = "everywhere" if everywhere else "in this file"
        status.say(f"{problem.code} is ignored {where} · {key_of('problems.heed')} shows all again")

    def action_heed(self) -> None:
        """Show again what is ignored in this file and everywhere."""
        from evaltui.settings.settings_file import heed_all

        ignored, status = self._session.problems.wanted.ignored, self._panes.status
        if not ignored:
            status.say("No rule is ignored.")
            return
        try:
            heed_all(self._session.document.path, self._stage.settings.path)
        except DocumentError as error:
            status.say(str(error))
            return
        self._want(frozenset())
        status.say(f"shown again: {', '.join(sorted(ignored))}")

    def _want(self, ignored: frozenset[str]) -> None:
        problems = self._session.problems
        problems.want(replace(problems.wanted, ignored=ignored))
        self._stage.show_problems()

    def action_only_case(self) -> None:
        """Show only the problems of the case of the selected one, or all again."""
        problems, problem = self._session.problems, self._panes.problems.problem
        owner = problem.owner if problem is not None else None
        if problems.case is not None:
            case, said = None, "showing the problems of all cases"
        elif owner is None or owner is self._session.document.root or not problems.is_of_rules:
            self._panes.status.say("This problem is in no case.")
            return
        else:
            case, said = owner, f"showing the problems of {self._session.problems_called(owner)} only"
        problems.choose(problems.least, case)
        self._guide.show()
        self._panes.status.say(said)
