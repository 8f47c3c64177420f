"""The form as a widget: its text box is made after the first frame, when the app may be closing already."""

from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.widgets.text_field import TextField
from tests.tui.scenario import SAMPLES, scenario


async def test_quitting_before_the_text_box_is_made_is_no_error() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json") as s:
        form = s.app.screen.query_one(FormPane)
        assert form.query(TextField)
    form._box = None  # as if the app had been quit within its first frame
    form.prepare_box()
    assert form._box is None
