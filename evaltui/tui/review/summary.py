"""The summary at the end of a review: accepted turns, turns where the agent is wrong, and open turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.evalset.file_formats import ENDING_OF_SIDECARS
from evaltui.printable import one_line
from evaltui.review.decisions import DecisionKind
from evaltui.tui.commands import key_of
from evaltui.tui.lines import ERROR, NO_MARK, NOT_EVALUATED, PASSED, Run
from evaltui.tui.open_file.score_sentences import why_none
from evaltui.tui.review.queue_entry import QueueEntry
from evaltui.tui.review.review_queue import ReviewQueue
from evaltui.tui.review.review_row import ReviewRow

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile

_WRONG: DecisionKind = "agent is wrong"
_MOST = 12
"""The most turns that are named for each kind of decision."""


def summary_rows(queue: ReviewQueue, session: OpenFile) -> list[ReviewRow]:
    """A row for each kind of decision and for the next keys; if the queue is empty, why."""
    counts = queue.counts()
    scores = session.scores
    if not queue.entries:
        said = "Nothing to review: no turn fails."
        if queue.query:
            said = f"No turn to review matches the filter. Press {key_of('review.leave')} to clear the filter."
        elif queue.asked_ids and scores.has_any:
            said = f"Nothing to review in these cases: {one_line(', '.join(queue.asked_ids), 60)}"
        elif not scores.has_any:
            said = why_none(scores, in_editor=False)
        return [
            _line(NO_MARK, said),
            _line(NO_MARK, f"Press {key_of('review.editor')} to open the editor, or {key_of('quit')} to quit."),
        ]
    left = counts[None] + counts["skipped"]
    skipped = f", {counts['skipped']:,} of them skipped" if counts["skipped"] else ""
    rows = [
        _counted(queue, session, PASSED, f"{counts['accepted']:,} accepted", "accepted"),
        _counted(queue, session, ERROR, f"{counts[_WRONG]:,} where the agent is wrong", _WRONG),
        _counted(queue, session, NOT_EVALUATED, f"{left:,} left{skipped}", None, "skipped"),
        *_settled(queue, session),
        *_notes(queue, session),
        *_unmatched(queue),
        _line(NO_MARK, ""),
    ]
    if outside := len(queue.every) - len(queue.entries):
        said = f"The filter hides {_turns(outside)}. Press {key_of('review.leave')} to clear the filter."
        rows.append(_line(NO_MARK, said))
    if session.document.is_dirty:
        rows.append(
            _line(NO_MARK, f"Press {key_of('review.save')} to save the accepted changes to {session.file_name}.")
        )
    if unsaved := session.decisions.unwritten():
        rows.append(_line(ERROR, unsaved))
    elif queue.are_kept and counts["accepted"] + counts[_WRONG]:
        kept = f"{session.file_name}{ENDING_OF_SIDECARS}"
        rows.append(_line(NO_MARK, f"Decisions and notes are saved in {kept}. Commit it with the set."))
    if any(row.goal is not None for row in rows):
        rows.append(_line(NO_MARK, f"Press {key_of('review.open')} on a line to go to its first turn."))
    editor, back = key_of("review.editor"), key_of("review.previous_item")
    rows.append(
        _line(NO_MARK, f"Press {back} to go back to the turns, {editor} for the editor, or {key_of('quit')} to quit.")
    )
    return rows


def is_all_decided(queue: ReviewQueue) -> bool:
    """Whether the queue has turns, and each has a decision. Skipping is not a decision."""
    counts = queue.counts()
    return bool(counts.total()) and not counts[None] + counts["skipped"]


def said_at_start(queue: ReviewQueue) -> str:
    """The state of the queue when the review begins; "" if it has open turns only."""
    said = []
    if queue.unsaved:
        are, their = ("is", "its") if queue.unsaved == 1 else ("are", "their")
        said.append(f"{_turns(queue.unsaved)} {are} open again: {their} accepted values are not in the file.")
    counts, others = queue.counts(), queue.counts(of_unmatched=True)
    turns = counts[None]
    if is_all_decided(queue):
        total = counts.total()
        said.append(f"All {total:,} turns are decided." if total > 1 else "The turn is decided.")
        if others[None]:
            said.append(f"{_conversations(others[None])} left.")
    elif others and turns and turns == counts.total():
        count = others.total()
        come = "comes" if count == 1 else "come"
        said.append(
            f"{_turns(turns)} to review. {_conversations(count)} {come} after {'it' if turns == 1 else 'them'}."
        )
    return " ".join(said)


def _settled(queue: ReviewQueue, session: OpenFile) -> list[ReviewRow]:
    """The turns without a decision that pass since an edit."""
    found = [each for each in queue.entries if each.is_settled]
    what = f"{_turns(len(found))} without a decision: {_listed(queue, session, found)} now passes"
    return [_line(PASSED, what, found[0])] if found else []


def _notes(queue: ReviewQueue, session: OpenFile) -> list[ReviewRow]:
    """The number of notes, and the turns that have them."""
    notes = queue.notes()
    count = sum(notes.values())
    what = f"{count:,} note{'s' * (count != 1)}: {_listed(queue, session, [*notes])}"
    return [_line(NO_MARK, what, next(iter(notes)))] if notes else []


def _unmatched(queue: ReviewQueue) -> list[ReviewRow]:
    """The recorded conversations without a case, with the key that makes cases of them."""
    counts = queue.counts(of_unmatched=True)
    if not (count := counts.total()):
        return []
    skipped = f", {counts['skipped']:,} skipped" if counts["skipped"] else ""
    show, add = key_of("review.open"), key_of("review.conversations")
    first = next(each for each in queue.entries if each.unmatched is not None)
    return [_line(NOT_EVALUATED, f"{_conversations(count)}{skipped}. Press {show}, then {add} to add a case.", first)]


def _counted(queue: ReviewQueue, session: OpenFile, mark: Run, what: str, *decisions: DecisionKind | None) -> ReviewRow:
    """The turns with one of these decisions, the first ones by name. The line leads to the first turn."""
    turns = [each for each in queue.entries if each.unmatched is None and not each.is_settled]
    found = [each for each in turns if each.decision in decisions]
    return _line(mark, f"{what}: {_listed(queue, session, found)}", found[0]) if found else _line(mark, what)


def _listed(queue: ReviewQueue, session: OpenFile, found: Sequence[QueueEntry]) -> str:
    more = f" and {len(found) - _MOST:,} more" if len(found) > _MOST else ""
    return f"{', '.join(_named(queue, session, entry) for entry in found[:_MOST])}{more}"


def _named(queue: ReviewQueue, session: OpenFile, entry: QueueEntry) -> str:
    count = session.decisions.parts(entry.case, entry.turn)
    parts = f" ({count} change{'s' * (count != 1)} accepted)" if count else ""
    return queue.name(entry) + (parts if entry.decision != "accepted" else "")


def _turns(count: int) -> str:
    return f"{count:,} turn{'s' * (count != 1)}"


def _conversations(count: int) -> str:
    return f"{count:,} recorded conversation{'s' * (count != 1)} without a case"


def _line(mark: Run, text: str, goal: QueueEntry | None = None) -> ReviewRow:
    return ReviewRow(text, mark, ([(text, "")],), is_heading=True, goal=goal)
