"""The app for those who only look."""

import re

from evaltui.tui.open_file.edited_document import READ_ONLY
from tests.tui.scenario import NORMAL, scenario
from tests.tui.sets import SNAKE

EMPTY_TURN = """{"eval_set_id": "s", "eval_cases": [
  {"eval_id": "a", "conversation": [{"user_content": {"parts": [{"text": "Hi"}]}}]}]}"""


async def test_every_change_is_refused_with_a_sentence() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        s.app.file.readonly = True
        for keys in (["a"], ["d"], ["x"], ["A"], ["c"], ["V"], ["S"], ["ctrl+s"], ["enter", "enter"], ["a"]):
            await s.press(*keys)
            assert READ_ONLY in s.status, keys
            assert s.bytes() == s.original
            await s.press("j")


async def test_a_file_opened_to_look_at_is_read_again() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        s.app.file.readonly = True
        s.path.write_text(SNAKE.replace("Thanks", "Cheers"))
        await s.press("R")
        s.expect("read-only", "Cheers")


async def test_what_changes_the_file_is_not_offered() -> None:
    async with scenario(SNAKE, (140, 40)) as s:
        s.app.file.readonly = True
        await s.press("j")
        assert "recorded" not in s.keys
        await s.press("enter")
        for _ in range(6):
            await s.press("j")
            assert not re.search(r"add|delete|save|edit|undo|choose|type|new id", s.keys), s.keys
        await s.press("1", "j")
        assert not re.search(r"add|delete|save|edit|undo|type", s.keys), s.keys
        assert "enter open" in s.keys


async def test_replacing_and_what_only_adds_are_refused_before_anything_is_asked() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        s.app.file.readonly = True
        for keys in (["plus"], ["ctrl+r"], ["f4"], ["enter", "A"]):
            await s.press(*keys)
            assert READ_ONLY in s.status, keys
            assert len(s.app.screen_stack) == 1
            await s.press("j")


async def test_a_form_for_reading_names_no_key_that_edits() -> None:
    async with scenario(EMPTY_TURN) as s:
        await s.enter("1 Hi")
        s.expect(
            "No tool calls. Press a to add one (while typing: esc, then a).",
            "no expected response, so response_match_score is 0 · enter: write",
            "enter: add",
        )
    async with scenario(EMPTY_TURN) as s:
        s.app.file.readonly = True
        await s.enter("1 Hi")
        s.expect("No tool calls.", "no expected response", "absent: rubrics")
        assert not any(s.shows(hint) for hint in ("Press a to add", "enter: write", "enter: add"))
