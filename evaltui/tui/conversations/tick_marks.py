"""Marks of conversations and turns that are ticked."""

from __future__ import annotations

from collections.abc import Mapping

from evaltui.tui.lines import MARKED, NO_MARK, Run
from evaltui.tui.recordings.turn_ticks import TickState

PARTLY: Run = ("◇ ", "accent")
"""Mark of a conversation with some ticked turns."""
VOLATILE: Run = ("≈ ", "warning")
"""Mark of a value that is likely to change in the next run."""

TICKED: Mapping[TickState, Run] = {"none": NO_MARK, "some": PARTLY, "all": MARKED}
