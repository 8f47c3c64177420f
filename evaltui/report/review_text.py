"""Reviews as lines for a terminal: failing turns with reasons, both sides, and the command for each change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from evaltui.printable import is_unsafe, one_line, printable
from evaltui.report.review_diff import diff_of_item
from evaltui.report.review_sentences import (
    contradiction_text,
    count_lines,
    decision_text,
    item_title,
    kind_counts,
    metrics_text,
    not_counted_text,
    shown_status,
    why_of_item,
)
from evaltui.report.run_table import wrapped
from evaltui.report.scores_text import MARKS
from evaltui.review.review_items import ReviewItem
from evaltui.review.set_review import SetReview

_STYLES = {"-": "red", "+": "green", " ": "dim"}
_INDENT = "    "


def review_lines(reviews: Sequence[SetReview], width: int) -> Iterator[Text]:
    """The lines of all reviews. A line is longer than `width` cells only if a word or a command line is."""
    for number, review in enumerate(reviews):
        if number:
            yield Text("")
        yield from _set_lines(review, width)


def _set_lines(review: SetReview, width: int) -> Iterator[Text]:
    subject = review.run.subject
    names = [subject.name, *([subject.eval_set_id] if subject.eval_set_id else [])]
    first, *more_counts = count_lines(review)
    yield Text(f"{printable(' · '.join(names))}: {first}", "bold")
    for sentence in filter(None, [*more_counts, not_counted_text(review)]):
        yield from (Text(line.plain.strip(" "), "dim") for line in wrapped(sentence, width))
    for item in review.items:
        yield Text("")
        yield from _item_lines(item, review, width)
    fills = kind_counts([review])["fill"]
    if fills > 1 and (command := review.accept_command("--fills")):
        yield from (Text(""), Text(f"All {fills} changes of kind fill:"), Text(_INDENT + command, "cyan"))
    if review.acceptances:
        yield from (Text(""), Text("Accepted and not changed since then:", "bold"))
        for decision in review.acceptances:
            turn = f" › turn {decision.turn}" if decision.turn is not None else ""
            yield from wrapped(f"{one_line(decision.eval_id)}{turn} · {decision_text(decision)}", width)


def _item_lines(item: ReviewItem, review: SetReview, width: int) -> Iterator[Text]:
    status = shown_status(item)
    yield Text(f"{MARKS[status]} {item_title(item)}", "bold red" if status == "failed" else "bold")
    if metrics := metrics_text(item):
        yield from wrapped(metrics, width)
    for line in why_of_item(item, review):
        if not (item.has_no_score and line == item.result.reason):  # the line above ends with it
            yield from wrapped(one_line(line), width)
    if diff := diff_of_item(item):
        legend = f"expected (-) and actual (+), from {printable(item.run.conversation.path.name)}:"
        yield from (Text(line.plain, "dim") for line in wrapped(legend, width))
        for sign, text in diff:
            yield from _diff_line(sign, text, width)
    verdicts = [*review.decisions.verdicts(item).values()]
    if contradiction := contradiction_text(verdicts):
        yield from wrapped(f"! people disagree: {contradiction}", width)
    for decision in review.decisions.about(item):
        yield from wrapped(decision_text(decision), width)
    yield from _changes(item, review, width)


def _diff_line(sign: str, text: str, width: int) -> Iterator[Text]:
    indent = text[: len(text) - len(text.lstrip(" "))][: width // 3]
    for number, line in enumerate(wrapped(text.strip(" "), width - 2 - len(indent))):
        row = f"{_INDENT}{' ' if number else sign} {indent}{line.plain[len(_INDENT) :]}"
        yield Text(row, _STYLES[sign])


def _changes(item: ReviewItem, review: SetReview, width: int) -> Iterator[Text]:
    """Each change with the command that accepts it; without a command, its id."""
    for change in item.changes:
        identifier = review.id_of(item, change)
        yield from wrapped(f"{change.kind}: {one_line(change.sentence)}", width)
        command = review.accept_command("--change", identifier) or f"change {printable(identifier)}"
        yield Text(f"{_INDENT}  {command}", "cyan")
    if len(item.changes) > 1 and (all_of_turn := _command_for_all(item, review)):
        yield from wrapped(f"all {len(item.changes)} changes:", width)
        yield Text(f"{_INDENT}  {all_of_turn}", "cyan")


def _command_for_all(item: ReviewItem, review: SetReview) -> str | None:
    """The command that accepts all changes of an item; None if the command line cannot name its case."""
    eval_id = item.eval_id
    # A person pastes this line: it must not be another option, hide a character, or mean another case.
    if not eval_id or is_unsafe(eval_id) or eval_id.startswith("-") or eval_id in review.shared_ids:
        return None
    passing = [] if item.status == "failed" else ["--all"]
    return review.accept_command("--case", eval_id, "--turn", str(item.turn), *passing)
