"""A key draws the rows that have come to look otherwise, and no others."""

import pytest
from textual.strip import Strip

from evaltui.tui.panes.tree_pane import TreePane
from tests.tui.scenario import NORMAL, SAMPLES, scenario

pytestmark = pytest.mark.drawn


@pytest.mark.thorough
async def test_a_letter_in_a_form_draws_one_row_of_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    render_line = TreePane.render_line

    def noted(self: TreePane, y: int) -> Strip:
        drawn.append(self.index_at(y))
        return render_line(self, y)

    async with scenario(SAMPLES / "trip_planner.evalset.json", size=NORMAL) as s:
        await s.to("Please book")
        await s.press("2", "enter")
        await s.type("x")  # the set is changed from here on, and the row as well
        monkeypatch.setattr(TreePane, "render_line", noted)
        await s.type("y")
        row = s.app.screen.query_one(TreePane).cursor
        assert set(drawn) == {row}
