"""The dialog that asks whether to trust a command in its folders. All of it must have been on screen first."""

from __future__ import annotations

import os
import shlex
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.cells import chop_cells
from textual import events, getters
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.screens.questions import QuestionDialog

if TYPE_CHECKING:
    from evaltui.runs.agent_run import AgentRun

_TITLES = 9
"""Cells of the titles at the left."""
_NARROWEST = _TITLES + 4
"""The least cells of a line with its title. In a narrower window the command cannot be read, so it never runs."""
_NOTE = (
    "evaltui asks again if the command, a folder or one of these files changes. "
    "It does not check other code that the command runs or imports."
)
_SHORT = 16
"""In a window with fewer rows, the lines of the command replace the question."""


class TrustDialog(QuestionDialog):
    """Asks whether to run a command: `run`, or "" for no.

    `run` is given only after every line was on screen, in order. Before that, its key shows the next lines.
    """

    _dialog = getters.query_one(".dialog", Vertical)
    _view = getters.query_one("#command", VerticalScroll)
    _text = getters.query_one("#text", Static)
    _unread = getters.query_one("#unread", Static)

    def __init__(self, run: AgentRun) -> None:
        command = run.command
        whose = "all code in the folders" if command.is_own else "the file and all code in the folders"
        question = Content.assemble(
            ("Trust this command?", "bold"),
            f"\n{printable(command.origin.name)} sets this command to run the agent. "
            f"It runs with your rights: trust it only if you trust the authors of {whose}.",
        )
        super().__init__("trust", question)
        self._rows = [("File", str(command.origin)), ("Folder", os.path.realpath(command.folder))]
        if run.agent is not None:
            self._rows.append(("Agent", os.path.realpath(run.agent)))
        self._rows.append(("Command", run.command_line))
        if command.text.strip() != run.command_line:
            self._rows.append(("Setting", command.text))
        self._rows += [("Files", shlex.join(run.files) or "none"), ("Note", _NOTE)]
        self._width = self._lines = self._seen = 0
        """Cells of a line, number of lines, and number of first lines that were on screen."""
        self._notice = ""
        self._is_enter_pressed = False

    def compose_details(self) -> ComposeResult:
        """File, folder and command, and a line that says whether there is more."""
        with VerticalScroll(id="command"):
            yield Static("", markup=False, id="text")
        yield Static("", markup=False, id="unread")

    def on_mount(self) -> None:
        """Follow scrolling and layout, to note the lines that were on screen."""
        self.watch(self._view, "scroll_y", self._scrolled, init=False)
        self.screen_layout_refresh_signal.subscribe(self, lambda _: self._say_unread())

    def _scrolled(self) -> None:
        self.call_after_refresh(self._note_seen)

    def on_resize(self) -> None:
        """Lay out the lines in the room that the rest of the dialog leaves."""
        self.set_class(self.size.height < _SHORT, "-short")
        self.call_after_refresh(self._lay_out)

    def _lay_out(self) -> None:
        rest = sum(child.outer_size.height for child in self._dialog.children if child is not self._view)
        self._view.styles.max_height = max(1, self.size.height - self._dialog.gutter.height - rest)
        width = max(_NARROWEST, self._view.scrollable_content_region.width)
        if width != self._width:
            lines = _folded_rows(self._rows, width)
            # Lines that were on screen in another width do not count: their breaks are elsewhere.
            self._width, self._lines, self._seen = width, len(lines), 0
            self._text.update(Content("\n").join(lines))
            self._view.scroll_home(animate=False)
            self.call_after_refresh(self._lay_out)  # with more lines there may be less room
        self.call_after_refresh(self._say_unread)

    def _lines_seen(self) -> int:
        """The number of first lines that were on screen. Lines that a small window hides do not count."""
        region = self._view.region
        visible = region.intersection(self._dialog.region).intersection(self.region)
        first = round(self._view.scroll_y) + visible.y - region.y
        is_whole = visible.width == region.width and self._view.scrollable_content_region.width >= self._width
        if not is_whole or first > self._seen:  # cut off at the side, or lines were skipped: nothing new counts
            return self._seen
        return min(self._lines, max(self._seen, first + visible.height))

    def _note_seen(self) -> None:
        self._seen = self._lines_seen()
        self._say_unread()

    def on_key(self, event: events.Key) -> None:
        """Say which keys answer. Enter does not: a person who presses it without reading must not run the command."""
        if event.key == "enter":
            self._is_enter_pressed = True
            self._say_unread()

    def _say_unread(self) -> None:
        count, run, notice = self._lines - self._lines_seen(), key_of("trust.run"), ""
        if count:
            notice = f"{count} more line{'s' * (count != 1)} to read. Press {run} to show more."
        elif self._is_enter_pressed:
            notice = f"Enter does nothing here. Press {run} to run the command or {key_of('trust.stay')} to close."
        if notice != self._notice:
            self._notice = notice
            self._unread.update(notice)

    def answer(self, answer: str) -> None:
        """Close with an answer, or show the first line that was not on screen yet."""
        if answer:
            self._note_seen()
            if self._seen < self._lines or not self._lines:
                self._view.scroll_to(y=self._seen, animate=False)
                return
        super().answer(answer)


def _folded_rows(rows: list[tuple[str, str]], width: int) -> list[Content]:
    """The rows with their titles, folded at any character, so that no part of a command is cut off."""
    lines = []
    for title, text in rows:
        safe_text = printable(text.replace("\n", "␊"), keep_lines=True).expandtabs(4)
        parts = wrap(safe_text, width - _TITLES) if text == _NOTE else chop_cells(safe_text, width - _TITLES)
        lines += [
            Content.assemble((f"{'' if number else title:<{_TITLES}}", "dim"), part)
            for number, part in enumerate(parts or [""])
        ]
    return lines
