"""The screen of a run of the agent: its output, and keys to scroll, cancel and leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import getters
from textual.app import ComposeResult

from evaltui.tui.agent.agent_head import AgentHead
from evaltui.tui.agent.output_view import OutputView
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.screens.command_screen import CommandScreen

if TYPE_CHECKING:
    from evaltui.runs.agent_run import AgentRun
    from evaltui.tui.open_file.open_file import OpenFile

_LOOK = 0.1
"""Seconds between two looks at the output."""


class AgentScreen(CommandScreen):
    """Shows one run, which continues after the screen closes. The result is a sentence that says so."""

    PLACE = "agent"
    BINDINGS = bindings("agent")
    AUTO_FOCUS = "#agent-output"
    may_move = True

    _head = getters.query_one(AgentHead)
    output = getters.query_one(OutputView)
    _keys = getters.query_one(KeysBar)
    status = getters.query_one(StatusBar)

    def __init__(self, file: OpenFile, run: AgentRun) -> None:
        super().__init__()
        self.file = file
        self._run = run
        self._said = ""
        """A sentence that came before the screen was mounted."""

    def compose(self) -> ComposeResult:
        """Head, output, and the bars below."""
        yield AgentHead(self.file)
        yield OutputView()
        yield StatusBar()
        yield KeysBar(self._title_of)

    def on_mount(self) -> None:
        """Show the end of the output."""
        self._keys.show_place("agent")
        self.show_run(self._run)
        self.status.say(self._said)
        self.set_interval(_LOOK, self._look)

    def show_run(self, run: AgentRun) -> None:
        """Show another run."""
        self._run = self._head.run = run
        self.output.show(run.process.output)
        self.show_state()

    def show_state(self) -> None:
        """Show output and state of the run as they are now."""
        self.output.update()
        self._head.refresh()
        self._keys.update()

    def _look(self) -> None:
        self.output.look()
        if self._run.is_running:
            self._head.refresh()

    def _title_of(self, command: Command) -> str:
        """The title of a command; "" if it would do nothing now."""
        if self._run.is_running:
            return (
                ""
                if command.id == "agent.again"
                else "leave it running" * (command.id == "agent.leave") or command.title
            )
        return "" if command.id == "agent.cancel" else command.title

    # --- what others tell this screen ------------------------------------------------------------------------

    def show_message(self, said: str | None) -> None:
        """Show a sentence about the file or the run."""
        if said and self.is_mounted:
            self.status.say(said)
        elif said:
            self._said = said

    def show_scores(self) -> None:
        """Show new scores."""
        self._head.refresh()

    # --- keys ------------------------------------------------------------------------------------------------

    def cancel_run(self) -> None:
        """Cancel the run; the second press kills it. After its end, go back."""
        process = self._run.process
        if not process.is_running:
            self.leave()
        elif process.is_cancelled:
            process.kill()
            self.status.say("The agent was killed.")
        else:
            process.cancel()
            self.status.say(f"Cancelling the agent. Press {key_of('agent.cancel')} again to kill it at once.")
        self.show_state()

    def leave(self) -> None:
        """Go back; the run continues."""
        goes_on = (
            f"The agent is still running. Press {key_of('agent.run')} to show its output."
            if self._run.is_running
            else ""
        )
        self.dismiss(goes_on)

    def quit(self) -> None:
        """Quit the app; the agent that runs is asked about."""
        self.file.leaving.quit()
