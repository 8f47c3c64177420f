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
from evaltui.tui.panes.requests import adopt_actions
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.textual_compat import CoveredScreen

if TYPE_CHECKING:
    from evaltui.runs.agent_run import AgentRun
    from evaltui.tui.session.session import Session

_LOOK = 0.1
"""Seconds between two looks at the output."""


class AgentScreen(CoveredScreen[str]):
    """Shows one run, which continues after the screen closes. The result is a sentence that says so."""

    PLACE = "agent"
    BINDINGS = bindings("agent")
    AUTO_FOCUS = "#agent-output"

    _head = getters.query_one(AgentHead)
    _view = getters.query_one(OutputView)
    _keys = getters.query_one(KeysBar)
    status = getters.query_one(StatusBar)

    def __init__(self, session: Session, run: AgentRun, *controllers: object) -> None:
        """`controllers` have the actions of the keys that start and quit."""
        super().__init__()
        self._session = session
        self._run = run
        self._said = ""
        """A sentence that came before the screen was mounted."""
        adopt_actions(self, *controllers)

    def compose(self) -> ComposeResult:
        """Head, output, and the bars below."""
        yield AgentHead(self._session)
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
        self._view.show(run.process.output)
        self.show_state()

    def show_state(self) -> None:
        """Show output and state of the run as they are now."""
        self._view.update()
        self._head.refresh()
        self._keys.update()

    def _look(self) -> None:
        self._view.look()
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

    def hear(self, said: str | None) -> None:
        """Show a sentence about the file or the run."""
        if said and self.is_mounted:
            self.status.say(said)
        elif said:
            self._said = said

    def show_scores(self) -> None:
        """Show new scores."""
        self._head.refresh()

    # --- keys ------------------------------------------------------------------------------------------------

    def action_cancel_run(self) -> None:
        """Cancel the run; the second press kills it. After its end, go back."""
        process = self._run.process
        if not process.is_running:
            self.action_leave()
        elif process.is_cancelled:
            process.kill()
            self.status.say("The agent was killed.")
        else:
            process.cancel()
            self.status.say(f"Cancelling the agent. Press {key_of('agent.cancel')} again to kill it at once.")
        self.show_state()

    def action_leave(self) -> None:
        """Go back; the run continues."""
        goes_on = (
            f"The agent is still running. Press {key_of('agent.run')} to show its output."
            if self._run.is_running
            else ""
        )
        self.dismiss(goes_on)

    def action_move(self, step: int) -> None:
        """Scroll by `step` lines."""
        self._view.action_move(step)

    def action_move_page(self, direction: int) -> None:
        """Scroll by a page."""
        self._view.action_move_page(direction)

    def action_move_end(self, direction: int) -> None:
        """Scroll to the first or last line; at the last line, the view follows the end."""
        self._view.action_move_end(direction)
