"""A resize at any time keeps where one is and what one types."""

import pytest

from tests.tui.scenario import NARROW, NORMAL, SAMPLES, WIDE, Scenario, scenario
from tests.tui.sets import SNAKE

BROKEN = SAMPLES / "broken.evalset.json"


@pytest.mark.parametrize("other", [NARROW, (40, 10), NORMAL, WIDE])
async def test_a_resize_keeps_what_is_being_typed(other: tuple[int, int]) -> None:
    async with scenario(SNAKE, NORMAL if other == NARROW else NARROW) as s:
        await s.enter("Thanks", "Thanks")
        await s.type(" a")
        await s.resize(*other)
        assert s.focused == "field"
        await s.type("b")
        s.expect("Thanks ab")
        await s.resize(*NARROW)
        await s.type("c")
        assert s.bytes() == s.original.replace(b"Thanks", b"Thanks abc")


async def assert_stays_the_same(s: Scenario) -> None:
    """At each size, focus and cursor are where they were."""
    focused, cursor = s.focused, s.cursor()
    for size in [WIDE, (20, 5), NORMAL, (81, 3), NARROW]:
        await s.resize(*size)
        assert (s.focused, s.cursor().split()[:2]) == (focused, cursor.split()[:2])


async def test_a_resize_keeps_pane_cursor_and_dialog() -> None:
    async with scenario(BROKEN) as s:
        for keys in [("down",), ("enter",), ("3",), ("1", "d", "f1"), ("escape", "ctrl+q")]:
            await s.press(*keys)
            await assert_stays_the_same(s)
