"""Rows as things: cloned, moved, marked, copied, cut, pasted and dragged."""

import json

import pytest

from evaltui.tui.terminal import system_clipboard
from tests.sampling import sampled
from tests.tui.scenario import NARROW, NORMAL, Scenario, scenario
from tests.tui.sets import SETS, SNAKE

BERGEN, GREETING = "rain_in_bergen", "greeting"


def ids(s: Scenario) -> list[str]:
    return [case["eval_id"] for case in json.loads(s.bytes())["eval_cases"]]


def turns(s: Scenario, case: int = 0) -> list[str]:
    return [turn["invocation_id"] for turn in json.loads(s.bytes())["eval_cases"][case]["conversation"]]


async def test_a_row_after_the_last_line_of_a_full_tree_is_in_sight() -> None:
    cases = [{"eval_id": f"case_{number}", "conversation": []} for number in range(19)]
    async with scenario(json.dumps({"eval_set_id": "s", "eval_cases": cases})) as s:
        for keys in (["end", "c"], ["y", "p"]):
            await s.press(*keys)
            assert ids(s)[-1] in next((line for line in s.screen() if line.startswith("▌")), "")


@pytest.mark.thorough
async def test_a_clone_is_selected_and_named_in_the_status() -> None:
    async with scenario(SNAKE) as s:
        await s.to(BERGEN)
        await s.press("c")
        assert ids(s) == [BERGEN, "rain_in_bergen_2", GREETING]
        assert "rain_in_bergen_2" in s.cursor()
        assert "cloned rain_in_bergen" in s.status
        await s.press("u")
        assert s.bytes() == s.original
        for key in ("c", "alt+down", "d", "x"):
            await s.to("weather_desk")
            await s.press(key)
            assert "select a case, turn or tool call" in s.status or key == "x"
        assert s.bytes() == s.original
        await s.to(GREETING)
        await s.press("i")
        assert ids(s) == [BERGEN, "case_3", GREETING]
        assert s.focused == "field"


@pytest.mark.parametrize("name", sampled(SETS))
async def test_each_kind_of_row_is_cloned_in_either_shape(name: str) -> None:
    async with scenario(SETS[name]) as s:
        await s.to("Is it raining")
        await s.press("right")
        for row in ("Thanks", "get_weather", GREETING):
            await s.to(row)
            await s.press("c")
            assert "cloned" in s.status
            await s.press("u")
            assert s.bytes() == s.original


async def test_rows_move_are_dragged_and_come_from_the_terminal() -> None:
    async with scenario(SNAKE) as s:
        await s.to(BERGEN)
        await s.press("alt+down")
        assert ids(s) == [GREETING, BERGEN]
        assert BERGEN in s.cursor()
        await s.press("alt+down")
        assert "last in its list" in s.status
        await s.press("alt+up")
        assert s.bytes() == s.original
        await s.press("alt+up")
        assert "first in its list" in s.status
        await s.start_over()
        await s.to(BERGEN)
        await s.paste('[{"query": "Is it cold?", "expected_tool_use": [], "reference": "No."}]')
        assert len(turns(s)) == 3
        s.expect("Is it cold?")
        assert "nothing is lost" in s.status
        await s.press("u")
        await s.paste("good day [/x] \x1b[2J")
        assert "text, not JSON: good day" in s.status
        assert s.bytes() == s.original
        await s.start_over()
        deep = '{"a": ' * 1_200 + "{}" + "}" * 1_200
        use = f'{{"tool_name": "t", "tool_input": {deep}}}'
        await s.paste(f'{{"name": "deep", "data": [{{"query": "q", "expected_tool_use": [{use}]}}]}}')
        assert "values are nested too deeply" in s.app.messages.newest_first()[0]
        assert s.bytes() == s.original
        await s.start_over()
        await s.press("minus")
        rows = s.screen()
        source, target = (next(n for n, row in enumerate(rows) if name in row) for name in (GREETING, BERGEN))
        await s.drag((6, source), (6, target))
        assert ids(s) == [GREETING, BERGEN]
        assert GREETING in s.cursor()
        await s.press("u")
        assert s.bytes() == s.original


async def test_marked_rows_are_acted_on_together() -> None:
    async with scenario(SNAKE) as s:
        await s.to("Is it raining")
        await s.press("m")
        await s.to("Thanks")
        await s.press("m")
        assert "2 marked" in s.status
        assert sum("◆" in row for row in s.rows()) == 2
        await s.press("c")
        assert turns(s) == ["turn-1", "turn-2", "turn-3", "turn-4"]
        await s.press("u", "d")
        assert turns(s) == []
        assert not s.shows("◆")
        await s.press("u")
        assert s.bytes() == s.original
        await s.press("escape")
        await s.to(BERGEN)
        await s.press("m")
        await s.to("Thanks")
        await s.press("m", "alt+down")
        assert "different kinds: case, turn" in s.status
        assert s.bytes() == s.original


async def test_esc_takes_the_marks_away_and_a_mark_is_taken_back() -> None:
    async with scenario(SNAKE) as s:
        await s.to(BERGEN)
        await s.press("m", "up", "m")
        assert "no rows marked" in s.status
        await s.press("m", "escape")
        assert "no rows marked" in s.status
        assert not s.shows("◆")
        await s.press("minus")
        await s.to(BERGEN)
        await s.press("m")
        await s.to(GREETING)
        await s.press("v")
        assert "2 marked" in s.status
        await s.press("d")
        assert ids(s) == []


