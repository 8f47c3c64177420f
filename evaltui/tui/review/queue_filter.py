"""The filter of the queue: only turns of matching cases are reviewed. Its words are those of the tree's filter."""

from __future__ import annotations

import asyncio

from textual.screen import Screen

from evaltui.tui.editor.tree_filter import marks_of
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.review.entry_display import EntryDisplay
from evaltui.tui.review.queue_entry import QueueEntry
from evaltui.tui.review.review_queue import ReviewQueue
from evaltui.tui.widgets.line_input import FilterLine

_SLICE = 0.004
"""Seconds of searching between two looks at the keyboard."""


class QueueFilter:
    """Restricts the queue to the cases that match the typed words."""

    def __init__(self, session: EditedDocument, queue: ReviewQueue, screen: Screen[str], display: EntryDisplay) -> None:
        self._session, self._queue, self._screen, self._display = session, queue, screen, display
        self._line: FilterLine | None = None

    async def find(self) -> None:
        """Open the line of the filter."""
        if self._line is None:
            self._line = FilterLine()
            await self._screen.mount(self._line, before="#keys")
        self._line.display = True
        self._display.status.display = False
        self._screen.set_focus(self._line.input, scroll_visible=False)

    def apply(self, text: str) -> None:
        """Search for what is typed."""
        self._screen.run_worker(self._search(text), exclusive=True, group="find")

    async def _search(self, text: str) -> None:
        from evaltui.evalset.search.case_filter import Search, parse

        marks = marks_of(self._session)
        query = parse(text, marks)
        if query.terms:
            search = Search(query, self._queue.cases(), self._session.words, marks)
            while not search.is_done:
                search.advance(_SLICE)
                await asyncio.sleep(0)
            found = set(search.hits)
            self._queue.restrict(text, lambda entry: entry.case in found)
        else:
            self._queue.restrict("", _every)
        if self._line is not None:
            count = len(self._queue.entries)
            self._line.say(query.problem or f"{count:,} turn{'s' * (count != 1)}")
        self._queue.is_over = not self._queue.entries
        self._display.go()

    def keep_filter(self) -> None:
        """Go on with the turns that were found."""
        self._close()

    @property
    def is_on(self) -> bool:
        """Whether the queue is restricted."""
        return bool(self._queue.query)

    def clear_filter(self) -> None:
        """Review all turns again."""
        if self._line is not None:
            self._line.input.value = ""
        self._queue.restrict("", _every)
        self._queue.is_over = not self._queue.entries
        self._close()
        self._display.go()

    def step_hit(self, step: int) -> None:
        """Look at the next turn that was found."""
        self._queue.step(step)
        self._display.go()

    def _close(self) -> None:
        if self._line is not None:
            self._line.display = False
        self._display.status.display = True
        self._screen.set_focus(self._display.rows)


def _every(_: QueueEntry) -> bool:
    return True
