"""The places of losses in the text report of `evaltui convert`."""

from __future__ import annotations

import pytest

from evaltui.report.conversion_reports import places_text


def place(eval_id: str, turn: int = 0) -> tuple[str, int, int]:
    return eval_id, 1, turn


@pytest.mark.parametrize(
    ("places", "text"),
    [
        ([("", 0, 0)], "the set"),
        ([place("undecided")], '"undecided"'),
        ([("", 3, 0)], "case 3"),
        ([place("a", 2), place("a", 1), place("a", 2)], '"a" (turns 1, 2)'),
        ([place("a", turn) for turn in (1, 2, 3, 5)], '"a" (turns 1–3, 5)'),
        ([place("a", turn) for turn in (1, 3, 5, 7, 9, 10, 11)], '"a" (turns 1, 3, 5, 7 and 3 more)'),
        ([place("a"), place("b", 1), place("a", 4)], '"a" (case, turn 4), "b" (turn 1)'),
        ([place(name, 1) for name in "abcde"], '"a" (turn 1), "b" (turn 1), "c" (turn 1) and 2 other cases'),
        ([("", 0, 1), ("", 0, 2)], "turns 1, 2"),
        ([("", 0, 0), ("", 0, 2)], "the set, turn 2"),
        ([place("\x1b[2J" + "東" * 60)], '"␛[2J' + "東" * 27 + ' …"'),
    ],
)
def test_each_case_is_named_once_with_its_turns(places: list[tuple[str, int, int]], text: str) -> None:
    assert places_text(places) == text
