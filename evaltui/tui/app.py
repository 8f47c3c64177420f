"""The Textual app: one session, its screens, and what holds for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from rich.segment import Segment
from rich.text import Text
from textual import work
from textual.color import Color
from textual.filter import LineFilter
from textual.screen import Screen
from textual.worker import WorkerFailed

from evaltui.document import Node
from evaltui.document.inspection import inspect
from evaltui.evalset.eval_set import EvalCase
from evaltui.printable import is_unsafe, printable
from evaltui.tui.input_order import InputInOrder
from evaltui.tui.screens.edit_screen import EditScreen
from evaltui.tui.session import Session

_SLICE = 20
"""Cases inspected between two looks at the keyboard."""


class Harmless(LineFilter):
    """Nothing a widget draws may act on the terminal, wherever its text came from."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Replace control characters by visible marks."""
        if not any(is_unsafe(segment.text) for segment in segments):
            return segments
        return [
            Segment(printable(text), style, control) if not control else Segment(text, style, control)
            for text, style, control in segments
        ]


class EvaltuiApp(InputInOrder, inherit_bindings=False):
    """evaltui on one file."""

    CSS_PATH = "evaltui.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "evaltui"
    BINDINGS = []

    def __init__(self, session: Session, case: str | None = None) -> None:
        super().__init__()
        self.session = session
        self._case = case
        self.animation_level = "none"

    def get_line_filters(self) -> Sequence[LineFilter]:
        """All filters of Textual, and the one against what texts may hold."""
        return [Harmless(), *super().get_line_filters()]

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
        # After SIGTSTP and SIGCONT the terminal shows an empty screen, and of its own Textual draws only changes.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))

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

    def _handle_exception(self, error: Exception) -> None:
        """End the app with a sentence instead of a traceback; tests get the exception itself."""
        if isinstance(error, WorkerFailed) and isinstance(error.error, Exception):
            error = error.error  # whose traceback is the one that says what went wrong
        if self.is_headless:
            super()._handle_exception(error)
            return
        self._return_code = 1
        said = "evaltui met an error of its own and had to stop; it could not even write a report."
        try:
            from evaltui.crash import write_crash_report

            said = write_crash_report(error, self.session.document)
        finally:
            # Whatever goes wrong here, the app must end: a handler that dies leaves a frozen screen.
            self.panic(Text(said))
