"""Commands for problems: go to one, fix one or all safe ones, explain or ignore a rule, show those of one case."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.evalset.editing.revision import Revision
from evaltui.tui.commands import key_of
from evaltui.tui.key_guards import SecondPress
from evaltui.tui.lines import SEVERITY_MARKS, counted
from evaltui.tui.messages import UNSAFE, before_and_after, fixed_said
from evaltui.tui.open_file.pending_checks import config_of
from evaltui.tui.open_file.problem_list import Problem
from evaltui.validation.rule_types import edit_below

if TYPE_CHECKING:
    from evaltui.document.edits import Edit
    from evaltui.tui.editor.edit_screen import EditScreen


class ProblemCommands:
    """Leads to problems, applies fixes as undo steps, and chooses the problems to show."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes
        self._second_press = SecondPress(screen.file.app)

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
        return min(problems_of_row, key=lambda problem: problem.fix is None, default=None)

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
        self._panes.form.editor.stop()
        view, problems, draft = self._file.lead_to(node), self._file.problems, problem.draft
        panes, navigator = view.panes, view.navigator
        # The next step starts here. The rows may change before it; then the problem tells the place.
        row = problems.rows.index(problem) if problem in problems.rows else 0
        problems.gone_to = problem, row
        panes.problems.cursor = row
        if draft is None:
            navigator.open_place(node, missing)
            return
        panes.trail.clear()
        panes.form.show(panes.tree.go_around(node))
        navigator.show_pane("form")
        if panes.form.node is draft.node:
            panes.form.lines.go_to(draft.key)
        else:  # a value without a row has a view of its own
            navigator.view_value(draft.node)
            if (front := self._file.front) is not None:  # a new view has no lines yet
                front.call_after_refresh(lambda: front.panes.form.lines.go_to(draft.key))

    # --- fixes -----------------------------------------------------------------------------------------------

    def fix(self) -> None:
        """Fix the current problem; an unsafe fix is shown first and applied by a second press."""
        self._panes.form.write_typed()
        self._file.checks.catch_up()  # the fix must be one of the text as it is now
        problem, status = self.problem_here, self._panes.status
        if problem is None or (fix := problem.fix) is None:
            status.say("No problem here." if problem is None else f"No fix is known: {problem.message}")
        elif self._file.readonly:
            status.say(self._file.refusal)
        elif (owner := problem.owner) is None or self._file.problems.waits(owner):
            status.say("This case is still being checked. Press the key again.")
        elif not (fix.safe or self._second_press.is_second(problem)):
            status.say(f"{UNSAFE}: {fix.title}: {before_and_after(owner, fix.edits)}", "press again to fix")
        else:
            message = fixed_said(fix.title, owner, fix.edits)
            where = f" {called}" if (called := self._panes.problems.called(problem)) else ""
            edits = [edit_below(edit, owner.pointer()) for edit in fix.edits]
            self._file.document.history.seal()  # a fix is a step of its own, not a part of the typing before it
            revision = Revision(f"fix{where}: {fix.title[:1].lower()}{fix.title[1:]}", edits)
            if not self._screen.reviser.apply(revision, message=f"fixed{where}: {message}"):
                self._panes.form.editor.show_undone()
                self._file.checks.catch_up()

    def fix_all(self) -> None:
        """Show the number of safe fixes by kind, and apply all of them as one step."""
        if self._file.readonly:
            self._panes.status.say(self._file.refusal)
        elif not self._file.problems.is_of_rules:
            self._panes.status.say("Only eval sets and datasets have fixes.")
        else:
            self._panes.form.write_typed()
            self._panes.status.say("searching for safe fixes …")
            self._file.app.run_alone("fixes", self._look_for_fixes)

    async def _look_for_fixes(self) -> None:
        from evaltui.tui.screens.questions import fixes_question
        from evaltui.validation.file_check import safe_fixes
        from evaltui.validation.rules.rule_registry import RULES

        document, problems, status = self._file.document, self._file.problems, self._panes.status
        # Taken now: the thread must not read nodes that a key may change meanwhile.
        body, moves = document.body(), document.history.moves
        rules = frozenset(RULES if problems.of_project is None else problems.of_project) - problems.ignored
        known_problems, named, kind = problems.known(), self._file.options.config, self._file.format

        def find() -> tuple[list[Edit], dict[str, int]]:
            config = config_of(document, named) if kind == "eval_set" else None
            return safe_fixes(body, document.path, config, rules, known_problems, kind)

        edits, counts = await asyncio.to_thread(find)
        if not edits:
            unsafe = sum(problem.fix is not None for problem in problems.all)
            rest = f" {unsafe:,} unsafe fix{'es' * (unsafe != 1)}: press {key_of('fix')} to see each." if unsafe else ""
            status.say(f"No safe fixes.{rest}")
            return
        status.say("")

        def apply() -> None:
            if document.history.moves != moves:
                status.say("The text changed in the meantime. Nothing was fixed.")
                return
            document.history.seal()
            if not self._screen.reviser.apply(Revision(f"fix {counted(sum(counts.values()), 'problem')}", edits)):
                self._panes.form.editor.show_undone()
                self._file.checks.hurry()

        self._file.app.ask_what_to_do(fixes_question(counts), {"fix": apply})

    # --- rules and the problems to show ----------------------------------------------------------------------

    def explain(self) -> None:
        """Show the rule of the current problem."""
        from evaltui.tui.screens.text_pages import RuleScreen

        problem = self.problem_here
        if problem is None or not problem.code:
            self._panes.status.say("No problem here." if problem is None else problem.message)
        else:
            self._file.app.push_screen(RuleScreen(problem))

    def ignore(self, everywhere: bool) -> None:
        """Ignore the rule of the selected problem, in this file or everywhere; kept in the settings."""
        from evaltui.settings.user_settings import ignore_rule

        problem, path, status = self.problem_here, self._file.document.path, self._panes.status
        if problem is None or not problem.code:
            status.say("Only problems found by a rule can be ignored.")
            return
        if not everywhere and path is None:
            status.say("Save the file first: it does not exist yet.")
            return
        if problem.severity == "error" and not self._second_press.is_second(problem):
            reader = "google-adk" if self._file.eval_set is not None else "agents-cli"
            status.say(f"{reader} rejects a file with {problem.code}", "press again to ignore")
            return
        try:
            ignore_rule(problem.code, None if everywhere else path, self._file.app.settings.path)
        except DocumentError as error:
            status.say(str(error))
            return
        self._want(self._file.problems.ignored | {problem.code})
        where = "everywhere" if everywhere else "in this file"
        status.say(f"{problem.code} is ignored {where} · {key_of('problems.heed')}: show all rules again")

    def heed(self) -> None:
        """Show ignored rules again, in this file and everywhere."""
        from evaltui.settings.user_settings import heed_all

        ignored, status = self._file.problems.ignored, self._panes.status
        if not ignored:
            status.say("No rule is ignored.")
            return
        try:
            heed_all(self._file.document.path, self._file.app.settings.path)
        except DocumentError as error:
            status.say(str(error))
            return
        self._want(frozenset())
        status.say(f"shown again: {', '.join(sorted(ignored))}")

    def _want(self, ignored: frozenset[str]) -> None:
        self._file.problems.ignored = ignored
        self._file.problems.show_rules()
        self._file.show_problems()

    def only_case(self) -> None:
        """Show only the problems of the selected problem's case, or all again."""
        problems, problem = self._file.problems, self._panes.problems.problem
        owner = problem.owner if problem is not None else None
        if problems.case is not None:
            case, message = None, "showing the problems of all cases"
        elif owner is None or owner is self._file.document.root or not problems.is_of_rules:
            self._panes.status.say("This problem does not belong to a case.")
            return
        else:
            case, message = owner, f"showing the problems of {self._file.problems_called(owner)} only"
        problems.choose(problems.least, case)
        self._screen.show_problems()
        self._panes.status.say(message)
