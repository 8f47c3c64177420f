"""The rows of the review: how they are wrapped."""

from __future__ import annotations

import pytest

from tests.scored_sets import a_set, turn
from tests.tui.review.reviewed import review
from tests.tui.scenario import NARROW

_TEXTS = [f"{number}" * 300 for number in range(1, 7)]
"""Texts without blanks fill each line up to its last cell."""


@pytest.mark.thorough
async def test_no_line_ends_below_the_scrollbar_that_the_rows_of_the_next_turn_need() -> None:
    set_ = a_set({"short": [turn(1, "Hi", "Hello.")]})
    many = [turn(number, f"Turn {number}", text) for number, text in enumerate(_TEXTS, 1)]
    async with review(NARROW, set_, a_set({"short": [turn(1, "Hi", "Bye.")], "long": many})) as s:
        await s.press("J")
        s.expect("Turn 1")
        assert not s.shows("…"), "the width is known before the scrollbar appears"
        await s.press("end")
        s.expect("666")
        assert not s.shows("…")
