"""Parts that are no plain text are shown as what they are, and left alone by edits beside them."""

import pytest

from tests.tui.scenario import NORMAL, SAMPLES, scenario

PICTURES = SAMPLES / "picture_quote.evalset.json"


@pytest.mark.thorough
async def test_parts_are_shown_edited_and_opened() -> None:
    async with scenario(PICTURES) as s:
        await s.enter("The lower right pane")
        s.expect("2 parts", "image/png")
        assert not s.shows("iVBORw0")
        await s.start_over()
        await s.enter("The lower right pane")
        await s.edit("The lower right pane", "What does it cost?")
        before = "The lower right pane is cracked. What would a new one cost? The pane is 52 by 68 cm."
        assert await s.saved() == s.original.replace(before.encode(), b"What does it cost?")
        await s.start_over()
        await s.enter("The lower right pane")
        s.expect("thought")
        await s.edit("Four panes in a wooden frame", "Four panes.")
        start, end = s.original.split(b"Four panes in a wooden frame, one damaged. The customer gave the size, so no")
        assert s.bytes() == start + b"Four panes." + end.removeprefix(b" visit is needed for a first offer.")
        assert not s.shows("yECyddpx8quBlhzk")
        await s.start_over()
        await s.enter("How many square metres")
        s.expect("application/pdf at https://files.example.com/plans/garden-house.pdf")
        await s.start_over()
        await s.enter("The lower right pane", "image/png")
        s.expect("inline data", "base64 in the file")
        await s.press("escape")
        s.expect("The lower right pane", "image/png")
        await s.start_over()
        await s.enter("How many square metres", "price_glass")
        await s.edit("triple", "double")
        assert s.bytes() == s.original.replace(b'"glass": "triple"}}', b'"glass": "double"}}')


@pytest.mark.thorough
async def test_a_part_is_deleted_and_comes_back() -> None:
    async with scenario(PICTURES, NORMAL) as s:
        await s.enter("The lower right pane")
        await s.to("image/png")
        await s.press("d")
        assert b"iVBORw0" not in s.bytes()
        assert b"The lower right pane" in s.bytes()
        assert "deleted image/png" in s.status
        await s.press("u")
        assert s.bytes() == s.original
        s.expect("image/png")


@pytest.mark.thorough
async def test_code_and_its_result_are_reached_through_the_events() -> None:
    async with scenario(PICTURES, NORMAL) as s:
        await s.enter("How many square metres", "intermediate_data")
        await s.press("enter")
        s.expect("executable_code")
        await s.press("escape", "escape")
        await s.press("escape")
        assert s.bytes() == s.original


async def test_every_kind_of_part_in_a_content_has_words() -> None:
    parts = [
        '{"function_call": {"name": "f", "args": {}}}',
        '{"function_response": {"name": "g", "response": {}}}',
        '{"executable_code": {"language": "PYTHON", "code": "print(1)"}}',
        '{"code_execution_result": {"outcome": "OUTCOME_OK", "output": "1"}}',
        '{"thought_signature": "c2lnbmVk"}',
        '{"inline_data": {"mime_type": "audio/wav", "data": "not base64 at all!"}}',
        '{"video_metadata": {"start_offset": "1s"}}',
        "{}",
    ]
    content = f'{{"parts": [{", ".join(parts)}], "role": "user"}}'
    conversation = (
        f'[{{"invocation_id": "1", "user_content": {content}, "final_response": {{"parts": [{{"text": "fine"}}]}}}}]'
    )
    async with scenario(
        f'{{"eval_set_id": "s", "eval_cases": [{{"eval_id": "c", "conversation": {conversation}}}]}}'
    ) as s:
        await s.enter("1 audio/wav")  # a message that is a file alone
        s.expect("function call f", "function response g", "code python: print(1)", "code result: 1")
        s.expect("thought signature 6 B", "audio/wav", "video metadata", "empty part", "no user message")
        await s.edit("no user message", "Look")
        await s.edit("fine", "good")
        assert s.bytes() == s.original.replace(b"{}]", b'{}, {"text": "Look"}]').replace(b'"fine"', b'"good"')
