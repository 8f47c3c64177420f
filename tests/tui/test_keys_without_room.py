"""In a terminal of few lines, the selected row is in sight, or the app says that there is no room and edits nothing."""

from evaltui.tui.widgets.line_view import TOO_SMALL
from tests.tui.review.reviewed import review, sidecar
from tests.tui.scenario import Scenario, scenario
from tests.tui.sets import SNAKE

TINY, TOO_LOW = (20, 5), (20, 4)


def shows_cursor(s: Scenario) -> bool:
    """Whether the mark of the selected row is on screen."""
    return any(line.startswith(("▌", "▏")) for line in s.screen())


async def test_the_selected_row_is_in_sight_where_a_pane_shows_one_row() -> None:
    async with scenario(SNAKE, TINY) as s:
        assert shows_cursor(s)
        await s.press("j")
        assert shows_cursor(s)
        await s.press("enter")
        assert shows_cursor(s)
        await s.press("escape", "alt+c")
        assert shows_cursor(s)
        await s.press("escape")
        await s.resize(80, 24)
        await s.press("end")
        await s.resize(*TINY)
        assert shows_cursor(s)
    async with review(TINY) as s:
        assert shows_cursor(s)
        assert TOO_SMALL not in s.status


async def test_without_room_for_the_selected_row_no_key_edits_or_accepts() -> None:
    async with scenario(SNAKE) as s:
        await s.press("j", "y")
        await s.resize(*TOO_LOW)
        assert TOO_SMALL in s.status
        for key in ("d", "x", "c", "p", "a", "f", "delete", "alt+down", "r", "m", "f9"):
            await s.press(key)
            assert TOO_SMALL in s.status, key
            assert s.bytes() == s.original, key
        await s.resize(80, 24)
        assert TOO_SMALL not in s.status
        await s.press("alt+c")
        await s.resize(*TOO_LOW)
        await s.press("enter", *"0.5", "escape")
        assert not s.app.file.scores.trial.is_unwritten
        await s.resize(80, 24)
        await s.press("escape", "d")
        assert s.is_dirty
    async with review() as s:
        await s.resize(*TOO_LOW)
        assert TOO_SMALL in s.status
        for key in "aASrsnmiF":
            await s.press(key)
            assert s.bytes() == s.original, key
            assert not sidecar(s), key
        await s.resize(80, 24)


async def test_typing_into_a_field_that_has_no_room_is_refused() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("greeting", "eval_id")
        await s.resize(*TOO_LOW)
        await s.type("xyq")
        await s.paste("more")
        assert TOO_SMALL in s.status
        assert s.bytes() == s.original
        await s.resize(80, 24)
        await s.type("x")
        assert b'"greetingx"' in s.bytes()
