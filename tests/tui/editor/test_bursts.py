"""Keys that come faster than the app works: each acts on what the one before has left."""

import json

import pytest
from textual import events
from textual.widgets import Static

from tests.sampling import sampled
from tests.tui.scenario import NARROW, NORMAL, WIDE, Scenario, scenario
from tests.tui.sets import FIRST_CALL, SNAKE


@pytest.mark.thorough
async def test_what_is_typed_before_enter_is_kept() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("weather_desk", "eval_set_id")
        await s.type("XY\r")
        assert s.bytes() == s.original.replace(b"weather_desk", b"weather_deskXY")
        await s.press("escape")
        await s.start_over()
        await s.enter(*FIRST_CALL, "hours")
        await s.burst("ctrl+u", *"[6, 12, 18]")
        assert s.bytes() == s.original.replace(b"[6, 12]", b"[6, 12, 18]")


async def test_letters_do_not_overtake_the_keys_before_them() -> None:
    def with_id(s: Scenario, eval_id: bytes) -> bytes:
        return s.original.replace(b'"greeting"', b'"' + eval_id + b'"')

    async with scenario(SNAKE) as s:
        await s.enter("greeting", "eval_id")
        await s.burst("a", "escape", "x", "y")
        assert s.bytes() == with_id(s, b"greetinga")
        await s.press("enter")
        await s.type("b")
        assert s.bytes() == with_id(s, b"greetingab")
        await s.start_over()
        await s.enter("greeting", "eval_id")
        await s.burst("a", "ctrl+z", "b")
        assert s.bytes() == with_id(s, b"greetingb")
        await s.burst("c", "d", "ctrl+s")
        assert s.file_bytes() == with_id(s, b"greetingbcd")
        await s.burst("a", "b", "backspace", "c", "home", "X", "end", "Y", "ctrl+a", "Z")
        assert s.bytes() == with_id(s, b"ZXgreetingbcdacY")


@pytest.mark.thorough
async def test_keys_around_clicks_go_where_they_were_meant() -> None:
    async with scenario(SNAKE) as s:
        await s.enter(*FIRST_CALL, "name ")
        await s.burst("1", "tab", "2", "enter", "3", "shift+tab", "shift+tab", "4")
        after = s.original.replace(b'"get_weather"', b'"get_weather14"').replace(b'"call-1"', b'"call-12"')
        assert s.bytes() == after.replace(b'"Bergen"', b'"Bergen3"')
        await s.start_over()
        await s.enter(*FIRST_CALL, "name ")
        await s.burst_with_click("X", "call-1", "Y")
        once = s.original.replace(b'"get_weather"', b'"get_weatherX"').replace(b'"call-1"', b'"call-1Y"')
        assert s.bytes() == once
        await s.burst_with_click("2", "get_weatherX", "1")
        assert s.bytes() == once.replace(b"call-1Y", b"call-1Y2").replace(b'"get_weatherX"', b'"get_weatherX1"')
        await s.start_over()
        await s.enter("greeting", "eval_id")
        await s.burst_with_click("abc", "^s save", "d")
        assert s.file_bytes() == s.original.replace(b'"greeting"', b'"greetingabc"')
        assert b'"greetingabcd"' in s.bytes()


