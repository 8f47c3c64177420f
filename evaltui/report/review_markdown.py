"""Reviews as Markdown for a pull request comment. Text of files is never markup, and never mentions anybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from evaltui.recordings.matching import unmatched_of_set
from evaltui.report.markdown import code, fenced, prose
from evaltui.report.review_diff import diff_of_item
from evaltui.report.review_sentences import (
    contradiction_text,
    count_lines,
    decision_text,
    item_title,
    metrics_text,
    shown_status,
    why_of_item,
)
from evaltui.report.scores_text import MARKS
from evaltui.review.decisions import Decision
from evaltui.review.review_items import ReviewItem
from evaltui.review.set_review import SetReview
from evaltui.scoring.scored_set import ScoredSet

# A GitHub comment has at most 65,536 characters, and the lists below the items need some of them.
_LENGTH = 50_000
"""The most characters of items. The other items are counted."""
_LINES = 80
"""The most lines of one diff."""
_ACCEPTANCES = 40
"""The most acceptances in the list, the last ones."""
_FILES = 20
"""The most files in the list of conversations without a case."""


def review_markdown(reviews: Sequence[SetReview]) -> str:
    """A section for each set."""
    return "\n".join(line for review in reviews for line in _section(review)) + "\n"


def _section(review: SetReview) -> Iterator[str]:
    run = review.run
    name = run.subject.eval_set_id or run.subject.name
    yield from (f"## Review of {code(name)}", "", prose(f"{'. '.join(count_lines(review))}."), "")
    items = review.items
    length = count = 0
    for item in items:
        block = [*_item(item, review)]
        length += sum(len(line) + 1 for line in block)
        if count and length > _LENGTH:  # one item is always shown: a comment without any would say nothing
            break
        count += 1
        yield from block
    if count < len(items):
        more = len(items) - count
        yield from (f"… {more} more item{'s' * (more != 1)}", "")
    if items and (command := review.accept_command("--change")):
        yield from (f"To accept a change, add its id to this command: {code(command)}", "")
    yield from _accepted(review.acceptances)
    yield from _unmatched(run)


def _unmatched(run: ScoredSet) -> Iterator[str]:
    """The number of conversations of each file without a case, with the reason. Those of other sets do not count."""
    unmatched = unmatched_of_set(run.unmatched, run.subject.eval_set_id)
    counts = Counter((str(skipped.conversation.path), skipped.reason) for skipped in unmatched)
    if counts:
        yield from ("### Conversations without a case", "")
        for (path, reason), count in [*counts.items()][:_FILES]:
            yield f"- {code(path)}: {count} conversation{'s' * (count != 1)}: {prose(reason)}"
        yield from ([f"- … {len(counts) - _FILES} more"] if len(counts) > _FILES else [])
        yield ""


def _item(item: ReviewItem, review: SetReview) -> Iterator[str]:
    yield from (f"### {MARKS[shown_status(item)]} {code(item_title(item))}", "")
    if metrics := metrics_text(item):
        yield from (prose(metrics), "")
    if why := [f"- {prose(line)}" for line in why_of_item(item, review)]:
        yield from (*why, "")
    if lines := diff_of_item(item):
        rows = [f"{sign} {text}".rstrip() for sign, text in lines[:_LINES]]
        hidden = len(lines) - _LINES
        more = [f"  … {hidden} more line{'s' * (hidden != 1)}"] if hidden > 0 else []
        yield from (*fenced([*rows, *more], "diff"), "")
    if item.changes:
        for change in item.changes:
            identifier = review.id_of(item, change)
            yield f"- {change.kind}: {prose(change.sentence)}<br>{code(identifier)}"
        yield ""
    if contradiction := contradiction_text([*review.decisions.verdicts(item).values()]):
        yield from (f"**People disagree**: {prose(contradiction)}", "")
    if about := review.decisions.about(item):
        yield from (*(f"- {prose(decision_text(decision))}" for decision in about), "")


def _accepted(acceptances: Sequence[Decision]) -> Iterator[str]:
    if not acceptances:
        return
    yield from ("### Accepted", "")
    if len(acceptances) > _ACCEPTANCES:
        yield f"- … {len(acceptances) - _ACCEPTANCES} earlier"
    for decision in acceptances[-_ACCEPTANCES:]:
        turn = f" › turn {decision.turn}" if decision.turn is not None else ""
        yield f"- {code(f'{decision.eval_id}{turn}')} {prose(decision_text(decision))}"
    yield ""
