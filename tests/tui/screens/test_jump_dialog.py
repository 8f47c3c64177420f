"""ctrl+g: to a case or a pointer."""

import pytest

from tests.tui.scenario import SAMPLES, Scenario, scenario
from tests.tui.sets import SNAKE

TRIPS = SAMPLES / "trip_planner.evalset.json"


@pytest.mark.thorough
async def test_an_id_typed_in_part_leads_to_its_case() -> None:
    async with scenario(TRIPS) as s:
        await s.press("ctrl+g")
        assert s.focused == "JumpDialog"
        await s.type("lismont")
        s.expect("1 book_flight_lisbon_montreal")
        await s.press("enter")
        assert s.focused == "tree"
        assert "book_flight_lisbon_montreal" in s.cursor()


@pytest.mark.thorough
async def test_another_match_is_chosen_with_the_arrows() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+g")
        await s.type("re")
        await s.press("down", "up", "down", "enter")
        assert "rain_in_bergen" in s.cursor() or "greeting" in s.cursor()
        await s.type("\r")


@pytest.mark.thorough
async def test_numbers_selectors_and_pointers() -> None:
    async with scenario(SNAKE) as s:
        for typed, reached in [
            ("2", "greeting"),
            ("set.evalset.json:rain_in_bergen", "rain_in_bergen"),
            ("/eval_cases/0/conversation/1", "2 Thanks"),
            ("/eval_cases/0/conversation/0/intermediate_data/tool_uses/0", "get_weather"),
            ("/eval_cases", "eval_cases"),
        ]:
            await s.press("ctrl+g")
            await s.type(typed + "\r")
            assert reached in "\n".join(s.screen()), typed
            assert reached in s.cursor() or typed == "/eval_cases"


async def test_a_pointer_to_a_value_without_a_row_opens_a_view_of_it() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+g")
        await s.type("/eval_cases/0/session_input/state/unit\r")
        assert "unit" in s.cursor()
        await s.press("ctrl+g")
        await s.type("/eval_cases/1\r")
        assert "outside this view" in s.status


@pytest.mark.thorough
async def test_what_leads_nowhere_is_said_and_esc_stays() -> None:
    async with scenario(SNAKE) as s:
        before = s.cursor()
        await s.press("ctrl+g")
        await s.type("/eval_cases/7\r")
        s.expect("/eval_cases/7: there is no item 7; the list has length 2")
        await s.press("ctrl+u")
        await s.type("qqq\r")
        s.expect("No case has this id or number")
        await s.press("escape")
        assert s.cursor() == before


@pytest.mark.thorough
async def test_while_typing_in_a_field_the_text_stays() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("greeting", "eval_id")
        await s.type("s")
        await s.press("ctrl+g")
        await s.type("1\r")
        assert "rain_in_bergen" in s.cursor()
        assert b'"greetings"' in s.bytes()


async def test_a_number_is_a_case_or_a_line_of_the_file_and_a_colon_means_the_line() -> None:
    lines = SNAKE.splitlines()
    async with scenario(SNAKE) as s:
        await s.press("ctrl+g")
        await s.type("2")
        s.expect("     2 greeting", "line 2")
        await s.press("down", "enter")
        assert s.focused == "form"
        assert "eval_set_id" in s.cursor()
        for text, wanted in [
            ('"name": "Weather"', "Weather"),
            ('"user_content": {"parts": [{"text": "Thanks"', "Thanks"),
            ('"eval_id": "greeting"', "greeting"),
        ]:
            number = next(n for n, line in enumerate(lines, 1) if text in line)
            await s.press("ctrl+g")
            await s.type(f":{number}\r")
            assert s.focused == "form", text
            assert wanted in s.cursor(), (text, s.cursor())
        await s.press("escape", "ctrl+g")
        await s.type("/eval_cases/0/session_input/state/unit\r")
        assert len(s.app.screen_stack) == 2
        number = next(n for n, line in enumerate(lines, 1) if '{"id": "call-2"' in line)
        await s.press("ctrl+g")
        await s.type(f"{number}\r")
        assert len(s.app.screen_stack) == 1
        s.expect("─ rain_in_bergen › turn 1 › tool call 2 ─")


async def test_a_line_that_is_not_there_is_said() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+g")
        await s.type(":4000\r")
        s.expect(f"There is no line 4,000; the file has {len(SNAKE.splitlines())} lines.")
        await s.press("escape")
    async with scenario('{"a": 1,\n "b": [2,\n3]}', name="x.json") as s:
        await s.press("ctrl+g")
        await s.type(":3\r")
        assert "3" in s.cursor()


def height_of_dialog(s: Scenario) -> int:
    top, bottom = (next(n for n, line in enumerate(s.screen()) if corner in line) for corner in "╭╰")
    return bottom - top + 1


async def test_an_objection_takes_room_only_while_there_is_one() -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+g")
        before = height_of_dialog(s)
        await s.type("no such case\r")
        s.expect("No case has this id or number.")
        await s.press("a")
        assert "No case has this id" not in "\n".join(s.screen())
        assert s.focused == "JumpDialog"
        await s.press("ctrl+u")
        assert height_of_dialog(s) == before == 5
