"""The filter line, which replaces the status line during typing."""

from __future__ import annotations

from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from evaltui.printable import printable
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings
from evaltui.tui.lines import cut_at_clause
from evaltui.tui.widgets.box_text import refusal
from evaltui.tui.widgets.line_input import LARGEST, LineInput


def title_while_filtering(command: Command) -> str:
    """The title of a command in the keys line while the query of a list is typed; "" for the keys of the list."""
    return command.title if command.place in ("filter", "anywhere") else ""


class FilterInput(LineInput):
    """The text box of the query."""

    PLACE = "filter"
    BINDINGS = bindings("filter")

    def __init__(self) -> None:
        super().__init__()
        self._prompt = 'words · -not · "a phrase" · is:dirty · has:rubric · tool:name · id:name · text:word'

    def prompt(self, text: str) -> None:
        """Set the text of the empty box."""
        self._prompt = text
        self.on_resize()

    def on_resize(self) -> None:
        """Show as much of the prompt as the new size has room for."""
        self.placeholder = cut_at_clause(self._prompt, self.content_size.width)

    def refuse(self, pasted: str) -> None:
        """Show in the filter line that nothing was pasted."""
        if isinstance(self.parent, FilterLine):
            self.parent.say(refusal(pasted, LARGEST))


class FilterLine(Horizontal):
    """`/ query`, with the number of hits at the right; hidden until it is first needed."""

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
        """The mark, the text box, and the hits."""
        yield Static(" / ", markup=False, id="filter-mark")
        yield FilterInput()
        yield Static("", markup=False, id="filter-found")

    def say(self, found: str) -> None:
        """Show the text about the hits."""
        if found != self._said:
            self._said = found
            self._found.update(Content(printable(found)))