@pytest.mark.thorough
async def test_rows_that_come_and_go_in_a_burst() -> None:
    async with scenario(SNAKE) as s:
        await s.to("greeting")
        for _ in range(3):
            await s.press("a", "escape", "1")
        ids = [case.member("eval_id").text() for case in s.app.file.eval_set.cases]
        assert ids == ["rain_in_bergen", "greeting", "case_3", "case_4", "case_5"]
        await s.start_over()
        await s.to("Is it raining")
        await s.press("right")
        await s.to("get_weather")
        await s.burst("d", "d")
        assert b'"tool_uses": []' in s.bytes()
        s.expect("2 Thanks")
        await s.burst("u", "u", "u")
        assert s.bytes() == s.original
        await s.start_over()
        await s.to("rain_in_bergen")
        await s.press("a", "escape")
        await s.enter("state  {}")
        await s.burst("u", "u", "u")
        assert s.bytes() == s.original
        assert "2 cases" in s.title
        await s.press("1")
        s.expect("rain_in_bergen", "greeting")


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([NARROW, WIDE], most=1))
async def test_letters_behind_the_key_that_adds_a_case_name_it(size: tuple[int, int]) -> None:
    async with scenario(SNAKE, size) as s:
        await s.to("greeting")
        await s.burst("a", *"du", "enter")
        assert [case.member("eval_id").text() for case in s.app.file.eval_set.cases][2:] == ["du"]
        assert s.focused == "field"
        await s.press("escape", "escape", "1")
        await s.burst("a", "f7", *"new", "escape", "1", "a", "f7", *"old")
        assert [case.member("eval_id").text() for case in s.app.file.eval_set.cases][3:] == ["new", "old"]


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([WIDE, NARROW], most=1))
async def test_a_new_case_is_typed_in_one_go(size: tuple[int, int]) -> None:
    async with scenario(SNAKE, size) as s:
        await s.to("greeting")
        await s.burst("a", *"re", "enter", *"Ad", "escape", "a", *"pa", "enter", "enter")
        await s.burst(*"bo", "enter", *"R7", "enter", *"da", "enter", *"add", "escape")
        case = json.loads(s.bytes())["eval_cases"][2]
        turn = case["conversation"][0]
        assert (case["eval_id"], turn["user_content"]["parts"]) == ("re", [{"text": "Ad"}])
        call = {"id": "call-1", "name": "pa", "args": {"bo": "R7", "da": "add"}}
        assert turn["intermediate_data"]["tool_uses"] == [call]


async def test_a_key_acts_in_the_view_that_the_one_before_it_has_opened() -> None:
    async with scenario('{"a": {"b": {"c": 1}}}') as s:
        await s.enter("a  {")
        await s.burst("enter", "d")
        assert s.bytes() == b'{"a": {"b": {}}}'
        await s.press("u", "escape", "escape", "escape")
        assert s.bytes() == s.original
        assert s.focused == "tree"


async def test_a_name_typed_ahead_goes_into_the_dialog_that_asks_for_it() -> None:
    async with scenario('{"a": 1}') as s:
        await s.burst("down", "a", "d", "delete", "J", "enter")
        assert s.bytes() == b'{"a": 1, "dJ": ""}'


async def test_a_second_enter_in_a_dialog_is_none_too_many() -> None:
    async with scenario(SNAKE) as s:
        await s.enter(*FIRST_CALL)
        await s.press("a")
        await s.burst(*"la", "enter", "enter", "enter")
        assert b'"la": ""' in s.bytes()
        await s.press("escape", "ctrl+q")
        await s.burst("escape", "escape", "escape")
        assert not s.ended
        await s.press("f1")
        await s.burst("escape", "q", "f1", "f1")
        assert not s.ended


@pytest.mark.thorough
@pytest.mark.parametrize("keys", [("2", "end"), ("2", "down", "down", "1", "down")])
async def test_keys_behind_a_change_of_pane_act_in_the_new_one(keys: tuple[str, ...]) -> None:
    cursors = []
    for at_once in (True, False):
        async with scenario(SNAKE, WIDE) as s:
            await (s.burst(*keys) if at_once else s.press(*keys))
            cursors.append([line for line in s.screen() if "▌" in line or "▏" in line])
    assert cursors[0] == cursors[1]


async def test_keys_before_a_click_on_another_row_are_kept() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("greeting", "eval_id")
        await s.burst_with_click("abc", "2 Thanks", "")
        assert b'"greetingabc"' in s.bytes()
        s.expect("turn 2")


async def test_a_widget_that_is_gone_with_messages_left_holds_nothing_up() -> None:
    async with scenario(SNAKE) as s:
        gone = Static()
        await s.app.screen.mount(gone)
        await gone.remove()
        gone._message_queue.put_nowait(events.Focus())
        s.app._mouse_down_widget = gone
        before = s.cursor()
        await s.burst("down", "down")
        assert s.cursor() != before
