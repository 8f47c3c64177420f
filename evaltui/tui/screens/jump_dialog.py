"""The dialog that asks where to go: a pointer, a line, or an id with its best matches."""

from __future__ import annotations

import asyncio

from textual import getters, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.document.positions import count_lines, node_at_line
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.search.case_filter import JumpTarget, best_matches, line_asked, node_at
from evaltui.evalset.search.case_text import CaseTexts
from evaltui.tui.commands import bindings
from evaltui.tui.lines import Line, preview
from evaltui.tui.screens.choice_dialog import SearchDialog
from evaltui.tui.screens.questions import Objection, Question
from evaltui.tui.widgets.line_input import LineInput

_MOST = 8
"""The most matches in the list."""
_SLICE = 500
"""Cases compared between two looks at the keyboard."""

Place = JumpTarget | int
"""A case, or a line of the file, counted from 1."""


class JumpDialog(SearchDialog[Place, tuple[Node, bool]]):
    """Returns the node to go to, and whether a line of the file was typed: then the field on that line is meant."""

    PLACE = "jump"
    BINDINGS = bindings("jump")

    _objection = getters.query_one(Objection)

    def __init__(self, root: Node, case_file: CaseFile | None, texts: CaseTexts) -> None:
        """`case_file` is the file as an eval set or dataset; None for other JSON."""
        super().__init__("matches")
        self._root = root
        self._case_file = case_file
        self._cases = case_file.cases if case_file is not None else []
        self._texts = texts

    def compose(self) -> ComposeResult:
        """The question, the text box, and the matches."""
        case = "a case (id, number or file:eval_id), " if self._cases else ""
        with Vertical(classes="dialog"):
            yield Question(Content(f"Go to {case}a line (:120) or a JSON pointer (enter: go, esc: stay)"))
            yield LineInput(placeholder="/eval_cases/3/conversation/0")
            yield self.matches
            yield Objection()

    def match_line(self, match: Place, width: int) -> Line:
        """The number and id of a case, or the number of a line."""
        if isinstance(match, int):
            return [("  line ", "dim"), (f"{match:,}", "")]
        case_file = self._case_file
        number = match[1]
        name = preview(case_file.case_id(self._cases[number]), 80) if case_file is not None else ""
        return [(f"{number + 1:>6,} ", "dim"), (name or "without an id", "")]

    def show_matches(self, text: str) -> None:
        """Compare the ids with the text."""
        self._objection.say("")
        self._compare(text)

    @work(exclusive=True, group="jump")
    async def _compare(self, text: str) -> None:
        best: list[JumpTarget] = []
        for start in range(0, len(self._cases), _SLICE):
            best = sorted([*best, *self._best(text, start, start + _SLICE)])[:_MOST]
            await asyncio.sleep(0)  # typing never waits for all ids
        self.list_matches(_with_line(best, text))

    def _best(self, text: str, start: int, stop: int) -> list[JumpTarget]:
        """The best of the cases from `start` to `stop`; none for a pointer or a line."""
        numbers = range(start, min(stop, len(self._cases)))
        is_of_cases = text.strip() and not text.strip().startswith(("/", "#/", ":"))
        return best_matches(text, self._cases, self._texts, numbers, _MOST) if is_of_cases else []

    def submit(self, text: str) -> None:
        """Go to the place of a pointer, else to the selected match of the text."""
        try:
            node = node_at(self._root, text)
        except DocumentError as error:
            self._objection.say(str(error))
            return
        matches = _with_line(self._best(text, 0, len(self._cases)), text)
        if node is not None or not text.strip():
            self.dismiss((node, False) if node is not None else None)
        elif matches:
            # The list may still be of a shorter text.
            self.take(matches[self.matches.cursor if matches == self.matches.entries else 0])
        elif self._cases:
            self._objection.say("No case has this id or number. Type / before a pointer, and : before a line number.")
        else:
            self._objection.say("Type a pointer such as /name/0, or a line such as :120.")

    def take(self, match: Place) -> None:
        """Close with a case, or with the value on a line."""
        if not isinstance(match, int):
            self.dismiss((self._cases[match[1]], False))
        elif (node := node_at_line(self._root, match)) is not None:
            self.dismiss((node, True))
        else:
            lines = count_lines(self._root)
            self._objection.say(f"There is no line {match:,}; the file has {lines:,} lines.")


def _with_line(best: list[JumpTarget], text: str) -> list[Place]:
    """The matches with the line of that number: after exact matches, before the others."""
    line = line_asked(text)
    exact = sum(rank <= (1, 0, 0) for rank, _ in best)
    places: list[Place] = [*best[:exact], *([line] if line else []), *best[exact:]]
    return places[:_MOST]
