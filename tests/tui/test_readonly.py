"""The app for those who only look."""

from evaltui.tui.session import READ_ONLY

from .scenario import NORMAL, scenario
from .sets import SNAKE


async def test_every_change_is_refused_with_a_sentence() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        s.app.session.readonly = True
        for keys in (["a"], ["d"], ["A"], ["c"], ["V"], ["S"], ["ctrl+s"], ["enter", "enter"], ["a"]):
            await s.press(*keys)
            assert READ_ONLY in s.status, keys
            assert s.bytes() == s.original
            await s.press("j")


async def test_a_file_opened_to_look_at_is_read_again() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        s.app.session.readonly = True
        s.path.write_text(SNAKE.replace("Thanks", "Cheers"))
        await s.press("R")
        s.expect("read-only", "Cheers")
