"""The reports of `evaltui review`: JSON (docs/cli.md), Markdown for a pull request comment, and text for a terminal."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from evaltui.document.document import Document
from evaltui.document.sequence_diff import differing_runs, shared_length
from evaltui.evalset.turn import NOT_RECORDED, Turn, TurnCall
from evaltui.printable import is_unsafe, one_line, printable
from evaltui.recordings.matching import unmatched_of_set
from evaltui.report.markdown import code, fenced, prose
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
from evaltui.report.scores_text import MARKS
from evaltui.report.terminal_output import wrap_text
from evaltui.review.decisions import Decision
from evaltui.review.review_items import ReviewItem
from evaltui.review.set_review import SetReview, explained_items
from evaltui.scoring.scored_set import ScoredSet

if TYPE_CHECKING:
    from rich.text import Text

_VERSION = 1
_MOST_INDENTED = 100
"""The most items for which JSON is indented, so that people can read it."""
# A GitHub comment has at most 65,536 characters, and the lists below the items need some of them.
_LENGTH = 50_000
"""The most characters of items. The other items are counted."""
_LINES = 80
"""The most lines of one diff."""
_ACCEPTANCES = 40
"""The most acceptances in the list, the last ones."""
_FILES = 20
"""The most files in the list of conversations without a case."""
_STYLES = {"-": "red", "+": "green", " ": "dim"}
_INDENT = "    "
_StyledLine = tuple[str, str]
"""The text of a line, and its style."""


# --- JSON -------------------------------------------------------------------------------------------------------------


def review_json(reviews: Sequence[SetReview], documents: Mapping[str, Document]) -> str:
    """The JSON text of a set; for several sets, one document with the documents of all.

    `documents` has the sets as they were scored, by their names.
    """
    from evaltui.report.json_text import json_text

    data = [_review(review, documents[review.run.subject.name]) for review in reviews]
    whole = data[0] if len(data) == 1 else {"version": _VERSION, "reviews": data, "summary": _summary(reviews)}
    is_short = sum(len(review.items) for review in reviews) <= _MOST_INDENTED
    return json_text(whole, indent=2 if is_short else None) + "\n"


def _review(review: SetReview, document: Document) -> dict[str, Any]:
    from evaltui.report.run_json import reported_conversation, set_as_data

    run = review.run
    return {
        "version": _VERSION,
        "set": set_as_data(run),
        "items": [item.as_dict() for item in explained_items(review, document)],
        "accepted": [decision.to_json() for decision in review.acceptances],
        "unmatched_recordings": [reported_conversation(unmatched).as_dict() for unmatched in run.unmatched],
        "summary": _summary([review]),
    }


def _summary(reviews: Sequence[SetReview]) -> dict[str, Any]:
    cases = [case for review in reviews for case in review.run.cases]
    return {
        "items": sum(len(review.items) for review in reviews),
        "changes": kind_counts(reviews),
        "cases": len(cases),
        "not_evaluated": sum(case.status == "not_evaluated" for case in cases),
    }


# --- Markdown: text of files is never markup, and never mentions anybody ----------------------------------------------


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


# --- lines for a terminal: failing turns with reasons, both sides, and the command for each change --------------------


def review_lines(reviews: Sequence[SetReview], width: int) -> Iterator[Text]:
    """The lines of all reviews. A line is longer than `width` cells only if a word or a command line is."""
    from rich.text import Text

    for number, review in enumerate(reviews):
        if number:
            yield Text("")
        yield from (Text(*line) for line in _set_lines(review, width))


def _wrapped(text: str, width: int, style: str = "") -> Iterator[_StyledLine]:
    return ((line, style) for line in wrap_text(text, width, _INDENT))


def _set_lines(review: SetReview, width: int) -> Iterator[_StyledLine]:
    subject = review.run.subject
    names = [subject.name, *([subject.eval_set_id] if subject.eval_set_id else [])]
    first, *more_counts = count_lines(review)
    yield f"{printable(' · '.join(names))}: {first}", "bold"
    for sentence in filter(None, [*more_counts, not_counted_text(review)]):
        yield from ((line, "dim") for line in wrap_text(sentence, width - len(_INDENT), ""))
    for item in review.items:
        yield "", ""
        yield from _item_lines(item, review, width)
    fills = kind_counts([review])["fill"]
    if fills > 1 and (command := review.accept_command("--fills")):
        yield from (("", ""), (f"All {fills} changes of kind fill:", ""), (_INDENT + command, "cyan"))
    if review.acceptances:
        yield from (("", ""), ("Accepted and not changed since then:", "bold"))
        for decision in review.acceptances:
            turn = f" › turn {decision.turn}" if decision.turn is not None else ""
            yield from _wrapped(f"{one_line(decision.eval_id)}{turn} · {decision_text(decision)}", width)


def _item_lines(item: ReviewItem, review: SetReview, width: int) -> Iterator[_StyledLine]:
    status = shown_status(item)
    yield f"{MARKS[status]} {item_title(item)}", "bold red" if status == "failed" else "bold"
    if metrics := metrics_text(item):
        yield from _wrapped(metrics, width)
    for line in why_of_item(item, review):
        if not (item.has_no_score and line == item.result.reason):  # the line above ends with it
            yield from _wrapped(one_line(line), width)
    if diff := diff_of_item(item):
        legend = f"expected (-) and actual (+), from {printable(item.run.conversation.path.name)}:"
        yield from _wrapped(legend, width, "dim")
        for sign, text in diff:
            # Each part of a long line has the indentation of the first.
            indent = text[: len(text) - len(text.lstrip(" "))][: width // 3]
            lines = wrap_text(text.strip(" "), width - len(_INDENT) - 2 - len(indent), "")
            for number, line in enumerate(lines):
                yield f"{_INDENT}{' ' if number else sign} {indent}{line}", _STYLES[sign]
    if contradiction := contradiction_text([*review.decisions.verdicts(item).values()]):
        yield from _wrapped(f"! people disagree: {contradiction}", width)
    for decision in review.decisions.about(item):
        yield from _wrapped(decision_text(decision), width)
    # Each change has the command that accepts it; without a command, its id.
    for change in item.changes:
        identifier = review.id_of(item, change)
        yield from _wrapped(f"{change.kind}: {one_line(change.sentence)}", width)
        command = review.accept_command("--change", identifier) or f"change {printable(identifier)}"
        yield f"{_INDENT}  {command}", "cyan"
    if len(item.changes) > 1 and (all_of_turn := _command_for_all(item, review)):
        yield from _wrapped(f"all {len(item.changes)} changes:", width)
        yield f"{_INDENT}  {all_of_turn}", "cyan"


def _command_for_all(item: ReviewItem, review: SetReview) -> str | None:
    """The command that accepts all changes of an item; None if the command line cannot name its case."""
    eval_id = item.eval_id
    # A person pastes this line: it must not be another option, hide a character, or mean another case.
    if not eval_id or is_unsafe(eval_id) or eval_id.startswith("-") or review.is_shared(eval_id):
        return None
    passing = [] if item.status == "failed" else ["--all"]
    return review.accept_command("--case", eval_id, "--turn", str(item.turn), *passing)


# --- the diff of the expected and recorded sides of an item, printable ------------------------------------------------

Sign = Literal["-", "+", " "]
DiffLine = tuple[Sign, str]
"""A line of the expected side (-), of the recorded side (+), or of both."""
_CONTEXT = 2
"""The number of shared lines around a difference."""
_AROUND = 60
"""The number of shared characters around the difference of two long lines."""
_LONGEST = 2_000
"""The most characters of a line."""
_LONGEST_SHARED = 200
"""The most characters of a shared line."""
_LABEL = "response: "


def diff_of_item(item: ReviewItem) -> list[DiffLine]:
    """The diff of a turn, or of added and deleted turns, with their messages, calls and responses."""
    lines: list[DiffLine] = []
    for turn in item.turns:
        differing = list(_differing_lines(turn.scores.expected, turn.scores.actual))
        if differing and item.compared is None:  # the title of an item about one turn names it
            lines.append((" ", f"turn {turn.scores.number}"))
        lines += differing
    lines += _whole_turns("-", item.deleted, item.case.turns)
    lines += _whole_turns("+", item.added, item.run.conversation.turns)
    return [(sign, _cut(text, _LONGEST)) for sign, text in lines]


def _whole_turns(sign: Sign, indexes: Iterable[int], turns: Sequence[Turn]) -> Iterator[DiffLine]:
    for index in indexes:
        yield sign, f"turn {index + 1}: {one_line(turns[index].user_text)}"
        yield from ((sign, line) for line in _turn_lines(turns[index]))


def _turn_lines(turn: Turn) -> list[str]:
    calls = [f"tool calls {NOT_RECORDED}"] if "calls" in turn.unrecorded else list(map(_call_line, turn.calls))
    if "response" in turn.unrecorded:
        return [*calls, f"{_LABEL}{NOT_RECORDED}"]
    lines = turn.response.split("\n") if turn.response else []
    margin = " " * len(_LABEL)
    return [*calls, *((margin if number else _LABEL) + printable(line) for number, line in enumerate(lines))]


def _call_line(call: TurnCall) -> str:
    """`book_flight(flight_id="1")`, whole."""
    name = printable(call.name or "") or "a tool without a name"
    if not call.has_args:
        return f"{name}: arguments {NOT_RECORDED}"
    if call.args is None:
        return f"{name}: no arguments"
    return f"{name}({', '.join(f'{printable(key)}={_value_text(value)}' for key, value in call.args.items())})"


def _value_text(value: Any) -> str:
    try:
        return printable(json.dumps(value, ensure_ascii=False))
    except RecursionError:  # a parser may read deeper values than this writes
        return "a deeply nested value"


def _differing_lines(expected: Turn, actual: Turn) -> Iterator[DiffLine]:
    """The lines of both sides with their differences and shared lines around these; only shared lines if equal."""
    # Whole lines are compared first, so that a long response does not hide which calls differ.
    expected_lines, actual_lines = _turn_lines(expected), _turn_lines(actual)
    runs = differing_runs(expected_lines, actual_lines)
    position = 0
    for number, (place, new_place) in enumerate(runs):
        yield from _shared_lines(expected_lines[position : place.start], _CONTEXT if number else 0, _CONTEXT)
        old, new = expected_lines[place], actual_lines[new_place]
        pairs = [_folded_pair(*pair) for pair in zip(old, new, strict=False)]
        yield from (("-", line) for line in [*(pair[0] for pair in pairs), *old[len(pairs) :]])
        yield from (("+", line) for line in [*(pair[1] for pair in pairs), *new[len(pairs) :]])
        position = place.stop
    yield from _shared_lines(expected_lines[position:], _CONTEXT if runs else 0, 0)


def _shared_lines(lines: Sequence[str], head: int, tail: int) -> Iterator[DiffLine]:
    """Shared lines; of many, only `head` lines after a difference and `tail` lines before the next one."""
    if len(lines) > head + tail + 1:
        lines = [*lines[:head], f"… {len(lines) - head - tail} equal lines", *lines[len(lines) - tail :]]
    yield from ((" ", _cut(line, _LONGEST_SHARED)) for line in lines)


def _folded_pair(expected: str, actual: str) -> tuple[str, str]:
    """Two lines; long lines are cut to the text around their difference."""
    if max(len(expected), len(actual)) <= 4 * _AROUND:
        return expected, actual
    start = max(0, shared_length(expected, actual) - _AROUND)
    # Behind `start` only, so that the shared end of "aa" and "aaa" is not their shared start as well.
    end = max(0, shared_length(expected[start:][::-1], actual[start:][::-1]) - _AROUND)

    def folded(line: str) -> str:
        label = _LABEL if start >= len(_LABEL) and line.startswith(_LABEL) else ""
        return f"{label}{'…' if start else ''}{line[start : len(line) - end]}{'…' if end else ''}"

    return folded(expected), folded(actual)


def _cut(line: str, longest: int) -> str:
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
