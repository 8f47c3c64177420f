"""The rows of an item of a review: its differences, the whole conversation, or both sides as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from evaltui.evalset.turn import Turn, TurnPart
from evaltui.printable import one_line, printable
from evaltui.recordings.matching import Unmatched
from evaltui.review.review_changes import ReviewChange
from evaltui.review.review_items import ReviewItem, pair_turns
from evaltui.scoring.call_alignment import Row, align_calls
from evaltui.scoring.results import plain
from evaltui.tui.lines import NO_MARK, STATE_MARKS
from evaltui.tui.review.review_row import Lines, ReviewRow, call_lines, call_value, heading
from evaltui.tui.review.text_rows import TextRows
from evaltui.tui.review.turn_rows import TurnRows, unrecorded_calls


def rows_of(item: ReviewItem, texts: TextRows) -> list[ReviewRow]:
    """All rows of an item; rows whose keys are in `texts.opened` are unfolded."""
    if item.compared is not None:
        return [*_before(item), *TurnRows(item.compared, texts).rows()]
    rows: list[ReviewRow] = []
    reason = item.result.reason or item.run.reason
    if reason:
        rows.append(ReviewRow("reason", NO_MARK, ([(printable(reason), "prose")],)))
    come_or_go = {change.place.actual_turn: change for change in item.changes if change.place.action == "add_turn"}
    gone = {change.place.turn: change for change in item.changes if change.place.action == "delete_turn"}
    for at in item.deleted:
        rows += _whole_turn(item.case.turns[at], f"turn {at + 1}", gone.get(at), "missing", texts)
    for each in item.turns:
        number = each.scores.number
        rows.append(heading(f"turn {number}", f"turn {number}"))
        rows += TurnRows(each, texts, f"{number} ").rows()
    for at in item.added:
        name = f"turn {at + 1} of the recording"
        rows += _whole_turn(item.run.conversation.turns[at], name, come_or_go.get(at), "extra", texts)
    return rows


def _before(item: ReviewItem) -> Iterator[ReviewRow]:
    """The previous turn in one line: a response such as *Yes* means little without it."""
    turns = item.case.turns
    if item.turn is not None and 1 < item.turn <= len(turns):
        last = turns[item.turn - 2]
        said = f"previous turn  {one_line(last.user_text, 26)} → {one_line(last.response, 32)}"
        yield ReviewRow("before", NO_MARK, ([(said, "dim")],), is_heading=True)


def conversation_rows(item: ReviewItem, texts: TextRows) -> list[ReviewRow]:
    """All turns of the case beside all turns of the recording; the turn of the item is marked."""
    rows: list[ReviewRow] = []
    expected, actual = item.case.turns, item.run.conversation.turns
    compared = {each.turn: each.rows for each in item.turns}
    for number, (ours, theirs) in enumerate(pair_turns(expected, actual), 1):
        one = expected[ours] if ours is not None else None
        other = actual[theirs] if theirs is not None else None
        here = " · this turn" if item.turn == number else ""
        rows.append(heading(f"turn {number}", f"turn {number}{here}"))
        calls = compared.get(ours) if ours is not None else None
        rows += _said_and_done(one, other, f"{number} ", texts, calls)
    return rows


def json_rows(expected: str, item: ReviewItem, texts: TextRows) -> list[ReviewRow]:
    """Both sides of a turn as JSON, whole; `expected` is the text in the set."""
    compared = item.compared
    turns = [compared.scores.actual] if compared is not None else [*item.run.conversation.turns]
    text = "\n".join(json.dumps(plain(_as_recorded(turn)), ensure_ascii=False, indent=2) for turn in turns)
    return [*texts.rows("json", "JSON", expected, text)]


def _as_recorded(turn: Turn) -> dict[str, Any]:
    """A recorded turn in the shape of an eval set (google-adk's `Invocation`), to be compared with the expected one."""
    answered = [call for call in turn.calls if call.response is not None]
    members = {
        "invocation_id": turn.invocation_id,
        "user_content": _content(turn.user_text, "user"),
        "final_response": _content(turn.response, "model"),
        "intermediate_data": {
            "tool_uses": [call_value(call) for call in turn.calls],
            "tool_responses": [{"id": call.id, "name": call.name, "response": call.response} for call in answered],
        },
    }
    told: dict[TurnPart, str] = {
        "user_text": "user_content",
        "calls": "intermediate_data",
        "response": "final_response",
    }
    unrecorded = {name for part, name in told.items() if part in turn.unrecorded}
    return {name: value for name, value in members.items() if name not in unrecorded}


def _content(text: str, role: str) -> dict[str, Any]:
    return {"parts": [{"text": text}] if text else [], "role": role}


def recording_rows(recording: Unmatched, texts: TextRows) -> list[ReviewRow]:
    """The turns of a recording that belongs to no case."""
    rows: list[ReviewRow] = []
    for number, turn in enumerate(recording.conversation.turns, 1):
        rows.append(heading(f"turn {number}", f"turn {number}"))
        rows += _said_and_done(None, turn, f"{number} ", texts)
    return rows


def _said_and_done(
    one: Turn | None, other: Turn | None, key: str, texts: TextRows, aligned: Sequence[Row] | None = None
) -> Iterator[ReviewRow]:
    """Rows of a turn on both sides, without marks of differences in texts. `aligned` are its calls, if known."""
    unrecorded = other.unrecorded if other is not None else frozenset[TurnPart]()
    ours, theirs = (side.user_text if side is not None else None for side in (one, other))
    is_told = "user_text" not in unrecorded
    yield from texts.rows(f"{key}user", "User", ours, theirs, is_quiet=True, is_recorded=is_told)
    calls = [side.calls if side is not None else () for side in (one, other)]
    is_both = one is not None and other is not None
    if "calls" in unrecorded:
        yield unrecorded_calls(key)
        aligned = align_calls(calls[0], ())
        is_both = False
    for at, row in enumerate(aligned if aligned is not None else align_calls(*calls)):
        left = calls[0][row.expected] if row.expected is not None else None
        right = calls[1][row.actual] if row.actual is not None else None
        is_marked = is_both and row.state != "matched"
        mark, said = (STATE_MARKS[row.state], row.remark) if is_marked else (NO_MARK, "")
        yield ReviewRow(f"{key}call {at}", mark, call_lines(left), call_lines(right), said)
    ours, theirs = (side.response if side is not None else None for side in (one, other))
    is_told = "response" not in unrecorded
    yield from texts.rows(f"{key}response", "Response", ours, theirs, is_quiet=True, is_recorded=is_told)


def _whole_turn(turn: Turn, name: str, change: ReviewChange | None, state: str, texts: TextRows) -> Iterator[ReviewRow]:
    """The rows of a turn that only one side has. `change` is None if too little of the turn is recorded."""
    is_extra = state == "extra"
    said = "not in the case" if is_extra else "not in the recording"
    nothing: Lines = ()
    line: Lines = ([(f"{name}  ", "name"), (one_line(turn.user_text, 200), "")],)
    is_open = name not in texts.opened  # unfolded at first: nobody should accept a turn without seeing it
    ours, theirs = (nothing, line) if is_extra else (line, nothing)
    yield ReviewRow(name, STATE_MARKS[state], ours, theirs, said, (change,) if change is not None else (), is_open)
    if is_open:
        yield from _said_and_done(None if is_extra else turn, turn if is_extra else None, f"{name} ", texts)
