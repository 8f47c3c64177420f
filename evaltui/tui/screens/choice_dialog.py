"""Dialogs with a text box above a list: the base, to choose one of several things or type another, and themes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from rich.cells import cell_len
from textual import getters, on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from evaltui.document.errors import DocumentError
from evaltui.printable import printable
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.forms.form import Choice
from evaltui.tui.lines import Line
from evaltui.tui.screens.questions import Objection, Question, lines_of_dialog
from evaltui.tui.widgets.entry_list import EntryList
from evaltui.tui.widgets.line_input import LineInput
from evaltui.tui.widgets.line_view import LineList

if TYPE_CHECKING:
    from evaltui.tui.base_app import BaseApp

Match = TypeVar("Match")
Answer = TypeVar("Answer")


class SearchDialog(ModalScreen[Answer], Generic[Match, Answer]):
    """Returns the match that a click or enter takes; None if cancelled."""

    box = getters.query_one(LineInput)

    def __init__(self, name: str) -> None:
        """`name` is the id of the list of matches."""
        super().__init__()
        self.matches: EntryList[Match] = EntryList(name)
        # The text box keeps the focus, and passes keys on to the list.
        self.matches.can_focus = False
        self._searched: str | None = None
        """The text whose matches are listed."""

    @abstractmethod
    def match_line(self, match: Match, width: int) -> Line:
        """The line of a match."""

    @abstractmethod
    def show_matches(self, text: str) -> None:
        """Show what matches a typed text."""

    @abstractmethod
    def take(self, match: Match) -> None:
        """Close with a match."""

    def list_matches(self, matches: Sequence[Match], selected: int = 0) -> None:
        """List other matches; the one with the index `selected` is selected."""
        match_list, has_other_height = self.matches, len(matches) != len(self.matches.entries)
        match_list.set_reactive(EntryList.cursor, selected)
        match_list.show(matches, self.match_line, matches[selected] if matches else None)
        match_list.scroll_to(y=0, animate=False)
        match_list.refresh(layout=has_other_height)
        match_list.call_after_refresh(match_list.show_cursor)

    def search(self, text: str) -> None:
        """Show what matches a typed text; the same text again keeps the selected match."""
        if text != self._searched:
            self._searched = text
            self.show_matches(text)

    def submit(self, text: str) -> None:
        """Take the selected match of a typed text; without one, stay."""
        self.search(text)  # the message about the last letter may still be on its way
        self._take_selected()

    @on(EntryList.EntryOpened)
    def _take_selected(self) -> None:
        # A second click can come before the dialog has closed.
        if self.is_current and (match := self.matches.selected) is not None:
            self.take(match)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self.search(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.is_current:  # an earlier enter of the same burst may have closed the dialog
            self.submit(event.value)

    def cancel(self) -> None:
        """Close without an answer."""
        self.dismiss(None)


class ChoiceDialog(SearchDialog[Choice, Choice]):
    """Returns the choice, with `check` also one with a typed text as label, or None if cancelled.

    One choice is always selected, and enter takes it. A valid typed text that differs from all choices is the last
    line of the list.
    """

    PLACE = "choice"
    BINDINGS = bindings("choice")

    def __init__(
        self, question: str, choices: Sequence[Choice], text: str = "", check: Callable[[str], object] | None = None
    ) -> None:
        """`check` allows typed texts; it raises `DocumentError` for an invalid one."""
        super().__init__("choices")
        self._question = question
        self._choices = choices
        self._text = printable(text)
        self._check = check
        self._typed_choice: Choice | None = None
        self._more: list[str] | None = None
        self._column = 0
        """Cells of the labels before their remarks."""

    def compose(self) -> ComposeResult:
        """The question, a text box, and the matching choices."""
        free = "one of these" if self._check is None else "or type another"
        with Vertical(classes="dialog"):
            keys = f"↑ ↓ choose {free}, {key_of('choice.take')}: done, {key_of('choice.cancel')}: cancel"
            yield Question(Content(f"{printable(self._question)} ({keys})"))
            yield LineInput(self._text, select_on_focus=True)
            yield self.matches
            yield Static(id="more", markup=False)
            yield Objection()

    def on_mount(self) -> None:
        """List all choices; the current value is selected, else the first choice."""
        self.search(self._text)
        self.watch(self.matches, "scroll_y", self._say_more, init=False)
        # The height of the list may come a frame later than the matches.
        self.screen_layout_refresh_signal.subscribe(self, lambda _: self._say_more())

    def on_resize(self) -> None:
        """Leave room for question, text box and messages, which take four lines in a terminal of 80 columns."""
        self.matches.styles.max_height = max(2, min(12, lines_of_dialog(self.size) - 4))

    def show_matches(self, text: str) -> None:
        """List the choices that match a text, and the text itself if it can be taken."""
        # The current value is in the box at first, and must not hide the other choices.
        query = text.casefold() if text != self._text else ""
        choices = [choice for choice in self._choices if query in choice.label.casefold()]
        selected = next((number for number, choice in enumerate(choices) if choice.label == text), None)
        self._typed_choice = None
        objection = "no choice matches; only the choices of this list can be taken"
        if self._check is not None and text and selected is None:
            try:
                self._check(text)
            except DocumentError as error:
                objection = str(error)
            else:
                self._typed_choice = Choice(text, "as typed" if text != self._text else "current value")
                selected = len(choices) if text == self._text else None
                choices.append(self._typed_choice)
        widths = (cell_len(printable(choice.label)) for choice in choices)
        # A longer label moves only its own remark.
        self._column = max((width for width in widths if width <= 48), default=0)
        self.list_matches(choices, selected or 0)
        self.query_one(Objection).say("" if choices else objection)

    def match_line(self, match: Choice, width: int) -> Line:
        """The label, and the remark in a column of its own."""
        label = printable(match.label)
        if not match.remark:
            return [(label, "")]
        gap = max(0, self._column - cell_len(label)) + 2
        return [(label, ""), (f"{' ' * gap}{printable(match.remark)}", "dim")]

    def _say_more(self) -> None:
        top = round(self.matches.scroll_y)
        rest = max(0, self.matches.line_count() - top - self.matches.scrollable_content_region.height)
        more = [f"{count} more {where}" for count, where in ((top, "above"), (rest, "below")) if count]
        if more != self._more:
            self._more, line = more, self.query_one("#more", Static)
            line.update(Content.styled(" · ".join(more), "dim"))
            line.display = bool(more)

    def take(self, match: Choice) -> None:
        """Close with a choice; the typed text counts if it is another than before."""
        is_unchanged = match is self._typed_choice and match.label == self._text
        self.dismiss(None if is_unchanged else match)

    def go_to_end(self, step: int) -> None:
        """Go to the first or last choice."""
        if self._check is not None:
            raise SkipAction  # in a text that can be the answer, the key moves the cursor
        self.matches.move_end(step)


class ThemeDialog(ChoiceDialog):
    """A list of themes. The screen behind shows the selected one; if cancelled, the caller restores the earlier one."""

    if TYPE_CHECKING:  # the app imports this module for its themes
        app: BaseApp

    @on(LineList.Browsed)
    def _show_theme(self) -> None:
        choice = self.matches.selected
        if choice is not None and (name := self.app.theme_of(choice.label)) != self.app.theme:
            self.app.theme = name
