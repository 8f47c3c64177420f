"""The dialog that asks where to go: a pointer, a line, or an id with its best matches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.document.positions import count_lines, node_at_line
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.search.case_filter import JumpTarget, best_matches, line_asked, node_at
from evaltui.evalset.search.case_text import CaseTexts
from evaltui.tui.commands import bindings
from evaltui.tui.lines import Line, preview
from evaltui.tui.screens.questions import Objection, Question
from evaltui.tui.widgets.line_input import LineInput
from evaltui.tui.widgets.line_view import LineList

_SHOWN = 8
_SLICE = 500
"""Cases compared between two looks at the keyboard."""


class Jump(NamedTuple):
    """The answer: the node to go to."""

    node: Node
    is_line: bool = False
    """Whether a line of the file was typed: then the field on that line is the target."""


class LineMatch(NamedTuple):
    """A line of the file, counted from 1."""

    number: int


class Matches(LineList, can_focus=False):
    """The list of best matches; the text box keeps the focus."""

    def __init__(self, case_file: CaseFile | None) -> None:
        super().__init__(id="matches")
        self._case_file = case_file
        self.matches: list[JumpTarget | LineMatch] = []

    def show(self, matches: list[JumpTarget | LineMatch]) -> None:
        """Show other matches; the first is selected."""
        has_other_height = len(matches) != len(self.matches)
        self.matches, self.cursor = matches, 0
        self.refresh_size()
        self.refresh(layout=has_other_height)

    def line_count(self) -> int:
        """One line for each match."""
        return len(self.matches)

    def line(self, index: int) -> Line:
        """Number and id of the case, or the line."""
        match = self.matches[index]
        if isinstance(match, LineMatch):
            return [("  line ", "dim"), (f"{match.number:,}", "")]
        number, case_file = match.number, self._case_file
        name = preview(case_file.case_id(case_file.cases[number]), 80) if case_file is not None else ""
        return [(f"{number + 1:>6,} ", "dim"), (name or "without an id", "")]

    def is_active(self) -> bool:
        """Always true: the text box passes keys on to the list."""
        return True


class JumpScreen(ModalScreen[Jump | None]):
    """Returns where to go; None if cancelled."""

    PLACE = "jump"
    BINDINGS = bindings("jump")

    box = getters.query_one(LineInput)
    matches = getters.query_one(Matches)
    _objection = getters.query_one(Objection)

    def __init__(self, root: Node, case_file: CaseFile | None, texts: CaseTexts) -> None:
        """`case_file` is the file as an eval set or dataset; None for other JSON."""
        super().__init__()
        self._root = root
        self._case_file = case_file
        self._cases = case_file.cases if case_file is not None else []
        self._texts = texts

    def compose(self) -> ComposeResult:
        """The question, the text box, and the matches."""
        asked = "a case (id, number or file:eval_id), " if self._cases else ""
        asked += "a line (:120) or a JSON pointer"
        with Vertical(classes="dialog"):
            yield Question(Content(f"Go to {asked} (enter: go, esc: stay)"))
            yield LineInput(placeholder="/eval_cases/3/conversation/0")
            yield Matches(self._case_file)
            yield Objection()

    @on(Input.Changed)
    def _changed(self) -> None:
        self._objection.say("")
        self._compared(self.box.value)

    @work(exclusive=True, group="jump")
    async def _compared(self, text: str) -> None:
        """Compare the ids in slices, so that typing never waits."""
        best: list[JumpTarget] = []
        if text.strip() and not text.strip().startswith(("/", "#/", ":")):
            for start in range(0, len(self._cases), _SLICE):
                numbers = range(start, min(start + _SLICE, len(self._cases)))
                found = best_matches(text, self._cases, self._texts, numbers, _SHOWN)
                best = sorted([*best, *found])[:_SHOWN]
                await asyncio.sleep(0)
        self.matches.show(_with_line(best, text))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.is_current:  # a second enter of the same burst comes after the dialog closed
            self._try(lambda: self._go(event.value))

    def _try(self, go: Callable[[], None]) -> None:
        try:
            go()
        except DocumentError as error:
            self._objection.say(str(error))

    def _go(self, text: str) -> None:
        node = node_at(self._root, text)
        if node is not None or not text.strip():
            self.dismiss(Jump(node) if node is not None else None)
            return
        is_line_only = text.strip().startswith(":")
        best = [] if is_line_only else best_matches(text, self._cases, self._texts, range(len(self._cases)), _SHOWN)
        matches = _with_line(best, text)
        if matches == self.matches.matches and matches:
            matches = matches[self.matches.cursor :]
        if not matches:
            raise DocumentError(
                "No case has this id or number. Type / before a pointer, and : before a line number."
                if self._cases
                else "Type a pointer such as /name/0, or a line such as :120."
            )
        self._go_to(matches[0])

    def _go_to(self, match: JumpTarget | LineMatch) -> None:
        if isinstance(match, JumpTarget):
            self.dismiss(Jump(self._cases[match.number]))
            return
        node = node_at_line(self._root, match.number)
        if node is None:
            raise DocumentError(f"There is no line {match.number:,}; the file has {count_lines(self._root):,} lines.")
        self.dismiss(Jump(node, is_line=True))

    def move(self, step: int) -> None:
        """Select another match."""
        self.matches.move(step)

    def cancel(self) -> None:
        """Close without going anywhere."""
        self.dismiss(None)

    @on(events.Click, "#matches")
    def _clicked(self, event: events.Click) -> None:
        row = self.matches.line_at(event.get_content_offset_capture(self.matches).y)
        if row is not None:
            self._try(lambda: self._go_to(self.matches.matches[row]))


def _with_line(best: list[JumpTarget], text: str) -> list[JumpTarget | LineMatch]:
    """The matches with the line of that number: after exact matches, before the others."""
    line = line_asked(text)
    exact = sum(match.is_exact for match in best)
    found: list[JumpTarget | LineMatch] = [*best]
    if line:
        found.insert(exact, LineMatch(line))
    return found[:_SHOWN]
