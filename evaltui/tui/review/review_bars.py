"""The bars of the review: the head above the rows, and the keys that can do something now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from evaltui.printable import one_line, printable
from evaltui.report.review_sentences import unscored_text
from evaltui.report.scores_text import against_text, short_name
from evaltui.review.review_changes import ReviewChange, turns_title
from evaltui.review.review_items import ReviewItem
from evaltui.scoring.criteria import Criteria
from evaltui.tui.command import Command
from evaltui.tui.comparison.compared_turns import parted
from evaltui.tui.comparison.row_drawing import TextRow, argument_name
from evaltui.tui.lines import FILL, STATUS_MARKS, Line, counted, cut_in_the_middle
from evaltui.tui.review.review_queue import ReviewQueue
from evaltui.tui.widgets.line_input import title_while_filtering

if TYPE_CHECKING:
    from evaltui.tui.review.review_screen import ReviewScreen

_ROOMY, _NARROW = 66, 36
"""Least cells for all counts at the right, and for the number of open turns: the name of the turn comes first."""
_ARGUMENT = 16
"""The most characters of the name of an argument in the keys line."""


def head_line(queue: ReviewQueue, index: int, width: int) -> Line:
    """A line above the rows: the position in the queue, the turn and counts of decisions, or the scores of the turn."""
    return _scores(queue, width) if index else _position(queue, width)


def _position(queue: ReviewQueue, width: int) -> Line:
    entry = queue.shown_entry
    aside: Line = [("", FILL), (f"  {_counts(queue, width)}", "dim")] if width >= _NARROW else []
    if entry is None:
        return [(" Review", "heading"), *aside]
    is_unmatched = entry.unmatched is not None
    alike, kind = queue.of_kind(is_unmatched=is_unmatched), "conversation " * is_unmatched
    position = f" Review [{kind}{alike.index(entry) + 1:,}/{len(alike):,}]  "
    room = width - cell_len(position) - sum(cell_len(text) for text, _ in aside)
    # The number of the turn is at the end of the name, so a long name is cut in the middle.
    name = cut_in_the_middle(printable(queue.name(entry)), max(12, room - 1))
    return [(position, "heading"), (name, "key"), *aside]


def _counts(queue: ReviewQueue, width: int) -> str:
    """The decisions about turns; in a queue without turns, those about recordings without a case."""
    turns, entry = queue.counts(), queue.shown_entry
    counts = turns or queue.counts(of_unmatched=True)
    skipped = f"{counts['skipped']:,} skipped · " if counts["skipped"] else ""
    if turns and entry is not None and entry.unmatched is not None:
        # The position counts conversations, so the other count names its unit.
        return f"{skipped}{counted(turns[None], 'turn')} left " if turns[None] or skipped else "all turns decided "
    if width < _ROOMY:
        return f"{counts[None]:,} left "
    return f"{counts['accepted'] + counts['agent is wrong']:,} done · {skipped}{counts[None]:,} left "


def _scores(queue: ReviewQueue, width: int) -> Line:
    entry, item, scores = queue.shown_entry, queue.shown_item, queue.items.scores
    if entry is None:
        return []
    if entry.unmatched is not None:
        return [(" recorded conversation without a case, not counted as a turn", "dim")]
    if item is None or scores.criteria is None:
        return [(" nothing to compare", "dim")]
    is_trial = scores.trial.criteria is not None
    remarks = [
        entry.decision,
        "trial scores" if is_trial else "",
        f"order: {queue.order}" if queue.order != "file" else "",
        f"/ {one_line(queue.query, 20)}" if queue.query else "",
    ]
    aside = "  ".join(["", *filter(None, remarks)]) + " " if width >= _NARROW else ""
    return [*_metrics(item, scores.criteria), ("", FILL), (aside, "warning" if is_trial else "dim")]


def _metrics(item: ReviewItem, criteria: Criteria) -> Line:
    if item.has_no_score:  # the reason of the case says more than metrics without a score
        return [(" ", ""), STATUS_MARKS[item.result.status], (unscored_text(item), "prose")]
    line: Line = [(" ", "")]
    for metric in item.metrics:
        if metric.status != "informational":
            criterion = criteria.of(metric.name)
            options = criterion.options_text() if criterion is not None else ""
            text = f"{short_name(metric.name)} {against_text(metric)}{options}   "
            line += [STATUS_MARKS[metric.status], (text, "prose")]
    return line


# --- keys --------------------------------------------------------------------------------------------------------


def key_title(screen: ReviewScreen, command: Command) -> str:
    """The title of a command in the keys line; "" if it would do nothing now."""
    if command.place != "review":
        return title_while_filtering(command)
    file, rows, entry, item = screen.file, screen.entry_view.rows, screen.queue.shown_entry, screen.queue.shown_item
    row = rows.row
    values, sequence = parted(item.changes if item is not None else ())
    row_values, row_sequence = parted(row.changes if item is not None and row is not None else ())
    is_trial = file.scores.trial.is_unwritten
    is_useful = {
        "review.accept": bool(row_values),
        "review.accept_turn": len(values) > len(row_values),
        "review.accept_sequence": bool(sequence),
        "review.reject": item is not None and (item.status != "passed" or bool(item.changes)),
        "review.skip": entry is not None,
        "review.undo": file.decisions.next_undo is not None,
        "review.next_item": entry is not None,
        "review.open": row.goal is not None if isinstance(row, TextRow) else rows.can_fold and entry is not None,
        "review.save": file.document.is_dirty,
        "review.note": item is not None,
        "review.edit": item is not None,
        "review.fills": any(change.kind == "fill" for change in values),
        "review.conversation": item is not None and max(len(item.case.turns), len(item.run.conversation.turns)) > 1,
        "review.leave": not screen.queue.start.is_first,
        "review.conversations": entry is not None and entry.unmatched is not None,
        "review.write_config": is_trial and not file.readonly,
        "review.drop_trial": is_trial,
    }
    if not is_useful.get(command.id, True):
        return ""
    match command.id:
        case "review.conversation" if screen.entry_view.mode == "conversation":
            return "this turn"
        case "review.accept":
            return f"accept {_part(row_values)}{_remark(row_values)}"
        case "review.accept_turn" if sequence:
            return f"texts and arguments{_remark(values)}"
        case "review.accept_turn" if item is not None and item.status == "passed":
            return "passing differences"
        case "review.accept_turn":
            return f"{command.title}{_remark(values)}"
        case "review.accept_sequence":
            changes = row_sequence or sequence
            action = changes[0].place.action.replace("_", " ") if len(changes) == 1 else "calls"
            return f"{turns_title(changes) or action}{_remark(changes)}"
    return command.title


def _remark(changes: Sequence[ReviewChange]) -> str:
    """The end of the title of a key that accepts changes, if the turn still fails then."""
    return " (still fails)" if any(change.remark for change in changes) else ""


def _part(changes: Sequence[ReviewChange]) -> str:
    """A word for the value that changes write: `response`, `call`, the name of an argument, or `arguments`."""
    place = changes[0].place
    if len(changes) > 1 or place.action == "arguments":
        return "arguments"
    if place.action in ("add_call", "no_calls"):
        return "call" if place.action == "add_call" else changes[0].summary
    return one_line(argument_name(place.pointer), _ARGUMENT) if place.action == "argument" else "response"
