"""Marks are one table; long texts of the status line are cut where a reader can follow."""

import pytest

from evaltui.report.scores_text import MARKS
from evaltui.tui.lines import (
    ERROR,
    ROLES,
    SEVERITY_MARKS,
    STATE_MARKS,
    STATUS_MARKS,
    Line,
    behind_text,
    cut_at_clause,
    cut_at_word,
    cut_runs,
    sign,
    text_of,
)


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (40, "Kept expected. Decisions go to trips.js…"),
        (34, "Kept expected. Decisions go to…"),
        (23, "Kept expected…"),
        (25, "Kept expected. Decisions…"),
        (90, "Kept expected. Decisions go to trips.json.review.jsonl"),
        (1, "…"),
        (4, "…"),
    ],
)
def test_a_message_is_cut_at_a_word_or_in_a_name(width: int, shown: str) -> None:
    assert cut_at_word("Kept expected. Decisions go to trips.json.review.jsonl", width) == shown


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (60, "tool_call_count 1.50 · enter: form · w: why turn 2 fails"),
        (50, "tool_call_count 1.50 · enter: form …"),
        (40, "tool_call_count 1.50 · enter: form …"),
        (30, "tool_call_count 1.50 …"),
        (12, "tool_call_c…"),
    ],
)
def test_a_hint_has_no_key_without_its_purpose(width: int, shown: str) -> None:
    assert cut_at_clause("tool_call_count 1.50 · enter: form · w: why turn 2 fails", width) == shown


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("responses · transcriptions", 24, "responses…"),  # a long word that is no name
        ("press w to write test_config.json", 29, "press w to write test_config…"),
        ("response_match 0.83 ≥ 0.80", 23, "response_match 0.83 …"),
        ("response_match 0.83 ≥ 0.80", 18, "response_match…"),
        ("the { of line 2125 is open", 16, "the { of line…"),
    ],
)
def test_no_word_and_no_number_of_a_sentence_is_cut_itself(text: str, width: int, shown: str) -> None:
    assert cut_at_word(text, width) == shown


_PROBLEM: Line = [("✗ ", "error"), ("turn 2  ", "name"), ("the tool call has no tool response", "prose")]
_CALL: Line = [("1 ", "dim"), ("book_flight", "name"), ("  seat=", "dim"), ("window seat", "")]


@pytest.mark.parametrize(
    ("line", "width", "shown"),
    [
        (_PROBLEM, 29, "✗ turn 2  the tool call has…"),
        (_PROBLEM, 16, "✗ turn 2  the…"),
        (_PROBLEM, 12, "✗ turn 2  …"),
        (_PROBLEM, 11, "✗ turn 2  …"),
        (_PROBLEM, 5, "✗ tu…"),
        (_CALL, 27, "1 book_flight  seat=window…"),  # a value is cut anywhere
        (_CALL, 24, "1 book_flight  seat=win…"),
        (_CALL, 1, "…"),
    ],
)
def test_a_run_of_prose_is_cut_at_a_word(line: Line, width: int, shown: str) -> None:
    assert text_of(cut_runs(line, width)) == shown


def test_a_status_has_the_sign_that_reports_print() -> None:
    assert {status: sign(mark) for status, mark in STATUS_MARKS.items()} == MARKS


def test_every_mark_has_a_role_of_the_stylesheet_and_the_same_width() -> None:
    for text, role in [mark for table in (SEVERITY_MARKS, STATUS_MARKS, STATE_MARKS) for mark in table.values()]:
        assert role in ("", *ROLES)
        assert len(text) == 2


def test_behind_a_text_the_blank_stands_first() -> None:
    assert behind_text(ERROR) == (" ✗", "error")
