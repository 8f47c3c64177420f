"""One pane alone, the line between the panes moved by keys and mouse, and a resize at any time."""

import pytest
from textual import events

from evaltui.tui.editor.edit_screen import EditScreen
from tests.tui.scenario import NARROW, NORMAL, SAMPLES, WIDE, Scenario, scenario
from tests.tui.sets import SNAKE


def line_at(s: Scenario) -> int:
    """The column of the line between the panes."""
    return next(line.index("│") for line in s.screen() if "│" in line)


def panes(s: Scenario) -> EditScreen:
    assert isinstance(s.app.screen, EditScreen)
    return s.app.screen


async def drag(s: Scenario, start: int, stop: int, row: int = 5) -> None:
    for kind, x in ((events.MouseDown, start), (events.MouseMove, stop), (events.MouseUp, stop)):
        s.app.post_message(kind(None, x, row, 0, 0, 1, False, False, False, x, row))
        await s.settle()


@pytest.mark.thorough
async def test_a_pane_alone_has_all_the_room_until_the_key_comes_again() -> None:
    async with scenario(SNAKE, WIDE) as s:
        before = s.screen()
        await s.press("z")
        assert panes(s).panes.tree.size.width == 140
        assert not s.shows("eval_id  ")
        await s.press("enter")
        assert s.screen()[1].startswith("─ rain_in_bergen ──") and len(s.screen()[1]) == 140
        await s.press("escape", "z")
        assert s.screen()[:-2] == before[:-2]


async def test_where_one_pane_has_room_zoom_says_so() -> None:
    async with scenario(SNAKE, NARROW) as s:
        await s.press("z")
        s.expect("room for one pane only")
        await s.press("greater_than_sign")
        s.expect("no border to move")


@pytest.mark.thorough
async def test_keys_move_the_line_within_limits() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        assert line_at(s) == 36
        await s.press("greater_than_sign")
        assert line_at(s) == 40
        await s.press("less_than_sign", "less_than_sign")
        assert line_at(s) == 32
        await s.burst(*["less_than_sign"] * 9)
        assert line_at(s) == 16
        await s.burst(*["greater_than_sign"] * 20)
        assert line_at(s) == 80


@pytest.mark.thorough
async def test_keys_in_a_burst_count_from_what_is_about_to_be_shown() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.press("z")
        await s.burst("z", "greater_than_sign", "greater_than_sign")
        assert line_at(s) == 44


@pytest.mark.thorough
async def test_the_mouse_drags_the_line() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await drag(s, 36, 55)
        assert line_at(s) == 55
        await drag(s, 55, 2)
        assert line_at(s) == 16
        await s.click("Good mor")
        await s.resize(140, 40)
        assert line_at(s) == 16


@pytest.mark.thorough
async def test_another_size_of_the_terminal_keeps_room_for_both() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await drag(s, 49, 100)
        assert line_at(s) == 100
        await s.resize(110, 30)
        assert line_at(s) == 80
        await s.resize(80, 24)
        assert panes(s).panes.tree.size.width == 80
        await s.resize(140, 40)
        assert line_at(s) == 100


BROKEN = SAMPLES / "broken.evalset.json"


@pytest.mark.thorough
async def test_a_resize_keeps_what_is_being_typed() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("Thanks", "Thanks")
        for letter, size in zip("abcd", (NARROW, (40, 10), WIDE, NORMAL), strict=True):
            await s.resize(*size)
            assert s.focused == "field"
            await s.type(letter)
        s.expect("Thanksabcd")
        assert s.bytes() == s.original.replace(b"Thanks", b"Thanksabcd")


async def assert_stays_the_same(s: Scenario) -> None:
    """At each size, focus and cursor are where they were."""
    focused, cursor = s.focused, s.cursor()
    for size in [WIDE, (20, 5), NARROW]:
        await s.resize(*size)
        assert s.focused == focused
        shown, wanted = s.cursor().split()[:2], cursor.split()[:2]
        assert shown == wanted or (shown[:1] == wanted[:1] and shown[1].startswith("…"))  # a long place is cut


@pytest.mark.thorough
async def test_a_resize_keeps_pane_cursor_and_dialog() -> None:
    async with scenario(BROKEN) as s:
        for keys in [("down",), ("enter",), ("3",), ("1", "d", "f1"), ("escape", "ctrl+q")]:
            await s.press(*keys)
            await assert_stays_the_same(s)
