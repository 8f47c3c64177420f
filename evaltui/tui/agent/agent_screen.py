"""The screen of a run of the agent: its command, its output, and keys to scroll, cancel and leave."""

from __future__ import annotations

import time
from itertools import chain
from typing import TYPE_CHECKING

from rich.cells import chop_cells
from textual.app import ComposeResult

from evaltui.printable import one_line, printable
from evaltui.runs.agent_run import AgentRun, duration
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.lines import ERROR, FILL, NOT_EVALUATED, PASSED, Line, counted
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.widgets.line_view import LineBar, LineView

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile

_LOOK = 0.1
"""Seconds between two looks at the output."""
_REST = 10
"""The pause before the next update, as a multiple of the duration of the last one."""
_WIDE = "\u1100"
"""The first character that takes two cells."""


class OutputView(LineView):
    """The kept lines of the output; long lines are folded. It follows the end until the person scrolls back."""

    PLACE = "agent"
    BINDINGS = bindings("agent")  # bindings of the screen come after Textual's own of a scrolling view

    def __init__(self, run: AgentRun) -> None:
        super().__init__(id="agent-output")
        self._output = run.process.output
        self._seen = -1
        """The state of the output at the last update."""
        self._first = self._width = 0
        """Number of the first line that is kept, and the cells for which lines are folded."""
        self._folded: list[list[Line]] = []
        """The rows of each line."""
        self._next_look = 0.0
        """When to look again, by `time.monotonic`."""
        self._end = 0
        """The greatest `scroll_y` at the last update."""

    @property
    def _follows(self) -> bool:
        """Whether the last line stays in sight: the person has not scrolled back from it since the last update."""
        # Textual lowers scroll_y in a view that becomes higher: that is no scrolling back.
        return self.scroll_y >= min(self._end, self.max_scroll_y)

    def show(self, run: AgentRun) -> None:
        """Take another run, whose output the next update shows from its end."""
        self._output, self._first, self._folded, self._end = run.process.output, 0, [], 0

    def look(self) -> None:
        """Show new output, now or at a later look: folding a flood of wide characters takes a while."""
        began = time.monotonic()
        if began < self._next_look:
            return
        if self._output.state != self._seen:
            self.update()
            ended = time.monotonic()
            self._next_look = ended + _REST * (ended - began)
        elif self._follows and self.scroll_y < self.max_scroll_y:  # the view became lower
            self._scroll_at_once(self.line_count())

    def on_resize(self) -> None:
        """Fold all lines for another width."""
        super().on_resize()
        self.update()

    def update(self) -> None:
        """Show the output so far."""
        self._seen, (first, lines), follows = self._output.state, self._output.numbered_tail(), self._follows
        width = max(20, self.scrollable_content_region.width - 2)
        if width != self._width:
            self._width, self._folded = width, []
        gone = first - self._first
        # The number of rows that are gone at the top.
        top, shift = self.scroll_offset.y, sum(map(len, self._folded[:gone]))
        unchanged = self._folded[gone:-1]  # the last one may have grown
        self._first = first
        self._folded = [*unchanged, *(_rows_of(line, width) for line in lines[len(unchanged) :])]
        self.all_lines = [*chain.from_iterable(self._folded)] or [[("No output yet.", "dim")]]
        self.refresh_size()
        if follows:
            self._scroll_at_once(self.line_count())
        elif shift:  # the same lines stay in sight while earlier ones are dropped
            self._scroll_at_once(top - shift)
        self._end = self.max_scroll_y
        self.refresh()

    # --- scrolling -------------------------------------------------------------------------------------------

    def move(self, step: int) -> None:
        """Scroll by `step` lines."""
        self._scroll_at_once(self.scroll_offset.y + step)

    def move_page(self, direction: int) -> None:
        """Scroll by a page."""
        self._scroll_at_once(self.scroll_offset.y + direction * self.page())

    def move_end(self, direction: int) -> None:
        """Scroll to the first or last line."""
        self._scroll_at_once(0 if direction < 0 else self.line_count())

    def _scroll_at_once(self, line: int) -> None:
        # A deferred scroll would undo a key pressed meanwhile; without `force` Textual waits for a scrollbar.
        self.scroll_to(y=max(0, line), animate=False, force=True, immediate=True)


def _rows_of(line: str, width: int) -> list[Line]:
    # Counting the cells of each character takes long: without wide ones, a row is a slice.
    if line.isascii() or max(line) < _WIDE:
        rows = [line[start : start + width] for start in range(0, len(line), width)]
    else:
        rows = chop_cells(line, width)
    return [[(row, "")] for row in rows or [""]]


class AgentScreen(CommandScreen):
    """Shows one run, which continues after the screen closes. The result is a sentence that says so."""

    PLACE = "agent"
    BINDINGS = bindings("agent")
    AUTO_FOCUS = "#agent-output"
    may_move = True

    def __init__(self, file: OpenFile, run: AgentRun) -> None:
        super().__init__()
        self.file, self._run = file, run
        self._head, self.output = LineBar("agent-head", self._head_line), OutputView(run)
        self.status, self._keys = StatusBar(), KeysBar(self.title_of, "agent")

    def compose(self) -> ComposeResult:
        """Head, output, and the bars below."""
        yield from (self._head, self.output, self.status, self._keys)

    def _head_line(self, index: int, width: int) -> Line:
        """The state of the run with the scores, or its command with the folder."""
        run, process = self._run, self._run.process
        if index:
            folder = one_line(str(run.command.folder), width // 3)
            return [(f" $ {printable(run.command_line)}", ""), ("", FILL), (f"  in {folder} ", "dim")]
        lines = f"{counted(process.output.count, 'line')} "
        title: Line = [(" Agent", "heading"), (f"  {one_line(run.cases_text, 40)}  ", "key")]
        if process.code is None:
            state = f"{'cancelling' if process.is_cancelled else 'running'} {duration(process.seconds)}"
            last_run = f"  last run took {duration(run.previous_seconds)}" if run.previous_seconds is not None else ""
            return [*title, (state, "accent"), (last_run, "dim"), ("", FILL), (lines, "dim")]
        mark = NOT_EVALUATED if process.is_cancelled else PASSED if process.code == 0 else ERROR
        state = f"{process.outcome} after {duration(process.seconds)}"
        scores = f"{self.file.scores.counted()}  " if width >= 100 else ""
        return [*title, mark, (state, mark[1]), ("", FILL), (scores, "dim"), (lines, "dim")]

    def on_mount(self) -> None:
        """Show the end of the output."""
        self.show_state()
        self.set_interval(_LOOK, self._look)

    def show_run(self, run: AgentRun) -> None:
        """Show another run."""
        self._run = run
        self.output.show(run)
        self.show_state()

    def show_state(self) -> None:
        """Show output and state of the run as they are."""
        self.output.update()
        self._head.refresh()
        self._keys.update()

    def _look(self) -> None:
        self.output.look()
        if self._run.is_running:
            self._head.refresh()

    def title_of(self, command: Command) -> str:
        """The title of a command; "" if it would do nothing."""
        if not self._run.is_running:
            return "" if command.id == "agent.cancel" else command.title
        if command.id == "agent.again":
            return ""
        return "leave it running" if command.id == "agent.leave" else command.title

    def show_scores(self) -> None:
        """Show new scores."""
        self._head.refresh()

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
        key = key_of("agent.run")
        still = f"The agent is still running. Press {key} to show its output." if self._run.is_running else ""
        self.dismiss(still)
