"""The name of an item about added or deleted turns, in the words of reports and the review."""

from __future__ import annotations

import pytest

from evaltui.review.review_items import ReviewItem


@pytest.mark.parametrize(
    ("added", "deleted", "name"),
    [
        ((), (2,), "turn 3"),
        ((1,), (), "turn 2"),
        ((2, 3), (), "turns 3 and 4"),
        ((), (2, 3, 4), "turns 3–5"),
        ((3,), (0, 1), "turns 1, 2 and 4"),
        ((1,), (1,), "turn 2"),
    ],
)
def test_the_name_counts_turns_from_1(added: tuple[int, ...], deleted: tuple[int, ...], name: str) -> None:
    item = object.__new__(ReviewItem)
    for field, value in {"turn": 1, "turns": (), "added": added, "deleted": deleted}.items():
        object.__setattr__(item, field, value)
    assert item.turns_name == name
