"""Base of the dialogs that find something: a text box, and below it the list of what matches the typed text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from textual import getters, on
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Input

from evaltui.tui.lines import Line
from evaltui.tui.screens.list_screen import EntryList
from evaltui.tui.screens.questions import lines_of_dialog
from evaltui.tui.widgets.line_input import LineInput

Match = TypeVar("Match")
Answer = TypeVar("Answer")


class MatchList(EntryList[Match], can_focus=False):
    """The matches, one line each. The text box above keeps the focus and passes keys on."""

    opens_at_first_click = True

    def __init__(self, name: str, draw: Callable[[Match, int], Line], *, lines_above: int | None = None) -> None:
        """`draw` makes the line of a match. With `lines_above`, the list leaves room for these lines in its dialog."""
        super().__init__(name)
        self._draw, self._lines_above = draw, lines_above

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines of the matches, as far as the dialog has room for them."""
        height = super().get_content_height(container, viewport, width)
        if self._lines_above is None:
            return height
        return min(height, max(2, lines_of_dialog(viewport) - self._lines_above))

    def show_matches(self, matches: Sequence[Match], selected: int = 0) -> None:
        """Show other matches; the one with the index `selected` is selected."""
        has_other_height = len(matches) != len(self.entries)
        self.set_reactive(EntryList.cursor, selected)
        self.show(matches, self._draw, matches[selected] if matches else None)
        self.scroll_to(y=0, animate=False)
        self.refresh(layout=has_other_height)
        self.call_after_refresh(self.show_cursor)

    def is_active(self) -> bool:
        """Always true."""
        return True  # the text box has the focus, and passes keys on to the list


class SearchDialog(ModalScreen[Answer], Generic[Match, Answer]):
    """Returns the match that a click or enter takes; None if cancelled."""

    box = getters.query_one(LineInput)
    matches: getters.query_one[MatchList[Match]] = getters.query_one(MatchList)
    _searched: str | None = None
    """The text whose matches are listed."""

    @abstractmethod
    def show_matches(self, text: str) -> None:
        """Show what matches a typed text."""

    @abstractmethod
    def take(self, match: Match) -> None:
        """Close with a match."""

    def search(self, text: str) -> None:
        """Show what matches a typed text; the same text again keeps the selected match."""
        if text != self._searched:
            self._searched = text
            self.show_matches(text)

    def submit(self, text: str) -> None:
        """Take the selected match of a typed text; without one, stay."""
        self.search(text)  # the message about the last letter may still be on its way
        self._take_selected()

    @on(MatchList.EntryOpened)
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
