"""A key that was typed before a question was asked is no answer to it."""

import pytest

from tests.tui.editor.test_problems import a_set, case, misspelt
from tests.tui.scenario import scenario
from tests.tui.sets import SNAKE


@pytest.mark.parametrize(
    ("opener", "answers", "question"),
    [("ctrl+q", "ds", "quit"), ("q", "ds", "quit"), ("R", "dy", "reload"), ("F", "F", "fixes")],
)
async def test_a_key_typed_before_the_question_was_asked_is_no_answer(opener: str, answers: str, question: str) -> None:
    text = a_set(case("a", misspelt())) if question == "fixes" else SNAKE
    async with scenario(text) as s:
        if question != "fixes":
            await s.press("d")
            s.path.write_text(SNAKE + "\n" if question == "reload" else SNAKE)
        before = s.bytes()
        for answer in answers:
            await s.burst(opener, answer)
            assert s.focused == f"{question} question", s.status
            assert s.bytes() == before
            await s.press("escape")
        assert not s.ended


async def test_leaving_and_copying_need_no_look() -> None:
    async with scenario(SNAKE) as s:
        await s.press("d")
        await s.burst("ctrl+q", "escape")
        assert s.focused == "tree"
        assert not s.ended
        await s.burst("Y", "j")
        assert "copied" in s.status.lower()
