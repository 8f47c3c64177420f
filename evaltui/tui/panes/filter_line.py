"""The line of the filter, in place of the status line while it is typed."""

from __future__ import annotations

from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from evaltui.printable import printable
from evaltui.tui.commands import bindings
from evaltui.tui.widgets.box_text import refusal
from evaltui.tui.widgets.line_input import LARGEST, LineInput


class FilterInput(LineInput):
    """The box for the query."""

    PLACE = "filter"
    BINDINGS = bindings("filter")

    def refuse(self, pasted: str) -> None:
        """Say in the line itself that nothing was pasted."""
        if isinstance(self.parent, FilterLine):
            self.parent.say(refusal(pasted, LARGEST))


class FilterLine(Horizontal):
    """`/ query` with what was found at the right; there once the person has asked for it."""

    DEFAULT_CSS = """
    FilterLine { height: 1; visibility: hidden; background: $background; }
    FilterLine > * { height: 1; visibility: visible; }
    FilterLine > #filter-mark { width: 3; color: $accent; }
    FilterLine > FilterInput { width: 1fr; background: $background; }
    FilterLine > #filter-found { width: auto; max-width: 65%; color: $text-muted; padding: 0 1; }
    """

    input = getters.query_one(FilterInput)
    _found = getters.query_one("#filter-found", Static)

    def __init__(self) -> None:
        super().__init__(id="filter")
        self._said = ""

    def compose(self) -> ComposeResult:
        """The mark, the box, and what was found."""
        yield Static(" / ", markup=False, id="filter-mark")
        yield FilterInput(placeholder='words · -not · "a phrase" · is:dirty · has:rubric · tool:name · id:… · text:…')
        yield Static("", markup=False, id="filter-found")

    def say(self, found: str) -> None:
        """Show what was found."""
        if found != self._said:
            self._said = found
            self._found.update(Content(printable(found)))
