"""The form as a widget: its text box is made after the first frame, when the app may be closing already."""

import pytest

from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.widgets.text_field import TextField
from tests.tui.scenario import SAMPLES, WIDE, scenario


@pytest.mark.thorough
async def test_quitting_before_the_text_box_is_made_is_no_error() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json") as s:
        form = s.app.screen.query_one(FormPane)
        assert form.query(TextField)
    form._box = None  # as if the app had been quit within its first frame
    form.prepare_box()
    assert form._box is None


@pytest.mark.thorough
async def test_names_of_fields_have_one_colour_wherever_their_value_is() -> None:
    async with scenario(SAMPLES / "scenario_persona.evalset.json", WIDE) as s:
        await s.enter("novice_asks_for_a_service")
        colours = {
            segment.style.color
            for line in s.app.screen._compositor.render_strips()
            for segment in line
            if segment.style and segment.text.strip() in ("starting_prompt", "conversation_plan", "app_name")
        }
        assert len(colours) == 1
