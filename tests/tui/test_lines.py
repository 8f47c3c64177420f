"""Marks are one table; long texts are cut where a reader can follow, or wrapped without a loss."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from evaltui.report.scores_text import MARKS
from evaltui.tui.lines import (
    ROLES,
    SEVERITY_MARKS,
    STATE_MARKS,
    STATUS_MARKS,
    Line,
    call_line,
    cut_at_clause,
    cut_at_word,
    cut_runs,
    sign,
    text_of,
    value_text,
    wrap_runs,
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


def test_a_call_counts_the_arguments_that_it_does_not_show() -> None:
    arguments = ((f"a{number}", [(str(number), "")]) for number in range(12))
    assert text_of(call_line("search", arguments, 12, most=2)) == "search  a0=0  a1=1  … 10 more"
    assert next(arguments)[0] == "a2"  # the others are not drawn


def test_a_number_that_json_does_not_have_is_no_string() -> None:
    assert value_text(float("nan"), 20) == "NaN"
    assert value_text("NaN", 20) == '"NaN"'


def test_of_a_large_or_deep_value_the_beginning_is_shown() -> None:
    assert value_text([{"n": number} for number in range(1_000_000)], 20) == '[{"n": 0}, {"n": 1}…'
    deep: object = 1
    for _ in range(5_000):
        deep = [deep]
    assert value_text(deep, 10) == "[[[[[[[[[…"
    assert value_text(deep, 100_000).startswith("[[[")


roles = st.sampled_from(["", "dim", "differs"])
texts = st.text(st.sampled_from("ab  東京é-"), max_size=30)
paragraphs = st.lists(st.tuples(texts, roles), max_size=6)


@pytest.mark.thorough
@given(paragraphs, st.integers(8, 30))
def test_wrapped_lines_hold_all_characters_and_fit(paragraph: list[tuple[str, str]], width: int) -> None:
    lines = wrap_runs(paragraph, width)
    shown = "".join(text_of(line) for line in lines)
    assert shown.replace(" ", "") == text_of(paragraph).replace(" ", "")
    assert all(cell_len(text_of(line).rstrip()) <= width for line in lines)


@pytest.mark.thorough
@given(paragraphs, st.integers(8, 30))
def test_characters_keep_their_roles(paragraph: list[tuple[str, str]], width: int) -> None:
    def roles_of(line: list[tuple[str, str]]) -> list[tuple[str, str]]:
        return [(char, role) for text, role in line for char in text if char != " "]

    assert [each for line in wrap_runs(paragraph, width) for each in roles_of(line)] == roles_of(paragraph)


def test_a_name_and_its_value_stay_on_one_line() -> None:
    assert [text_of(line) for line in wrap_runs([("search", "name"), ("  to=", "dim"), ('"OSL"', "")], 12)] == [
        "search",
        'to="OSL"',
    ]
