"""Runs the agent for the open set: questions, start, screen, and scores of the new recordings at the end."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.document.positions import in_order
from evaltui.evalset.titles import case_title
from evaltui.tui.commands import key_of
from evaltui.tui.open_file.score_sentences import NO_AGENT, no_command

if TYPE_CHECKING:
    from evaltui.runs.agent_run import AgentRun
    from evaltui.tui.agent.agent_screen import AgentScreen
    from evaltui.tui.open_file.open_file import OpenFile


class AgentRunner:
    """Runs one agent at a time."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self.run: AgentRun | None = None
        """The present run, or the last one."""
        self._screen: AgentScreen | None = None
        self._is_planning = False
        self._warned_at = -1
        """The number of the key press that was stopped from leaving the file while the agent runs."""
        self._warned_command = ""
        """The command for which the missing {cases} was reported already."""

    # --- keys ------------------------------------------------------------------------------------------------

    def run_agent(self) -> None:
        """Run the agent for the marked cases or all; while it runs, show it."""
        if self.run is not None and self.run.is_running:
            if self._screen is not None:
                self._file.say("The agent is running.")
            else:
                self._show(self.run)
            return
        if self._is_planning:
            self._file.say("Reading the settings …")
            return
        self._file.write_typed()
        try:
            eval_set, cases = self._set_on_disk(), self._ids()
        except DocumentError as error:
            self._file.say(str(error))
            return
        from evaltui.runs.agent_run import plan_run

        self._is_planning, app = True, self._file.app
        plan = partial(plan_run, app.settings, eval_set, cases)
        app.start_thread("agent", plan, self._ask_to_trust, self._not_planned, DocumentError)

    def show_agent(self) -> None:
        """Show the output of the present run, or of the last one."""
        if self.run is None:
            self._file.say(f"The agent has not run yet. Press {key_of('agent.run')} to run the agent.")
        elif self._screen is None:
            self._show(self.run)

    # --- before the run --------------------------------------------------------------------------------------

    def _set_on_disk(self) -> Path:
        """The absolute path of the set. Raises `DocumentError` if an agent cannot run on it."""
        document = self._file.document
        if self._file.case_file is None:
            raise DocumentError(f"{NO_AGENT}.")
        if self._file.reading is not None:
            raise DocumentError(f"{NO_AGENT}. {self._file.refusal}")
        if document.path is None or (self._file.readonly and document.is_new):
            raise DocumentError(f"The agent reads the set from disk. Press {key_of('save')} to save the set first.")
        return document.path.absolute()

    def _ids(self) -> tuple[str, ...]:
        """Ids of the cases with marked rows, in order; none for all. Raises `DocumentError` for a case without one."""
        case_file, root = self._file.case_file, self._file.document.root
        if case_file is None or root is None or not self._file.marked:
            return ()
        rows = in_order(self._file.marked, root)
        cases = dict.fromkeys(filter(None, (case_file.enclosing(row, "case") for row in rows)))
        # Without ids the command runs all cases, also those that have none.
        if len(cases) == len(case_file.cases):
            return ()
        for case in cases:
            if not case_file.case_id(case):
                key = case_file.format.case_id
                raise DocumentError(f"{case_title(case)} has no {key}, so the agent cannot run this case alone.")
        return tuple(dict.fromkeys(map(case_file.case_id, cases)))

    def _not_planned(self, error: Exception) -> None:
        from evaltui.runs.agent_run import NoCommandError

        self._is_planning = False
        if isinstance(error, NoCommandError):
            self._file.say(no_command(self._file, in_editor=self._file.front is not None))
        elif isinstance(error, DocumentError):
            self._file.say(str(error))
        else:
            self._file.say(f"The agent cannot start: internal error ({type(error).__name__}).")

    def _ask_to_trust(self, run: AgentRun) -> None:
        from evaltui.settings.run_command import is_trusted, trust

        self._is_planning = False
        if is_trusted(run.mark):
            self._ask_to_save(run)
            return
        from evaltui.tui.agent.trust_dialog import TrustDialog

        def answered(answer: str | None) -> None:
            if answer != "run":
                self._file.say("The agent was not started.")
                return
            try:
                trust(run.mark)
            except DocumentError as error:
                self._file.say(f"{error}. The next run asks again.")
            self._ask_to_save(run)

        self._file.app.push_screen(TrustDialog(run), answered)

    def _ask_to_save(self, run: AgentRun) -> None:
        document = self._file.document
        is_absent = document.is_new or self._file.disk_state.is_lost
        if self._file.readonly or not (document.is_dirty or is_absent):
            self._start(run)
            return
        from evaltui.tui.screens.questions import QuestionDialog

        what, rest = ("is not on disk", "") if is_absent else ("has unsaved changes", ", without these changes")
        sentence = f"{self._file.file_name} {what}. The agent reads the file on disk{rest}."

        def saved() -> None:
            self._file.scorer.score()
            self._start(run)

        question = QuestionDialog("unsaved_run", sentence, without=["unsaved_run.run"] if is_absent else [])
        ways = {"save": lambda: self._file.saver.save(follow_up=saved), "run": lambda: self._start(run)}
        self._file.app.ask_what_to_do(question, ways)

    # --- the run ---------------------------------------------------------------------------------------------

    def _start(self, run: AgentRun) -> None:
        app = self._file.app
        try:
            # The thread that waits for the command tells its end.
            run.start(lambda ended_run: app.call_later(self.ended, ended_run), self.run)
        except DocumentError as error:
            self._file.say(str(error))
            return
        self.run = run
        self._file.is_agent_running = True
        self._file.tell(None)
        self._show(run)
        # The ids may reach the agent in a way that evaltui does not see, so one hint for each command is enough.
        if run.cases and not run.names_cases and self._warned_command != run.command.text:
            self._warned_command = run.command.text
            self._file.say("Without {cases} or $EVALTUI_CASES, the command runs all cases.")

    def _show(self, run: AgentRun) -> None:
        if self._screen is not None:
            self._screen.show_run(run)
            return
        from evaltui.tui.agent.agent_screen import AgentScreen

        def left(message: str | None) -> None:
            self._screen = None
            self._file.say(message or "")

        self._screen = AgentScreen(self._file, run)
        self._file.app.push_screen(self._screen, left)

    def ended(self, run: AgentRun) -> None:
        """The command of a run has ended: look for its recordings, and score with them."""
        # A second run may have begun before the end of the first was handled: it goes on.
        if run is self.run:
            self._file.is_agent_running = False
            if self._screen is not None:
                self._screen.show_state()

        def failed(error: Exception) -> None:
            self._file.app.note_fault(error)
            name, again = type(error).__name__, key_of("run.again")
            self._file.tell(f"The search for new recordings failed ({name}). Press {again} to score again.")

        self._file.app.start_thread("agent", run.new_recordings, lambda paths: self._score(run, paths), failed)

    def _score(self, run: AgentRun, recordings: list[Path]) -> None:
        count = len(recordings)
        news = f"{count:,} new recording{'s' * (count != 1)}." if count else "No new recording found."
        message = f"{run.end_text} {news}"
        self._file.scorer.add_recordings(recordings)
        if not count and run.has_failed and self._file.scores.has_any:
            again = f"Press {key_of('run.again')} to score the earlier recordings"
            self._file.scores.failed_run = f"the last run of the agent failed. {again}"
            message += " The scores are outdated."
        self._file.tell(message)
        self._file.scorer.score_saved(message, elsewhere=True)

    # --- the end of the app ----------------------------------------------------------------------------------

    def keeps_open(self) -> bool:
        """Whether the first press of a key that leaves the file is stopped."""
        # Leaving ends the agent, whose work of minutes would be lost. Only two presses in a row mean it.
        inputs = self._file.app.input_order.inputs
        if self.run is None or not self.run.is_running or inputs - self._warned_at <= 1:
            return False
        self._warned_at = inputs
        self._file.tell(f"The agent is still running. Press {key_of('quit')} again to stop it and quit.")
        return True

    def end(self) -> None:
        """End the run, as the app closes."""
        if self.run is not None and self.run.is_running:
            from evaltui.runs.command_process import end_all_commands

            end_all_commands()
