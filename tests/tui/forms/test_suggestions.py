"""Names of the set are suggested while others are typed."""

import pytest

from evaltui.tui.widgets.text_field import TextField
from tests.sampling import sampled
from tests.tui.scenario import scenario
from tests.tui.screens.test_themes import contrast_of
from tests.tui.sets import SETS, SNAKE


async def new_call(s: object) -> None:
    await s.to("Is it raining")  # type: ignore[attr-defined]
    await s.press("A")  # type: ignore[attr-defined]
    if s.focused != "field":  # type: ignore[attr-defined]
        await s.enter("name ")  # type: ignore[attr-defined]
    assert s.focused == "field"  # type: ignore[attr-defined]


async def test_the_right_arrow_takes_the_name_of_a_tool_and_its_arguments_come_along() -> None:
    for text in sampled(SETS.values()):
        async with scenario(text) as s:
            await new_call(s)
            await s.type("g")
            s.expect("get_weather")
            await s.press("right", "tab")
            assert "added arguments city, days, metric, note, hours, area" in s.status
            assert b'"city": "",' in s.bytes()
            await s.press("escape", "u")
            assert b'"city": ""' not in s.bytes()
            assert s.bytes().count(b'"get_weather"') == 3


@pytest.mark.thorough
async def test_a_suggestion_is_taken_by_the_right_arrow_only() -> None:
    async with scenario(SNAKE) as s:
        await new_call(s)
        s.expect("get_weather")
        assert not s.shows("empty name, so")
        await s.press("escape")
        s.expect("empty name, so")
        await s.start_over()
        await new_call(s)
        await s.type("find")
        s.expect("find_umbrella")
        await s.press("left", "right", "escape")
        assert b'"name": "find"' in s.bytes()
        s.expect("no arguments")
        await s.start_over()
        await new_call(s)
        await s.burst("f", "i", "left", "right", "n", "home", "right", "X", "escape")
        assert b'"name": "fXin"' in s.bytes()


@pytest.mark.thorough
async def test_the_keys_name_the_key_that_takes_the_suggestion_while_there_is_one() -> None:
    for size in [(80, 24), (140, 40)]:
        async with scenario(SNAKE, size) as s:
            await new_call(s)
            assert "→ take get_weather" in s.keys
            await s.type("find")
            assert "→ take find_umbrella" in s.keys
            await s.press("left")
            assert "→ take" not in s.keys
            await s.press("end")
            assert "→ take find_umbrella" in s.keys
            await s.press("right")
            assert "→ take" not in s.keys
            assert b'"name": "find_umbrella"' in s.bytes()


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["evaltui-dark", "evaltui-light"])
async def test_a_suggestion_is_italic_and_can_be_read(theme: str) -> None:
    async with scenario(SNAKE) as s:
        s.app.theme = theme
        await new_call(s)
        await s.type("find")
        style = s.app.screen.query_one(TextField).get_component_rich_style("text-area--suggestion")
        assert style.italic
        typed = s.app.screen.query_one(TextField).rich_style
        assert style.color is not None and style.color != typed.color
        assert typed.bgcolor is not None
        on = style.bgcolor or typed.bgcolor
        assert contrast_of(style.color.get_truecolor().hex, on.get_truecolor().hex) >= 4.5


async def test_arguments_of_other_calls_are_offered_for_a_new_one() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "find_umbrella")
        await s.edit("name ", "get_weather")
        await s.press("a")
        s.expect("city, days, metric, note, hours, area")
        await s.type("ci")
        await s.press("right", "enter")
        assert b'"args": {"city": ""}' in s.bytes()
        await s.start_over()
        await s.enter("Is it raining", "find_umbrella")
        await s.edit("name ", "get_weather")
        assert s.bytes() == s.original.replace(b'"find_umbrella"', b'"get_weather"')
        await s.start_over()
        await new_call(s)
        await s.type("look_up")
        await s.press("enter")
        assert "enter add argument" in s.keys
        await s.press("enter")
        assert s.focused == "NameDialog"
        await s.type("city")
        await s.press("enter")
        assert b'"args": {"city": ""}' in s.bytes()


async def test_rubric_ids_are_suggested_in_views_of_values() -> None:
    rubric = '"rubrics": [{"rubric_id": "polite_answer"}, {"rubric_id": ""}],'
    async with scenario(SNAKE.replace('"conversation": [', rubric + '"conversation": [', 1)) as s:
        await s.enter("rain_in_bergen", "no id", "rubric_id")
        if s.focused != "field":
            await s.press("enter")
        await s.type("p")
        s.expect("polite_answer")
        await s.press("right", "escape")
        assert s.bytes().count(b'"polite_answer"') == 2


@pytest.mark.thorough
async def test_with_sixteen_colours_what_may_follow_is_dim() -> None:
    """Else it reads like what was typed."""
    async with scenario(SNAKE) as s:
        s.app.theme = "ansi-dark"
        await s.enter("Is it raining", "get_weather", "name")
        box = s.app.screen.query_one(TextField)
        assert box.get_component_rich_style("text-area--suggestion").dim
