"""The screen of a review, as the parts that have its keys need it."""

from __future__ import annotations

from typing import Protocol

from evaltui.tui.panes.bars import StatusBar
from evaltui.tui.review.review_list import ReviewList


class ReviewView(Protocol):
    """Shows entries of the queue."""

    @property
    def rows(self) -> ReviewList:
        """The rows of the entry."""

    @property
    def status(self) -> StatusBar:
        """The status line."""

    def show_entry(self, *, key: str | None = None) -> None:
        """Show the entry that the queue is at, with the cursor on a row."""

    def go(self, said: str = "", aside: str = "") -> None:
        """Show the entry that the queue is at now, from its start; say what was done, `aside` at the right."""

    def go_on(self, said: str, aside: str = "") -> None:
        """Go to the next open entry; behind the last the summary closes the queue."""
