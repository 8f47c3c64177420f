"""Base of the dialogs that find something: a text box, and below it the list of what matches the typed text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from textual import getters, on
from textual.screen import ModalScreen
from textual.widgets import Input

from evaltui.tui.lines import Line
from evaltui.tui.widgets.entry_list import EntryList
from evaltui.tui.widgets.line_input import LineInput

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