async def test_cut_and_pasted_rows_come_back_as_they_were() -> None:
    async with scenario(SNAKE) as s:
        await s.to(GREETING)
        await s.press("x")
        assert ids(s) == [BERGEN]
        await s.to(BERGEN)
        await s.press("p")
        assert s.bytes() == s.original
        assert "pasted 1 case" in s.status
        await s.to("Is it raining")
        await s.press("y")
        await s.to(GREETING)
        await s.press("p")
        assert turns(s, 1) == ["turn-1", "turn-2"]
        assert "Is it raining" in s.cursor()


async def test_a_case_that_was_cut_keeps_ids_of_the_whole_world() -> None:
    text = SNAKE.replace('"turn-1"', '"e-af432f5a-7347-46a9-a175-d7e0f4a0c1b2"')
    async with scenario(text) as s:
        await s.press("x", "P")
        assert s.bytes() == s.original
        assert "duplicate" not in s.status
        await s.press("P")
        assert s.bytes().count(b"e-af432f5a-7347-46a9-a175-d7e0f4a0c1b2") == text.count("e-af432f5a-7347-46a9-a175")


async def test_p_before_and_behind_and_in_another_running_app() -> None:
    async with scenario(SNAKE) as s:
        await s.to(GREETING)
        await s.press("y", "P")
        assert ids(s) == [BERGEN, "greeting_2", GREETING]
        await s.press("u")
        await s.to(GREETING)
        await s.press("p")
        assert ids(s) == [BERGEN, GREETING, "greeting_2"]
    async with scenario('{"eval_set_id": "other", "eval_cases": []}') as s:
        await s.press("p")
        assert ids(s) == [GREETING]


async def rows_at(s: Scenario, *names: str) -> list[int]:
    rows = s.screen()
    return [next(n for n, row in enumerate(rows) if name in row[:34] and "─" not in row[:34]) for name in names]


async def test_while_a_row_is_dragged_its_goal_is_marked() -> None:
    for size in (NARROW, NORMAL):
        async with scenario(SNAKE, size) as s:
            greeting, bergen, turn = await rows_at(s, GREETING, BERGEN, "2 Thanks")
            await s.hold((6, greeting), (6, bergen))
            assert s.screen()[bergen].startswith("▲")
            assert "before" in s.status
            assert "esc: cancel" in s.status
            await s.hold((6, bergen), (6, greeting))
            assert s.screen()[greeting].startswith("▼")
            assert not s.screen()[bergen].startswith("▲")
            await s.let_go(6, greeting)
            assert ids(s) == [GREETING, BERGEN]
            await s.press("u")
            await s.hold((6, greeting), (6, turn))
            assert s.screen()[bergen].startswith("▲"), "a case goes beside the case of a turn"
            await s.let_go(6, turn)
            assert ids(s) == [GREETING, BERGEN]
            await s.press("u")
            await s.hold((6, turn), (6, greeting))
            assert s.screen()[greeting].startswith("✗")
            assert "cannot move together" in s.status
            await s.let_go(6, greeting)
            assert s.bytes() == s.original


async def test_esc_cancels_a_drag_and_so_does_letting_go_outside() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        greeting, bergen = await rows_at(s, GREETING, BERGEN)
        await s.to("2 Thanks")
        cursor = s.cursor()
        await s.hold((6, greeting), (6, bergen))
        await s.press("escape")
        assert "nothing was moved" in s.status
        assert not s.screen()[bergen].startswith("▲")
        await s.let_go(6, bergen)
        assert (s.bytes(), s.cursor()) == (s.original, cursor)
        await s.hold((6, greeting), (6, bergen), (80, bergen))
        await s.let_go(80, bergen)
        assert s.bytes() == s.original
        await s.hover(6, bergen)
        assert not s.screen()[bergen].startswith("▲")
        await s.click(GREETING)
        assert GREETING in s.cursor()


@pytest.mark.thorough
async def test_a_row_is_copied_in_other_forms() -> None:
    async with scenario(SNAKE) as s:
        await s.to(GREETING)
        for key, wanted in (
            ("j", '"eval_id": "greeting"'),
            ("t", "Good morning\n\nGood morning to you."),
            ("p", "/eval_cases/1"),
            ("s", "set.evalset.json:greeting"),
        ):
            await s.press("Y")
            s.expect("as JSON pointer")
            await s.press(key)
            copied = system_clipboard.paste_from_file()
            assert copied is not None
            assert wanted in copied
        await s.press("Y", "escape")
        assert s.focused == "tree"


@pytest.mark.thorough
async def test_a_value_of_the_form_is_copied_and_pasted_over_another() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("Is it raining", "get_weather")
        await s.to("hours")
        await s.press("y")
        assert system_clipboard.paste_from_file() == "[6, 12]"
        await s.to("area")
        await s.press("p")
        assert b'"area": [6, 12]' in s.bytes()
        await s.press("u")
        assert s.bytes() == s.original


async def test_items_and_members_of_plain_json_are_arranged_too() -> None:
    text = '{"list": [1, 2.50, 3], "b": {"x": 1}}'
    async with scenario(text, name="plain.json") as s:
        await s.to("list")
        await s.press("right", "right", "c")
        assert s.bytes() == text.replace("[1,", "[1, 1,").encode()
        await s.press("u")
        await s.to("0")
        await s.press("alt+down")
        assert s.bytes() == text.replace("1, 2.50", "2.50, 1").encode()
        await s.press("u")
        await s.to("b  {")
        await s.press("c")
        assert json.loads(s.bytes())["b_2"] == {"x": 1}
        await s.press("u")
        await s.to("b  {")
        await s.press("y")
        await s.to("0")
        await s.press("p")
        assert json.loads(s.bytes())["list"][1] == {"x": 1}
