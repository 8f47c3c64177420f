"""Words of reviews for reports: titles and reasons of items, counts, and decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evaltui.evalset.titles import STEP
from evaltui.printable import one_line, printable
from evaltui.recordings.matching import unmatched_of_set
from evaltui.report.scores_text import against_text, case_name, score_text, short_name
from evaltui.report.why_text import why_lines
from evaltui.review.decisions import Decision, contradict
from evaltui.review.review_changes import KINDS, ChangeKind
from evaltui.review.review_items import ReviewItem
from evaltui.review.set_review import SetReview
from evaltui.scoring.results import Status

_NOTE = 1_000
"""The most characters of a note or a name in a report. The sidecar has the whole text."""


def kind_counts(reviews: Sequence[SetReview]) -> dict[ChangeKind, int]:
    """The number of changes of each kind."""
    items = (item for review in reviews for item in review.items)
    counts = Counter(change.kind for item in items for change in item.changes)
    return {kind: counts[kind] for kind in KINDS}


_KINDS: dict[ChangeKind, tuple[str, str]] = {
    "fill": ("absent value", "absent values"),
    "text": ("response", "responses"),
    "args": ("argument", "arguments"),
    "sequence": ("call or turn", "calls or turns"),
}


def count_lines(review: SetReview) -> list[str]:
    """Counts, a line each.

    `3 turns to review` or `3 turns in the review, 1 of them decided`; `4 changes: 1 absent value, 3 arguments`;
    `1 case is not evaluated`.
    """
    number = len(review.items)
    decided = sum(bool(review.decisions.verdicts(item)) for item in review.items)
    turns = f"{number} turn{'s' * (number != 1)}"
    head = f"{turns} to review" if not decided else f"{turns} in the review, {decided} of them decided"
    lines = [head if number else "nothing to review"]
    counts = kind_counts([review])
    if changes := sum(counts.values()):
        parts = ", ".join(f"{count} {_KINDS[kind][count != 1]}" for kind, count in counts.items() if count)
        lines.append(f"{changes} change{'s' * (changes != 1)}: {parts}")
    if open_cases := sum(case.status == "not_evaluated" for case in review.run.cases):
        lines.append(f"{open_cases} case{' is' if open_cases == 1 else 's are'} not evaluated")
    return lines


def not_counted_text(review: SetReview) -> str:
    """Sentences about the conversations without a case, which are no items; "" if there are none."""
    run = review.run
    count = len(unmatched_of_set(run.unmatched, run.subject.eval_set_id))
    if not count:
        return ""
    if count == 1:
        return "1 recorded conversation has no case. It is not counted. The app shows it after the turns."
    return f"{count} recorded conversations have no case. They are not counted. The app shows them after the turns."


def item_title(item: ReviewItem) -> str:
    """`book_flight › turn 2`; added or deleted turns in the same words as in the app."""
    name = case_name(item.result)
    return f"{name}{STEP}{item.turns_name}" if item.turns_name else name


def shown_status(item: ReviewItem) -> Status:
    """The verdict of a turn; if google-adk scores no turn of the case, the verdict of the case."""
    return item.result.status if item.is_unscored_turn else item.status


def unscored_text(item: ReviewItem) -> str:
    """`the case fails: 2 turns recorded, 3 expected`; `the case has no score: …` if google-adk does not fail it."""
    fails = "the case fails" if item.result.status == "failed" else "the case has no score"
    return f"{fails}: {printable(item.result.reason or '')}"


def metrics_text(item: ReviewItem) -> str:
    """`response_match 0.57 < 0.80 · …`, without informational metrics; without thresholds if the turn is unscored."""
    metrics = [metric for metric in item.metrics if metric.status != "informational"]
    if not item.has_no_score:
        return " · ".join(f"{short_name(metric.name)} {against_text(metric)}" for metric in metrics)
    alone = " · ".join(
        f"{short_name(metric.name)} {score_text(metric.score)}" for metric in metrics if metric.score is not None
    )
    reason = unscored_text(item)
    return f"{reason}. In this turn: {alone}" if alone else reason


def why_of_item(item: ReviewItem, review: SetReview) -> list[str]:
    """The sentences why a turn fails, or why its case fails."""
    if item.compared is None:
        return why_lines(item.result, review.run.criteria)
    sentences = []
    for metric in item.metrics:
        explained = item.compared.explanations.get(metric.name)
        reason = "; ".join(explained.sentences) if explained is not None else printable(metric.reason or "")
        if metric.status == "failed" and (explained is not None or reason):
            sentences.append(f"{short_name(metric.name)}: {reason}")
    return sentences


def decision_text(decision: Decision) -> str:
    """`agent is wrong, "the fare is missing" (decided by Ana <ana@example.org>)`."""
    note = f"“{one_line(decision.note, _NOTE)}”" if decision.note else ""
    role = "decided by" if decision.verdict else "note by"
    return f"{', '.join(filter(None, [decision.verdict, note]))} ({role} {one_line(decision.author, _NOTE)})".lstrip()


def contradiction_text(verdicts: Sequence[Decision]) -> str:
    """The names and verdicts of people who decided differently; "" if nobody did."""
    if not contradict(verdicts):
        return ""
    return printable(
        "; ".join(f"{decision.author}: {decision.verdict}" for decision in verdicts if decision.verdict != "skipped")
    )
