"""Base of the dialogs that find something: a text box, and below it the list of what matches the typed text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from textual import events, getters, on
from textual.geometry import Size
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input

from evaltui.tui.lines import Line
from evaltui.tui.screens.questions import lines_of_dialog
from evaltui.tui.widgets.line_input import LineInput
from evaltui.tui.widgets.line_view import LineList

Match = TypeVar("Match")
Answer = TypeVar("Answer")


class MatchList(LineList, Generic[Match], can_focus=False):
    """The matches, one line each. The text box above keeps the focus and passes keys on."""

    class MatchesResized(Message):
        """Another number of matches is in sight."""

    @dataclass
    class MatchClicked(Message):
        """A match was clicked."""

        match: Any

    def __init__(
        self, name: str, draw: Callable[[Match], Line], *, no_match: str = "", lines_above: int | None = None
    ) -> None:
        """`draw` makes the line of a match. `no_match` is the text of an empty list; "" for no line.

        With `lines_above`, the list leaves room for these lines in its dialog.
        """
        super().__init__(id=name)
        self.matches: Sequence[Match] = ()
        self._draw, self._no_match, self._lines_above = draw, no_match, lines_above

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines of the matches, as far as the dialog has room for them."""
        height = super().get_content_height(container, viewport, width)
        if self._lines_above is None:
            return height
        return min(height, max(2, lines_of_dialog(viewport) - self._lines_above))

    @property
    def selected(self) -> Match | None:
        """The selected match, if any."""
        return self.matches[self.cursor] if 0 <= self.cursor < len(self.matches) else None

    def show(self, matches: Sequence[Match], selected: int = 0) -> None:
        """Show other matches; the one with the index `selected` is selected."""
        has_other_height = len(matches) != len(self.matches)
        self.matches = matches
        # No watcher: it would scroll in the list of the height before.
        self.set_reactive(LineList.cursor, selected)
        self.refresh_size()
        self.scroll_to(y=0, animate=False)
        self.refresh(layout=has_other_height)
        self.cursor_moved()
        self.call_after_refresh(self.show_cursor)

    def line_count(self) -> int:
        """One line for each match; without one, the line that says so."""
        return len(self.matches) or bool(self._no_match)

    def line(self, index: int) -> Line:
        """The line of a match."""
        return self._draw(self.matches[index]) if self.matches else [(self._no_match, "dim")]

    def entry_count(self) -> int:
        """Number of matches."""
        return len(self.matches)

    def lines_of(self, entry: int) -> range:
        """The line of a match; no line is selected if there are none."""
        return range(entry, entry + 1) if self.matches else range(0)

    def is_active(self) -> bool:
        """Always true."""
        return True  # the text box has the focus, and passes keys on to the list

    def on_resize(self) -> None:
        """Report another height."""
        # It may come a frame later than the matches.
        self.post_message(self.MatchesResized())

    def on_click(self, event: events.Click) -> None:
        """Report the clicked match."""
        entry = self.entry_under(event)
        if entry is not None and self.matches:
            self.post_message(self.MatchClicked(self.matches[entry]))


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
        if (match := self.matches.selected) is not None:
            self.take(match)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self.search(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.is_current:  # an earlier enter of the same burst may have closed the dialog
            self.submit(event.value)

    @on(MatchList.MatchClicked)
    def _clicked(self, event: MatchList.MatchClicked) -> None:
        if self.is_current:  # a second click can come before the dialog has closed
            self.take(event.match)

    def cancel(self) -> None:
        """Close without an answer."""
        self.dismiss(None)
