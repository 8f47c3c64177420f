"""The head of the agent screen: cases, duration, and end of the run, and the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.printable import one_line, printable
from evaltui.runs.agent_run import AgentRun, duration
from evaltui.tui.lines import ERROR, FILL, NOT_EVALUATED, PASSED, Line
from evaltui.tui.widgets.line_view import LineBar

if TYPE_CHECKING:
    from evaltui.tui.open_file.edited_document import EditedDocument


class AgentHead(LineBar):
    """Two lines above the output."""

    def __init__(self, file: EditedDocument) -> None:
        super().__init__(id="agent-head")
        self._file = file
        self.run: AgentRun | None = None

    def line(self, index: int) -> Line:
        """State and scores, then the command and its folder."""
        if self.run is None:
            return []
        return self._state(self.run) if index == 0 else self._command(self.run)

    def _state(self, run: AgentRun) -> Line:
        process = run.process
        count = process.output.count
        lines = f"{count:,} line{'s' * (count != 1)} "
        left: Line = [(" Agent", "heading"), (f"  {one_line(run.cases_text, 40)}  ", "key")]
        end = process.end
        if end is None:
            word = "cancelling" if process.is_cancelled else "running"
            before = f"  last run took {duration(run.previous_seconds)}" if run.previous_seconds is not None else ""
            state = f"{word} {duration(process.seconds)}"
            return [*left, (state, "accent"), (before, "dim"), ("", FILL), (lines, "dim")]
        mark = NOT_EVALUATED if end.is_cancelled else PASSED if end.code == 0 else ERROR
        scores = f"{self._file.scores.counted()}  " if self.size.width >= 100 else ""
        said = f"{end.brief} after {duration(end.seconds)}"
        return [*left, mark, (said, mark[1]), ("", FILL), (scores, "dim"), (lines, "dim")]

    def _command(self, run: AgentRun) -> Line:
        folder = one_line(str(run.plan.command.folder), self.size.width // 3)
        return [(f" $ {printable(run.command_line)}", ""), ("", FILL), (f"  in {folder} ", "dim")]
