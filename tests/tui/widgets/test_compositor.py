"""What comes into sight is drawn, also where Textual has placed it before it is asked to lay out the screen."""

import pytest
from textual._compositor import ReflowResult
from textual.geometry import Size
from textual.widget import Widget

from evaltui.tui.editor.edit_screen import EditScreen
from tests.tui.scenario import NARROW, SAMPLES, scenario


@pytest.mark.thorough
async def test_a_pane_whose_place_is_asked_for_early_is_drawn_when_it_is_shown() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json", NARROW) as s:
        screen = s.app.screen
        assert isinstance(screen, EditScreen)
        compositor, shown = screen._compositor, set[Widget]()
        reflow = compositor.reflow

        def noted(parent: Widget, size: Size) -> ReflowResult:
            result = reflow(parent, size)
            shown.update(result.shown)
            return result

        compositor.reflow = noted  # type: ignore[method-assign]
        screen.navigator.show_pane("form")
        # A frame between that and the layout, in which Textual finds that the title has no place yet.
        compositor.update_widgets({screen.panes.form.title_line})
        assert screen.panes.form.title_line.region.width == NARROW[0]
        await s.settle()
        assert {screen.panes.form.title_line, screen.panes.form.lines} <= shown
