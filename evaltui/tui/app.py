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
from evaltui.tui.screens.edit_screen import EditScreen
from evaltui.tui.session import Session

_SLICE = 20
"""Cases inspected between two looks at the keyboard."""


class EvaltuiApp(BaseApp):
    """evaltui on one file."""

    def __init__(self, session: Session, case: str | None = None, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self.session = session
        self._case = case

    @property
    def open_document(self) -> Document:
        """The document that is edited."""
        return self.session.document

    def get_default_screen(self) -> Screen[Any]:
        """The screen for the file: the editor, or the repair view where it is not JSON."""
        outline = self.session.outline()
        if outline is None:
            from evaltui.tui.screens.repair_screen import RepairScreen

            return RepairScreen(self.session)
        return EditScreen(self.session, outline, self._start())

    def on_mount(self) -> None:
        """Look for oddities of the file once it is on screen."""
        self.call_after_refresh(self._inspect)

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
