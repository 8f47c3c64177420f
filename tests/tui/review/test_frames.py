"""The frames that a key of the review brings, one after the other."""

from __future__ import annotations

import pytest
from textual.strip import Strip

from evaltui.tui.lines import text_of
from evaltui.tui.widgets.line_view import LineBar
from tests.scored_sets import a_set, turn
from tests.tui.review.reviewed import review

pytestmark = pytest.mark.drawn


@pytest.mark.thorough
async def test_a_turn_is_seen_to_pass_before_the_next_one_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    expected, actual = (
        a_set({name: [turn(1, name, answer)] for name in ("one", "two")}) for answer in ("Hello", "Good morning")
    )
    drawn: list[tuple[str, bool]] = []
    draw = LineBar.render_line

    def noting(head: LineBar, y: int) -> Strip:
        if y == 1:
            drawn.append((text_of(head.line(0)).split()[1], "✗" in text_of(head.line(1))))
        return draw(head, y)

    async with review(set_=expected, recording=actual) as s:
        monkeypatch.setattr(LineBar, "render_line", noting)
        await s.press("A")
    assert drawn == [("[1/2]", False), ("[2/2]", True)]
