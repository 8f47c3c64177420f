"""Rows that a form lists: moved, deleted, and marked where they went."""

import json
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from tests.sampling import sampled
from tests.tui.scenario import NARROW, NORMAL, WIDE, Scenario, scenario
from tests.tui.sets import ANSWER, SETS, SNAKE

LISTS = """{"eval_set_id": "s", "eval_cases": [{"eval_id": "a",
  "conversation": [{"invocation_id": "1",
    "user_content": {"parts": [{"text": "one"}, {"text": "two"}, {"text": "three"}]},
    "rubrics": [{"rubric_id": "r1", "rubric_content": {"text_property": "x"}},
                {"rubric_id": "r2", "rubric_content": {"text_property": "y"}}],
    "intermediate_data": {"tool_uses": [{"name": "f", "args": {"first": 1, "second": 2}}], "tool_responses": [],
      "intermediate_responses": [["agent", [{"text": "wait"}]], ["helper", [{"text": "soon"}]]]}}],
  "session_input": {"app_name": "x", "user_id": "y", "state": {"low": 1, "high": 2}}}]}
"""


def turn(s: Scenario) -> Any:
    case = json.loads(s.bytes())["eval_cases"][0]
    return case["conversation"][0]


def calls(s: Scenario) -> list[str]:
    data = json.dumps(turn(s))
    return sorted(("get_weather", "find_umbrella"), key=data.index)


@pytest.mark.parametrize(("name", "size"), sampled(list(product(SETS, (NARROW, WIDE)))))
async def test_a_call_moves_in_the_form_of_its_turn(name: str, size: tuple[int, int]) -> None:
    async with scenario(SETS[name], size) as s:
        await s.enter("Is it raining")
        await s.to("find_umbrella")
        await s.press("alt+up")
        assert calls(s) == ["find_umbrella", "get_weather"]
        assert "1 find_umbrella" in s.cursor()
        assert "⇄ tool response" in s.line_with("2 get_weather")
        assert "moved" in s.status
        await s.press("alt+up")
        assert "already first" in s.status
        await s.press("alt+down")
        assert s.bytes() == s.original
        assert "2 find_umbrella" in s.cursor()
        await s.press("alt+down")
        assert "already last" in s.status
        assert s.bytes() == s.original


@pytest.mark.thorough
@pytest.mark.parametrize("name", sampled(SETS))
async def test_the_mark_of_what_changed_goes_with_the_call_that_moved(name: str) -> None:
    async with scenario(SETS[name], WIDE) as s:
        await s.to("Is it raining")
        await s.press("right")
        for moved, key in (("find_umbrella", "alt+up"), ("get_weather", "alt+down")):
            for pane in ("1", "2"):
                await s.to("Is it raining")
                await s.press(pane)
                await s.to(moved)
                await s.press(key, "1")
                marked = [row for row in s.rows() if "●" in row]
                assert [moved in row for row in marked] == [False, False, True], marked
                await s.press("u")
                assert s.bytes() == s.original


@pytest.mark.thorough
@pytest.mark.parametrize(("row", "first", "second"), [("the set", "case_a", "case_b"), ("case_a", "say hi", "say ho")])
async def test_cases_and_turns_move_and_go_in_the_forms_that_list_them(row: str, first: str, second: str) -> None:
    turns = [{"user_content": {"parts": [{"text": text}]}} for text in ("say hi", "say ho")]
    cases = [{"eval_id": name, "conversation": turns} for name in ("case_a", "case_b")]
    async with scenario(json.dumps({"eval_set_id": "the set", "eval_cases": cases}, indent=1)) as s:
        await s.enter(row)
        at = next(n for n, line in enumerate(s.rows()) if first in line and "eval_id" not in line)
        await s.burst("home", *["down"] * at)
        await s.press("alt+down")
        assert first in s.cursor()
        assert second in s.rows()[at]
        await s.press("d")
        assert "deleted" in s.status
        assert not any(first in line for line in s.rows() if "eval_id" not in line)
        await s.press("u", "u")
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_any_row_of_a_list_moves_and_keeps_the_cursor() -> None:
    moves: list[tuple[str, str, Callable[[Any], Any]]] = [
        ("one", "alt+down", lambda t: t["user_content"]["parts"][1]["text"] == "one"),
        ("three", "alt+up", lambda t: t["user_content"]["parts"][1]["text"] == "three"),
        ("r2", "alt+up", lambda t: t["rubrics"][0]["rubric_id"] == "r2"),
        ("helper", "alt+up", lambda t: t["intermediate_data"]["intermediate_responses"][0][0] == "helper"),
    ]
    async with scenario(LISTS) as s:
        await s.enter("1 one")
        for row, key, is_moved in moves:
            await s.to(row)
            await s.press(key)
            assert is_moved(turn(s)), row
            assert row in s.cursor()
            await s.press("u")
            assert s.bytes() == s.original
            assert row in s.cursor()


@pytest.mark.thorough
@pytest.mark.parametrize("name", sampled(SETS))
async def test_a_response_is_deleted_in_the_form_of_its_call(name: str) -> None:
    async with scenario(SETS[name]) as s:
        for key in ("d", "D"):
            await s.enter("Is it raining", "get_weather")
            await s.to("rain_mm")
            await s.press(key)
            assert b"rain_mm" not in s.bytes()
            assert b"get_weather" in s.bytes()
            assert "deleted response of get_weather" in s.status
            s.expect("no tool response")
            await s.start_over()


@pytest.mark.parametrize("name", sampled(SETS))
async def test_a_response_is_deleted_in_the_form_of_its_turn_and_the_call_stays(name: str) -> None:
    async with scenario(SETS[name], NORMAL) as s:
        await s.enter("Is it raining")
        await s.to("1 get_weather")
        assert "D delete response" in s.keys
        await s.press("D")
        assert b"rain_mm" not in s.bytes()
        assert "no tool response" in s.cursor()
        assert "1 get_weather" in s.cursor()
        assert "deleted response of get_weather" in s.status
        await s.press("D")
        assert "no response to delete" in s.status
        assert "D delete response" not in s.keys
        await s.press("u")
        assert s.bytes() == s.original


async def test_the_event_of_a_deleted_response_keeps_what_else_is_in_it() -> None:
    answer = f'{{"function_response": {ANSWER}}}'
    async with scenario(SETS["snake_events"].replace(answer, f'{answer}, {{"text": "wet"}}')) as s:
        await s.enter("Is it raining", "get_weather")
        await s.to("rain_mm")
        await s.press("d")
        assert turn(s)["intermediate_data"]["invocation_events"][1]["content"]["parts"] == [{"text": "wet"}]


@pytest.mark.thorough
async def test_arguments_move_as_members_do() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather")
        await s.to("days")
        await s.press("alt+up")
        assert "days" in s.cursor()
        assert list(turn(s)["intermediate_data"]["tool_uses"][0]["args"])[:2] == ["days", "city"]
