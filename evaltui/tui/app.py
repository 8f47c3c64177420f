"""The Textual app: one session, its screens, and what holds for all of them."""

from __future__ import annotations

import asyncio
from typing import Any

from textual import work
from textual.screen import Screen

from evaltui.document import Document, Node
from evaltui.document.inspection import inspect
from evaltui.evalset.eval_set import EvalCase
from evaltui.settings import Settings
from evaltui.tui.base_app import BaseApp
from evaltui.tui.journalling import INTERVAL, Journalling
from evaltui.tui.screens.edit_screen import EditScreen
from evaltui.tui.screens.panes_screen import PanesScreen
from evaltui.tui.session import Session
from evaltui.tui.session_journal import say_kept
from evaltui.tui.signals import end_on_signals

_SLICE = 20
"""Cases inspected between two looks at the keyboard."""


class EvaltuiApp(BaseApp):
    """evaltui on one file."""

    def __init__(
        self,
        session: Session,
        case: str | None = None,
        settings: Settings | None = None,
        journalling: Journalling | None = None,
        notice: str = "",
    ) -> None:
        """`notice` is what the person should know at the start."""
        super().__init__(settings)
        self.session = session
        self._journalling = journalling
        self._notice = notice
        self._case = case

    @property
    def open_document(self) -> Document:
        """The document that is edited."""
        return self.session.document

    def get_default_screen(self) -> Screen[Any]:
        """What an earlier session left unsaved, where there is such a thing; otherwise the screen for the file."""
        if self._journalling is not None and self._journalling.left:
            from evaltui.tui.screens.recovery_screen import RecoveryScreen

            return RecoveryScreen(self.session, self._journalling.left, self._journalling.flush, self._open_file)
        return self._file_screen()

    def _open_file(self, said: str) -> None:
        """Show the file, and what was done before."""
        self._notice = " · ".join(filter(None, [said, self._notice]))
        # A stack of screens of its own: the first one of a stack cannot be switched.
        self.add_mode("file", self._file_screen)
        self.switch_mode("file")
        self._begin()

    def _file_screen(self) -> Screen[Any]:
        """The editor, or the repair view where the file is not JSON."""
        outline = self.session.outline()
        if outline is None:
            from evaltui.tui.screens.repair_screen import RepairScreen

            return RepairScreen(self.session)
        return EditScreen(self.session, outline, self._start())

    def on_load(self) -> None:
        """A signal ends the app as quitting does, and keeps what is unsaved."""
        if self._journalling is not None:
            end_on_signals(self, self._journalling.flush)

    def on_mount(self) -> None:
        """Keep the journal from now on."""
        if self._journalling is not None:
            self.set_interval(INTERVAL, self._keep_journal)
        if self._journalling is None or not self._journalling.left:
            self._begin()

    def _begin(self) -> None:
        """Look for oddities of the file once it is on screen."""
        self.call_after_refresh(self._say, self._notice)
        self.call_after_refresh(self._inspect)

    def _say(self, text: str) -> None:
        if text and isinstance(self.screen, PanesScreen):
            self.screen.status.say(text)

    def _keep_journal(self) -> None:
        assert self._journalling is not None
        before = self._journalling.problem
        self._journalling.look()
        if self._journalling.problem != before:
            self._say(self._journalling.problem or "the journal is written again")

    def ended(self, code: int) -> None:
        """Keep the journal for the next time, where the app was ended and something is unsaved."""
        kept = self._journalling is not None and self._journalling.end(wanted=code != 0)
        if code >= 128 and kept:
            say_kept(self.session.file_name)

    def words_on_crash(self) -> str:
        """That the journal has it all, too."""
        kept = self._journalling is not None and self._journalling.flush()
        return "The journal has them as well: open the file again to be offered them." if kept else ""

    def _start(self) -> Node | None:
        """The case that the command line names."""
        eval_set = self.session.eval_set
        if eval_set is None or self._case is None:
            return None
        return next((node for node in eval_set.cases if EvalCase(node).eval_id == self._case), None)

    @work(exclusive=True, group="inspect")
    async def _inspect(self) -> None:
        """Collect the findings in slices, so that keys are never kept waiting."""
        found = False
        for number, finding in enumerate(inspect(self.session.document)):
            if finding is not None:
                self.session.findings.append(finding)
                found = True
            elif number % _SLICE == 0:
                await asyncio.sleep(0)
        if found:
            for screen in self.screen_stack:
                if isinstance(screen, EditScreen):
                    screen.show_findings()
