"""Columns of the Scores pane: which texts get the room."""

import pytest

from evaltui.tui.panes.score_columns import Columns, Lengths

JUDGED = ["tool_trajectory_avg_score", "response_match_score"]


@pytest.mark.parametrize("width", [80, 100, 140, 200])
def test_no_name_is_cut_while_there_is_room(width: int) -> None:
    columns = Columns(width, JUDGED, [], Lengths(name=27, recording=0, change=0))
    assert columns.name == 27
    columns = Columns(200, JUDGED, [], Lengths(name=27, recording=60, change=0))
    assert columns.recording == 60


@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_long_name_leaves_room_for_scores(width: int) -> None:
    columns = Columns(width, JUDGED, ["token_usage"], Lengths(name=200, recording=60, change=30))
    assert columns.metrics[:1] == JUDGED[:1]
    head = "".join(text for text, _ in columns.head())
    assert len(head) <= width
