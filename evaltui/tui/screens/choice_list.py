"""The list of choices in a dialog: one line each, with the remarks in a column."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.geometry import Size
from textual.message import Message

from evaltui.printable import printable
from evaltui.tui.forms.form import Choice
from evaltui.tui.lines import Line
from evaltui.tui.screens.questions import lines_of_dialog
from evaltui.tui.widgets.line_view import LineList

_NONE = -1
"""The cursor while no choice is selected."""
_LINES_ABOVE = 4
"""The lines of question, text box and messages in the same dialog, in a terminal of 80 columns."""
_WIDEST_LABEL = 48
"""The remarks begin here at most, in cells. A longer label moves only its own remark."""


class ChoiceList(LineList, can_focus=False):
    """The choices that match; the text box keeps the focus and passes keys on."""

    class ChoiceSelected(Message):
        """A choice is selected."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

    class ChoicesResized(Message):
        """Another number of choices is in sight."""

    class Clicked(Message):
        """A choice was clicked."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

    def __init__(self, choices: Sequence[Choice]) -> None:
        super().__init__(id="choices")
        self.set_reactive(LineList.cursor, _NONE)
        self.choices: list[Choice] = []
        self._label_width = 0
        self._take(choices)

    @property
    def selected(self) -> Choice | None:
        """The selected choice, if any."""
        return self.choices[self.cursor] if 0 <= self.cursor < len(self.choices) else None

    def show(self, choices: Sequence[Choice], at: int) -> None:
        """Show other choices, with the one `at` an index selected."""
        self._take(choices)
        self.set_reactive(LineList.cursor, at if choices else _NONE)
        self.refresh_size()
        self.scroll_to(y=0, animate=False)
        self.refresh(layout=True)
        self.cursor_moved()
        self.call_after_refresh(self.show_cursor)

    def _take(self, choices: Sequence[Choice]) -> None:
        self.choices = list(choices)
        widths = [cell_len(printable(each.label)) for each in choices]
        self._label_width = max((width for width in widths if width <= _WIDEST_LABEL), default=0)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines of the choices, as far as the dialog has room for them below its question and text box."""
        room = lines_of_dialog(viewport) - _LINES_ABOVE
        return min(super().get_content_height(container, viewport, width), max(2, room))

    def line_count(self) -> int:
        """One line for each choice."""
        return len(self.choices)

    def line(self, index: int) -> Line:
        """Label and remark."""
        choice = self.choices[index]
        label = printable(choice.label)
        if not choice.remark:
            return [(label, "")]
        gap = max(0, self._label_width - cell_len(label)) + 2
        return [(label, ""), (f"{' ' * gap}{printable(choice.remark)}", "dim")]

    def lines_of(self, entry: int) -> range:
        """The line of a choice; none if no choice is selected."""
        return range(entry, entry + 1) if entry != _NONE else range(0)

    def move_to(self, entry: int) -> None:
        """Select a choice, if there is one."""
        if self.choices:
            super().move_to(entry)

    def cursor_moved(self) -> None:
        """Report the selected choice."""
        if (choice := self.selected) is not None:
            self.post_message(self.ChoiceSelected(choice))

    def is_active(self) -> bool:
        """Always true: the text box passes keys on to the list."""
        return True

    def on_resize(self) -> None:
        """Report another height: it may come a frame later than the choices."""
        self.post_message(self.ChoicesResized())

    def on_click(self, event: events.Click) -> None:
        """Report the clicked choice."""
        entry = self.entry_under(event)
        if entry is not None:
            self.post_message(self.Clicked(self.choices[entry]))
