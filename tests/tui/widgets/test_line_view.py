"""Lists of lines: keys and clicks select, the cursor stays in sight, and rows take the width that there is."""

import json

import pytest
from textual.app import App, ComposeResult

from evaltui.tui.commands import bindings
from evaltui.tui.lines import Line
from evaltui.tui.widgets.line_view import LINE_CLASSES, LineList, LineView
from tests.tui.scenario import NARROW, Scenario, scenario


class Pairs(LineList):
    """Fifty entries of two lines below a head of one line."""

    BINDINGS = bindings("list")
    moves = 0

    def line_count(self) -> int:
        return 101

    def line(self, index: int) -> Line:
        return [(f"line {index}", "")]

    def entry_count(self) -> int:
        return 50

    def lines_of(self, entry: int) -> range:
        return range(1 + 2 * entry, 3 + 2 * entry)

    def entry_at(self, line: int) -> int | None:
        return (line - 1) // 2 if line else None

    def cursor_moved(self) -> None:
        self.moves += 1


class Listed(App[None]):
    COMPONENT_CLASSES = LINE_CLASSES

    def compose(self) -> ComposeResult:
        yield Pairs(id="pairs")


def marked(pairs: Pairs) -> list[str]:
    """The lines in sight that have the mark of the cursor."""
    shown = [pairs.render_line(y).text.rstrip() for y in range(pairs.size.height)]
    return [line.strip("▌") for line in shown if line.startswith("▌")]


async def test_an_entry_of_several_lines_is_selected_as_a_whole() -> None:
    async with Listed().run_test(size=(40, 11)) as pilot:
        pairs = pilot.app.query_one(Pairs)
        pairs.focus()
        pairs.refresh_size()
        await pilot.pause()
        assert marked(pairs) == ["line 1", "line 2"]
        pairs.move(1)
        await pilot.pause()
        assert marked(pairs) == ["line 3", "line 4"]
        pairs.move_end(1)
        await pilot.pause()
        assert pairs.cursor == 49
        assert marked(pairs) == ["line 99", "line 100"]
        before = pairs.moves
        pairs.move(7)
        assert pairs.cursor == 49
        assert pairs.moves == before, "the cursor has not moved"
        pairs.move_end(-1)
        await pilot.pause()
        assert marked(pairs) == ["line 1", "line 2"]


async def test_a_page_is_as_many_entries_as_lines_fit() -> None:
    async with Listed().run_test(size=(40, 11)) as pilot:
        pairs = pilot.app.query_one(Pairs)
        pairs.refresh_size()
        await pilot.pause()
        pairs.move_page(1)
        assert (pairs.page(), pairs.cursor) == (10, 5)
        pairs.move_page(-1)
        assert pairs.cursor == 0


def cases(count: int) -> str:
    names = [f"case_{number:02d} " + "long words " * 9 for number in range(count)]
    return json.dumps({"eval_set_id": "s", "eval_cases": [{"eval_id": name, "conversation": []} for name in names]})


def widths(s: Scenario) -> set[int]:
    """Where the rows with marks end."""
    return {len(line) for line in s.screen() if line.endswith(("!", "●"))}


@pytest.mark.thorough
@pytest.mark.parametrize("count", [19, 20, 21])
async def test_rows_are_as_wide_as_the_pane_when_the_scrollbar_goes(count: int) -> None:
    async with scenario(cases(count), NARROW) as s:
        for key in ("d", "u", "d", "d", "u", "u"):
            await s.press(key)
            tree = s.app.screen.query_one("#tree", LineView)
            has_bar = tree.show_vertical_scrollbar
            assert has_bar == (tree.line_count() > tree.size.height), (key, tree.size, tree.line_count(), s.screen())
            assert widths(s) == {80 - has_bar}
