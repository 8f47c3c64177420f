"""Whatever a key does, the mouse can do."""

import pytest
from textual import events
from textual.widgets import Static

from tests.sampling import sampled
from tests.tui.scenario import NORMAL, SAMPLES, Scenario, scenario
from tests.tui.sets import SNAKE


@pytest.mark.thorough
async def test_clicks_on_rows_and_fields_beside_each_other() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.click("2 Thanks")
        assert "Thanks" in s.cursor()
        s.expect("─ rain_in_bergen › turn 2 ─")
        await s.start_over()
        await s.click("2 Thanks")
        await s.click("You are welcome.")
        assert s.focused == "field"
        await s.press("end")
        await s.type("!")
        await s.click("greeting")
        assert s.focused == "tree"
        assert s.bytes() == s.original.replace(b"You are welcome.", b"You are welcome.!")
        s.expect("─ greeting ─")
        await s.start_over()
        await s.click("Is it raining")
        await s.click("Bergen?")
        await s.type("A")
        await s.click("turn-1")
        await s.press("end")
        await s.type("B")
        assert s.bytes().count(b"A") == s.original.count(b"A") + 1
        assert s.bytes().count(b'"turn-1B"') == 1


async def test_clicks_on_rows_and_fields_of_one_pane() -> None:
    async with scenario(SNAKE) as s:
        await s.click("▸ 1 Is it")
        s.expect("find_umbrella")
        await s.click("▾ rain_in")
        assert not s.shows("Is it raining")
        await s.click("▸ rain_in")
        s.expect("Is it raining", "find_umbrella")
        await s.start_over()
        await s.click("2 Thanks", times=2)
        assert s.focused == "form"
        s.expect("You are welcome.")
        await s.start_over()
        await s.enter("Thanks", "Thanks")
        await s.click("anks")
        await s.type("|")
        assert b'"Th|anks"' in s.bytes()
        await s.start_over()
        await s.enter("Is it raining")
        await s.click("get_weather", times=2)
        s.expect("Arguments", "─ rain_in_bergen › turn 1 › tool call 1 ─")
        await s.start_over()
        await s.hover(s.keys.index("d delete") + 3, 23)
        assert underlined(s) == "delete"
        await s.hover(s.keys.index("? help"), 23)
        assert underlined(s) == "help"
        await s.hover(5, 5)
        assert underlined(s) == ""


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([(80, 24), (140, 40)], most=1))
async def test_a_click_on_a_key_does_what_the_key_does(size: tuple[int, int]) -> None:
    async with scenario(SNAKE, size) as s:
        await s.to("greeting")
        await s.click_key("a add")
        assert s.focused == "field"
        s.expect("─ case_3")
        await s.press("escape", "1")
        await s.click_key("u undo")
        assert s.bytes() == s.original
        await s.click_key("? help")
        assert s.focused == "HelpScreen"
        await s.press("escape")
        await s.to("greeting")
        await s.click_key("enter edit")
        await s.click_key("enter edit")
        assert s.focused == "field"
        await s.type("X")
        await s.click_key("esc done")
        assert s.focused == "form"
        await s.click_key("^s save")
        assert s.file_bytes() == s.original.replace(b'"greeting"', b'"greetingX"')


def underlined(s: Scenario) -> str:
    strip = s.app.screen._compositor.render_strips()[-1]
    return "".join(segment.text for segment in strip if segment.style is not None and segment.style.underline).strip()


async def test_a_click_on_a_key_does_it_in_every_place_with_a_line_of_keys() -> None:
    async with scenario(SNAKE) as s:
        await s.type("/bergen")
        await s.click_key("↓ next")
        assert s.focused == "filter"
        await s.click_key("enter keep")
        assert s.focused == "tree"
        assert not s.shows("greeting")
        await s.press("escape")
        s.expect("greeting")
        await s.press("ctrl+r")
        await s.type("bergen")
        await s.click_key("alt+c case")
        s.expect("match case", "1 hit in 1 case")
        await s.click_key("tab next")
        await s.type("X")
        await s.click_key("tab next")
        await s.click_key("space leave out")
        s.expect("1 left out")
        await s.press("escape")
        assert s.focused == "tree"
    async with scenario("{'a': 1,}") as s:
        await s.press("F")
        await s.click_key("esc leave")
        await s.click_key("? help")
        assert s.focused == "HelpScreen"


@pytest.mark.thorough
async def test_the_wheel_scrolls_and_the_box_over_a_field_goes_along() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json", (110, 14)) as s:
        await s.click("1 Please book me")
        await s.click("Please book me a flight from Lisbon to M")
        assert s.focused == "field"
        await s.scroll(60, 9, 2)
        assert not s.shows("─ User")
        await s.type("!")
        await s.scroll(60, 9, -9)
        s.expect("Please book me")
        assert s.is_dirty


async def test_a_click_on_nothing_does_nothing() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        before = s.screen()
        for place in [(3, 20), (60, 20), (60, 3), (5, 0), (100, 0), (5, 28), (109, 28)]:
            await s.click_at(*place)
        assert s.focused in ("tree", "form")
        await s.press("1")
        assert s.screen() == before


async def test_a_click_on_a_problem_goes_to_its_place() -> None:
    async with scenario(SAMPLES / "broken.evalset.json", NORMAL) as s:
        await s.click("duplicate key")
        assert s.focused == "form"
        assert "Library desk, draft 2" in s.cursor()


async def test_the_answers_of_the_quit_guard_can_be_clicked() -> None:
    async with scenario(SNAKE) as s:
        await s.to("greeting")
        await s.press("d", "ctrl+q")
        await s.click("esc  keep editing")
        assert s.focused == "tree"
        await s.press("ctrl+q")
        await s.click("quit without saving")
        assert s.ended
        assert s.file_bytes() == s.original


async def test_a_click_beside_the_screen_leaves_the_keys_where_they_act() -> None:
    async with scenario(SNAKE) as s:
        for place in ((500, 3), (3, 500), (500, 500), (80, 3), (3, 24)):
            before = s.cursor()
            await s.click_at(*place)
            await s.scroll(*place, 1)
            assert s.focused == "tree"
            assert s.cursor() == before
            await s.press("down")
            assert s.cursor() != before
            await s.press("home")


@pytest.mark.thorough
async def test_a_click_anywhere_on_screen_leaves_the_keys_somewhere() -> None:
    async with scenario(SNAKE) as s:
        for row in (0, 1, 2, 5, 12, 21, 22, 23):
            for column in (0, 40, 79):
                await s.click_at(column, row)
                assert s.app.focused is not None, (column, row)
                await s.press("escape")


async def test_a_drag_may_end_beside_the_screen() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        bar = s.app.screen.query_one("Splitter").region
        await s.drag((bar.x, bar.y + 1), (5000, bar.y + 1))
        assert s.app.mouse_captured is None
        assert s.app.focused is not None
        assert s.app.screen.query_one("Splitter").region.x > bar.x


@pytest.mark.thorough
async def test_a_click_on_what_was_just_removed_does_nothing() -> None:
    async with scenario(SNAKE) as s:
        await s.press("f1")
        text = s.app.screen.query_one(Static)
        x, y = text.region.offset
        parent, text._parent = text._parent, None  # as removing does, which lays out the screen later
        await s.app.on_event(events.MouseDown(None, x, y, 0, 0, 1, False, False, False, x, y))
        text._parent = parent
        assert s.app.screen._select_state is None
        await s.press("escape")
