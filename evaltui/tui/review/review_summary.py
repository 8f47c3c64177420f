"""The summary at the end of a review: accepted turns, turns where the agent is wrong, and open turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.evalset.file_formats import ENDING_OF_SIDECARS
from evaltui.printable import one_line
from evaltui.review.decisions import DecisionKind
from evaltui.tui.commands import key_of
from evaltui.tui.comparison.row_drawing import TextRow
from evaltui.tui.lines import ERROR, NO_MARK, NOT_EVALUATED, PASSED, Run, counted
from evaltui.tui.open_file.score_sentences import why_none
from evaltui.tui.review.review_queue import QueueEntry, ReviewQueue

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile

_WRONG: DecisionKind = "agent is wrong"
_MOST = 12
"""The most turns that are named for each kind of decision."""


def summary_rows(file: OpenFile, queue: ReviewQueue) -> list[TextRow]:
    """A row for each kind of decision and for the next keys; if the queue is empty, why."""
    counts, editor, quit_key = queue.counts(), key_of("review.editor"), key_of("quit")
    if not queue.entries:
        reason = "Nothing to review: no turn fails."
        if queue.query:
            reason = f"No turn to review matches the filter. Press {key_of('review.leave')} to clear the filter."
        elif queue.start.ids and file.scores.has_any:
            reason = f"Nothing to review in these cases: {one_line(', '.join(queue.start.ids), 60)}"
        elif not file.scores.has_any:
            reason = why_none(file.scores, in_editor=False)
        return [_line(reason), _line(f"Press {editor} to open the editor, or {quit_key} to quit.")]
    skipped = f", {counts['skipped']:,} skipped" if counts["skipped"] else ""
    turns = [entry for entry in queue.of_kind(is_unmatched=False) if not entry.is_settled]
    accepted, wrong = ([entry for entry in turns if entry.decision == kind] for kind in ("accepted", _WRONG))
    undecided = [entry for entry in turns if entry.decision in (None, "skipped")]
    rows = [
        _named_turns(queue, PASSED, f"{len(accepted):,} accepted", accepted),
        _named_turns(queue, ERROR, f"{len(wrong):,} where the agent is wrong", wrong),
        _named_turns(queue, NOT_EVALUATED, f"{counts[None]:,} left{skipped}", undecided),
    ]
    if settled := [entry for entry in queue.entries if entry.is_settled]:
        text = f"{counted(len(settled), 'turn')} without a decision"
        rows.append(_named_turns(queue, PASSED, text, settled, " now passes"))
    if notes := queue.notes():
        rows.append(_named_turns(queue, NO_MARK, counted(sum(notes.values()), "note"), [*notes]))
    unmatched = queue.counts(of_unmatched=True)
    if unmatched.total():
        passed_over = f", {unmatched['skipped']:,} skipped" if unmatched["skipped"] else ""
        keys = f"Press {key_of('review.open')}, then {key_of('review.conversations')} to add a case."
        first = queue.of_kind(is_unmatched=True)[0]
        rows.append(_line(f"{_conversations(unmatched.total())}{passed_over}. {keys}", NOT_EVALUATED, first))
    rows.append(_line(""))
    if hidden := len(queue.every) - len(queue.entries):
        clear = key_of("review.leave")
        rows.append(_line(f"The filter hides {counted(hidden, 'turn')}. Press {clear} to clear the filter."))
    if file.document.is_dirty:
        rows.append(_line(f"Press {key_of('review.save')} to save the accepted changes to {file.file_name}."))
    if unwritten := file.decisions.unwritten():
        rows.append(_line(unwritten, ERROR))
    elif queue.are_kept and (accepted or wrong):
        sidecar = f"{file.file_name}{ENDING_OF_SIDECARS}"
        rows.append(_line(f"Decisions and notes are saved in {sidecar}. Commit it with the set."))
    if any(row.goal is not None for row in rows):
        rows.append(_line(f"Press {key_of('review.open')} on a line to go to its first turn."))
    back = key_of("review.previous_item")
    rows.append(_line(f"Press {back} to go back to the turns, {editor} for the editor, or {quit_key} to quit."))
    return rows


def is_all_decided(queue: ReviewQueue) -> bool:
    """Whether the queue has turns, and each has a decision. Skipping is not a decision."""
    counts = queue.counts()
    return bool(counts.total()) and not counts[None] + counts["skipped"]


def state_at_start(queue: ReviewQueue) -> str:
    """The state of the queue when the review begins; "" if it has open turns only."""
    sentences = []
    if queue.unsaved:
        verb, pronoun = ("is", "its") if queue.unsaved == 1 else ("are", "their")
        reason = f"{pronoun} accepted values are not in the file"
        sentences.append(f"{counted(queue.unsaved, 'turn')} {verb} open again: {reason}.")
    counts, unmatched = queue.counts(), queue.counts(of_unmatched=True)
    total, turns, recordings = counts.total(), counts[None], unmatched.total()
    if is_all_decided(queue):
        sentences.append(f"All {total:,} turns are decided." if total > 1 else "The turn is decided.")
        if unmatched[None]:
            sentences.append(f"{_conversations(unmatched[None])} left.")
    elif recordings and turns and turns == total:
        come = f"come{'s' * (recordings == 1)} after {'it' if turns == 1 else 'them'}"
        sentences.append(f"{counted(turns, 'turn')} to review. {_conversations(recordings)} {come}.")
    return " ".join(sentences)


def _named_turns(queue: ReviewQueue, mark: Run, text: str, entries: Sequence[QueueEntry], ending: str = "") -> TextRow:
    """A text about entries, the first ones by name. The line leads to the first entry."""
    if not entries:
        return _line(text, mark)
    names = []
    for entry in entries[:_MOST]:
        count = queue.history.parts(entry.case, entry.turn) if entry.decision != "accepted" else 0
        parts = f" ({counted(count, 'change')} accepted)" if count else ""
        names.append(f"{queue.name(entry)}{parts}")
    more = f" and {len(entries) - _MOST:,} more" if len(entries) > _MOST else ""
    return _line(f"{text}: {', '.join(names)}{more}{ending}", mark, entries[0])


def _conversations(count: int) -> str:
    return f"{counted(count, 'recorded conversation')} without a case"


def _line(text: str, mark: Run = NO_MARK, goal: QueueEntry | None = None) -> TextRow:
    return TextRow(text, text, mark, goal=goal)
