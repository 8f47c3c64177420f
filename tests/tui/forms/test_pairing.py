"""How a call and its response stand to each other, on screen and through edits."""

import pytest

from tests.sampling import sampled
from tests.tui.scenario import NORMAL, SAMPLES, scenario
from tests.tui.sets import SETS, SNAKE

EVERY_SHAPE = pytest.mark.parametrize("text", sampled(SETS.values()))


@EVERY_SHAPE
async def test_an_id_of_a_call_without_an_answer_changes_alone(text: str) -> None:
    async with scenario(text) as s:
        await s.enter("Is it raining")
        assert "⇄ tool response" in s.line_with("1 get_weather")
        assert "no tool response" in s.line_with("2 find_umbrella")
        assert "Tool calls  2" in s.line_with("Tool calls")
        await s.enter("find_umbrella")
        await s.edit("call-2", "c7")
        assert s.bytes() == s.original.replace(b'"call-2"', b'"c7"')
        assert "response" not in s.status


@pytest.mark.thorough
async def test_the_status_says_that_the_response_keeps_up() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("Is it raining", "get_weather")
        await s.edit("call-1", "c-9")
        assert "the tool response has the new id, too" in s.status
        s.expect("paired by id")
        await s.press("u", "escape")
        await s.to("get_weather")
        await s.press("d")
        assert b"get_weather" not in s.bytes()
        assert "1 find_umbrella" in s.cursor()
        await s.press("u")
        assert s.bytes() == s.original


@EVERY_SHAPE
async def test_a_call_without_an_answer_gets_one_that_stands_beside_it(text: str) -> None:
    async with scenario(text) as s:
        await s.enter("Is it raining", "find_umbrella")
        await s.edit("no tool response", '{"found": false}')
        s.expect("paired by id", '{"found": false}')
        assert s.bytes().count(b'{"id": "call-2", "name": "find_umbrella", "response": {"found": false}}') == 1
        await s.press("escape")
        assert "⇄ tool response" in s.line_with("2 find_umbrella")


@pytest.mark.thorough
async def test_a_renamed_tool_is_renamed_in_its_response() -> None:
    async with scenario(SAMPLES / "support_desk.evalset.json") as s:
        await s.enter("You charged me twice", "list_charges")
        await s.edit("name ", "list_all_charges")
        assert s.bytes() == s.original.replace(b'"list_charges"', b'"list_all_charges"')
        assert s.bytes().count(b"list_all_charges") == 2


@pytest.mark.thorough
async def test_calls_without_ids_are_paired_by_name_and_order() -> None:
    async with scenario(SNAKE.replace('"id": "call-1", ', "")) as s:
        await s.enter("Is it raining")
        assert "by order" in s.line_with("1 get_weather")
        await s.enter("get_weather")
        s.expect("no ids: paired by name and order")
        await s.edit("no id", "c-1")
        s.expect("paired by id")
        assert s.bytes().count(b'"id": "c-1"') == 2


@pytest.mark.thorough
async def test_an_id_used_twice_is_said() -> None:
    async with scenario(SNAKE.replace("call-2", "call-1")) as s:
        await s.enter("Is it raining")
        assert "duplicate id" in s.line_with("2 find_umbrella")


@pytest.mark.thorough
async def test_an_answer_without_a_call_is_shown_and_can_be_opened() -> None:
    response = '"tool_responses": [{"id": "lost", "name": "get_news", "response": {"n": 1}}, '
    async with scenario(SNAKE.replace('"tool_responses": [', response)) as s:
        await s.enter("Is it raining")
        assert "tool response without a tool call" in s.line_with("get_news")
        assert s.line_with("get_news").count("!") == 1
        await s.enter("get_news")
        s.expect("lost")
        await s.press("escape")
        s.expect("tool response without a tool call")


async def test_a_response_must_be_an_object() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather", "rain_mm")
        for text in ("no", "[1]", '"text"', "{", ""):
            await s.press("f7", *(text or ["delete"]), "escape")
            s.expect("draft, not in the file yet")
            assert s.bytes() == s.original
            await s.press("enter")
