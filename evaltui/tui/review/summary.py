"""The summary at the end of a review: accepted turns, turns where the agent is wrong, and open turns."""

from __future__ import annotations

from evaltui.evalset.formats import ENDING_OF_SIDECARS
from evaltui.printable import one_line
from evaltui.review.decisions import DecisionKind
from evaltui.tui.commands import key_of
from evaltui.tui.lines import Run
from evaltui.tui.marks import ERROR, NO_MARK, NOT_EVALUATED, PASSED
from evaltui.tui.review.review_row import ReviewRow
from evaltui.tui.session.queue_entry import QueueEntry
from evaltui.tui.session.review_queue import ReviewQueue
from evaltui.tui.session.score_sentences import why_none
from evaltui.tui.session.session import Session

_WRONG: DecisionKind = "agent is wrong"
_MOST = 12
"""The most turns that are named for each kind of decision."""


def summary_rows(queue: ReviewQueue, session: Session) -> list[ReviewRow]:
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
        _line(PASSED, f"{counts['accepted']:,} accepted{_names(queue, session, 'accepted')}"),
        _line(ERROR, f"{counts[_WRONG]:,} where the agent is wrong{_names(queue, session, _WRONG)}"),
        _line(NOT_EVALUATED, f"{left:,} left{skipped}{_names(queue, session, None, 'skipped')}"),
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
    if queue.are_kept and counts["accepted"] + counts[_WRONG]:
        kept = f"{session.file_name}{ENDING_OF_SIDECARS}"
        rows.append(_line(NO_MARK, f"Decisions and notes are saved in {kept}. Commit it with the set."))
    editor, back = key_of("review.editor"), key_of("review.previous_item")
    rows.append(
        _line(NO_MARK, f"Press {editor} for the editor, {back} for the last turn, or {key_of('quit')} to quit.")
    )
    return rows


def said_at_start(queue: ReviewQueue) -> str:
    """What the queue counts, if it also has recordings without a case and nothing is decided yet; else ""."""
    counts, others = queue.counts(), queue.counts(of_unmatched=True).total()
    turns = counts[None]
    if not others or not turns or turns < counts.total():
        return ""
    return f"{_turns(turns)} to review, then {others:,} recorded conversation{'s' * (others != 1)} without a case."


def _unmatched(queue: ReviewQueue) -> list[ReviewRow]:
    """The recorded conversations without a case, with the key that makes cases of them."""
    counts = queue.counts(of_unmatched=True)
    if not (count := counts.total()):
        return []
    what = f"{count:,} recorded conversation{'s' * (count != 1)} without a case"
    skipped = f", {counts['skipped']:,} skipped" if counts["skipped"] else ""
    on_it = f"{key_of('review.conversations')} on {'one' if count > 1 else 'it'} adds a case to the set."
    return [_line(NOT_EVALUATED, f"{what}{skipped}. {on_it}")]


def _names(queue: ReviewQueue, session: Session, *decisions: DecisionKind | None) -> str:
    """The turns with one of these decisions, the first ones by name."""
    found = [each for each in queue.entries if each.decision in decisions and each.unmatched is None]
    if not found:
        return ""
    more = f" and {len(found) - _MOST:,} more" if len(found) > _MOST else ""
    return f": {', '.join(_named(queue, session, entry) for entry in found[:_MOST])}{more}"


def _named(queue: ReviewQueue, session: Session, entry: QueueEntry) -> str:
    count = session.acceptances.parts(entry.case, entry.turn)
    parts = f" ({count} change{'s' * (count != 1)} accepted)" if count else ""
    return queue.name(entry) + (parts if entry.decision != "accepted" else "")


def _turns(count: int) -> str:
    return f"{count:,} turn{'s' * (count != 1)}"


def _line(mark: Run, text: str) -> ReviewRow:
    return ReviewRow(text, mark, ([(text, "")],), is_heading=True)
