"""Every theme can be read: what is written stands out from what lies behind it, on the cursor's row too."""

from itertools import product

import pytest
from textual.color import Color

from evaltui.settings.user_settings import THEMES, Settings
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.editor.edit_screen import EditScreen
from evaltui.tui.lines import ROLES
from evaltui.tui.panes.title_and_status import PaneTitle
from evaltui.tui.themes import default_theme
from evaltui.tui.widgets.entry_list import EntryList
from tests.tui.scenario import WIDE, Scenario, scenario
from tests.tui.sets import SNAKE

_LEAST = 2.5
"""The contrast of text (WCAG asks 3 of large text; some themes' own warning colours reach a little less)."""


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio of two colours as WCAG 2 defines it, 1 to 21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def contrast_of(one: str, other: str) -> float:
    """The contrast ratio of two colours by their names."""
    return contrast(Color.parse(one), Color.parse(other))


def luminance(color: Color) -> float:
    parts = [part / 255 for part in color.rgb]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.thorough
async def test_every_role_can_be_read_on_every_row_in_every_theme() -> None:
    async with scenario(SNAKE) as s:
        assert isinstance(s.app.screen, EditScreen)
        for theme in THEMES:
            s.app.theme = theme
            await s.settle()
            for cursor, role in product(("", "cursor", "cursor-away"), ("", *ROLES)):
                style = s.app.screen.panes.tree._strips.style(role, cursor)
                assert style.color is not None
                assert style.bgcolor is not None
                if not theme.startswith("ansi"):
                    found = contrast(Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor))
                    assert found >= _LEAST, f"{theme}: {role or 'plain'} text on {cursor or 'any'} row: {found:.2f}"


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light"])
async def test_with_the_terminals_own_colours_the_cursor_is_reversed_and_nothing_is_tinted(theme: str) -> None:
    async with scenario(SNAKE) as s:
        s.app.theme = theme
        await s.settle()
        assert isinstance(s.app.screen, EditScreen)
        rows = {cursor: s.app.screen.panes.tree._strips.style("", cursor) for cursor in ("", "cursor", "cursor-away")}
        assert rows["cursor"].reverse
        assert rows["cursor-away"].bold
        assert rows["cursor"].bgcolor == rows[""].bgcolor == rows["cursor-away"].bgcolor


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["evaltui-dark", "evaltui-light", "ansi-dark", "ansi-light"])
async def test_the_colour_of_the_focus_means_nothing_else(theme: str) -> None:
    async with scenario(SNAKE) as s:
        s.app.theme = theme
        await s.settle()
        assert isinstance(s.app.screen, EditScreen)
        strips = s.app.screen.panes.tree._strips
        colours = [strips.style(role).color for role in ("accent", "ok", "warning", "error", "name", "")]
        assert len(set(colours)) == len(colours)


@pytest.mark.parametrize(
    ("term", "theme"), [("xterm", "ansi-dark"), ("xterm-256color", "evaltui-dark"), ("linux", "ansi-dark")]
)
def test_a_terminal_of_sixteen_colours_gets_its_own(monkeypatch: pytest.MonkeyPatch, term: str, theme: str) -> None:
    from evaltui.document.document import Document

    monkeypatch.setenv("TERM", term)
    assert EvaltuiApp(Document(b"{}")).theme == theme
    monkeypatch.setenv("TEXTUAL_THEME", "textual-dark")
    assert EvaltuiApp(Document(b"{}")).theme == "textual-dark"


def test_a_light_terminal_of_sixteen_colours_gets_the_light_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    from evaltui.document.document import Document

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLORFGBG", "0;15")
    assert EvaltuiApp(Document(b"{}")).theme == "ansi-light"


@pytest.mark.parametrize(
    ("colours", "theme"),
    [
        ("0;15", "evaltui-light"),
        ("15;0", "evaltui-dark"),
        ("0;default;7", "evaltui-light"),
        ("", "evaltui-dark"),
        ("15;default", "evaltui-dark"),
    ],
)
def test_auto_goes_with_the_background_that_a_variable_names(
    monkeypatch: pytest.MonkeyPatch, colours: str, theme: str
) -> None:
    monkeypatch.setenv("COLORFGBG", colours)
    assert default_theme() == theme


@pytest.mark.thorough
async def test_states_are_shapes_as_well_as_colours() -> None:
    async with scenario(SNAKE) as s:
        assert "▌" in s.screen()[3]
        await s.press("d")
        assert "●" in s.title


def highlighted(s: Scenario) -> str:
    """The theme that is selected in the list, at the line on which it is shown."""
    choices = s.app.screen.query_one(EntryList)
    assert choices.selected is not None
    top, height = choices.scroll_offset.y, choices.scrollable_content_region.height
    assert top <= choices.cursor < top + height, "out of sight"
    return choices.selected.label


@pytest.mark.thorough
async def test_the_list_of_themes_opens_at_the_theme_in_force() -> None:
    async with scenario(SNAKE) as s:
        await s.press("T")
        assert highlighted(s) == "auto"
        await s.press("escape")
        s.app.settings = Settings(theme="solarized-light")
        s.app.theme = "solarized-light"
        await s.press("T")
        assert highlighted(s) == "solarized-light"


@pytest.mark.thorough
async def test_each_theme_is_shown_while_it_is_selected_and_esc_goes_back() -> None:
    async with scenario(SNAKE) as s:
        await s.press("T")
        seen = []
        for _ in THEMES:
            await s.press("down")
            assert highlighted(s) == s.app.theme
            seen.append(s.app.theme)
        assert seen == list(THEMES)
        await s.press("escape")
        assert s.app.theme == "evaltui-dark"


@pytest.mark.thorough
async def test_the_title_of_the_form_stands_out_while_keys_act_there() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await s.press("down", "enter")
        assert s.app.screen.query_one(PaneTitle).has_class("-focused")
        await s.press("1")
        assert not s.app.screen.query_one(PaneTitle).has_class("-focused")
