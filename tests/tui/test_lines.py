"""Long texts of the status line are cut where a reader can follow."""

import pytest

from evaltui.tui.lines import cut_at_clause, cut_at_word


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (40, "Kept expected. Decisions go to trips.js…"),
        (34, "Kept expected. Decisions go to…"),
        (23, "Kept expected…"),
        (25, "Kept expected. Decisions…"),
        (90, "Kept expected. Decisions go to trips.json.review.jsonl"),
        (1, "…"),
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
