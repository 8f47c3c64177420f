"""Rows take the width that there is, also where a scrollbar comes or goes."""

import json

import pytest

from evaltui.tui.widgets.line_view import LineView
from tests.tui.scenario import NARROW, Scenario, scenario


def cases(count: int) -> str:
    names = [f"case_{number:02d} " + "long words " * 9 for number in range(count)]
    return json.dumps({"eval_set_id": "s", "eval_cases": [{"eval_id": name, "conversation": []} for name in names]})


def widths(s: Scenario) -> set[int]:
    """Where the rows with marks end."""
    return {len(line) for line in s.screen() if line.endswith(("!", "●"))}


@pytest.mark.parametrize("count", [19, 20, 21])
async def test_rows_are_as_wide_as_the_pane_when_the_scrollbar_goes(count: int) -> None:
    async with scenario(cases(count), NARROW) as s:
        for key in ("d", "u", "d", "d", "u", "u"):
            await s.press(key)
            tree = s.app.screen.query_one("#tree", LineView)
            has_bar = tree.show_vertical_scrollbar
            assert has_bar == (tree.line_count() > tree.size.height), (key, tree.size, tree.line_count(), s.screen())
            assert widths(s) == {80 - has_bar}
