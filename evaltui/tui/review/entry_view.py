"""The texts of the present entry: its rows, the titles of both columns, and the sentences below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rich.cells import cell_len

from evaltui.evalset.case_file import expected_rows
from evaltui.printable import printable
from evaltui.review.decisions import contradict
from evaltui.review.review_items import ReviewItem
from evaltui.review.sidecar import author_in
from evaltui.tui.editor.clipboard import json_of
from evaltui.tui.lines import NO_MARK, cut_in_the_middle
from evaltui.tui.panes.score_lines import recording_name
from evaltui.tui.review.queue_entry import QueueEntry
from evaltui.tui.review.review_queue import ReviewQueue
from evaltui.tui.review.review_row import ReviewRow
from evaltui.tui.review.review_rows import conversation_rows, json_rows, recording_rows, rows_of
from evaltui.tui.review.row_layout import TWO_COLUMNS, column_width
from evaltui.tui.review.summary import summary_rows
from evaltui.tui.review.text_differences import TextDifferences
from evaltui.tui.review.text_rows import TextRows
from evaltui.tui.review.why_sentence import noted, trial_sentence, why_sentences

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Conversation
    from evaltui.tui.open_file.open_file import OpenFile

_GONE = "This turn or its recording no longer exists."
_STACKED = " Expected ({}) and actual ({}) "
Mode = Literal["turn", "conversation", "json"]
"""The views of an entry: its differences, the whole conversation, both sides as JSON."""


class EntryView:
    """Gives the texts of the present entry, or of the summary after the last one."""

    def __init__(self, queue: ReviewQueue, session: OpenFile, differences: TextDifferences) -> None:
        self._queue, self._session, self._differences = queue, session, differences

    @property
    def item(self) -> ReviewItem | None:
        """The item of the entry; None for a recording without a case, and at the summary."""
        entry = self._queue.entry
        return self._queue.item(entry) if entry is not None and not self._queue.is_over else None

    def rows(self, mode: Mode, opened: frozenset[str]) -> list[ReviewRow]:
        """The rows of a view; rows whose keys are in `opened` are unfolded."""
        entry, item = self._queue.entry, self.item
        texts = TextRows(opened, self._differences.of)
        if entry is not None and entry.unmatched is not None and not self._queue.is_over:
            return recording_rows(entry.unmatched, texts)
        if entry is None or self._queue.is_over:
            return summary_rows(self._queue, self._session)
        if item is None:
            return [ReviewRow("gone", NO_MARK, ([(_GONE, "")],))]
        if mode == "json":
            whole = TextRows(frozenset({"json"}), self._differences.of)
            return json_rows(_source_of(entry, item), item, whole)
        return conversation_rows(item, texts) if mode == "conversation" else rows_of(item, texts)

    def words(self, *, whole: bool = False) -> list[str]:
        """Sentences: decisions and notes of reviewers, why the turn fails, and how it would pass."""
        entry, item = self._queue.entry, self.item
        if entry is not None and entry.unmatched is not None and not self._queue.is_over:
            return [printable(entry.unmatched.reason)]
        if item is None:
            return []
        decisions = self._queue.decisions
        about = decisions.about(item)
        path = self._session.document.path
        me = author_in(path.parent) if about and path is not None else ""
        notes = [noted(each, me, differs=bool(item.changes)) for each in about]
        if contradict(decisions.verdicts(item).values()):
            notes.insert(0, "Reviewers disagree about this turn:")
        first, *others = why_sentences(item, whole=whole)
        return [*notes, first, *filter(None, [trial_sentence(item)]), *others]

    def sources(self, width: int) -> str:
        """The titles of both columns, with their files, in a line of `width` cells."""
        entry, item = self._queue.entry, self.item
        if entry is None or self._queue.is_over:
            return " Summary "
        conversation = item.run.conversation if item is not None else None
        if entry.unmatched is not None:
            conversation = entry.unmatched.conversation
        own = self._session.file_name
        if width >= TWO_COLUMNS:
            right = f" Actual · {printable(conversation.path.name)} " if conversation is not None else " Actual "
            return f"{f' Expected · {own} '.ljust(column_width(width) + 1, '─')}┬{right}"
        return _stacked_sources("" if entry.unmatched is not None else own, conversation, width)


def _stacked_sources(own: str, conversation: Conversation | None, width: int) -> str:
    """The title where the actual side stands below the expected one; without `own`, there is no expected side."""
    if not own:
        return (
            f" Actual · {recording_name(conversation, max(8, width - 12))} " if conversation is not None else " Actual "
        )
    if conversation is None:
        return f" Expected · {own} "
    room = width - len(_STACKED.format("", "")) - 2
    second = recording_name(conversation, max(8, room - min(cell_len(own), room // 2)))
    return _STACKED.format(cut_in_the_middle(own, max(8, room - cell_len(second))), second)


def _source_of(entry: QueueEntry, item: ReviewItem) -> str:
    """The text of a turn in the set, or of its whole case."""
    turns = expected_rows(entry.case) if entry.case is not None else []
    at = item.compared.turn if item.compared is not None else None
    node = turns[at] if at is not None and at < len(turns) else entry.case
    return json_of(node) if node is not None else ""
