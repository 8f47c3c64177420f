"""Sixteen colours, or none: dialogs leave in sight what is behind them, and where one is shows by its shape."""

import json

import pytest
from rich.segment import Segment
from rich.style import Style

from tests.sampling import sampled
from tests.tui.scenario import NARROW, WIDE, Scenario, scenario
from tests.tui.sets import SNAKE

ENVIRONMENTS = [
    {"TERM": "xterm"},
    {"TERM": "screen"},
    {"TERM": "linux"},
    {"TERM": "xterm", "NO_COLOR": "1"},
    {"TERM": "xterm-256color", "NO_COLOR": "1"},
]

DIALOGS = {
    "palette": ["ctrl+p"],
    "help": ["f1"],
    "go to": ["ctrl+g"],
    "choice": ["enter", "A"],
    "copy": ["Y"],
    "quit": ["c", "ctrl+q"],
    "name": ["S"],
    "rule": ["f8", "full_stop"],
    "reload": ["c", "R"],
}


@pytest.fixture(
    params=sampled(ENVIRONMENTS), ids=lambda names: " ".join(f"{name}={value}" for name, value in names.items())
)
def few_colours(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    for name, value in request.param.items():
        monkeypatch.setenv(name, value)
    return dict(request.param)


def segments(s: Scenario) -> list[list[Segment]]:
    return [list(strip) for strip in s.app.screen._compositor.render_strips()]


def reversed_text(s: Scenario) -> str:
    """All that is drawn in reverse, a line of it for each line of the screen."""
    lines = ["".join(each.text for each in line if each.style and each.style.reverse) for line in segments(s)]
    return "\n".join(filter(None, lines))


@pytest.mark.parametrize("size", sampled([NARROW, WIDE], 1))
async def test_a_dialog_leaves_in_sight_what_is_behind_it(few_colours: dict[str, str], size: tuple[int, int]) -> None:
    async with scenario(SNAKE.replace('"turn-2"', '"turn-1"'), size) as s:
        for dialog, (*before, opens) in DIALOGS.items():
            await s.to("greeting")
            await s.press(*before)
            behind = s.screen()
            await s.press(opens)
            assert s.focused.endswith(("Dialog", "Screen", "Palette", "question")), s.focused
            assert_dialog_is_in_front_of(behind, s.screen())
            await s.press("escape")
            assert s.screen() == behind or dialog == "rule"
            await s.press("escape", "1")


def assert_dialog_is_in_front_of(behind: list[str], now: list[str]) -> None:
    """Around the dialog, all is as before; the keys of the screen behind are gone."""
    top, bottom = (next(n for n, line in enumerate(now) if corner in line) for corner in "╭╰")
    outside = [*range(top), *range(bottom + 1, len(now) - 2)]
    assert [now[n] for n in outside] == [behind[n] for n in outside]
    assert any(behind[n] for n in outside)
    if bottom < len(now) - 1:
        assert not now[-1].strip(), "the keys of the screen behind do nothing"
    left = now[top].index("╭")
    assert now[top][:left] == behind[top].ljust(left)[:left]


@pytest.mark.thorough
@pytest.mark.parametrize("term", ["xterm", "xterm-256color"])
async def test_without_colours_none_is_drawn(monkeypatch: pytest.MonkeyPatch, term: str) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("NO_COLOR", "1")
    async with scenario(SNAKE) as s:
        for keys in ([], ["enter"], ["enter"], ["escape", "A"], ["escape", "ctrl+p"], ["escape", "ctrl+r"]):
            await s.press(*keys)
            styles = [each.style or Style() for line in segments(s) for each in line]
            assert all(style.color is None or style.color.is_default for style in styles)
            assert all(style.bgcolor is None or style.bgcolor.is_default for style in styles)


async def test_where_one_is_shows_by_its_shape(few_colours: dict[str, str]) -> None:
    async with scenario(SNAKE) as s:
        await s.to("greeting")
        assert "greeting" in reversed_text(s)
        await s.press("enter")
        assert "eval_id     greeting" in reversed_text(s)
        await s.press("enter", "home")
        assert reversed_text(s).split() == ["▌", "eval_id", "g"]
        await s.press("f7")
        assert "greeting" in reversed_text(s)
        await s.press("escape", "A")
        await s.press("down", "down")
        assert "▌final session state" in reversed_text(s)
        await s.press("escape", "ctrl+p")
        assert "▌edit" in reversed_text(s)
        assert "a" in reversed_text(s).split("\n")
        await s.press("escape", "ctrl+g")
        assert "/" in reversed_text(s).split("\n")
        await s.press("escape", "1", "c", "ctrl+q")
        assert "save and quit" in reversed_text(s)
        await s.press("escape", "u")
        assert json.loads(s.bytes()) == json.loads(s.original)


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light"])
async def test_a_reversed_line_has_no_coloured_patches(monkeypatch: pytest.MonkeyPatch, theme: str) -> None:
    monkeypatch.setenv("TERM", "xterm")
    async with scenario(SNAKE) as s:
        s.app.theme = theme
        await s.to("greeting")
        await s.press("enter")
        line = next(line for line in segments(s) if any("eval_id" in each.text for each in line))
        name = next(each.style or Style() for each in line if "eval_id" in each.text)
        assert name.reverse
        assert name.color is not None
        assert name.color.is_default
        await s.press("down")
        line = next(line for line in segments(s) if any("eval_id" in each.text for each in line))
        name = next(each.style or Style() for each in line if "eval_id" in each.text)
        assert name.color is not None
        assert name.color.number == {"ansi-dark": 6, "ansi-light": 4}[theme], "cyan, and blue on a light background"


@pytest.mark.thorough
async def test_a_reversed_answer_is_a_whole_line_without_coloured_patches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    async with scenario(SNAKE) as s:
        await s.press("c", "ctrl+q")
        width = s.app.screen.query_one(".dialog").content_size.width
        line = next(line for line in segments(s) if any("save and quit" in each.text for each in line))
        answer = [each for each in line if each.style and each.style.reverse]
        assert sum(each.cell_length for each in answer) == width
        assert {str(each.style.color) for each in answer if each.style} == {"Color('default', ColorType.DEFAULT)"}


@pytest.mark.thorough
async def test_what_is_selected_in_a_line_shows_by_its_shape(few_colours: dict[str, str]) -> None:
    async with scenario(SNAKE) as s:
        await s.press("ctrl+r")
        await s.type("rain")
        await s.press("shift+left", "shift+left")
        assert "in" in reversed_text(s)


@pytest.mark.thorough
async def test_what_is_selected_in_a_field_has_the_colours_of_the_terminal(few_colours: dict[str, str]) -> None:
    async with scenario(SNAKE) as s:
        for theme in ("ansi-dark", "ansi-light"):
            s.app.theme = theme
            await s.press("S")
            selected = next(each for line in segments(s) for each in line if str(s.path) in each.text)
            await s.press("escape")
            assert selected.style is not None
            assert selected.style.reverse
            assert {str(selected.style.color), str(selected.style.bgcolor)} == {"Color('default', ColorType.DEFAULT)"}


async def test_the_selected_choice_can_be_read_with_sixteen_colours(few_colours: dict[str, str]) -> None:
    async with scenario(SNAKE) as s:
        await s.press("T")
        assert "▌auto  " in reversed_text(s)
