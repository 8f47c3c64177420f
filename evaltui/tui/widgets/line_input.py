"""A text box of one line for prompts and dialogs, and the filter line, which replaces the status line during typing."""

from __future__ import annotations

import re

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Input, Static

from evaltui.printable import printable
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings
from evaltui.tui.lines import cut_at_clause
from evaltui.tui.textual_compat import forget_cut_lines

LARGEST_LINE = 10_000
"""Most characters in the line: after each key, the line is compared with names and texts."""
_OPERATORS = 'words · -not · "a phrase" · is:dirty · has:rubric · tool:name · id:name · text:word'
_BREAKS = "\n\r\v\f\x85\u2028\u2029"
_break = re.compile(f"\r\n|[{_BREAKS}]")


def on_one_line(text: str) -> str:
    """The text with a space for each line break. Breaks at the end are dropped: copied lines often have one."""
    return _break.sub(" ", text.rstrip(_BREAKS))


def refusal(pasted: str, most: int) -> str:
    """A message about a text that was not pasted."""
    return f"{len(pasted):,} characters are too many: the limit is {most:,}. Nothing was pasted."


class LineInput(Input):
    """Text box of one line, which draws control characters as visible marks."""

    # Textual 8.2 deletes the word to the right with these keys.
    BINDINGS = [Binding("ctrl+backspace,alt+backspace", "delete_left_word", show=False)]

    def __init__(
        self, value: str = "", *, id: str | None = None, placeholder: str = "", select_on_focus: bool = False
    ) -> None:
        super().__init__(value, compact=True, select_on_focus=select_on_focus, id=id, placeholder=placeholder)
        self.max_length = max(len(value), LARGEST_LINE)  # a longer text can be cut
        self.cursor_blink = False

    @property
    def _value(self) -> Text:
        return Text(printable(self.value), no_wrap=True, overflow="ignore", end="")

    def _position_to_cell(self, position: int) -> int:
        return cell_len(printable(self.value[:position]))

    def on_input_changed(self) -> None:
        """Free the cached lines of the earlier text."""
        forget_cut_lines(self.value)

    def on_paste(self, event: events.Paste) -> None:
        """Insert a pasted text on one line, or refuse it."""
        event.stop()
        event.prevent_default()
        self._insert_pasted(event.text)

    def action_paste(self) -> None:
        """Paste the text that was cut or copied in a text box."""
        self._insert_pasted(self.app.clipboard)

    def _insert_pasted(self, pasted: str) -> None:
        text, (start, end) = on_one_line(pasted), self.selection
        length = len(self.value)
        if length - abs(end - start) + len(text) > max(length, LARGEST_LINE):  # it would block the app for seconds
            self.refuse(refusal(pasted, LARGEST_LINE))
            return
        self.replace(text, start, end)
        if text != pasted:
            self.app.notify("Line breaks became spaces.", markup=False)

    def refuse(self, message: str) -> None:
        """Show above the screen why nothing was pasted."""
        self.app.notify(message, severity="warning", markup=False)


def title_while_filtering(command: Command) -> str:
    """The title of a command in the keys line while the query of a list is typed; "" for the keys of the list."""
    return command.title if command.place in ("filter", "anywhere") else ""


class FilterInput(LineInput):
    """The text box of the query."""

    PLACE = "filter"
    BINDINGS = bindings("filter")

    def __init__(self, prompt: str) -> None:
        super().__init__()
        self._prompt = prompt

    def on_resize(self) -> None:
        """Show as much of the prompt as the new size has room for."""
        self.placeholder = cut_at_clause(self._prompt, self.content_size.width)

    def refuse(self, message: str) -> None:
        """Show in the filter line why nothing was pasted."""
        if isinstance(self.parent, FilterLine):
            self.parent.say(message)


class FilterLine(Horizontal):
    """`/ query`, with the number of hits at the right; hidden until it is first needed."""

    DEFAULT_CSS = """
    FilterLine { height: 1; visibility: hidden; background: $background; }
    FilterLine > * { height: 1; visibility: visible; }
    FilterLine > #filter-mark { width: 3; color: $accent; }
    FilterLine > FilterInput { width: 1fr; background: $background; }
    FilterLine > #filter-found { width: auto; max-width: 65%; color: $text-muted; padding: 0 1; }
    FilterLine > #filter-found { text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, prompt: str = _OPERATORS) -> None:
        """`prompt` is the text of the empty box."""
        self.input, self._hits = FilterInput(prompt), Static("", markup=False, id="filter-found")
        super().__init__(Static(" / ", markup=False, id="filter-mark"), self.input, self._hits, id="filter")

    def say(self, text: str) -> None:
        """Show the text about the hits."""
        if self._hits.content != (hits := printable(text)):  # an update makes Textual lay out the whole screen
            self._hits.update(hits)
